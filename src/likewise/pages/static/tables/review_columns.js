// What reviewers decided, as a column of pairs and of documents, on the page and in the file.

import { h } from "../parts/dom.js";
import { markCounts, reviewWords } from "../data/review.js";
import { noteNode, statusWord } from "../parts/review_bar.js";
import { STATUSES } from "../data/review_marks.js";

// `marksOf(row)` gives {pair, passages, stale} or null. Nothing where there are no marks.
export function reviewColumn(page, marksOf) {
  if (!page.review.marks.length) return null;
  return {
    key: "review", label: "Review", sorts: true, className: "text-cell wide-cell", title: "What reviewers marked; marks change no figure",
    value: (row) => rankOf(marksOf(row)), searched: (row) => reviewWords(marksOf(row)),
    cell: (row) => cellOf(page, marksOf(row)),
  };
}

export function noteField(page, marksOf) {
  if (page.names.anonymous || !page.review.marks.some(({ note }) => note)) return [];
  return [{ names: ["note"], label: "note", value: (row) => everyMark(marksOf(row)).map(({ note }) => note).filter(Boolean) }];
}

function everyMark(found) {
  return found ? [found.pair, ...found.passages, ...found.stale].filter(Boolean) : [];
}

function rankOf(found) {
  const marks = found ? [found.pair, ...found.passages].filter(Boolean) : [];
  const rank = Math.min(...marks.map(({ status }) => STATUSES.indexOf(status)));
  return marks.length ? rank : found ? STATUSES.length : null;
}

function cellOf(page, found) {
  if (!found) return "";
  const rest = markCounts(found.passages, found.stale.length);
  return [
    found.pair ? statusWord(found.pair.status) : null,
    rest ? h("span", { class: "cell-note" }, `${found.passages.length && found.pair ? "passages: " : ""}${rest}`) : null,
    found.pair ? noteNode(page.names, found.pair, "cell-note review-excerpt") : null,
  ];
}

// The cells of a file, with their names.
export const REVIEW_CELLS = ["review", "review_date", "review_note", "review_of_passages"];

export function reviewCells(page, found) {
  const pair = found?.pair ?? null;
  return [pair?.status, pair?.time, page.names.anonymous ? null : pair?.note || null, (found && markCounts(found.passages, found.stale.length)) || null];
}

// The marks of a document are those of all its pairs.
export function documentMarks(page, rows) {
  const byId = new Map();
  for (const row of rows?.pairs ?? []) {
    const found = page.review.marks.length ? page.review.ofRow(row) : null;
    if (!found) continue;
    for (const { id } of [row.first, row.second]) {
      if (!byId.has(id)) byId.set(id, { pair: null, passages: [], stale: [] });
      const own = byId.get(id);
      own.passages.push(...[found.pair, ...found.passages].filter(Boolean));
      own.stale.push(...found.stale);
    }
  }
  return (row) => byId.get(row.id) ?? null;
}
