// All pairs that were found, to sort and to search.

import { choiceGroup } from "../parts/choice.js";
import { h, refill } from "../parts/dom.js";
import { groupLegend } from "../parts/group_mark.js";
import { HiddenPairs } from "../data/hidden_pairs.js";
import { icon } from "../parts/icons.js";
import { sentence } from "../parts/notice.js";
import { plural } from "../data/numbers.js";
import { METADATA, pairColumns, pairFields, pairTable } from "../tables/pair_columns.js";
import { allPairs, printButton } from "../paper/print_dialog.js";
import { SearchedTable } from "../tables/searched_table.js";

const EXAMPLES = ["similarity > 0.5", "containment > 50 %", "words > 100", "longest run > 20", "-draft"];

export async function showPairs(page, address) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  await page.review.load();
  return new PairsView(page, rows, address.query).shown();
}

class PairsView {
  constructor(page, rows, query) {
    this.page = page;
    this.rows = rows;
    this.hidden = new HiddenPairs(page.links.collection ?? rows.survey.title);
    this.query = query;
    this.table = new SearchedTable(page, this.spec(), query);
    this.unlisten = page.review.listen(() => this.table.draw());
    this.tellHidden();
  }

  spec() {
    const { page, rows } = this;
    const { names } = page;
    return {
      what: "pair", label: "Pairs", columns: pairColumns(page, rows), tail: [this.hideColumn()], fields: pairFields(page, rows),
      absent: ["p", "q", "words", "run", "passages", "note", "review", ...METADATA],
      rows: () => rows.pairs.filter((row) => !this.hidden.has(row)),
      words: (row) => `${names.searched(row.first)}\n${names.searched(row.second)}`,
      sort: { key: "strength", down: true },
      file: (found) => pairTable(page, rows, found),
      placeholder: "Names, or a measure such as similarity > 0.5",
      help: `Words are searched for in the names, titles and ids of both documents.${rows.survey.archive ? " archive:yes finds pairs with a document of the archive, archive:no the others." : ""}`,
      examples: EXAMPLES,
      beyond: () => rows.survey.pairs.count - rows.pairs.length,
      none: rows.pairs.length ? "All pairs are hidden." : "No two documents here have enough in common.",
      rowProps: (row) => ({ "data-pair": row.row }),
      tools: [this.reviewChoice(), this.archiveChoice(), printButton(page, () => this.printScopes())],
    };
  }

  archiveChoice() {
    return this.rows.survey.archive ? this.choice("archive", "Which pairs", [["all", "All pairs"], ["no", "Under review"], ["yes", "With the archive"]]) : null;
  }

  reviewChoice() {
    const { review } = this.page;
    return review.marks.length ? this.choice("review", "Which marks", [["all", "All"], ["none", "Not reviewed"], ["important", "Important"], ["cleared", "Cleared"]]) : null;
  }

  // Writes into the search box, so that the choice is in the link too.
  choice(field, label, options) {
    const term = new RegExp(`(?:^|\\s)${field}:(${options.slice(1).map(([value]) => value).join("|")})(?=\\s|$)`);
    return choiceGroup(label, options, term.exec(this.query.get("q") ?? "")?.[1] ?? "all", (value) =>
      this.table.search([this.table.text.replace(term, "").trim(), value === "all" ? "" : `${field}:${value}`].filter(Boolean).join(" ")));
  }

  hideColumn() {
    const { names } = this.page;
    return {
      key: "hide", label: "Hide", hideLabel: true, className: "tail",
      cell: (row) => h("button", { type: "button", class: "quiet icon-button", "data-action": "hide", "aria-label": `Hide ${names.short(row.first)} and ${names.short(row.second)}`, title: "Hide this pair", on: { click: () => this.hide(row) } }, icon("close")),
    };
  }

  shown() {
    const { survey } = this.rows;
    const node = [
      h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Pairs"), this.page.changeNote()),
      this.rows.has("p") || !this.rows.pairs.length || !survey.chance_reason ? null : h("p", { class: "muted small", "data-value": "chance" }, `p and q: –. ${sentence(survey.chance_reason)}`),
      groupLegend(this.page, this.rows),
      this.table.element,
    ];
    return { title: "Pairs", node, leave: this.unlisten };
  }

  tellHidden() {
    refill(this.table.note, this.hidden.count ? [`${plural(this.hidden.count, "pair")} hidden `, h("button", { type: "button", class: "link", "data-action": "unhide", on: { click: () => this.unhide() } }, "Show all")] : null);
  }

  hide(row) {
    this.hidden.hide(row);
    this.table.draw();
    this.tellHidden();
    this.page.announce("The pair is hidden");
    this.table.note.querySelector("button")?.focus();
  }

  unhide() {
    this.hidden.showAll();
    this.table.draw();
    this.tellHidden();
    this.table.input.focus();
  }

  printScopes() {
    const { found } = this.table;
    return [{ label: `The ${plural(found.length, "pair")} listed`, entries: found }, ...allPairs(this.page, found.length), { label: "This list, as it is shown", asShown: true }];
  }
}
