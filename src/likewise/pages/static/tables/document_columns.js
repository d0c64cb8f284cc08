// The columns of the table of documents, on the page and in the file.

import { ATTRIBUTIONS, attributionWords } from "../data/attributions.js";
import { h } from "../parts/dom.js";
import { groupMark } from "../parts/group_mark.js";
import { decimal, percent, plural, whole } from "../data/numbers.js";
import { textFields, textOf } from "./pair_columns.js";
import { noteField, reviewCells, reviewColumn } from "./review_columns.js";

const NOT_READ = "not read";

// Documents, those that share most first, and then what could not be read.
export function documentRows(rows, unread) {
  const listed = (rows?.documents ?? []).map((row) => ({ ...row, source: rows.documents[row.best] ?? null, status: row.words === 0 ? "empty" : row.archive ? "archive" : rows.survey.archive ? "under review" : "compared" }));
  listed.sort((one, other) => (other.share ?? 0) - (one.share ?? 0) || other.highest - one.highest || one.index - other.index);
  return [...listed, ...unread.map(({ name, reason }) => ({ id: name, isUnread: true, reason, status: NOT_READ }))];
}

// Only what the data has. `sourceLink(row)` is the address of a document with its best source.
export function documentColumns(page, rows, sourceLink, marksOf) {
  const has = (column) => rows?.hasOfDocuments(column) ?? false;
  const { names } = page;
  const known = (row, text) => (row.isUnread ? "" : text);
  const number = (key, label, more = {}) => ({ key, label, number: true, sorts: true, value: (row) => row[key], cell: (row) => known(row, whole(row[key] ?? 0)), ...more });
  return [
    { key: "name", label: "Document", sorts: true, className: "names", value: (row) => names.plain(row).toLowerCase(), cell: (row) => documentName(page, rows, row) },
    ...["author", "group", "date"].filter((key) => has(key) && !names.anonymous).map((key) => ({
      key, label: key[0].toUpperCase() + key.slice(1), sorts: true, className: key === "date" ? "date-cell" : "text-cell", value: (row) => row[key]?.toLowerCase(), cell: (row) => h("bdi", {}, row[key] ?? ""),
    })),
    has("words") ? number("words", "Words") : null,
    has("matched")
      ? number("share", "Shared", { names: ["shared", "share", "% shared"], share: true, title: "The share of its words that are matched in a passage of any other document; each word counts once", cell: (row) => known(row, percent(row.share)) })
      : number("highest", "Similarity", { names: ["similarity", "highest"], share: true, title: "The highest similarity to another document", cell: (row) => known(row, decimal(row.highest)) }),
    {
      key: "source", label: "Best source", names: ["source"], sorts: true, className: "text-cell wide-cell", title: "The document that shares most of its words",
      value: (row) => (row.source ? names.plain(row.source).toLowerCase() : null), cell: (row) => (row.source ? h("a", { href: sourceLink(row) }, names.node(row.source)) : ""),
    },
    has("neither") ? number("neither", "Neither quoted nor cited", { names: ["neither"], share: true, example: "> 10 %", title: "The share of its words in passages with neither quotation marks nor a citation near them", value: (row) => attributedShare(row, "neither"), cell: (row) => known(row, percent(attributedShare(row, "neither"))) }) : null,
    has("run") ? number("run", "Longest run", { example: "> 20", title: "The longest sequence of identical words in a passage" }) : null,
    has("flags") ? number("flags", "Flags", { example: "> 0", title: "Stretches with hidden or look-alike characters", cell: (row) => (row.flags ? whole(row.flags) : "") }) : null,
    reviewColumn(page, marksOf),
    {
      key: "status", label: "Status", sorts: true, className: "text-cell wide-cell", value: (row) => row.status,
      cell: (row) => [h("span", { class: `status-word ${row.isUnread ? "skipped" : ""}` }, row.status), row.isUnread && !names.anonymous ? h("span", { class: "cell-note wrap", dir: "auto" }, row.reason) : null],
    },
  ].filter(Boolean);
}

// What a search for documents may name besides the columns.
export function documentFields(page, rows, marksOf) {
  const numbers = [["matched", "shared words"], ["sources", "sources"]];
  return [
    ...numbers.filter(([key]) => rows?.hasOfDocuments(key)).map(([key, name]) => ({ names: [name, key], label: name, number: true, value: (row) => row[key] })),
    ...ATTRIBUTIONS.filter(({ column }) => column !== "neither" && rows?.hasOfDocuments(column)).map(({ group, column }) => ({ names: [group, column], label: attributionWords(group), number: true, share: true, value: (row) => attributedShare(row, column) })),
    ...(rows?.survey.archive ? [{ names: ["archive"], label: "archive", value: (row) => (row.archive ? `yes ${row.archive}` : "no") }] : []),
    { names: ["reason"], label: "reason", value: (row) => row.reason },
    ...noteField(page, marksOf),
    ...(rows ? textFields(page, rows) : []).filter((name) => name === "id" || name === "title").map((name) => ({ names: [name], label: name, value: (row) => row[name] })),
  ];
}

// The share of a document's words that a column counts.
function attributedShare(row, column) {
  return row.words ? row[column] / row.words : row.words === 0 ? 0 : null;
}

function documentName(page, rows, row) {
  const { names } = page;
  if (row.isUnread) return names.node(row);
  const id = names.anonymous || names.plain(row) === row.id ? null : h("bdi", { class: "cell-note" }, row.id);
  return [h("a", { href: page.links.document(row.id) }, groupMark(page, rows, row), names.node(row)), id];
}

export function unreadWords({ files, unlisted, what = "file" }) {
  return `${plural(files.length + unlisted, what)} could not be read`;
}

const DOCUMENT_NUMBERS = { words: "words", matched: "shared_words", share: "share", quoted_and_cited: "quoted_and_cited_words", quoted: "quoted_words", cited: "cited_words", neither: "neither_words", highest: "highest_similarity", sources: "sources", run: "longest_run", flags: "flags" };

export function documentTable(page, rows, found, marksOf) {
  const texts = rows ? textFields(page, rows).filter((column) => column !== "id") : [];
  if (rows?.survey.archive) texts.push("archive");
  const numbers = Object.keys(DOCUMENT_NUMBERS).filter((key) => rows?.hasOfDocuments(key === "share" ? "matched" : key));
  const called = (document) => (page.names.anonymous ? page.names.plain(document) : document.id);
  const header = ["document", ...texts, ...numbers.map((key) => DOCUMENT_NUMBERS[key]), "best_source", "status", "reason", ...(page.review.marks.length ? ["review"] : [])];
  const lines = found.map((row) => [
    called(row), ...texts.map((key) => textOf(page, row, key)), ...numbers.map((key) => (key === "share" && row.share !== undefined ? Number(row.share.toFixed(6)) : row[key])),
    row.source ? called(row.source) : null, row.status, page.names.anonymous ? null : row.reason,
    ...(page.review.marks.length ? [reviewCells(page, marksOf(row)).pop()] : []),
  ]);
  return ["documents.csv", header, lines];
}
