// All review marks: also those whose text has changed since, or whose pair is not shown.

import { chooseMarks, MAX_REVIEW_BYTES, readReviewFile, reviewFile } from "../data/review_file.js";
import { confirmDialog } from "../parts/dialog.js";
import { h } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { isStale } from "../data/review.js";
import { markDate, noteNode, statusWord } from "../parts/review_bar.js";
import { PlainError, problemDialog, sentence } from "../parts/notice.js";
import { plural, whole } from "../data/numbers.js";
import { saveFile } from "../tables/csv.js";
import { SearchedTable } from "../tables/searched_table.js";
import { STATUSES } from "../data/review_marks.js";

export async function showReview(page, address) {
  const rows = await page.rows({ evenEmpty: true });
  await page.review.load();
  return new ReviewView(page, rows, address.query).shown();
}

class ReviewView {
  constructor(page, rows, query) {
    Object.assign(this, { page, rows });
    this.message = h("p", { class: "review-message", role: "status", "data-value": "review-message" });
    this.table = new SearchedTable(page, this.spec(), query);
    this.stop = page.review.listen(() => this.table.draw());
  }

  documentOf(id) {
    return this.rows?.byId.get(id);
  }

  get marks() {
    return this.page.review.marks.map((mark) => {
      const [first, second] = [mark.a, mark.b].map((id) => this.documentOf(id));
      const isListed = first && second && (this.rows.isListed(first.index, second.index));
      const state = !first || !second ? "not among these documents" : isStale(mark, first, second) ? "text has changed since" : isListed ? "" : "not among these pairs";
      return { mark, first: first ?? { id: mark.a }, second: second ?? { id: mark.b }, state, hasPage: Boolean(first && second && (isListed || this.page.source.mode === "app")) };
    });
  }

  spec() {
    const { names } = this.page;
    return {
      what: "mark", label: "Review marks", columns: this.columns(), tail: [this.removeColumn()], fields: [{ names: ["note"], label: "note", value: ({ mark }) => (names.anonymous ? null : mark.note) }],
      rows: () => this.marks,
      words: ({ first, second, mark }) => [names.searched(first), names.searched(second), names.anonymous ? "" : mark.note.toLowerCase()].join("\n"),
      sort: { key: "status", down: false },
      file: (found) => this.file(found),
      placeholder: "Names, or a column such as status:important",
      help: "Words are searched for in the names of both documents and in notes.",
      examples: ["status:important", "state:changed", "what:passage"],
      none: "Mark a pair or a passage where it is shown: on the page of a pair, or at a passage in a document.",
      tools: this.fileButtons(),
    };
  }

  columns() {
    const { names, links } = this.page;
    const pairOf = ({ first, second, hasPage }) => {
      const both = [names.node(first), h("span", { class: "unseen" }, " and "), names.node(second)];
      return hasPage ? h("a", { class: "pair-name", href: links.pair(first.id, second.id) }, both.map((one) => h("span", {}, one))) : h("span", { class: "pair-name" }, both.map((one) => h("span", {}, one)));
    };
    const what = ({ mark }) => (mark.passage ? "passage" : "pair");
    return [
      { key: "status", label: "Status", sorts: true, className: "text-cell", value: ({ mark }) => STATUSES.indexOf(mark.status), searched: ({ mark }) => mark.status, cell: ({ mark }) => statusWord(mark.status) },
      { key: "documents", label: "Documents", sorts: true, className: "names", value: ({ first }) => names.plain(first).toLowerCase(), searched: ({ first, second }) => [names.plain(first), names.plain(second)], cell: pairOf },
      { key: "what", label: "What", sorts: true, className: "text-cell", value: what, cell: what },
      { key: "note", label: "Note", className: "wrap wide-cell", cell: ({ mark }) => noteNode(names, mark) ?? "" },
      { key: "date", label: "Date", sorts: true, className: "date-cell", value: ({ mark }) => mark.time, cell: ({ mark }) => markDate(mark) },
      { key: "state", label: "State", sorts: true, className: "text-cell wide-cell", value: ({ state }) => state, cell: ({ state }) => state },
    ];
  }

  removeColumn() {
    const { page } = this;
    return {
      key: "remove", label: "Remove", hideLabel: true, className: "tail",
      cell: ({ mark, first, second }) => (page.review.canChange ? h("button", { type: "button", class: "quiet icon-button", "data-action": "remove-mark", "aria-label": `Remove the mark of ${page.names.short(first)} and ${page.names.short(second)}`, title: "Remove this mark", on: { click: () => this.remove(mark) } }, icon("close")) : null),
    };
  }

  async remove(mark) {
    if (mark.note && !(await confirmDialog("Remove the mark and its note?", "The note cannot be restored.", "Remove"))) return;
    try {
      await this.page.review.remove([mark]);
      this.page.announce("The mark is removed");
      this.table.input.focus();
    } catch (error) {
      problemDialog("The mark was not removed", error);
    }
  }

  file(found) {
    const { names } = this.page;
    const called = (document) => (names.anonymous ? names.plain(document) : document.id);
    const lines = found.map(({ mark, first, second, state }) => [called(first), called(second), mark.passage ? "passage" : "pair", ...(mark.passage ?? [null, null, null, null]), mark.status, names.anonymous ? null : mark.note, mark.time, state]);
    return ["review.csv", ["a", "b", "what", "start_a", "end_a", "start_b", "end_b", "status", "note", "time", "state"], lines];
  }

  fileButtons() {
    const save = h("button", { type: "button", class: "quiet", "data-action": "save-marks", title: "All marks as a file that this page can open; names are in it", on: { click: () => this.save() } }, icon("download"), "Save as JSON");
    const input = h("input", { type: "file", accept: ".json,application/json", class: "unseen", tabindex: "-1", "aria-label": "Choose a file of marks", "data-control": "marks-file", on: { change: () => this.open(input) } });
    const open = h("button", { type: "button", class: "quiet", "data-action": "open-marks", hidden: !this.page.review.canChange, on: { click: () => input.click() } }, icon("upload"), "Open JSON");
    return [save, open, input];
  }

  get survey() {
    return this.rows?.survey ?? {};
  }

  save() {
    saveFile("review.json", "application/json;charset=utf-8", reviewFile(this.survey.title ?? "", this.survey.identity, this.page.review.marks));
    this.page.announce(`${plural(this.page.review.marks.length, "mark")} saved as review.json`);
  }

  async open(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      if (file.size > MAX_REVIEW_BYTES) throw new PlainError("This file is too large to be one of review marks.");
      const { taken, foreign, older } = chooseMarks(readReviewFile(await file.text()), this.page.review.marks, (id) => this.documentOf(id), this.survey);
      if (taken.length) await this.page.review.save(taken);
      this.message.textContent = [`${plural(taken.length, "mark")} added`, older ? `${whole(older)} older or the same` : null, foreign ? `${whole(foreign)} of other documents or texts left out` : null].filter(Boolean).join("; ");
    } catch (error) {
      problemDialog("No marks were added", error);
    }
  }

  shown() {
    const { review, source } = this.page;
    const where = source.mode === "report" ? "Marks are kept in this browser, not in the file: save them as JSON to take them along or to give them to others." : "Marks are stored with the collection, and everybody who sees it sees them.";
    const node = [
      h("div", { class: "heading" }, h("div", {}, h("h1", { tabindex: "-1" }, "Review"), h("p", { class: "muted" }, `${where} They change no percentage.`)), this.page.changeNote()),
      review.problem ? h("p", { class: "problem", role: "alert" }, sentence(review.problem)) : null,
      this.message,
      this.table.element,
    ];
    return { title: "Review", node, leave: this.stop };
  }
}
