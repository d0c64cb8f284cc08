// Phrases and templates to exclude: in a report for as long as the page is open or by the link, in the app
// stored with the collection.

import { h, refill } from "./dom.js";
import { EXCLUSION_LIMITS } from "../data/exclusion_state.js";
import { switchOf } from "./exclusion_switches.js";
import { icon } from "./icons.js";
import { plural } from "../data/numbers.js";

export class ExclusionTexts {
  constructor(page) {
    this.page = page;
    this.known = null;
    this.problem = h("p", { class: "problem", role: "alert" });
    this.element = h("div", { class: "exclusion-texts" });
  }

  get exclusions() {
    return this.page.exclusions;
  }

  async load() {
    try {
      this.known = await this.page.source.exclusionTexts();
      this.draw();
    } catch (error) {
      this.tell(error);
    }
  }

  tell(error) {
    this.problem.textContent = [error.message, error.hint].filter(Boolean).join(" – ");
    if (!this.problem.isConnected) this.element.append(this.problem);
  }

  draw() {
    const { known } = this;
    if (known === null) return;
    const kept = this.element.contains(document.activeElement) ? document.activeElement.dataset.exclusion : undefined;
    refill(this.element, this.phrases(), this.templates(), this.passageHelp(), this.problem);
    if (kept !== undefined) this.element.querySelector(`[data-exclusion="${kept}"]`)?.focus({ preventScroll: true });
  }

  // What was stored counts at once; in a report the link has the phrases.
  phrases() {
    const stored = this.known.phrases;
    const listed = stored ?? this.exclusions.state.phrases;
    const input = h("textarea", { rows: 2, class: "short", maxlength: EXCLUSION_LIMITS.phraseLength * EXCLUSION_LIMITS.phrases, placeholder: "One phrase per line", dir: "auto", "data-exclusion": "phrase-text", on: { change: () => this.setPhrases(input.value) } });
    input.value = listed.join("\n");
    return [
      stored?.length ? switchOf(this.exclusions, "phrases", "Phrases", null, plural(stored.length, "phrase")) : null,
      this.known.canChange ? h("label", { class: "field" }, h("span", {}, "Phrases to exclude"), input) : null,
    ];
  }

  async setPhrases(text) {
    const phrases = [...new Set(text.split("\n").map((line) => line.trim()).filter(Boolean))];
    this.problem.textContent = "";
    try {
      if (phrases.some((phrase) => phrase.length > EXCLUSION_LIMITS.phraseLength)) throw new Error(`A phrase has at most ${EXCLUSION_LIMITS.phraseLength} characters. Add longer text as a template.`);
      if (this.known.phrases === null) {
        if (phrases.length > EXCLUSION_LIMITS.phrases) throw new Error(`At most ${EXCLUSION_LIMITS.phrases} phrases can be excluded.`);
        await this.exclusions.change({ phrases });
      } else {
        Object.assign(this.known, await this.page.source.setPhrases(phrases));
        await this.exclusions.changedTexts("phrases", phrases.length > 0);
      }
    } catch (error) {
      this.tell(error);
    }
  }

  templates() {
    const { templates, canChange, accepts } = this.known;
    const input = h("input", { type: "file", accept: accepts || null, class: "unseen", "data-exclusion": "template-file", on: { change: () => this.addTemplate(input.files[0]) } });
    return [
      templates.length ? switchOf(this.exclusions, "template", "Template text", null, plural(templates.length, "template")) : null,
      templates.length ? h("ul", { class: "plain template-list", "aria-label": "Templates" }, templates.map(({ name, words }) => h("li", {}, h("bdi", {}, name), h("span", { class: "muted small" }, ` ${plural(words, "word")}`),
        canChange ? h("button", { type: "button", class: "quiet icon-button small-button", "aria-label": `Remove the template ${name}`, on: { click: () => this.removeTemplate(name) } }, icon("close")) : null))) : null,
      canChange ? h("label", { class: "button quiet file-button" }, input, icon("plus"), "Template file") : null,
    ];
  }

  async addTemplate(file) {
    if (!file) return;
    this.problem.textContent = "";
    try {
      await this.page.source.addTemplate(file);
      await this.load();
      await this.exclusions.changedTexts("template", true);
    } catch (error) {
      this.tell(error);
    }
  }

  async removeTemplate(name) {
    try {
      await this.page.source.removeTemplate(name);
      await this.load();
      await this.exclusions.changedTexts("template", this.known.templates.length > 0 && this.exclusions.has("template"));
    } catch (error) {
      this.tell(error);
    }
  }

  passageHelp() {
    return h("p", { class: "muted small" }, "To exclude a passage wherever it is, choose it on the page of a document or of a pair.");
  }
}
