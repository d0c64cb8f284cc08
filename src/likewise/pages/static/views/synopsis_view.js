// Two to five documents of a collection in parallel columns, and the choice of them.

import { h, refill } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { plural, whole } from "../data/numbers.js";
import { SynopsisBoard, synopsisHeading, synopsisTitle } from "../synopsis/synopsis_board.js";

const MIN_TEXTS = 2;
const MAX_TEXTS = 5;
const TEXTS_LISTED = 100;

export async function showSynopsis(page, address) {
  const isChoosing = address.query.has("choose") || address.ids.length < MIN_TEXTS;
  if (isChoosing) return chooseTexts(page, address);
  const { parts } = page.exclusions.state;
  const exclude = ["quotations", "bibliography"].filter((name) => parts.includes(name));
  const view = await page.source.synopsis(address.ids, exclude);
  page.names.learn(view.texts);
  if (page.exclusions.query.length && !onlyParts(page.exclusions.state)) view.notes.unshift("A synopsis follows the exclusion of quotations and of the bibliography; other exclusions do not apply to it.");
  const board = new SynopsisBoard(view, { names: page.names, announce: (text) => page.announce(text) });
  const change = h("a", { class: "button quiet", href: synopsisLink(page, address.ids, { choose: "yes" }) }, "Choose texts");
  const print = h("button", { type: "button", class: "quiet", "data-action": "print", on: { click: () => window.print() } }, icon("print"), "Print");
  return { title: `Synopsis of ${synopsisTitle(view, page.names)}`, node: [synopsisHeading(view, page.names, change, print), board.element], leave: () => board.stop() };
}

function onlyParts({ parts, same, minWords, phrases, passages }) {
  return parts.every((name) => name === "quotations" || name === "bibliography") && !same.length && !minWords && !phrases.length && !passages.length;
}

function synopsisLink(page, ids, query = {}) {
  return page.links.to(["synopsis", ...ids.map((id) => page.links.called(id))], query);
}

async function chooseTexts(page, address) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  return new TextChoice(page, rows, address.ids.slice(0, MAX_TEXTS)).shown();
}

// The documents in the order of their columns.
class TextChoice {
  constructor(page, rows, ids) {
    this.page = page;
    this.rows = rows;
    this.chosen = ids.map((id) => rows.byId.get(id)).filter(Boolean);
    this.words = "";
  }

  shown() {
    this.picks = h("ol", { class: "synopsis-picks", "aria-label": "Chosen texts" });
    this.list = h("div", { class: "synopsis-documents", role: "group", "aria-label": "Documents" });
    this.count = h("p", { class: "muted small", role: "status" });
    this.actions = h("p", { class: "actions" });
    const search = h("input", { type: "search", "aria-label": "Search documents", placeholder: "Search documents", autocomplete: "off", on: { input: (event) => { this.words = event.target.value; this.drawList(); } } });
    const node = [
      h("div", { class: "heading" }, h("div", {}, h("h1", { tabindex: "-1" }, "Synopsis"), h("p", { class: "muted" }, `Show ${MIN_TEXTS} to ${MAX_TEXTS} texts in parallel columns: what they share side by side, each text complete and in its own order.`))),
      h("section", { class: "card synopsis-choice" }, h("h2", {}, "Texts"), search, this.list, this.count, h("h2", {}, "Columns"), this.picks, this.actions),
    ];
    this.drawList();
    this.drawPicks();
    return { title: "Synopsis", node };
  }

  drawList() {
    const wanted = this.words.trim().toLowerCase();
    const found = this.rows.documents.filter((row) => row.text !== null && (!wanted || this.page.names.searched(row).includes(wanted)));
    refill(this.list, found.slice(0, TEXTS_LISTED).map((row) => this.box(row)));
    this.count.textContent = found.length > TEXTS_LISTED ? `${whole(TEXTS_LISTED)} of ${plural(found.length, "document")} are listed; search for others.` : plural(found.length, "document");
  }

  box(row) {
    const isChosen = this.chosen.includes(row);
    const input = h("input", { type: "checkbox", checked: isChosen, disabled: !isChosen && this.chosen.length >= MAX_TEXTS, "data-pick": this.page.links.called(row.id), on: { change: (event) => this.pick(row, event.target.checked) } });
    return h("label", { class: "check" }, input, h("span", {}, this.page.names.node(row), h("span", { class: "cell-note" }, [plural(row.words ?? 0, "word"), ...this.page.names.about(row)].join(" · "))));
  }

  pick(row, on) {
    this.chosen = on ? [...this.chosen, row] : this.chosen.filter((one) => one !== row);
    for (const input of this.list.querySelectorAll("input")) input.disabled = !input.checked && this.chosen.length >= MAX_TEXTS;
    this.drawPicks();
  }

  drawPicks() {
    const { page, chosen } = this;
    refill(this.picks, chosen.map((row, at) => h("li", {}, h("span", { class: "letter-mark" }, "ABCDE"[at]), page.names.node(row),
      at ? h("button", { type: "button", class: "quiet icon-button", "aria-label": `Move ${page.names.short(row, 40)} to the left`, title: "Move to the left", on: { click: () => this.move(at) } }, icon("previous")) : null,
      h("button", { type: "button", class: "quiet icon-button", "aria-label": `Remove ${page.names.short(row, 40)}`, title: "Remove", on: { click: () => { this.pick(row, false); this.drawList(); } } }, icon("close")))));
    const ready = chosen.length >= MIN_TEXTS;
    refill(this.actions, ready ? h("a", { class: "button primary", "data-action": "show-synopsis", href: synopsisLink(page, chosen.map(({ id }) => id)) }, "Show synopsis") : h("span", { class: "muted" }, chosen.length ? "Choose at least one more text." : "Choose at least two texts."));
  }

  move(at) {
    const [row] = this.chosen.splice(at, 1);
    this.chosen.splice(at - 1, 0, row);
    this.drawPicks();
    this.picks.children[at - 1].querySelector("button")?.focus();
  }
}
