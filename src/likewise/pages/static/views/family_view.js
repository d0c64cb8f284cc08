// One passage family: its witnesses, when they are dated, and how their wording differs.

import { kindWords } from "../parts/badge.js";
import { h, isolated, refill } from "../parts/dom.js";
import { familiesOf, familyAt } from "../families/collection_families.js";
import { groupLegend, groupMark, hasGroups } from "../parts/group_mark.js";
import { groupsOf } from "../data/groups.js";
import { emptyState } from "../parts/notice.js";
import { chanceText, percent, plural, RUN_CHANCE, RUN_CHANCE_HELP, whole } from "../data/numbers.js";
import { heightLimit, Picture } from "../charts/picture.js";
import { sortableTable, sortRows } from "../tables/table.js";
import { documentsOf, witnessName } from "../tables/family_columns.js";
import { timelineChart, timelineOf } from "../charts/timeline.js";
import { differenceWords, WitnessText, witnessNodes } from "../texts/witness_text.js";

const TEXTS_SHOWN = 20;

export async function showFamily(page, address) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  const families = familiesOf(page, rows);
  const family = families && familyAt(families, address.ids[0] ?? "", Number(address.ids[1] ?? Number.NaN));
  if (!family) {
    return { title: "Family", node: [backLink(page), h("h1", { tabindex: "-1" }, "Family"), emptyState("No such family", page.exclusions.active ? "With these exclusions no other document has this wording." : "No other document has this wording, or the family is not listed.")] };
  }
  return new FamilyView(page, rows, family).shown();
}

function backLink(page) {
  return h("p", { class: "back" }, h("a", { href: page.links.families() }, "All families"));
}

class FamilyView {
  constructor(page, rows, family) {
    Object.assign(this, { page, rows, family });
    this.base = family.base;
    this.sort = null;
    this.shownTexts = TEXTS_SHOWN;
    this.texts = family.witnesses.map(() => null);
    this.places = family.witnesses.map(() => null);
    this.isLoaded = false;
  }

  shown() {
    const { page, rows, family } = this;
    const title = `Shared by ${plural(family.documents, "document")}`;
    this.table = h("div", { class: "list" });
    this.textBox = h("div", { class: "witness-texts" });
    this.picture = this.timeline();
    const node = [
      backLink(page),
      h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, title), page.changeNote()),
      h("p", { class: "lead", "data-value": "family-facts" }, this.facts()),
      family.p === null ? null : h("p", { class: "muted small", title: RUN_CHANCE_HELP }, `Longest common run: ${chanceText(family.p)} for ${RUN_CHANCE}, for the two of its documents where that is least likely.`),
      groupLegend(page, rows),
      this.table,
      this.pairChoice(),
      this.picture ? h("section", { class: "card", "data-list": "family-timeline" }, h("h2", {}, "Timeline"), this.picture.element, h("p", { class: "muted small" }, "The dates are those of the metadata; an earlier date alone does not make a document the source.")) : null,
      h("section", { class: "card", "data-list": "wording" }, h("div", { class: "card-head" }, h("h2", {}, "Wording"), this.baseChoice()), this.legend = h("p", { class: "muted small" }), this.textBox),
    ];
    this.draw();
    this.load();
    return { title, node, leave: () => this.picture?.stop() };
  }

  facts() {
    const { family } = this;
    const repeated = family.witnesses.length > family.documents ? ` Some have it more than once: it is in ${plural(family.witnesses.length, "place")}.` : "";
    return `${plural(family.common, "word")} in common, the longest run of them ${plural(family.run, "word")} (${kindWords(family.kind)}). ${percent(family.similarity)} of all words of these places are in another of them too.${repeated}`;
  }

  // --- witnesses

  columns() {
    const { page, rows, family } = this;
    const isDated = rows.hasOfDocuments("date") && !page.names.anonymous;
    return [
      { key: "document", label: "Document", sorts: true, className: "names", value: ({ document }) => (document ? page.names.plain(document).toLowerCase() : null), cell: ({ document, at }) => [document ? groupMark(page, rows, document) : null, document ? h("a", { href: page.links.document(document.id) }, page.names.node(document)) : witnessName(page, document), this.isEarliest(at) ? [" ", h("span", { class: "status-word" }, "earliest")] : null] },
      isDated ? { key: "date", label: "Date", sorts: true, className: "date-cell", value: ({ document }) => document?.date ?? null, cell: ({ document }) => h("bdi", {}, document?.date ?? "–") } : null,
      { key: "place", label: "Place", className: "text-cell", cell: (witness) => this.placeCell(witness) },
      { key: "words", label: "Words", number: true, sorts: true, value: ({ words }) => words, cell: ({ words }) => whole(words) },
      { key: "matched", label: "Matched", number: true, sorts: true, title: "Words that at least one other of these documents has too", value: ({ matched }) => matched, cell: ({ matched }) => whole(matched) },
      { key: "pair", label: "Side by side", className: "text-cell", cell: (witness) => this.pairLink(family.witnesses[this.base], witness, "Compare") },
    ].filter(Boolean);
  }

  isEarliest(at) {
    return this.family.earliest.includes(at) && !this.page.names.anonymous;
  }

  placeCell({ document, first, stop, at }) {
    if (!document) return "";
    return h("a", { href: this.page.links.documentAt(document.id, first, stop) }, this.places[at] ?? `from word ${whole(first + 1)}`);
  }

  // To two documents side by side, where they are compared.
  pairLink(one, other, words) {
    if (!this.areCompared(one.document, other.document)) return h("span", { class: "muted" }, "–");
    const names = [one, other].map(({ document }) => this.page.names.short(document, 40));
    return h("a", { href: this.page.links.pair(one.document.id, other.document.id), "aria-label": `Compare ${names[0]} and ${names[1]}` }, words);
  }

  areCompared(one, other) {
    if (!one || !other || one === other) return false;
    return this.rows.isListed(one.index, other.index) || (this.page.source.mode === "app" && !(one.archive && other.archive));
  }

  draw() {
    const columns = this.columns();
    const every = this.family.witnesses.map((witness, at) => ({ ...witness, at }));
    const column = columns.find(({ key }) => key === this.sort?.key);
    refill(this.table, sortableTable({
      label: "Documents that have this wording", columns, rows: column ? sortRows(every, column.value, this.sort.down) : every, sort: this.sort,
      onSort: (sort) => { this.sort = sort; this.draw(); this.table.querySelector(`[data-sort="${sort.key}"]`)?.focus(); },
      rowProps: ({ at }) => ({ "data-witness": at + 1 }),
    }));
    this.drawTexts();
  }

  // Any two of the documents.
  pairChoice() {
    const documents = documentsOf(this.family);
    if (documents.length < 3) return null;
    const chosen = [documents[0], documents[1]];
    const link = h("span", {});
    const draw = () => refill(link, this.areCompared(...chosen) ? h("a", { class: "button", href: this.page.links.pair(chosen[0].id, chosen[1].id), "data-action": "side-by-side" }, "Side by side") : h("span", { class: "muted" }, chosen[0] === chosen[1] ? "Choose two documents." : "This pair is not listed."));
    const select = (label, place) => h("label", { class: "field" }, h("span", {}, label), h("select", { on: { change: (event) => { chosen[place] = documents[Number(event.target.value)]; draw(); } } },
      documents.map((document, at) => h("option", { value: at, selected: document === chosen[place] }, this.page.names.short(document, 60)))));
    draw();
    return h("div", { class: "toolbar pair-choice", role: "group", "aria-label": "Compare any two" }, select("Compare", 0), select("with", 1), link);
  }

  timeline() {
    const { page, rows } = this;
    if (page.names.anonymous && !rows.survey.anonymous) return null;
    const members = documentsOf(this.family).map(({ index }) => index);
    const isMember = new Set(members);
    const links = rows.pairs.filter(({ a, b }) => isMember.has(a) && isMember.has(b));
    const line = timelineOf(rows, [{ members, links }]);
    if (line.dated < 2) return null;
    const groups = hasGroups(page, rows) ? groupsOf(rows) : null;
    return new Picture({ label: "Timeline of the documents that have this wording; the table lists them", build: (width) => timelineChart({ page, rows, line, measure: (pair) => pair.strength, groups, laneName: () => "" }, width, heightLimit()) });
  }

  // --- wording

  baseChoice() {
    const { family, page } = this;
    return h("label", { class: "field" }, h("span", {}, "Compared with"), h("select", { "data-control": "base", on: { change: (event) => { this.base = Number(event.target.value); this.draw(); } } },
      family.witnesses.map(({ document, first }, at) => h("option", { value: at, selected: at === this.base },
        `${document ? page.names.short(document, 60) : "Not listed"}${this.isRepeated(document) ? `, from word ${whole(first + 1)}` : ""}${this.isEarliest(at) ? " (earliest)" : ""}`))));
  }

  isRepeated(document) {
    return this.family.witnesses.filter((witness) => witness.document === document).length > 1;
  }

  async load() {
    const { page, family } = this;
    const wanted = family.witnesses.map((witness, at) => ({ ...witness, at })).filter(({ document }) => document);
    let found;
    try {
      found = await page.source.stretches(wanted.map(({ document, first, stop }) => ({ id: document.id, first, last: stop })));
    } catch (error) {
      this.problem = error.message;
      found = [];
    }
    wanted.forEach(({ at, first }, place) => {
      if (!found[place]) return;
      this.places[at] = found[place].place;
      this.texts[at] = new WitnessText(page.names.inText(found[place].text), first);
    });
    this.isLoaded = true;
    this.draw();
  }

  drawTexts() {
    const { family, base } = this;
    if (!this.isLoaded || this.problem) {
      refill(this.textBox, h("p", { class: "muted" }, this.problem ?? "Loading…"));
      return;
    }
    refill(this.legend, "Words that the other does not have are ", h("ins", { class: "word-added" }, "underlined"), ", those that are missing are ", h("del", { class: "word-missing" }, "struck out"), ", and those in another place are ", h("span", { class: "word-moved" }, "dotted"), ". Capitals and punctuation are not compared.");
    const order = [base, ...family.witnesses.map((_, at) => at).filter((at) => at !== base)];
    const rest = order.length - this.shownTexts;
    refill(this.textBox, order.slice(0, this.shownTexts).map((at) => this.witness(at)),
      rest > 0 ? h("button", { type: "button", "data-action": "more-texts", on: { click: () => this.showMore() } }, `Show ${plural(rest, "more text")}`) : null);
  }

  showMore() {
    const from = this.shownTexts;
    this.shownTexts = Infinity;
    this.drawTexts();
    this.textBox.children[from]?.querySelector("a")?.focus();
  }

  witness(at) {
    const { page, family, base, texts } = this;
    const { document, first, stop } = family.witnesses[at];
    const isBase = at === base;
    const about = [this.places[at], isBase ? (this.isEarliest(at) ? "the earliest" : "the others are compared with this one") : texts[base] && texts[at] ? differenceWords(family, at, base) : null].filter(Boolean).join(" · ");
    return h("article", { class: "witness", "data-witness-text": at + 1 },
      h("h3", {}, document ? h("a", { href: page.links.documentAt(document.id, first, stop) }, page.names.node(document)) : witnessName(page, document)),
      h("p", { class: "muted small" }, isolated(about)),
      texts[at] ? h("p", { class: "witness-text", dir: "auto", lang: "" }, witnessNodes(family, at, base, texts)) : h("p", { class: "muted" }, "The text of this document is not on this page."));
  }
}
