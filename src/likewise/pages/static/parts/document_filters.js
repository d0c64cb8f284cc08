// What counts in the score of one document, on its page only; exclusions are those of all pages.

import { kindWords } from "./badge.js";
import { NO_FILTERS } from "../data/document_score.js";
import { h, refill } from "./dom.js";

const FILTER_KINDS = ["verbatim", "edited", "reordered"];

export class DocumentFilters {
  constructor(view, onChange) {
    this.view = view;
    this.onChange = onChange;
    this.values = { ...NO_FILTERS };
    this.element = h("details", { class: "card filters" });
    this.draw();
  }

  get active() {
    const { minShare, kinds, attributions, hidden } = this.values;
    return minShare > 0 || kinds !== null || attributions !== null || hidden.length > 0;
  }

  change(values) {
    this.values = { ...this.values, ...values };
    this.reset.hidden = !this.active;
    this.onChange();
  }

  toggleSource(index) {
    const { hidden } = this.values;
    this.change({ hidden: hidden.includes(index) ? hidden.filter((one) => one !== index) : [...hidden, index] });
  }

  draw() {
    this.reset = h("button", { type: "button", class: "link", "data-action": "reset-filters", hidden: !this.active, on: { click: () => this.clear() } }, "Reset filters");
    refill(this.element,
      h("summary", {}, h("h2", {}, "Filters")),
      this.number("Minimum share per source, %", "min-share", 0, 100, 0, (value) => this.change({ minShare: value / 100 })),
      this.kindBoxes(),
      this.reset);
  }

  clear() {
    this.values = { ...NO_FILTERS };
    this.draw();
    this.onChange();
  }

  number(label, name, min, max, value, onValue) {
    return h("label", { class: "field line" }, h("span", {}, label),
      h("input", { type: "number", min, max, value, inputmode: "numeric", "data-filter": name, on: { input: (event) => onValue(Math.min(max, Math.max(min, Number(event.target.value) || 0))) } }));
  }

  kindBoxes() {
    const here = FILTER_KINDS.filter((kind) => this.view.sources.some((source) => source.passages.some((passage) => passage.kind === kind)));
    if (!here.length) return null;
    const boxes = here.map((kind) => [kind, h("input", { type: "checkbox", checked: true, "data-filter": `kind-${kind}` })]);
    for (const [, box] of boxes) {
      box.addEventListener("change", () => {
        const taken = boxes.filter(([, one]) => one.checked).map(([kind]) => kind);
        this.change({ kinds: taken.length === boxes.length ? null : taken });
      });
    }
    return h("fieldset", { class: "checks" }, h("legend", {}, "Kinds of passages"), boxes.map(([kind, box]) => h("label", { class: "check" }, box, h("span", {}, kindWords(kind)))));
  }
}
