// Several documents, chosen by their names one after the other.

import { freshId, h, refill } from "./dom.js";
import { icon } from "./icons.js";

export class DocumentPicker {
  // `chosen` are documents; `onChange` is called with all that are.
  constructor(page, label, name, documents, chosen, onChange) {
    Object.assign(this, { page, label, name, documents, chosen, onChange });
    const [listId, problemId] = [freshId("documents"), freshId("problem")];
    this.problem = h("p", { class: "problem", id: problemId, role: "alert" });
    this.list = h("datalist", { id: listId });
    this.chips = h("ul", { class: "chips" });
    this.input = h("input", {
      type: "text", list: listId, autocomplete: "off", spellcheck: "false", "data-picker": name, "aria-describedby": problemId, placeholder: "Name of a document",
      on: { change: () => this.take(this.input.value), keydown: (event) => event.key === "Enter" && this.take(this.input.value), focus: () => this.fill() },
    });
    this.element = h("div", { class: "picker" }, h("label", { class: "field" }, h("span", {}, label), this.input), this.list, this.problem, this.chips);
    this.draw();
  }

  // Names of thousands of documents are only needed by those who choose.
  fill() {
    if (!this.list.childElementCount) refill(this.list, this.documents.map((document) => h("option", { value: this.page.names.plain(document) })));
  }

  take(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return;
    const named = this.documents.map((document) => [this.page.names.plain(document).toLowerCase(), document]);
    const found = named.filter(([name]) => name === wanted);
    const matching = found.length ? found : named.filter(([name]) => name.includes(wanted));
    this.problem.textContent = matching.length === 1 ? "" : matching.length ? `${matching.length} documents have “${text.trim()}” in their name; choose one.` : `No document is called “${text.trim()}”.`;
    this.input.setAttribute("aria-invalid", String(matching.length !== 1));
    if (matching.length !== 1) return;
    this.input.value = "";
    const [[, document]] = matching;
    if (!this.chosen.includes(document)) this.change([...this.chosen, document]);
  }

  change(chosen) {
    this.chosen = chosen;
    this.draw();
    this.onChange(chosen);
  }

  draw() {
    refill(this.chips, this.chosen.map((document) => h("li", { class: "chip-item" }, this.page.names.node(document),
      h("button", { type: "button", class: "quiet icon-button", "data-action": `remove-${this.name}`, "aria-label": `Remove ${this.page.names.short(document)}`, on: { click: () => { this.change(this.chosen.filter((one) => one !== document)); this.input.focus(); } } }, icon("close")))));
  }
}
