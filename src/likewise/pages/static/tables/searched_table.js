// A table with a search box, pages and a file to save: of pairs and of documents.

import { csvText, saveFile } from "./csv.js";
import { freshId, h, refill } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { replaceAddress } from "../data/links.js";
import { emptyState } from "../parts/notice.js";
import { plural, whole } from "../data/numbers.js";
import { keepFocus, pager } from "./pager.js";
import { matchesQuery, parseQuery, queryWords } from "./query.js";
import { sortableTable, sortRows } from "./table.js";

const PAGE_SIZE = 50;

export class SearchedTable {
  // `spec`: {what, label, rows(), columns, tail?, fields?, absent?, words(row), sort, file(found),
  // examples, help, placeholder, beyond?, none, rowProps?, tools?}. Columns with a value can be sorted and
  // searched by; `fields` can only be searched by. `sort` is the order of the rows as they come, `file`
  // gives the name, the header and the lines of the CSV, `beyond` says how many rows are not listed.
  // `many` is the plural of `what`; `address(q, sort)` the link, if it is not that of `many`; `drawn()` is
  // called with the rows that are shown.
  constructor(page, spec, query) {
    this.page = page;
    this.spec = { many: `${spec.what}s`, ...spec };
    this.fields = [...spec.columns.filter((column) => column.value).map(fieldOf), ...(spec.fields ?? [])];
    this.text = query.get("q") ?? "";
    this.sort = this.sortFrom(query.get("sort"));
    this.at = 0;
    this.found = [];
    this.build();
    this.draw();
  }

  sortFrom(given) {
    const key = (given ?? "").replace(/^-/, "");
    return this.spec.columns.some((column) => column.key === key && column.sorts) ? { key, down: given.startsWith("-") } : null;
  }

  build() {
    const { spec } = this;
    const problemId = freshId("problem");
    this.problem = h("p", { class: "problem", id: problemId, role: "alert" });
    this.count = h("p", { class: "muted", role: "status", "data-value": "row-count" });
    this.note = h("span", { class: "hidden-note" });
    this.list = h("div", { class: "list" });
    this.input = h("input", {
      type: "search", value: this.text, placeholder: spec.placeholder, autocomplete: "off", spellcheck: "false",
      "aria-describedby": problemId, "data-control": "search", on: { input: () => this.search(this.input.value) },
    });
    this.element = h("div", { class: "searched-table" },
      h("div", { class: "toolbar", role: "search" },
        h("label", { class: "field grow" }, h("span", { class: "unseen" }, `Search the ${spec.many}`), this.input),
        h("button", { type: "button", class: "quiet", "data-action": "csv", on: { click: () => this.save() } }, icon("download"), "CSV"),
        spec.tools),
      h("details", { class: "operators" }, h("summary", {}, "Search syntax"),
        h("p", {}, `${spec.help} A minus sign excludes. Columns can be compared by >, >=, <, <= and =: ${this.fields.filter((field) => field.number).map((field) => field.names[0]).join(", ")}; and by a colon: ${this.fields.filter((field) => !field.number).map((field) => `${field.names[0]}:`).join(", ")}. Put quotes around text with spaces.`),
        h("p", { class: "examples" }, spec.examples.map((example) => h("button", { type: "button", class: "chip", on: { click: () => this.take(example) } }, example)))),
      this.problem,
      h("div", { class: "list-head" }, this.count, this.note),
      this.list);
  }

  take(example) {
    this.search(example);
    this.input.focus();
  }

  search(text) {
    if (this.input.value !== text) this.input.value = text;
    this.text = text;
    this.at = 0;
    this.keepAddress();
    this.draw();
  }

  keepAddress() {
    const sort = this.sort ? `${this.sort.down ? "-" : ""}${this.sort.key}` : "";
    replaceAddress(this.spec.address ? this.spec.address(this.text, sort) : this.page.links[this.spec.many](this.text, sort));
  }

  // What was found before stays while something is typed that is not understood.
  select() {
    const { terms, problem } = parseQuery(this.text, this.fields, this.spec.absent ?? []);
    this.problem.textContent = problem ?? "";
    this.input.setAttribute("aria-invalid", String(problem !== null));
    if (problem !== null) return;
    this.terms = terms;
    const rows = this.spec.rows();
    const matching = terms.length ? rows.filter((row) => matchesQuery(terms, row, this.spec.words(row))) : rows;
    const column = this.spec.columns.find((one) => one.key === this.sort?.key);
    this.found = column ? sortRows(matching, column.value, this.sort.down) : matching;
  }

  draw() {
    this.select();
    const { found, spec } = this;
    this.at = Math.min(this.at, Math.max(0, Math.ceil(found.length / PAGE_SIZE) - 1));
    const beyond = spec.beyond?.() ?? 0;
    this.count.textContent = `${plural(found.length, spec.what, spec.many)}${beyond > 0 ? `; ${whole(beyond)} more were found and are not listed` : ""}`;
    if (!found.length) {
      refill(this.list, emptyState(`No ${spec.many} to show`, this.terms?.length ? `No ${spec.what} matches ${queryWords(this.terms)}.` : spec.none));
      return;
    }
    refill(this.list, this.table(this.part()), pager({ page: this.at, size: PAGE_SIZE, count: found.length, what: spec.many, onPage: (at) => this.turnTo(at) }));
    spec.drawn?.(this.part());
  }

  // The rows on this page.
  part() {
    return this.found.slice(this.at * PAGE_SIZE, (this.at + 1) * PAGE_SIZE);
  }

  table(rows) {
    const { spec } = this;
    return sortableTable({
      label: spec.label, columns: [...spec.columns, ...(spec.tail ?? [])], rows, sort: this.sort ?? spec.sort, rowProps: spec.rowProps,
      onSort: (sort) => { this.sort = sort; this.at = 0; this.keepAddress(); this.draw(); this.list.querySelector(`[data-sort="${sort.key}"]`)?.focus(); },
    });
  }

  turnTo(at) {
    const way = at > this.at ? "next" : "previous";
    this.at = at;
    this.draw();
    this.list.scrollIntoView({ block: "start" });
    keepFocus(this.list, way);
    this.page.announce(`${this.spec.label} from ${at * PAGE_SIZE + 1}`);
  }

  save() {
    const [file, header, lines] = this.spec.file(this.found);
    const name = this.page.exclusions.fileName(file);
    saveFile(name, "text/csv;charset=utf-8", csvText(header, lines));
    this.page.announce(`${plural(this.found.length, this.spec.what, this.spec.many)} saved as ${name}`);
  }
}

// A column as a search sees it: by its names, its label and its key.
function fieldOf(column) {
  const names = [...new Set([...(column.names ?? []), column.label.toLowerCase(), column.key])];
  return { ...column, names, label: column.label.toLowerCase(), value: column.searched ?? column.value };
}
