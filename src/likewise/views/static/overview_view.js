// The whole collection at a glance.

import { choiceGroup } from "./choice.js";
import { findClusters, MEASURES } from "./clusters.js";
import { h, refill } from "./dom.js";
import { Histogram } from "./histogram.js";
import { noteList } from "./notice.js";
import { decimal, jaccardWithInterval, percent, plural, whole } from "./numbers.js";
import { readingHelp } from "./reading.js";
import { countAtOrAbove } from "./survey_rows.js";
import { shareBar, tile } from "./tile.js";

const TOP = 8;

export async function showOverview(page) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  const { survey } = rows;
  const spread = spreadCard(page, rows);
  const node = [
    h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Overview"), page.changeNote()),
    h(
      "dl",
      { class: "tiles" },
      tile("Documents", whole(survey.documents.count)),
      tile("Similar pairs", whole(survey.pairs.count)),
      tile("Highest", decimal(survey.similarity.highest)),
      tile("Mean", decimal(survey.similarity.mean), "of each document’s highest"),
      tile("Median", decimal(survey.similarity.median), "of each document’s highest"),
    ),
    spread.node,
    h("div", { class: "two" }, topDocuments(page, rows), topPairs(page, rows)),
    h("div", { class: "two" }, exclusionsCard(survey), leftOutCard(survey)),
    readingHelp(),
  ];
  return { title: "Overview", node, leave: spread.leave };
}

function spreadCard(page, rows) {
  const { histogram, chance } = rows.survey;
  let [what, log] = ["pairs", false];
  const complete = rows.allPairsListed && rows.allDocumentsListed;
  const told = h("p", { class: "threshold-words", "data-value": "threshold-words" });
  const groups = h("p", { class: "threshold-words muted", "data-value": "cluster-words" });
  const tell = (threshold) => {
    page.threshold = threshold;
    const pairs = countAtOrAbove(rows.pairs.map((row) => row.jaccard), histogram.pairs, rows.allPairsListed, threshold);
    const documents = countAtOrAbove(rows.documents.map((row) => row.highest), histogram.documents, rows.allDocumentsListed, threshold);
    const link = h("a", { href: page.links.pairs(`jaccard:>=${threshold.toFixed(2)}`) }, plural(pairs, "pair"));
    refill(told, link, ` and ${plural(documents, "document")} at or above ${threshold.toFixed(2)}`);
    const clusters = findClusters(rows.pairs, MEASURES.jaccard.of, threshold);
    const largest = clusters.length ? `, the largest with ${plural(clusters[0].members.length, "document")}` : "";
    refill(groups, h("a", { href: page.links.clusters(threshold.toFixed(2)) }, plural(clusters.length, "cluster")), largest);
  };
  const plot = new Histogram({ threshold: page.threshold, step: complete ? 0.01 : 0.02, chance, onThreshold: tell });
  const draw = () => plot.show(histogram[what], what, log);
  const card = h(
    "section",
    { class: "card spread", "aria-labelledby": "spread-title" },
    h(
      "div",
      { class: "card-head" },
      h("h2", { id: "spread-title" }, "How similar they are"),
      h("div", { class: "controls" },
        choiceGroup("Count", [["pairs", "Pairs"], ["documents", "Documents"]], what, (value) => { what = value; draw(); }),
        choiceGroup("Scale", [["linear", "Linear"], ["log", "Log"]], "linear", (value) => { log = value === "log"; draw(); })),
    ),
    plot.element,
    h("div", { class: "threshold-told", "aria-live": "polite" }, told, groups),
    chance ? h("p", { class: "muted small" }, chanceWords(chance)) : null,
  );
  draw();
  tell(page.threshold);
  return { node: card, leave: () => plot.stop() };
}

function chanceWords(chance) {
  const places = chance.highest < 0.1 ? 3 : 2;
  return `Chance: ${chance.what ? `${chance.what}: ` : ""}${decimal(chance.mean, places)} on average, ${decimal(chance.highest, places)} at most${chance.pairs ? ` among ${plural(chance.pairs, "pair")}` : ""}.`;
}

function topDocuments(page, rows) {
  const shown = rows.documents
    .filter((row) => row.matched > 0 || row.highest > 0)
    .sort((x, y) => shareOf(y) - shareOf(x) || y.highest - x.highest || x.index - y.index)
    .slice(0, TOP);
  return listCard("Documents that share most", "documents", shown.map((row) =>
    h("li", {},
      h("a", { class: "row-name", href: page.links.document(row.id) }, page.names.node(row)),
      h("span", { class: "row-figure" }, percent(shareOf(row))),
      shareBar(shareOf(row)),
      h("span", { class: "row-note" }, `${rows.hasOfDocuments("matched") ? `${plural(row.matched, "shared word")} of ${whole(row.words)}` : `highest similarity ${decimal(row.highest)}`}, ${plural(row.sources, "source")}`))));
}

// Where no texts are kept, words are not known, and similarity is all there is.
function shareOf(row) {
  if (row.matched === undefined) return row.highest;
  return row.words ? row.matched / row.words : 0;
}

function topPairs(page, rows) {
  const card = listCard("Pairs with most in common", "pairs", rows.pairs.slice(0, TOP).map((row) =>
    h("li", {},
      h("a", { class: "row-name", href: page.links.pair(row.first.id, row.second.id) }, page.names.node(row.first), h("span", { class: "with" }, " and "), page.names.node(row.second)),
      h("span", { class: "row-figure" }, percent(row.strength)),
      shareBar(row.strength),
      h("span", { class: "row-note" }, `similarity ${jaccardWithInterval(row)}${passageWords(row)}`))));
  if (rows.pairs.length > TOP) card.append(h("p", { class: "more" }, h("a", { href: page.links.pairs() }, `All ${plural(rows.pairs.length, "pair")}`)));
  return card;
}

function passageWords(row) {
  if (row.words === undefined) return "";
  return row.words ? `, ${plural(row.words, "shared word")}, longest run ${whole(row.run)}` : ", no passage";
}

function listCard(title, name, items) {
  return h("section", { class: "card", "data-list": name }, h("h2", {}, title), items.length ? h("ol", { class: "ranked" }, items) : h("p", { class: "muted" }, "None were found."));
}

function exclusionsCard(survey) {
  return h(
    "section",
    { class: "card", "data-list": "exclusions" },
    h("h2", {}, "Exclusions"),
    survey.exclusions.length
      ? h("ul", { class: "switches" }, survey.exclusions.map((one) =>
          h("li", { class: one.on ? "on" : "off" },
            h("span", { class: "state-word" }, one.on ? "on" : "off"),
            h("span", { class: "wrap" }, one.name, one.on && one.value ? `: ${one.value}` : ""),
            one.on && one.left_out ? h("span", { class: "row-note" }, one.left_out) : null)))
      : h("p", { class: "muted" }, "Nothing was left out of the comparison."),
  );
}

function leftOutCard(survey) {
  return h("section", { class: "card", "data-list": "left-out" }, h("h2", {}, "Not on this page"), noteList(survey.left_out) ?? h("p", { class: "muted" }, "Everything that was found is listed."));
}
