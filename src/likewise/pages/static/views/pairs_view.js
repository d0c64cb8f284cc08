// All pairs that were found, to sort and to search.

import { csvText, saveFile } from "../tables/csv.js";
import { freshId, h, refill } from "../parts/dom.js";
import { HiddenPairs } from "../data/hidden_pairs.js";
import { icon } from "../parts/icons.js";
import { replaceAddress } from "../data/links.js";
import { emptyState, sentence } from "../parts/notice.js";
import { plural, whole } from "../data/numbers.js";
import { pairColumns, pairTable } from "../tables/pair_columns.js";
import { keepFocus, pager } from "../tables/pager.js";
import { dropSheets, printPairs } from "./print_sheets.js";
import { matchesQuery, parseQuery } from "../tables/query.js";
import { sortableTable, sortRows } from "../tables/table.js";

const PAGE_SIZE = 50;
const EXAMPLES = ["containment:>0.5", "words:>100", "run:>20", "-draft"];

export async function showPairs(page, address) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  return new PairsView(page, rows, address.query).shown();
}

class PairsView {
  constructor(page, rows, query) {
    this.page = page;
    this.rows = rows;
    this.columns = pairColumns(page, rows);
    this.hidden = new HiddenPairs(page.links.collection ?? rows.survey.title);
    this.text = query.get("q") ?? "";
    this.sort = this.sortFrom(query.get("sort"));
    this.at = 0;
    this.found = [];
  }

  sortFrom(given) {
    if (!given) return null; // as the survey has them: the most similar first
    const key = given.replace(/^-/, "");
    return this.columns.some((column) => column.key === key) ? { key, down: given.startsWith("-") } : null;
  }

  shown() {
    const problemId = freshId("problem");
    this.problem = h("p", { class: "problem", id: problemId, role: "alert" });
    this.count = h("p", { class: "muted", role: "status", "data-value": "pair-count" });
    this.hiddenNote = h("span", { class: "hidden-note" });
    this.list = h("div", { class: "list" });
    this.input = h("input", {
      type: "search", value: this.text, placeholder: "Names, or a measure such as containment:>0.5", autocomplete: "off", spellcheck: "false",
      "aria-describedby": problemId, "data-control": "search", on: { input: () => this.onSearch() },
    });
    const node = [
      h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Pairs"), this.page.changeNote()),
      h("div", { class: "toolbar", role: "search" },
        h("label", { class: "field grow" }, h("span", { class: "unseen" }, "Search the pairs"), this.input),
        h("button", { type: "button", class: "quiet", "data-action": "csv", on: { click: () => this.save() } }, icon("download"), "CSV"),
        h("button", { type: "button", class: "quiet", "data-action": "print-pairs", title: "Print the pairs on this page with both texts, each pair on separate sheets", on: { click: () => this.print() } }, icon("print"), "Print pairs")),
      h("details", { class: "operators" }, h("summary", {}, "Search syntax"),
        h("p", {}, "Words are searched for in the names, titles and ids of both documents; a minus sign excludes. Measures take >, >=, <, <= and a number: jaccard, containment (the larger), share (in passages), words, run, passages, p, q. With metadata also author:, group:, title:, date:."),
        h("p", { class: "examples" }, EXAMPLES.map((example) => h("button", { type: "button", class: "chip", on: { click: () => this.take(example) } }, example)))),
      this.problem,
      h("div", { class: "list-head" }, this.count, this.hiddenNote),
      this.rows.has("p") || !this.rows.pairs.length || !this.rows.survey.chance_reason ? null : h("p", { class: "muted small", "data-value": "chance" }, `p and q: –. ${sentence(this.rows.survey.chance_reason)}`),
      this.list,
    ];
    this.draw();
    return { title: "Pairs", node, leave: dropSheets };
  }

  take(example) {
    this.input.value = example;
    this.onSearch();
    this.input.focus();
  }

  onSearch() {
    this.text = this.input.value;
    this.at = 0;
    this.keepAddress();
    this.draw();
  }

  keepAddress() {
    const sort = this.sort ? `${this.sort.down ? "-" : ""}${this.sort.key}` : "";
    replaceAddress(this.page.links.pairs(this.text, sort));
  }

  has(column) {
    return this.rows.has(column) || (this.rows.hasOfDocuments(column) && !this.page.names.anonymous);
  }

  select() {
    const { terms, problem } = parseQuery(this.text, (column) => this.has(column));
    this.problem.textContent = problem ?? "";
    this.input.setAttribute("aria-invalid", String(problem !== null));
    if (problem !== null) return;
    const { names } = this.page;
    const matching = this.rows.pairs.filter((row) => {
      if (this.hidden.has(row)) return false;
      if (!terms.length) return true;
      const words = `${names.searched(row.first)}\n${names.searched(row.second)}`;
      return matchesQuery(terms, row, words, (field) => `${row.first[field] ?? ""}\n${row.second[field] ?? ""}`.toLowerCase());
    });
    const column = this.columns.find((one) => one.key === this.sort?.key);
    this.found = column ? sortRows(matching, column.value, this.sort.down) : matching;
  }

  draw() {
    this.select();
    const { found } = this;
    this.at = Math.min(this.at, Math.max(0, Math.ceil(found.length / PAGE_SIZE) - 1));
    const beyond = this.rows.survey.pairs.count - this.rows.pairs.length;
    this.count.textContent = `${plural(found.length, "pair")}${beyond > 0 ? `; ${whole(beyond)} more were found and are not listed` : ""}`;
    refill(this.hiddenNote, this.hidden.count ? [`${plural(this.hidden.count, "pair")} hidden `, h("button", { type: "button", class: "link", "data-action": "unhide", on: { click: () => this.unhide() } }, "Show all")] : null);
    if (!found.length) {
      refill(this.list, emptyState("No pairs to show", this.rows.pairs.length ? "No pair matches the search." : "No two documents here have enough in common."));
      return;
    }
    const part = found.slice(this.at * PAGE_SIZE, (this.at + 1) * PAGE_SIZE);
    refill(this.list, this.table(part), pager({ page: this.at, size: PAGE_SIZE, count: found.length, what: "pairs", onPage: (at) => this.turnTo(at) }));
  }

  table(part) {
    const hide = {
      key: "hide", label: "Hide", hideLabel: true, className: "tail",
      cell: (row) => h("button", { type: "button", class: "quiet icon-button", "data-action": "hide", "aria-label": `Hide ${this.page.names.short(row.first)} and ${this.page.names.short(row.second)}`, title: "Hide this pair", on: { click: () => this.hide(row) } }, icon("close")),
    };
    return sortableTable({
      label: "Pairs", columns: [...this.columns, hide], rows: part, sort: this.sort ?? { key: "strength", down: true },
      onSort: (sort) => { this.sort = sort; this.at = 0; this.keepAddress(); this.draw(); this.list.querySelector(`[data-sort="${sort.key}"]`)?.focus(); },
      rowProps: (row) => ({ "data-pair": row.row }),
    });
  }

  turnTo(at) {
    const way = at > this.at ? "next" : "previous";
    this.at = at;
    this.draw();
    this.list.scrollIntoView({ block: "start" });
    keepFocus(this.list, way);
    this.page.announce(`Pairs from ${at * PAGE_SIZE + 1}`);
  }

  hide(row) {
    this.hidden.hide(row);
    this.draw();
    this.page.announce("The pair is hidden");
    this.hiddenNote.querySelector("button")?.focus();
  }

  unhide() {
    this.hidden.showAll();
    this.draw();
    this.input.focus();
  }

  async print() {
    const part = this.found.slice(this.at * PAGE_SIZE, (this.at + 1) * PAGE_SIZE);
    this.page.announce("Preparing the sheets");
    try {
      await printPairs(this.page, part);
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }

  save() {
    const [header, lines] = pairTable(this.page, this.rows, this.found);
    saveFile("pairs.csv", "text/csv;charset=utf-8", csvText(header, lines));
    this.page.announce(`${plural(lines.length, "pair")} saved as pairs.csv`);
  }
}
