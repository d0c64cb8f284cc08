// The columns of the table of pairs, on the page and in the file.

import { h } from "./dom.js";
import { chancesOf, decimal, jaccardWithInterval, percent, whole } from "./numbers.js";

// Only what the data has: a column that is empty throughout is not there.
export function pairColumns(page, rows) {
  const [chanceVaries, runVaries] = [varies(rows, "chance"), varies(rows, "chance_run")];
  const columns = [
    {
      key: "documents", label: "Documents", sorts: true, className: "names",
      value: (row) => page.names.plain(row.first).toLowerCase(),
      cell: (row) => pairName(page, row),
    },
    {
      key: "jaccard", label: "Similarity", number: true, sorts: true, title: "Jaccard: the part of all different word groups of both texts that both have",
      value: (row) => row.jaccard,
      cell: (row) => [jaccardWithInterval(row), chanceVaries && typeof row.chance === "number" ? note(`chance ${decimal(row.chance, 3)}`) : null],
    },
    ...containments(rows),
    {
      key: "strength", label: "In common", number: true, sorts: true, title: "The higher of the similarity and of the larger share that lies in passages",
      value: (row) => row.strength, cell: (row) => percent(row.strength),
    },
    ...passageColumns(rows, runVaries),
  ];
  for (const key of ["p", "q"]) {
    if (rows.has(key)) columns.push({ key, label: key, number: true, sorts: true, upFirst: true, title: key === "p" ? "How often chance alone gives as much" : "The same with all pairs in mind that were looked at", value: (row) => row[key], cell: (row) => chancesOf(row[key], row.bounded) });
  }
  return columns;
}

// Where no texts are kept, nothing is known of passages.
function passageColumns(rows, runVaries) {
  if (!rows.has("words")) return [];
  return [
    { key: "words", label: "Shared words", number: true, sorts: true, title: "Words of the first document in some passage", value: (row) => row.words, cell: (row) => whole(row.words ?? 0) },
    {
      key: "run", label: "Longest run", extra: runVaries || typeof rows.pairs[0]?.chance_run !== "number" ? null : `chance ${whole(rows.pairs[0].chance_run)}`, number: true, sorts: true, title: "Most words in a row that are the same on both sides, and what chance would reach",
      value: (row) => row.run,
      cell: (row) => [whole(row.run ?? 0), runVaries && typeof row.chance_run === "number" ? note(`chance ${whole(row.chance_run)}`) : null],
    },
  ];
}

function containments(rows) {
  if (!rows.has("containment_a")) return [];
  return [
    { key: "containment_a", label: "First in second", number: true, sorts: true, title: "Containment: the part of the first document that the second has too", value: (row) => row.containment_a, cell: (row) => percent(row.containment_a) },
    { key: "containment_b", label: "Second in first", number: true, sorts: true, title: "Containment: the part of the second document that the first has too", value: (row) => row.containment_b, cell: (row) => percent(row.containment_b) },
  ];
}

// What is the same in every row stands in the head, once.
function varies(rows, column) {
  return rows.pairs.some((row) => row[column] !== rows.pairs[0][column]);
}

function note(text) {
  return h("span", { class: "cell-note" }, text);
}

function pairName(page, row) {
  return h("a", { class: "pair-name", href: page.links.pair(row.first.id, row.second.id) }, page.names.node(row.first), h("span", { class: "unseen" }, " and "), page.names.node(row.second));
}

const NUMBERS_IN_FILE = [
  "jaccard", "low", "high", "level", "containment_a", "containment_b", "shared", "size_a", "size_b", "words", "share_a", "share_b",
  "passages", "run", "chance_run", "chance", "p", "q",
];

export function pairTable(page, rows, shown) {
  const numbers = NUMBERS_IN_FILE.filter((column) => rows.has(column));
  const texts = page.names.anonymous ? [] : ["title", "author", "date", "group"].filter((column) => rows.hasOfDocuments(column));
  const header = ["a", "b", ...texts.flatMap((column) => [`${column}_a`, `${column}_b`]), ...numbers];
  const called = (document) => (page.names.anonymous ? page.names.plain(document) : document.id);
  const lines = shown.map((row) => [
    called(row.first),
    called(row.second),
    ...texts.flatMap((column) => [row.first[column], row.second[column]]),
    ...numbers.map((column) => row[column]),
  ]);
  return [header, lines];
}
