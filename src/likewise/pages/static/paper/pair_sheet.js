// A pair on paper: what the two documents are, the figures, the passages side by side, and both texts
// in full if they are wanted.

import { alignedRows, matchedPlaces } from "./aligned_rows.js";
import { pairAttribution } from "../data/attributions.js";
import { h } from "../parts/dom.js";
import { measureCards } from "../data/measure_words.js";
import { noteList } from "../parts/notice.js";
import { percent, whole } from "../data/numbers.js";
import { pairText } from "../texts/pair_text.js";
import { passageFacts } from "../parts/source_list.js";
import { inSection } from "./page_margins.js";
import { settingsSentence } from "./run_words.js";
import { SideText } from "./side_text.js";
import { wordCount } from "../texts/word_ranges.js";

// Pairs as sheets, numbered: nodes, and the sections whose names are in the margins.
export function pairSheets(page, views, fullTexts) {
  const numbered = views.map((view, at) => ({ view, name: `pair-${at + 1}`, label: views.length > 1 ? `Pair ${whole(at + 1)} of ${whole(views.length)}` : "Pair" }));
  return {
    nodes: numbered.map(({ view, name, label }) => pairSheet(page, view, { name, label, fullTexts })),
    sections: numbered.map(({ view, name, label }) => ({ name, left: `${label}: ${page.names.short(view.a, 45)} and ${page.names.short(view.b, 45)}` })),
  };
}

function pairSheet(page, view, { name, label, fullTexts }) {
  const { names } = page;
  const stored = view.a.text !== null && view.b.text !== null;
  const brief = (shown) => () => names.brief(shown);
  const sheet = h("section", { class: "print-sheet", id: `print-${name}` },
    h("p", { class: "sheet-label" }, label),
    h("h2", { class: "pair-title" }, names.node(view.a), h("span", { class: "with" }, " and "), names.node(view.b)),
    documentFacts(page, view),
    measureCards({ ...view.measures, ...page.knownRows?.chanceOf(view.a.id, view.b.id) }, brief(view.a), brief(view.b)),
    page.knownRows ? h("p", { class: "small muted" }, settingsSentence(page)) : null,
    noteList(view.notes),
    stored ? passageTables(page, view) : h("p", { class: "sheet-note" }, "The texts are not stored here, so only the measures are printed."),
    stored && fullTexts ? [view.a, view.b].map((shown, side) => fullText(page, view, shown, side === 1)) : null);
  return inSection(sheet, name);
}

// What is known of both documents, line by line.
function documentFacts(page, { a, b, measures }) {
  const { names } = page;
  const both = [[a, measures.share_a], [b, measures.share_b]];
  const areFiles = both.every(([shown]) => names.plain(shown) === shown.id); // the names say it
  const lines = [
    ...(names.anonymous ? [] : [["File", (shown) => (areFiles ? null : shown.id)], ["Title", (shown) => shown.title], ["Author", (shown) => shown.author], ["Date", (shown) => shown.date], ["Group", (shown) => shown.group]]),
    ["Archive", (shown) => (shown.archive === "archive" ? "yes" : shown.archive)],
    ["Words", wordCount],
    ["Characters", (shown) => shown.flag_notes?.join("; ") || null],
    ["Shared", (_, share) => (typeof share === "number" ? `${percent(share)} of its words` : null)],
  ].map(([term, of]) => [term, ...both.map(([shown, share]) => of(shown, share))]).filter(([, ...values]) => values.some((value) => value !== null && value !== undefined));
  return h("table", { class: "sheet-facts" },
    h("thead", {}, h("tr", {}, h("td", {}), both.map(([shown]) => h("th", { scope: "col" }, names.node(shown))))),
    h("tbody", {}, lines.map(([term, ...values]) => h("tr", {}, h("th", { scope: "row" }, term), values.map((value) => h("td", {}, h("bdi", {}, value ?? "–")))))));
}

function passageTables(page, view) {
  const sides = [new SideText(view.a), new SideText(view.b)];
  const reworded = view.reworded ?? [];
  return [
    h("h3", {}, "Shared passages"),
    view.passages.length
      ? [h("p", { class: "small muted" }, "Each row has the same part of a passage on both sides. ", h("u", {}, "Underlined"), " words are shared; the others within a passage are not. ", h("span", { class: "around" }, "Grey, in italics:"), " the text around the passage."),
        sideTable(page, view, view.passages.map((passage, index) => passageRows(passage, String(index + 1), sides)))]
      : h("p", { class: "sheet-note" }, "No shared passages."),
    reworded.length
      ? [h("h3", {}, "Possibly reworded"), h("p", { class: "small muted" }, "Single rare words in common; not part of any percentage. Read both before you conclude anything."),
        sideTable(page, view, reworded.map((passage, index) => rewordedRows(passage, `R${index + 1}`, sides)))]
      : null,
  ];
}

// Its head is repeated on every sheet.
function sideTable(page, view, bodies) {
  return h("table", { class: "sheet-passages" },
    h("thead", {}, h("tr", {}, h("td", { class: "row-number" }), [view.a, view.b].map((shown) => h("th", { scope: "col" }, page.names.node(shown))))),
    bodies);
}

function passageRows(passage, number, sides) {
  const rows = alignedRows(passage, ...sides);
  const matched = ["a", "b"].map((side, at) => matchedPlaces(passage, side, sides[at].at));
  const places = passagePlaces(passage, sides);
  const lastOfB = rows.reduce((last, row) => (row.b[1] > last.b[1] ? row : last));
  const firstOfB = rows.reduce((first, row) => (row.b[0] < first.b[0] ? row : first));
  return h("tbody", { "data-passage": number }, headRow(number, passageFacts(passage, pairAttribution(passage))),
    rows.map((row, at) => {
      const isNewPart = row.parts > 1 && (at === 0 || rows[at - 1].part !== row.part);
      const edges = [{ before: at === 0, after: at === rows.length - 1 }, { before: row === firstOfB, after: row === lastOfB }];
      const cells = [row.a, row.b].map((place, side) => h("td", {},
        at === 0 ? h("p", { class: "sheet-place" }, places[side]) : null,
        isNewPart ? h("p", { class: "sheet-place" }, `part ${whole((side ? row.otherPart : row.part) + 1)} of ${whole(row.parts)} in this text`) : null,
        h("p", { dir: "auto" }, sides[side].nodes(place, matched[side], edges[side]))));
      return h("tr", {}, h("th", { scope: "row", class: "row-number" }, rows.length > 1 ? `${number}.${at + 1}` : number), cells);
    }));
}

function rewordedRows(passage, number, sides) {
  const places = passagePlaces(passage, sides);
  const ends = [[passage.start, passage.end], [passage.other_start, passage.other_end]];
  return h("tbody", { "data-passage": number }, headRow(number, [`${whole(passage.words)} rare words in common`]),
    h("tr", { class: "long-row" }, h("th", { scope: "row", class: "row-number" }, number),
      sides.map((side, at) => h("td", {}, h("p", { class: "sheet-place" }, places[at]), h("p", { dir: "auto" }, side.nodes(ends[at].map(side.at), [], { before: true, after: true }))))));
}

function passagePlaces(passage, [a, b]) {
  return [a.placeWords(passage.start, passage.end, passage.first, passage.last), b.placeWords(passage.other_start, passage.other_end, passage.other_first, passage.other_last)];
}

function headRow(number, facts) {
  return h("tr", { class: "passage-head" }, h("th", { colspan: 3, scope: "rowgroup" }, h("strong", {}, `${number} `), facts.join(" · ")));
}

function fullText(page, view, shown, isOther) {
  return h("article", { class: "sheet-text" }, h("h3", {}, "Full text of ", page.names.node(shown)), pairText(view, isOther, () => {}).element);
}
