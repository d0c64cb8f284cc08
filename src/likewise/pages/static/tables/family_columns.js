// The columns of the table of passage families, on the page and in the file.

import { kindWords } from "../parts/badge.js";
import { h } from "../parts/dom.js";
import { familyLink } from "../families/collection_families.js";
import { hasGroups } from "../parts/group_mark.js";
import { chanceText, decimal, plural, RUN_CHANCE_HELP, whole } from "../data/numbers.js";
import { textFields, textOf } from "./pair_columns.js";

const NAMES_SHOWN = 4;
const NOT_LISTED = "a document that is not listed";

// The documents of a family, each once.
export function documentsOf(family) {
  return [...new Set(family.witnesses.map(({ document }) => document))].filter(Boolean);
}

export function witnessName(page, document, className) {
  return document ? page.names.node(document, className) : h("span", { class: "muted" }, NOT_LISTED);
}

// `excerpts` is filled with the element for the wording of each family.
export function familyColumns(page, rows, families, excerpts) {
  const number = (key, label, more) => ({ key, label, number: true, sorts: true, value: (family) => family[key], cell: (family) => whole(family[key]), ...more });
  const isDated = !page.names.anonymous && families.rows.some(({ earliest }) => earliest.length);
  return [
    { key: "wording", label: "Wording", className: "names wording-cell", cell: (family) => wordingCell(page, family, excerpts) },
    number("documents", "Documents", { example: ">= 3", title: "How many documents have it", cell: (family) => [whole(family.documents), family.witnesses.length > family.documents ? h("span", { class: "cell-note" }, `in ${plural(family.witnesses.length, "place")}`) : null] }),
    { key: "names", label: "Found in", names: ["document", "found in"], className: "text-cell wide-cell", searched: (family) => documentsOf(family).map((document) => page.names.plain(document)), cell: (family) => namesCell(page, family) },
    number("common", "Common words", { names: ["common"], example: "> 50", title: "Words that all of its documents have" }),
    number("run", "Longest run", { names: ["longest run"], example: "> 20", title: `Longest run of consecutive words that all of its documents have. ${RUN_CHANCE_HELP}`, cell: (family) => [whole(family.run), family.p === null ? null : h("span", { class: "cell-note wrap" }, `chance ${chanceText(family.p)}`)] }),
    { key: "kind", label: "Kind", sorts: true, className: "text-cell", title: "The greatest change between any two of its documents", value: (family) => family.kind, cell: (family) => kindWords(family.kind) },
    isDated ? { key: "earliest", label: "Earliest", className: "text-cell wide-cell earliest-cell", title: "The earliest of the dates in the metadata; an earlier date alone does not make a document the source", searched: (family) => earliestOfFamily(family).map(({ document }) => page.names.plain(document)), cell: (family) => earliestCell(page, family) } : null,
    hasGroups(page, rows) ? number("groups", "Groups", { names: ["groups"], example: "> 1", title: "How many groups of documents have it", value: (family) => family.groups.length, cell: (family) => [whole(family.groups.length), h("span", { class: "cell-note wrap" }, h("bdi", {}, listedNames(family.groups)))] }) : null,
  ].filter(Boolean);
}

// What a search for families may name besides the columns.
export function familyFields(page, rows) {
  return [
    { names: ["words"], label: "words", number: true, value: (family) => family.words },
    { names: ["matched", "similarity"], label: "similarity", number: true, share: true, value: (family) => family.similarity },
    { names: ["witnesses", "places"], label: "witnesses", number: true, value: (family) => family.witnesses.length },
    { names: ["chance", "p"], label: "chance", number: true, example: "< 0.001", value: (family) => family.p },
    ...(rows.survey.archive ? [{ names: ["archive"], label: "archive", value: (family) => (documentsOf(family).some(({ archive }) => archive) ? "yes" : "no") }] : []),
    ...textFields(page, rows).map((name) => ({ names: [name], label: name, value: (family) => documentsOf(family).map((document) => document[name]) })),
  ];
}

function earliestOfFamily(family) {
  return family.earliest.map((at) => family.witnesses[at]).filter(({ document }) => document);
}

function wordingCell(page, family, excerpts) {
  const link = familyLink(page, family);
  const text = h("span", { class: "excerpt", dir: "auto", lang: "" }, `${plural(family.words, "word")}`);
  excerpts.set(family, text);
  return link ? h("a", { class: "wording", href: link }, text) : text;
}

function namesCell(page, family) {
  const documents = documentsOf(family);
  const rest = family.documents - Math.min(NAMES_SHOWN, documents.length);
  return h("ul", { class: "members" }, documents.slice(0, NAMES_SHOWN).map((document) => h("li", {}, page.names.node(document))), rest > 0 ? h("li", { class: "muted" }, `and ${whole(rest)} more`) : null);
}

function earliestCell(page, family) {
  const [first, ...others] = earliestOfFamily(family);
  if (!first) return "";
  return [page.names.node(first.document), h("span", { class: "cell-note" }, h("bdi", {}, first.document.date), others.length ? `, and ${plural(others.length, "other")}` : "")];
}

function listedNames(names) {
  const rest = names.length - NAMES_SHOWN;
  return `${names.slice(0, NAMES_SHOWN).join(", ")}${rest > 0 ? ` and ${whole(rest)} more` : ""}`;
}

// One witness a line, as `likewise passages --families` writes them.
export function familyTable(page, rows, found) {
  const texts = textFields(page, rows).filter((column) => column !== "id");
  if (rows.survey.archive) texts.push("archive");
  const called = (document) => (document === null ? null : page.names.anonymous ? page.names.plain(document) : document.id);
  const header = ["family", "documents", "witnesses", "common", "run", "similarity", "kind", "p", "document", ...texts, "first_word", "end_word", "words", "matched", "earliest"];
  const lines = found.flatMap((family) => family.witnesses.map((witness, at) => [
    family.at + 1, family.documents, family.witnesses.length, family.common, family.run, Number(decimal(family.similarity, 6)), family.kind, family.p,
    called(witness.document), ...texts.map((column) => witness.document && textOf(page, witness.document, column)),
    witness.first, witness.stop, witness.words, witness.matched, family.earliest.length && !page.names.anonymous ? (family.earliest.includes(at) ? "true" : "false") : null,
  ]));
  return ["families.csv", header, lines];
}
