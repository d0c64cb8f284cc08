// The first sheet: what was compared and how, which pairs follow, and how to read their figures.

import { h } from "../parts/dom.js";
import { utcTime } from "../data/dates.js";
import { noteList } from "../parts/notice.js";
import { decimal, jaccardWithInterval, percent, plural, whole } from "../data/numbers.js";
import { exclusionsInForce, mainSettings } from "./run_words.js";
import { readingList } from "../views/reading.js";
import { sharedWordsText } from "../data/survey_rows.js";

// `views` are the pairs that follow, in their order.
export function coverSheet(page, views) {
  const { survey } = page.knownRows;
  return h("section", { class: "print-sheet print-cover" },
    h("h1", {}, page.collectionTitle || "Shared wording"),
    h("p", { class: "cover-subtitle" }, `Evidence of shared wording: ${plural(views.length, "pair")} of documents`),
    h("p", { class: "cover-caution" }, "Shared text shows that two documents have wording in common. It does not show why, or which of them came first."),
    coverFacts(runFacts(page, survey, views)),
    noteList([...(survey.common_text ?? []), ...(page.exclusions.active ? page.exclusions.notes(survey) : [])]),
    h("h2", {}, "Pairs"),
    printedPairs(page, views),
    h("h2", {}, "How to read the figures"),
    readingList(true));
}

function runFacts(page, survey, views) {
  const { documents, archive, pairs } = survey;
  const { files, unlisted } = page.source.unread;
  const excluded = exclusionsInForce(page);
  return [
    ["Figures of", survey.made ? utcTime(survey.made) : null],
    ["Printed", utcTime(new Date().toISOString())],
    archive ? ["Documents under review", whole(documents.count)] : ["Documents", whole(documents.count)],
    ["Documents in the archive", archive ? `${whole(archive.count)}, of which ${whole(archive.found)} share text` : null],
    ["Could not be read", files.length + unlisted ? whole(files.length + unlisted) : null],
    ["Pairs found", `${whole(pairs.count)}, of which ${whole(views.length)} ${views.length === 1 ? "is" : "are"} printed here`],
    ["Names", page.names.anonymous ? "hidden" : null],
    ["Chance level", survey.chance ? `${decimal(survey.chance.mean, 3)} on average, ${decimal(survey.chance.highest, 3)} at most, by ${survey.chance.what ?? "unrelated pairs"}` : survey.chance_reason],
    ["Excluded", excluded.length ? excluded.join("; ") : "nothing"],
    ["Settings", [...mainSettings(survey), `likewise ${survey.version}`].join("; ")],
  ].filter(([, value]) => value);
}

function coverFacts(facts) {
  return h("dl", { class: "cover-facts" }, facts.map(([term, value]) => h("div", {}, h("dt", {}, term), h("dd", { dir: "auto" }, value))));
}

// Its numbers are those of the sheets.
function printedPairs(page, views) {
  const known = (name) => views.some(({ measures }) => typeof measures[name] === "number");
  const columns = [
    ["Similarity", (m) => jaccardWithInterval(m)],
    known("words") ? ["Shared words", (m) => sharedWordsText(m)] : null,
    known("share_a") ? ["Share of each", (m) => ofEach(m.share_a, m.share_b)] : null,
    known("run") ? ["Longest run", (m) => whole(m.run ?? 0)] : null,
    known("words") ? null : ["Found in other", (m) => ofEach(m.containment_a, m.containment_b)],
  ].filter(Boolean);
  return h("table", { class: "cover-pairs" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Pair"), h("th", { scope: "col" }, "Documents"), columns.map(([label]) => h("th", { scope: "col", class: "number" }, label)))),
    h("tbody", {}, views.map(({ a, b, measures }, at) => h("tr", {},
      h("th", { scope: "row" }, h("a", { href: `#print-pair-${at + 1}` }, whole(at + 1))),
      h("td", {}, h("div", {}, page.names.node(a)), h("div", {}, page.names.node(b))),
      columns.map(([, value]) => h("td", { class: "number" }, value(measures)))))));
}

// On the lines of both names.
function ofEach(...shares) {
  return shares.map((share) => h("div", {}, percent(share)));
}
