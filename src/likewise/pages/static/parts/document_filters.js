// What counts in the score of a document: chosen here, applied at once.

import { kindWords } from "./badge.js";
import { minRemainder, NO_FILTERS } from "../data/document_score.js";
import { h, refill } from "./dom.js";
import { plural } from "../data/numbers.js";

const FILTER_KINDS = ["verbatim", "edited", "reordered"];
const REASONS = { quotation: "quotations", bibliography: "bibliography" };
const OTHER_REASONS = { phrase: "given phrases", template: "template text" };

export class DocumentFilters {
  constructor(view, onChange) {
    this.view = view;
    this.onChange = onChange;
    this.values = { ...NO_FILTERS };
    this.element = h("details", { class: "card filters" });
    this.draw();
  }

  get active() {
    const { minWords, minShare, kinds, leaveOut, hidden } = this.values;
    return minWords > 1 || minShare > 0 || kinds !== null || leaveOut.length > 0 || hidden.length > 0;
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
      this.number("Minimum words per passage", "min-words", 1, 500, 1, (value) => this.change({ minWords: Math.max(1, value) })),
      this.number("Minimum share per source, %", "min-share", 0, 100, 0, (value) => this.change({ minShare: value / 100 })),
      this.kindBoxes(),
      this.reasonBoxes(),
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

  reasonBoxes() {
    const { document: shown } = this.view;
    const fixed = (shown.left_out ?? []).length ? h("p", { class: "muted small" }, `Excluded from the comparison: ${shown.left_out.map((reason) => REASONS[reason] ?? OTHER_REASONS[reason] ?? reason).join(", ")}.`) : null;
    const boxes = Object.entries(REASONS).filter(([reason]) => !(shown.left_out ?? []).includes(reason)).map(([reason, words]) => {
      const count = shown.marks.filter((mark) => mark[2] === reason).length;
      const box = h("input", { type: "checkbox", disabled: !count, "data-filter": `leave-out-${reason}` });
      box.addEventListener("change", () => {
        const others = this.values.leaveOut.filter((one) => one !== reason);
        this.change({ leaveOut: box.checked ? [...others, reason] : others });
      });
      return h("label", { class: "check" }, box, h("span", {}, `Exclude ${words} `, h("span", { class: "muted" }, count ? `(${plural(count, "place")})` : "(none found)")));
    });
    const help = boxes.length ? h("p", { class: "muted small" }, `Text is excluded in this document and in its sources, and counts neither as shared nor as words of this document. The rest of a passage that it cuts counts if it has a run of at least ${plural(minRemainder(this.view), "word")}; each changed word within the run counts against it.`) : null;
    return h("fieldset", { class: "checks" }, h("legend", {}, "Parts of the text"), boxes, help, fixed);
  }
}
