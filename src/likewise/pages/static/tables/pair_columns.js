// The columns of the table of pairs, on the page and in the file.

import { h } from "../parts/dom.js";
import { groupMark } from "../parts/group_mark.js";
import { P_MEANING, Q_MEANING, chancesOf, decimal, jaccardWithInterval, percent, whole } from "../data/numbers.js";
import { noteField, REVIEW_CELLS, reviewCells, reviewColumn } from "./review_columns.js";
import { sharedWordsText } from "../data/survey_rows.js";

// Only what the data has: a column that is empty throughout is not there.
export function pairColumns(page, rows) {
  const [chanceVaries, runVaries] = [varies(rows, "chance"), varies(rows, "chance_run")];
  const columns = [
    {
      key: "documents", label: "Documents", sorts: true, className: "names",
      value: (row) => page.names.plain(row.first).toLowerCase(),
      searched: (row) => [page.names.plain(row.first), page.names.plain(row.second)],
      cell: (row) => pairName(page, rows, row),
    },
    {
      key: "jaccard", label: "Similarity", number: true, share: true, sorts: true, title: "Jaccard: the share of all distinct word groups that both texts contain",
      value: (row) => row.jaccard,
      cell: (row) => [jaccardWithInterval(row), chanceVaries && typeof row.chance === "number" ? note(`chance ${decimal(row.chance, 3)}`) : null],
    },
    ...containments(rows),
    {
      key: "strength", label: "Overlap", names: ["overlap"], number: true, share: true, sorts: true, title: "The highest of the similarity and the shared words of either document",
      value: (row) => row.strength, cell: (row) => percent(row.strength),
    },
    ...passageColumns(rows, runVaries),
    ...[reviewColumn(page, (row) => page.review.ofRow(row))].filter(Boolean),
  ];
  for (const key of ["p", "q"]) {
    if (rows.has(key)) columns.push({ key, label: key, example: "< 0.05", number: true, sorts: true, upFirst: true, title: `${key}: ${key === "p" ? P_MEANING : Q_MEANING}`, value: (row) => row[key], cell: (row) => chancesOf(row[key], key === "p" && row.bounded) });
  }
  return columns;
}

// Where no texts are kept, nothing is known of passages.
function passageColumns(rows, runVaries) {
  if (!rows.has("words")) return [];
  return [
    { key: "words", label: "Shared words", number: true, sorts: true, title: "Matched words in passages; words between them do not count", value: (row) => row.sharedWords, cell: (row) => sharedWordsText(row) },
    {
      key: "run", label: "Longest run", example: "> 20", extra: runVaries || typeof rows.pairs[0]?.chance_run !== "number" ? null : `chance ${whole(rows.pairs[0].chance_run)}`, number: true, sorts: true, title: "Longest sequence of identical words on both sides, and the length that unrelated texts reach in one case in twenty",
      value: (row) => row.run,
      cell: (row) => [whole(row.run ?? 0), runVaries && typeof row.chance_run === "number" ? note(`chance ${whole(row.chance_run)}`) : null],
    },
  ];
}

function containments(rows) {
  if (!rows.has("containment_a")) return [];
  return [
    { key: "containment_a", label: "A found in B", number: true, share: true, sorts: true, title: "Containment: the share of the word groups of A that are also in B", value: (row) => row.containment_a, cell: (row) => percent(row.containment_a) },
    { key: "containment_b", label: "B found in A", number: true, share: true, sorts: true, title: "Containment: the share of the word groups of B that are also in A", value: (row) => row.containment_b, cell: (row) => percent(row.containment_b) },
  ];
}

// A value that is the same in every row is shown once, in the header.
function varies(rows, column) {
  return rows.pairs.some((row) => row[column] !== rows.pairs[0][column]);
}

function note(text) {
  return h("span", { class: "cell-note" }, text);
}

function pairName(page, rows, row) {
  const name = (document) => h("span", {}, groupMark(page, rows, document), page.names.node(document));
  return h("a", { class: "pair-name", href: page.links.pair(row.first.id, row.second.id) }, name(row.first), h("span", { class: "unseen" }, " and "), name(row.second));
}

// What a search for pairs may name besides the columns.
export function pairFields(page, rows) {
  const numbers = [
    { names: ["containment"], needs: "containment_a", share: true },
    { names: ["share", "shared", "% shared"], needs: "share_a", share: true },
    { names: ["passages"], needs: "passages", example: ">= 3" },
    { names: ["reworded"], needs: "reworded", example: ">= 1" },
  ];
  return [
    ...numbers.filter(({ needs }) => rows.has(needs)).map((field) => ({ ...field, label: field.names[0], number: true, value: (row) => row[field.names[0]] })),
    ...(rows.survey.archive ? [{ names: ["archive"], label: "archive", value: (row) => row.archive }] : []),
    ...textFields(page, rows).map((name) => ({ names: [name], label: name, value: (row) => [row.first[name], row.second[name]] })),
    ...noteField(page, (row) => page.review.ofRow(row)),
  ];
}

// Metadata that there are, and the id; none of them where names are hidden.
export function textFields(page, rows) {
  return page.names.anonymous ? [] : ["id", ...METADATA.filter((name) => rows.hasOfDocuments(name))];
}

// A field of a document; of an archive the name only where names are shown.
export function textOf(page, document, column) {
  return column === "archive" && document.archive && page.names.anonymous ? "archive" : document[column];
}

export const METADATA = ["title", "author", "group", "date"];

const NUMBERS_IN_FILE = [
  "jaccard", "low", "high", "level", "containment_a", "containment_b", "shared", "size_a", "size_b", "words", "words_b", "share_a", "share_b",
  "passages", "reworded", "run", "run_p", "chance_run", "chance", "p", "q",
];

export function pairTable(page, rows, shown) {
  const numbers = NUMBERS_IN_FILE.filter((column) => rows.has(column));
  const texts = textFields(page, rows).filter((column) => column !== "id");
  if (rows.survey.archive) texts.push("archive");
  const header = ["a", "b", ...texts.flatMap((column) => [`${column}_a`, `${column}_b`]), ...numbers, ...(page.review.marks.length ? REVIEW_CELLS : [])];
  const called = (document) => (page.names.anonymous ? page.names.plain(document) : document.id);
  const lines = shown.map((row) => [
    called(row.first),
    called(row.second),
    ...texts.flatMap((column) => [row.first, row.second].map((one) => textOf(page, one, column))),
    ...numbers.map((column) => row[column]),
    ...(page.review.marks.length ? reviewCells(page, page.review.ofRow(row)) : []),
  ]);
  return ["pairs.csv", header, lines];
}
