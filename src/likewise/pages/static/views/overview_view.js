// The whole collection at a glance.

import { attributionOverview } from "../parts/attribution_overview.js";
import { choiceGroup } from "../parts/choice.js";
import { findClusters, MEASURES } from "../data/clusters.js";
import { h, refill } from "../parts/dom.js";
import { exclusionSwitches } from "../parts/exclusion_switches.js";
import { groupMark } from "../parts/group_mark.js";
import { Histogram } from "../charts/histogram.js";
import { noteList, sentence } from "../parts/notice.js";
import { decimal, jaccardWithInterval, percent, plural, whole } from "../data/numbers.js";
import { reviewCard } from "../parts/pair_review.js";
import { allPairs, printButton } from "../paper/print_dialog.js";
import { readingHelp } from "./reading.js";
import { saveReportButton } from "../parts/save_report.js";
import { countAtOrAbove } from "../data/survey_rows.js";
import { shareBar, tile } from "../parts/tile.js";

const TOP = 8;
const MIN_FOR_SPREAD = 6; // of fewer documents the lists say all that a histogram and a mean would

export async function showOverview(page) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  await page.review.load();
  const { survey } = rows;
  const [few, nothing] = [survey.documents.count < MIN_FOR_SPREAD, survey.pairs.count === 0];
  const spread = few || nothing ? null : spreadCard(page, rows);
  const node = [
    h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Overview"), page.changeNote(), h("div", { class: "actions" }, printButton(page, () => [...allPairs(page), { label: "This overview, as it is shown", asShown: true }]), saveReportButton(page))),
    h(
      "dl",
      { class: "tiles" },
      documentTiles(page, survey),
      tile("Pairs found", whole(survey.pairs.count), nothing || !rows.has("passages") ? null : "similar or with shared passages"),
      nothing ? null : tile("Highest", decimal(survey.similarity.highest)),
      few || nothing ? null : [tile("Mean", decimal(survey.similarity.mean), "of each document’s highest"), tile("Median", decimal(survey.similarity.median), "of each document’s highest")],
    ),
    survey.hidden_characters ? hiddenCharactersCard(page, survey) : null,
    survey.common_text?.length ? commonTextCard(survey) : null,
    spread?.node,
    nothing ? noneFound(survey) : h("div", { class: "two" }, topDocuments(page, rows), topPairs(page, rows)),
    nothing ? null : attributionOverview(page, survey),
    few && !nothing ? chanceNote(survey) : null,
    reviewCard(page, rows),
    survey.left_out.length ? h("div", { class: "two" }, exclusionsCard(page, survey), leftOutCard(survey)) : exclusionsCard(page, survey),
    readingHelp(),
  ];
  return { title: "Overview", node, leave: spread?.leave };
}

function documentTiles(page, { documents, archive }) {
  if (!archive) return tile("Documents", whole(documents.count), unreadNote(page));
  return [tile("Under review", whole(documents.count), unreadNote(page) ?? (documents.count === 1 ? "document" : "documents")), tile("In the archive", whole(archive.count), archive.found ? `${whole(archive.found)} of them share${archive.found === 1 ? "s" : ""} text` : "none shares text")];
}

function unreadNote(page) {
  const { files, unlisted } = page.source.unread;
  const count = files.length + unlisted;
  return count ? h("a", { class: "unread-link", href: page.links.documents('status:"not read"') }, `${whole(count)} could not be read`) : null;
}

function hiddenCharactersCard(page, survey) {
  return h("section", { class: "card", "data-list": "hidden-characters" }, h("h2", {}, "Hidden or look-alike characters"),
    h("p", { dir: "auto" }, `${survey.hidden_characters}. They were compared as displayed. `, h("a", { href: page.links.documents("flags > 0", "-flags") }, "Documents with flags")));
}

function commonTextCard(survey) {
  return h("section", { class: "card", "data-list": "common-text" }, h("h2", {}, "Text that many documents have in common"), noteList(survey.common_text));
}

function noneFound(survey) {
  return h("section", { class: "card", "data-list": "pairs" }, h("h2", {}, "No pairs found"),
    h("p", {}, noneFoundText(survey)));
}

function noneFoundText({ documents, archive }) {
  if (archive) return `No two of the ${plural(documents.count, "document")} under review are similar as a whole or share a passage, and none of them shares text with the ${plural(archive.count, "document")} in the archive.`;
  if (documents.count < 2) return "There is only one document, so there is nothing to compare it with.";
  return `No two of the ${whole(documents.count)} documents are similar as a whole or share a passage.`;
}

function spreadCard(page, rows) {
  const { histogram, chance } = rows.survey;
  let [what, log] = ["pairs", false];
  const complete = rows.allPairsListed && rows.allDocumentsListed;
  const counts = h("p", { class: "threshold-words", "data-value": "threshold-words" });
  const groups = h("p", { class: "threshold-words muted", "data-value": "cluster-words" });
  const update = (threshold) => {
    page.threshold = threshold;
    const pairs = countAtOrAbove(rows.pairs.map((row) => row.jaccard), histogram.pairs, rows.allPairsListed, threshold);
    const documents = countAtOrAbove(rows.underReview.map((row) => row.highest), histogram.documents, rows.allDocumentsListed, threshold);
    const link = h("a", { href: page.links.pairs(`jaccard:>=${threshold.toFixed(2)}`) }, plural(pairs, "pair"));
    refill(counts, link, ` and ${plural(documents, "document")}${rows.survey.archive ? " under review" : ""} at or above ${threshold.toFixed(2)}`);
    const clusters = findClusters(rows.pairs, MEASURES.jaccard.of, threshold);
    const largest = clusters.length ? `, the largest with ${plural(clusters[0].members.length, "document")}` : "";
    refill(groups, h("a", { href: page.links.clusters(threshold.toFixed(2)) }, plural(clusters.length, "cluster")), largest);
  };
  const plot = new Histogram({ threshold: page.threshold, step: complete ? 0.01 : 0.02, chance, onThreshold: update });
  const draw = () => plot.show(histogram[what], what, log);
  const card = h(
    "section",
    { class: "card spread", "aria-labelledby": "spread-title" },
    h(
      "div",
      { class: "card-head" },
      h("h2", { id: "spread-title" }, "Distribution of similarity"),
      h("div", { class: "controls" },
        choiceGroup("Count", [["pairs", "Pairs"], ["documents", "Documents"]], what, (value) => { what = value; draw(); }),
        choiceGroup("Scale", [["linear", "Linear"], ["log", "Log"]], "linear", (value) => { log = value === "log"; draw(); })),
    ),
    plot.element,
    h("div", { class: "threshold-counts", "aria-live": "polite" }, counts, groups),
    chanceNote(rows.survey),
  );
  draw();
  update(page.threshold);
  return { node: card, leave: () => plot.stop() };
}

function chanceNote({ chance, chance_reason: reason }) {
  if (!chance) return reason ? h("p", { class: "muted small", "data-value": "chance" }, `Chance level: –. ${sentence(reason)}`) : null;
  const places = chance.highest < 0.1 ? 3 : 2;
  const among = chance.pairs ? ` among ${plural(chance.pairs, "pair")}, so no p-value is below ${(1 / (chance.pairs + 1)).toPrecision(2)}` : "";
  return h("p", { class: "muted small", "data-value": "chance" }, `Chance level, by ${chance.what ?? "unrelated pairs"}: ${decimal(chance.mean, places)} on average, ${decimal(chance.highest, places)} at most${among}.`);
}

function topDocuments(page, rows) {
  const shown = rows.underReview
    .filter((row) => row.matched > 0 || row.highest > 0)
    .sort((x, y) => shareOf(y) - shareOf(x) || y.highest - x.highest || x.index - y.index)
    .slice(0, TOP);
  return listCard("Most shared text", "documents", shown.map((row) =>
    h("li", {},
      h("a", { class: "row-name", href: page.links.document(row.id) }, groupMark(page, rows, row), page.names.node(row)),
      h("span", { class: "row-figure" }, percent(shareOf(row))),
      shareBar(shareOf(row)),
      h("span", { class: "row-note" }, rows.hasOfDocuments("matched") ? `${plural(row.matched, "shared word")} of ${whole(row.words)}, ${plural(row.sources, "source")}` : `highest similarity ${decimal(row.highest)}, ${plural(row.sources, "similar document")}`))));
}

// Where no texts are kept, words are not known, and similarity is all there is.
function shareOf(row) {
  return row.share ?? row.highest;
}

function topPairs(page, rows) {
  const card = listCard("Most similar pairs", "pairs", rows.pairs.slice(0, TOP).map((row) =>
    h("li", {},
      h("a", { class: "row-name", href: page.links.pair(row.first.id, row.second.id) }, page.names.node(row.first), h("span", { class: "with" }, " and "), page.names.node(row.second)),
      h("span", { class: "row-figure" }, percent(row.strength)),
      shareBar(row.strength),
      h("span", { class: "row-note" }, `similarity ${jaccardWithInterval(row)}${passageWords(row)}`))));
  if (rows.pairs.length > TOP) card.append(h("p", { class: "more" }, h("a", { href: page.links.pairs() }, `All ${plural(rows.pairs.length, "pair")}`)));
  return card;
}

function passageWords(row) {
  if (row.sharedWords === undefined) return "";
  return row.sharedWords ? `, ${plural(row.sharedWords, "shared word")}, longest run ${whole(row.run)}` : row.reworded ? ", possibly reworded" : ", no shared passages";
}

function listCard(title, name, items) {
  return h("section", { class: "card", "data-list": name }, h("h2", {}, title), items.length ? h("ol", { class: "ranked" }, items) : h("p", { class: "muted" }, "None found."));
}

function exclusionsCard(page, survey) {
  const fixed = survey.exclusions.filter((one) => one.on);
  return h("section", { class: "card", "data-list": "exclusions" }, h("h2", {}, "Exclusions"),
    h("div", { class: "exclusion-switches" }, exclusionSwitches(page.exclusions)),
    fixed.length ? [
      h("h3", { class: "small" }, "Excluded from the comparison"),
      h("ul", { class: "switches" }, fixed.map((one) => h("li", {}, h("span", { class: "wrap" }, one.name, one.value ? `: ${one.value}` : ""), one.left_out ? h("span", { class: "row-note" }, one.left_out) : null))),
    ] : null);
}

function leftOutCard(survey) {
  return h("section", { class: "card", "data-list": "left-out" }, h("h2", {}, "Not on this page"), noteList(survey.left_out));
}
