// How the figures came about: settings, counts, times, and what could not be read.

import { unreadWords } from "../tables/document_columns.js";
import { h } from "../parts/dom.js";
import { noteList } from "../parts/notice.js";
import { seconds, whole } from "../data/numbers.js";
import { saveReportButton } from "../parts/save_report.js";

export async function showRun(page) {
  const rows = await page.rows({ evenEmpty: true });
  if (rows === null) return page.nothingYet();
  const { survey } = rows;
  const { run } = survey;
  const facts = [["Version", `likewise ${survey.version}`], ["Made", survey.made ? survey.made.replace("T", " ").replace("Z", " UTC") : "not noted"]];
  const node = [
    h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Run"), saveReportButton(page)),
    run.command && !page.names.anonymous ? h("pre", { class: "command", tabindex: "0", role: "region", "aria-label": "Command" }, run.command) : null,
    h("div", { class: "three" }, factCard("Settings", [...facts, ...run.settings]), factCard("Counts", run.counts), timesCard(run.seconds)),
    notesCard(page.names.anonymous && run.notes.length ? ["Notes and the command line may have names; they are hidden."] : run.notes),
    skippedCard(page),
  ];
  return { title: "Run", node };
}

function factCard(title, facts) {
  return h("section", { class: "card", "data-list": title.toLowerCase() }, h("h2", {}, title),
    facts.length ? h("dl", { class: "facts" }, facts.map(([name, value]) => h("div", {}, h("dt", {}, name.replaceAll("_", " ")), h("dd", { dir: "auto" }, Number.isInteger(value) ? whole(value) : String(value))))) : h("p", { class: "muted" }, "None."));
}

function timesCard(stages) {
  const total = stages.reduce((sum, [, time]) => sum + time, 0);
  return factCard("Timings", [...stages.map(([stage, time]) => [stage, seconds(time)]), ...(stages.length ? [["together", seconds(total)]] : [])]);
}

function notesCard(notes) {
  return h("section", { class: "card", "data-list": "notes" }, h("h2", {}, "Notes"), noteList(notes) ?? h("p", { class: "muted" }, "No notes."));
}

function skippedCard(page) {
  const { files, unlisted } = page.source.unread;
  const count = files.length + unlisted;
  return h("section", { class: "card", "data-list": "skipped" }, h("h2", {}, "Files that could not be read"),
    count ? h("p", {}, h("a", { href: page.links.documents('status:"not read"') }, unreadWords(page.source.unread)), ` and ${count === 1 ? "was" : "were"} not compared.`) : h("p", { class: "muted" }, page.source.mode === "app" ? "None are known." : "All files were read."));
}
