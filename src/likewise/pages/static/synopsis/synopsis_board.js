// A synopsis: the table of traditions, and the texts in parallel with search, jumps and keys.

import { helpDialog } from "../parts/dialog.js";
import { h, isTyping, refill } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { noteList } from "../parts/notice.js";
import { plural, whole } from "../data/numbers.js";
import { agreementStyles, bitsOf, columnLetters } from "./agreement_styles.js";
import { AgreementTexts } from "./agreement_text.js";
import { hasMoved, rowHead, synopsisRows } from "./synopsis_rows.js";
import { highlightRanges, rangeIn, SynopsisSearch } from "./synopsis_search.js";
import { letterMark, traditionTable } from "./tradition_table.js";

const SEARCH_PAUSE_MS = 200;
const MAX_MARKED = 400; // places of a search that are marked at once
const MAX_PLAIN_TEXTS = 3; // with more texts, letters say which agree: there are too many colours

const ROW_FILTERS = {
  all: ["All rows", () => true],
  every: ["Parallels of all texts", (row) => row.kind === "parallel" && row.cells.every(Boolean)],
  parallel: ["Parallels", (row) => row.kind === "parallel"],
  moved: ["Out of order", hasMoved],
  alone: ["Alone", (row) => row.kind === "alone" || row.kind === "beside"],
};

export class SynopsisBoard {
  // `names` call the texts; `announce(text)` says something to screen readers.
  constructor(view, { names, announce }) {
    Object.assign(this, { view, names, announce, current: null, from: [], hits: [], hit: -1 });
    const count = view.texts.length;
    this.styles = agreementStyles(view.traditions.map(({ texts }) => texts), count);
    this.texts = new AgreementTexts(view, this.styles);
    this.search = new SynopsisSearch(view, this.texts);
    this.rows = synopsisRows({ view, names, texts: this.texts, onGo: (row, from) => this.jump(row, from) });
    this.table = h("div", { role: "table", class: `synopsis columns-${count}`, "aria-label": "Texts in parallel" }, rowHead(view, names), h("div", { role: "rowgroup", class: "synopsis-body" }, this.rows));
    this.element = h("section", { class: "synopsis-board", "aria-label": "Synopsis" }, this.figures(), noteList(view.notes, "notes card"), this.tools = this.toolbar(), this.legend(), this.table, this.empty = h("p", { class: "card muted", hidden: true }, "No row is of this kind."));
    this.setLetters(count > MAX_PLAIN_TEXTS);
    this.table.addEventListener("pointerover", (event) => this.twins(event.target));
    this.table.addEventListener("pointerleave", () => this.twins(null));
    // What is fixed above the rows may wrap; the names of the columns are below it.
    this.watcher = new ResizeObserver(() => this.measure());
    for (const fixed of [document.querySelector("header.top"), this.tools, this.table.firstChild]) if (fixed) this.watcher.observe(fixed);
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  measure() {
    const heights = { "--bar": document.querySelector("header.top"), "--tools": this.tools, "--head": this.table.firstChild };
    for (const [name, fixed] of Object.entries(heights)) if (fixed) this.element.style.setProperty(name, `${Math.floor(fixed.getBoundingClientRect().height)}px`);
  }

  stop() {
    this.watcher.disconnect();
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.onKey);
    highlightRanges("found", []);
    highlightRanges("found-here", []);
  }

  figures() {
    return h("section", { class: "card synopsis-figures" }, h("h2", {}, "Agreement in words"),
      traditionTable({ view: this.view, names: this.names, styles: this.styles, onSwitch: (bits, on) => this.setColour(bits, on) }),
      h("p", { class: "muted small" }, `Words agree where passages of two texts match them: runs of at least ${whole(this.view.min_words)} identical words, and edited passages. Each word is counted once, in the largest group of texts that has it at that place.`));
  }

  toolbar() {
    this.input = h("input", { type: "search", placeholder: "Search words or places", "aria-label": "Search all texts", autocomplete: "off", spellcheck: "false", on: { input: () => this.searchSoon(), keydown: (event) => this.searchKey(event) } });
    this.status = h("span", { class: "muted small", role: "status", "data-value": "hits" });
    this.filter = h("select", { "aria-label": "Rows shown", "data-control": "rows", on: { change: () => this.applyFilter() } }, Object.entries(ROW_FILTERS).map(([value, [label, keeps]]) => h("option", { value }, `${label} (${whole(this.view.rows.filter(keeps).length)})`)));
    this.letters = h("input", { type: "checkbox", "data-action": "letters", on: { change: (event) => this.setLetters(event.target.checked) } });
    this.backButton = h("button", { type: "button", class: "small-button", hidden: true, "data-action": "back", on: { click: () => this.back() } });
    const step = (label, name, key, by) => h("button", { type: "button", class: "quiet icon-button", "aria-label": label, title: `${label} (${key})`, "data-action": name, on: { click: () => this.step(by) } }, icon(by > 0 ? "next" : "previous"));
    return h("div", { class: "synopsis-tools", role: "group", "aria-label": "Search and jump" },
      h("div", { class: "grow search-box" }, this.input, this.status),
      this.filter,
      this.colours(),
      h("label", { class: "check" }, this.letters, h("span", {}, "Letters")),
      this.backButton,
      h("span", { class: "synopsis-steps" },
        step("Previous parallel", "previous", "p", -1), step("Next parallel", "next", "n", 1),
        h("button", { type: "button", class: "quiet icon-button", "aria-label": "Keys", title: "Keys (?)", "data-action": "help", on: { click: () => this.help() } }, "?")));
  }

  // The colours in use, in sight wherever one reads; with more texts there are letters at the words.
  colours() {
    const { texts, traditions } = this.view;
    const labels = texts.map(({ label }) => label);
    const used = traditions.filter((one) => one.texts.length > 1 && one.words.some(Boolean));
    if (texts.length > MAX_PLAIN_TEXTS || !used.length) return null;
    return h("ul", { class: "synopsis-colours", "aria-label": "Colours" }, used.map((one) => h("li", { class: this.styles.get(bitsOf(one.texts)), "data-bits": bitsOf(one.texts), title: one.texts.map((text) => this.names.plain(texts[text])).join(", ") }, columnLetters(one.texts, labels))));
  }

  legend() {
    return h("p", { class: "legend muted small" }, "Coloured and underlined words agree, as in the table above; plain words are in one text only. A dash is a gap: the text has nothing there. ",
      h("span", { class: "elsewhere sample" }, "Framed"), " wording is in another place of that text, where a link leads.");
  }

  setColour(bits, on) {
    for (const mark of this.element.querySelectorAll(`.agree[data-bits="${bits}"]`)) mark.classList.toggle("off", !on);
  }

  setLetters(on) {
    this.letters.checked = on;
    this.table.classList.toggle("with-letters", on);
  }

  // The same words in the other texts.
  twins(target) {
    const run = target instanceof Element ? target.closest("[data-run]")?.dataset.run ?? null : null;
    if (run === this.run) return;
    this.run = run;
    for (const node of this.table.querySelectorAll(".twin")) node.classList.remove("twin");
    if (run === null) return;
    for (const node of this.table.querySelectorAll(`[data-run="${run}"]`)) node.classList.add("twin");
  }

  applyFilter() {
    const [, keeps] = ROW_FILTERS[this.filter.value];
    this.view.rows.forEach((row, number) => (this.rows[number].hidden = !keeps(row)));
    const count = this.view.rows.filter(keeps).length;
    this.empty.hidden = count > 0;
    this.announce(plural(count, "row"));
    if (this.input.value) this.find();
  }

  isShown(row) {
    return !this.rows[row].hidden;
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(), SEARCH_PAUSE_MS);
  }

  searchKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(this.timer);
      if (this.input.value !== this.searched) this.find();
      else this.goToHit(this.hit + (event.shiftKey ? -1 : 1));
    } else if (event.key === "Escape" && this.input.value) {
      event.preventDefault();
      this.input.value = "";
      this.find();
    }
  }

  find() {
    this.searched = this.input.value;
    this.hits = this.search.find(this.searched, (row) => this.isShown(row));
    this.hit = -1;
    highlightRanges("found", this.hits.slice(0, MAX_MARKED).map((hit) => this.rangeOf(hit)).filter(Boolean));
    highlightRanges("found-here", []);
    if (this.hits.length) this.goToHit(0);
    else this.status.textContent = this.searched.trim() ? "Not found" : "";
  }

  goToHit(at) {
    if (!this.hits.length) return;
    this.hit = (at + this.hits.length) % this.hits.length;
    const hit = this.hits[this.hit];
    const range = this.rangeOf(hit);
    highlightRanges("found-here", range ? [range] : []);
    this.goTo(hit.row, false);
    this.status.textContent = `${whole(this.hit + 1)} of ${whole(this.hits.length)}, in ${this.view.texts[hit.text].label}, row ${whole(hit.row + 1)}`;
  }

  rangeOf({ row, text, start, end }) {
    const cell = start !== null && this.rows[row].querySelector(`.synopsis-cell[data-text="${text}"] > .text`);
    return cell && rangeIn(cell, start, end);
  }

  // To a row that a link leads to, with a way back.
  jump(row, from) {
    if (!this.isShown(row)) {
      this.filter.value = "all";
      this.applyFilter();
    }
    this.from.push(from);
    this.drawBack();
    this.goTo(row);
  }

  back() {
    const row = this.from.pop();
    this.drawBack();
    if (row !== undefined) this.goTo(row);
  }

  drawBack() {
    const row = this.from[this.from.length - 1];
    this.backButton.hidden = row === undefined;
    if (row !== undefined) this.backButton.textContent = `Back to row ${whole(row + 1)}`;
  }

  goTo(row, focus = true) {
    this.rows[this.current]?.classList.remove("current");
    this.current = row;
    const node = this.rows[row];
    node.classList.add("current");
    node.scrollIntoView({ block: "start" });
    if (focus) node.querySelector(".row-number").focus({ preventScroll: true });
    this.announce(`Row ${row + 1}`);
  }

  // The next row with wording of two or more texts, after the current one or the first on the screen.
  step(by) {
    const start = this.current !== null && this.isOnScreen(this.current) ? this.current : this.topRow() - (by > 0 ? 1 : 0);
    for (let row = start + by; row >= 0 && row < this.rows.length; row += by) {
      if (this.isShown(row) && (this.view.rows[row].kind === "parallel" || hasMoved(this.view.rows[row]))) {
        this.goTo(row);
        return;
      }
    }
    this.announce(by > 0 ? "No parallel after this" : "No parallel before this");
  }

  isOnScreen(row) {
    const { top, bottom } = this.rows[row].getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  }

  topRow() {
    const found = this.rows.findIndex((node) => !node.hidden && node.getBoundingClientRect().bottom > window.innerHeight * 0.15);
    return found < 0 ? this.rows.length : found;
  }

  key(event) {
    if (isTyping(event)) return;
    if (event.key === "n" || event.key === "j") this.step(1);
    else if (event.key === "p" || event.key === "k") this.step(-1);
    else if (event.key === "b") this.back();
    else if (event.key === "?") this.help();
    else if (event.key === "/") {
      event.preventDefault();
      this.input.focus();
      this.input.select();
    }
  }

  help() {
    helpDialog("Keys", [[["n", "j"], "next parallel"], [["p", "k"], "previous parallel"], [["b"], "back to where a link was"], [["/"], "search; Enter and Shift Enter go to the next and the previous place"], [["?"], "this list"]]);
  }
}

export function synopsisTitle(view, names) {
  return view.texts.map((shown) => names.short(shown, 40)).join(", ");
}

export function synopsisHeading(view, names, ...buttons) {
  return h("div", { class: "heading" },
    h("div", {}, h("h1", { tabindex: "-1", class: "pair-title" }, "Synopsis"), h("p", { class: "muted synopsis-names" }, view.texts.map((shown, at) => [at ? ", " : "", letterMark(shown.label), names.node(shown)]))),
    refill(h("p", { class: "heading-buttons" }), buttons));
}
