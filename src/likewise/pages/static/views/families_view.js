// Wording that several documents share: as a table, and as a picture of all texts.

import { choiceGroup } from "../parts/choice.js";
import { h, refill } from "../parts/dom.js";
import { DocumentPicker } from "../parts/document_picker.js";
import { familiesOf } from "../families/collection_families.js";
import { documentsOf, familyColumns, familyFields, familyTable } from "../tables/family_columns.js";
import { groupLegend } from "../parts/group_mark.js";
import { replaceAddress } from "../data/links.js";
import { emptyState, noteList } from "../parts/notice.js";
import { plural, whole } from "../data/numbers.js";
import { heightLimit, Picture } from "../charts/picture.js";
import { printButton } from "../paper/print_dialog.js";
import { reuseChart, reuseLegend, reuseOf } from "../charts/reuse_grid.js";
import { METADATA } from "../tables/pair_columns.js";
import { SearchedTable } from "../tables/searched_table.js";

const EXCERPT_WORDS = 24;

export async function showFamilies(page, address) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  const families = familiesOf(page, rows);
  if (families === null) return { title: "Families", node: [h("h1", { tabindex: "-1" }, "Families"), emptyState("No passage families", "No texts are stored here, so passages cannot be compared.")] };
  return new FamiliesView(page, rows, families, address.query).shown();
}

class FamiliesView {
  constructor(page, rows, families, query) {
    Object.assign(this, { page, rows, families });
    this.picture = null;
    this.show = query.get("show") === "grid" ? "grid" : "table";
    const chosen = (name) => (query.get(name) ?? "").split("\n").map((id) => rows.byId.get(id)).filter(Boolean);
    this.all = chosen("all");
    this.none = chosen("none");
    this.excerpts = new Map();
    this.table = new SearchedTable(page, this.spec(), query);
  }

  spec() {
    const { page, rows, families } = this;
    return {
      what: "family", many: "families", label: "Passage families", columns: familyColumns(page, rows, families, this.excerpts), fields: familyFields(page, rows),
      absent: ["p", "earliest", "groups", ...METADATA],
      rows: () => this.chosenFamilies(),
      words: (family) => documentsOf(family).map((document) => page.names.searched(document)).join("\n"),
      sort: { key: "documents", down: true },
      address: (q, sort) => this.address(q, sort),
      file: (found) => familyTable(page, rows, found),
      placeholder: "Names, or a column such as documents >= 3",
      help: "Words are searched for in the names, titles, authors, groups and ids of the documents of a family.",
      examples: ["documents >= 3", "common > 50", "longest run > 20", "kind:edited"],
      beyond: () => families.count - families.rows.length,
      none: this.all.length || this.none.length ? "No wording is shared by exactly these documents." : "No two documents here share a passage.",
      rowProps: (family) => ({ "data-family": family.at + 1 }),
      tools: printButton(page, () => [{ label: "This list, as it is shown", asShown: true }]),
      drawn: (part) => this.fillExcerpts(part),
    };
  }

  address(q = this.table.text, sort = this.table.sort ? `${this.table.sort.down ? "-" : ""}${this.table.sort.key}` : "") {
    const ids = (documents) => documents.map(({ id }) => id);
    return this.page.links.families(q, sort, { all: ids(this.all), none: ids(this.none), show: this.show === "grid" ? "grid" : "" });
  }

  chosenFamilies() {
    const { all, none } = this;
    if (!all.length && !none.length) return this.families.rows;
    return this.families.rows.filter((family) => {
      const own = new Set(documentsOf(family));
      return all.every((document) => own.has(document)) && !none.some((document) => own.has(document));
    });
  }

  shown() {
    const { page, rows, families } = this;
    this.pictureBox = h("div", { class: "picture-box" });
    this.summary = h("p", { class: "muted", role: "status", "data-value": "shared-by" });
    const node = [
      h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Families"), page.changeNote()),
      h("p", { class: "lead" }, "A passage family is wording that the same documents share. Documents are cut where the set of those that share the wording changes, so each word is in one family at most."),
      noteList(families.notes, "notes muted small"),
      this.pickers(),
      h("section", { class: "card" },
        h("div", { class: "card-head" }, h("h2", {}, "Reuse"), choiceGroup("Show", [["table", "Table only"], ["grid", "Reuse grid"]], this.show, (show) => this.change({ show }))),
        this.pictureBox),
      groupLegend(page, rows),
      this.table.element,
    ];
    this.draw();
    return { title: "Families", node, leave: () => this.picture?.stop() };
  }

  pickers() {
    const { page, rows } = this;
    const picker = (label, name) => new DocumentPicker(page, label, name, rows.documents, this[name], (chosen) => this.change({ [name]: chosen })).element;
    return h("details", { class: "card family-filter", open: this.all.length > 0 || this.none.length > 0 },
      h("summary", {}, h("h2", {}, "Shared by these documents")),
      h("div", { class: "pickers" }, picker("Shared by all of", "all"), picker("And by none of", "none")), this.summary);
  }

  change(values) {
    Object.assign(this, values);
    this.table.at = 0;
    replaceAddress(this.address());
    this.table.draw();
    this.draw();
  }

  draw() {
    const names = (documents) => documents.map((document) => this.page.names.short(document, 40)).join(", ");
    const parts = [this.all.length ? `by ${names(this.all)}` : "", this.none.length ? `not by ${names(this.none)}` : ""].filter(Boolean);
    this.summary.textContent = parts.length ? `Shared ${parts.join(", ")}: ${plural(this.chosenFamilies().length, "family", "families")}.` : "";
    this.drawGrid();
  }

  drawGrid() {
    this.picture?.stop();
    this.picture = null;
    if (this.show !== "grid") {
      refill(this.pictureBox, h("p", { class: "muted small" }, `${plural(this.families.count, "family", "families")} in ${plural(new Set(this.families.rows.flatMap(documentsOf)).size, "document")}. The reuse grid shows which part of each text is in which others.`));
      return;
    }
    const reuse = reuseOf(this.rows, this.chosenFamilies());
    if (!reuse.lines.length) {
      refill(this.pictureBox, h("p", { class: "muted" }, "No document has such a family."));
      return;
    }
    this.picture = new Picture({ label: "Reuse grid: each text as a line, with the parts that other texts have; the table lists the families", build: (width) => reuseChart({ page: this.page, ...reuse }, width, heightLimit()) });
    refill(this.pictureBox, reuseLegend(), this.picture.element,
      h("p", { class: "muted small", "data-value": "picture-note" }, `Each line is a text, drawn to its length in words. Click a part to open its family.${reuse.lines.length < reuse.total ? ` The grid shows ${whole(reuse.lines.length)} of ${whole(reuse.total)} documents, those with most words in families.` : ""}`));
  }

  // The beginning of the wording of each family that is listed.
  async fillExcerpts(part) {
    const wanted = part.map((family) => [family, family.witnesses[family.base]]).filter(([, { document }]) => document);
    let texts;
    try {
      texts = await this.page.source.stretches(wanted.map(([, { document, first, stop }]) => ({ id: document.id, first, last: Math.min(stop, first + EXCERPT_WORDS) })));
    } catch {
      return; // the figures are there all the same
    }
    wanted.forEach(([family, { words }], at) => {
      if (texts[at]) this.excerpts.get(family).textContent = `${this.page.names.inText(texts[at].text).replace(/\s+/g, " ")}${words > EXCERPT_WORDS ? " …" : ""}`;
    });
  }
}
