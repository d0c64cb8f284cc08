// Every document of the collection with its figures, and the files that could not be read.

import { documentColumns, documentFields, documentRows, documentTable, unreadWords } from "../tables/document_columns.js";
import { h } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { documentMarks } from "../tables/review_columns.js";
import { METADATA } from "../tables/pair_columns.js";
import { allPairs, printButton } from "../paper/print_dialog.js";
import { SearchedTable } from "../tables/searched_table.js";
import { plural, whole } from "../data/numbers.js";

export async function showDocuments(page, address) {
  const rows = await page.rows({ evenEmpty: true });
  const unread = page.source.unread;
  await page.review.load();
  if (!rows?.documents.length && !unread.files.length) return page.nothingYet();
  return new DocumentsView(page, rows, unread, address.query).shown();
}

class DocumentsView {
  constructor(page, rows, unread, query) {
    this.page = page;
    this.rows = rows;
    this.unread = unread;
    this.marksOf = documentMarks(page, rows);
    this.table = new SearchedTable(page, this.spec(), query);
    this.unlisten = page.review.listen(() => {
      this.marksOf = documentMarks(page, rows);
      this.table.draw();
    });
  }

  spec() {
    const { page, rows } = this;
    const every = documentRows(rows, this.unread.files);
    const marksOf = (row) => this.marksOf(row);
    const columns = documentColumns(page, rows, (row) => this.sourceLink(row), marksOf);
    const first = columns.find((column) => column.share);
    return {
      what: "document", label: "Documents", columns, fields: documentFields(page, rows, marksOf), rows: () => every,
      tail: page.source.mode === "app" && this.unread.files.length ? [this.dismissColumn()] : [],
      absent: ["words", "run", "flags", "note", "review", ...METADATA],
      words: (row) => page.names.searched(row),
      sort: { key: first.key, down: true },
      file: (found) => documentTable(page, rows, found, marksOf),
      placeholder: "Names, or a column such as shared >= 20 %",
      help: "Words are searched for in names, titles, authors, groups and ids.",
      examples: [`${first.names[0]} >= 20 %`, ...(columns.some((column) => column.key === "flags") ? ["neither >= 10 %", "longest run > 20", "flags > 0"] : []), ...(this.unread.files.length ? ['status:"not read"'] : [])],
      beyond: () => (rows ? rows.count - rows.documents.length : 0),
      none: "There are no documents.",
      tools: rows ? printButton(page, () => this.printScopes()) : null,
      rowProps: (row) => (row.isUnread ? { "data-unread": page.links.called(row.id) } : { "data-document": page.links.called(row.id) }),
    };
  }

  printScopes() {
    const listed = new Set(this.table.found.map(({ index }) => index));
    const entries = this.rows.pairs.filter(({ a, b }) => listed.has(a) || listed.has(b));
    return [{ label: `The ${plural(entries.length, "pair")} of the documents listed`, entries }, ...allPairs(this.page, entries.length), { label: "This list, as it is shown", asShown: true }].filter(({ entries: some }) => !some || some.length);
  }

  // In a report, a pair that is not listed has no page.
  sourceLink(row) {
    const { page, rows } = this;
    return page.source.mode === "app" || rows.isListed(row.index, row.source.index) ? page.links.pair(row.id, row.source.id) : page.links.document(row.source.id);
  }

  dismissColumn() {
    const { names } = this.page;
    return {
      key: "dismiss", label: "Dismiss", hideLabel: true, className: "tail",
      cell: (row) => (row.isUnread ? h("button", { type: "button", class: "quiet icon-button", "data-action": "dismiss", "aria-label": `Dismiss ${names.short(row)}`, title: "Remove this file from the list", on: { click: () => this.dismiss([row.id]) } }, icon("close")) : null),
    };
  }

  async dismiss(names) {
    try {
      await this.page.source.dismissUnread(names);
    } catch (error) {
      this.table.problem.textContent = [error.message, error.hint].filter(Boolean).join(" – ");
      return;
    }
    this.page.announce("Removed from the list");
    this.page.forget();
    this.page.show(false, true);
  }

  shown() {
    const node = [
      h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Documents"), this.page.changeNote()),
      this.unreadCard(),
      this.archiveNote(),
      this.table.element,
    ];
    return { title: "Documents", node, leave: this.unlisten };
  }

  // Of an archive, only documents that share text with those under review are listed.
  archiveNote() {
    const archive = this.rows?.survey.archive;
    if (!archive) return null;
    return h("p", { class: "muted", "data-value": "archive-note" }, `${plural(this.rows.survey.documents.count, "document")} under review, and ${whole(archive.found)} of ${whole(archive.count)} in the archive, which share${archive.found === 1 ? "s" : ""} text with them.`);
  }

  unreadCard() {
    const { files, unlisted } = this.unread;
    if (!files.length) return null;
    const show = h("button", { type: "button", class: "link", "data-action": "show-unread", on: { click: () => this.table.take('status:"not read"') } }, "Show in the list");
    const dismissAll = this.page.source.mode === "app" ? h("button", { type: "button", class: "link", "data-action": "dismiss-all", on: { click: () => this.dismiss(null) } }, "Dismiss all") : null;
    return h("p", { class: "unread-note", "data-value": "unread" }, h("strong", {}, unreadWords(this.unread)), ` and ${files.length + unlisted === 1 ? "is" : "are"} not compared${unlisted ? `; the latest ${whole(files.length)} are listed` : ""}. `, show, dismissAll ? [" ", dismissAll] : null);
  }
}
