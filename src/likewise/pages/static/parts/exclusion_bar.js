// What is excluded, on every page: the button and the panel in the header, and the list below it.

import { h, refill } from "./dom.js";
import { exclusionSwitches } from "./exclusion_switches.js";
import { ExclusionTexts } from "./exclusion_texts.js";
import { icon } from "./icons.js";
import { plural, whole } from "../data/numbers.js";

export class ExclusionBar {
  constructor(page) {
    this.page = page;
    this.texts = null;
    this.panel = h("div", { class: "exclusion-panel", id: "exclusion-panel", role: "region", "aria-label": "Exclusions", hidden: true });
    this.button = h("button", { type: "button", class: "quiet", "data-action": "exclusions", "aria-controls": "exclusion-panel", "aria-expanded": "false", hidden: true, on: { click: () => this.turn(this.panel.hidden) } });
    this.control = h("div", { class: "exclusion-control" }, this.button, this.panel);
    this.element = h("div", { class: "exclusion-bar", role: "region", "aria-label": "What is excluded", hidden: true });
    document.addEventListener("keydown", (event) => event.key === "Escape" && !this.panel.hidden && this.turn(false));
    document.addEventListener("pointerdown", (event) => !this.panel.hidden && !this.control.contains(event.target) && !event.target.closest?.("dialog") && this.turn(false, false));
  }

  get exclusions() {
    return this.page.exclusions;
  }

  turn(open, back = true) {
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (open) this.fill();
    else if (back) this.button.focus({ preventScroll: true });
  }

  async fill() {
    this.texts = null;
    this.drawPanel();
    if (this.exclusions.known === null) await this.page.rows({ quiet: true }).catch(() => null); // the view says what is wrong
    if (this.exclusions.known?.data) {
      this.texts = new ExclusionTexts(this.page);
      this.texts.load();
    }
    if (!this.panel.hidden) this.drawPanel();
  }

  // After a view was shown.
  draw() {
    const { exclusions } = this;
    const items = exclusions.items();
    this.button.hidden = this.page.isEmpty;
    refill(this.button, "Exclusions", items.length ? h("span", { class: "count-badge" }, h("span", { class: "unseen" }, ", active: "), whole(items.length)) : null);
    const chips = items.map(({ name, words, without }) => h("li", {}, h("button", { type: "button", class: "chip", "data-remove": name, "aria-label": `Stop excluding ${words}`, title: "Stop excluding this", on: { click: () => this.remove(without) } }, h("bdi", {}, words), icon("close"))));
    this.element.hidden = !items.length;
    refill(this.element, h("span", { class: "exclusion-title" }, "Excluded:"), h("ul", { class: "chips" }, chips),
      h("button", { type: "button", class: "link", "data-action": "reset-exclusions", on: { click: () => this.remove({}, true) } }, "Reset"),
      exclusions.known && items.length ? h("p", { class: "exclusion-notes" }, exclusions.notes(exclusions.known.survey).join(" ")) : null);
    if (!this.panel.hidden) this.drawPanel();
  }

  async remove(values, all = false) {
    const at = [...this.element.querySelectorAll("[data-remove]")].indexOf(document.activeElement);
    await (all ? this.exclusions.reset() : this.exclusions.change(values));
    const left = this.element.querySelectorAll("[data-remove]");
    (left[Math.min(at, left.length - 1)] ?? this.button).focus({ preventScroll: true });
  }

  drawPanel() {
    const kept = this.panel.contains(document.activeElement) ? document.activeElement.dataset.exclusion : undefined;
    const { exclusions } = this;
    this.texts?.draw();
    refill(this.panel,
      h("div", { class: "card-head" }, h("h2", {}, "Exclusions"), h("button", { type: "button", class: "quiet icon-button", "aria-label": "Close", on: { click: () => this.turn(false) } }, icon("close"))),
      h("p", { class: "muted small" }, "What is excluded counts nowhere, on any page: neither as shared nor as words of a document. The link has it too."),
      exclusions.known ? h("div", { class: "exclusion-switches" }, exclusionSwitches(exclusions), this.texts?.element) : h("p", { class: "muted" }, "The documents are being compared."),
      exclusions.known?.data ? h("p", { class: "muted small" }, `The rest of a passage that is cut counts if it has a run of at least ${plural(exclusions.known.survey.min_words, "word")}; each changed word within the run counts against it.`) : null,
      exclusions.active ? h("button", { type: "button", class: "link", "data-exclusion": "reset", on: { click: () => this.exclusions.reset() } }, "Reset all") : null);
    if (kept !== undefined) (this.panel.querySelector(`[data-exclusion="${kept}"]`) ?? this.panel.querySelector("button")).focus({ preventScroll: true });
  }
}
