// How the figures came about: settings, counts, times, and what could not be read.

import { h, refill } from "../parts/dom.js";
import { noteList } from "../parts/notice.js";
import { plural, seconds, whole } from "../data/numbers.js";
import { pager } from "../tables/pager.js";

const SKIPPED_A_PAGE = 50;

export async function showRun(page) {
  const rows = await page.rows({ evenEmpty: true });
  if (rows === null) return page.nothingYet();
  const { survey } = rows;
  const { run } = survey;
  const facts = [["Version", `likewise ${survey.version}`], ["Made", survey.made ? survey.made.replace("T", " ").replace("Z", " UTC") : "not noted"]];
  const node = [
    h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Run")),
    run.command ? h("pre", { class: "command", tabindex: "0", role: "region", "aria-label": "Command" }, run.command) : null,
    h("div", { class: "three" }, factCard("Settings", [...facts, ...run.settings]), factCard("Counts", run.counts), timesCard(run.seconds)),
    notesCard(run.notes),
    skippedCard(run.skipped),
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

function skippedCard(skipped) {
  const list = h("div");
  const draw = (at) => {
    const part = skipped.slice(at * SKIPPED_A_PAGE, (at + 1) * SKIPPED_A_PAGE);
    refill(
      list,
      h("table", { role: "table", class: "rows", "aria-label": "Skipped" },
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ["Name", "Place", "Reason"].map((label) => h("th", { role: "columnheader", scope: "col" }, label)))),
        h("tbody", { role: "rowgroup" }, part.map(([name, place, reason]) =>
          h("tr", { role: "row" }, [["Name", name], ["Place", place], ["Reason", reason]].map(([label, value]) => h("td", { role: "cell", class: "wrap", "data-label": label, dir: "auto" }, h("div", { class: "cell" }, value ?? "")))))),
      ),
      skipped.length > SKIPPED_A_PAGE ? pager({ page: at, size: SKIPPED_A_PAGE, count: skipped.length, what: "skipped", onPage: draw }) : null,
    );
  };
  if (skipped.length) draw(0);
  return h("section", { class: "card", "data-list": "skipped" }, h("h2", {}, "Skipped"),
    skipped.length ? [h("p", { class: "muted" }, `${plural(skipped.length, "file or document", "files or documents")} could not be read and ${skipped.length === 1 ? "was" : "were"} not compared.`), list] : h("p", { class: "muted" }, "All files were read."));
}
