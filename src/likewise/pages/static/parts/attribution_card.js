// The passages of a document by how it quotes and cites there: groups to switch off and on.

import { attributedWords } from "../data/attributed_words.js";
import { ATTRIBUTION_LIMITS, ATTRIBUTIONS } from "../data/attributions.js";
import { h } from "./dom.js";
import { percent, plural } from "../data/numbers.js";

export class AttributionCard {
  // `filters` are those of the document, of which this card is a part.
  constructor(view, filters) {
    this.view = view;
    this.filters = filters;
    const isKnown = view.sources.some((source) => source.passages.some((passage) => passage.attribution));
    this.rows = isKnown ? ATTRIBUTIONS.map((one) => this.row(one)) : [];
    this.element = isKnown
      ? h("section", { class: "card attributions", "data-list": "attributions" },
          h("h2", {}, "By citation"),
          h("fieldset", { class: "checks" }, h("legend", { class: "unseen" }, "Passages that count"), this.rows.map(({ element }) => element)),
          h("p", { class: "muted small" }, ATTRIBUTION_LIMITS))
      : null;
  }

  row({ group, column, label, sign }) {
    const box = h("input", { type: "checkbox", checked: true, "data-filter": `attribution-${column}`, on: { change: () => this.choose() } });
    const figures = h("span", { class: "row-note", "data-value": `attribution-${column}` });
    const element = h("label", { class: "check attribution" }, box, h("span", { class: "attribution-sign", "aria-hidden": "true" }, sign), h("span", {}, label, figures));
    return { group, box, figures, element };
  }

  choose() {
    const chosen = this.rows.filter(({ box }) => box.checked).map(({ group }) => group);
    this.filters.change({ attributions: chosen.length === this.rows.length ? null : chosen });
  }

  draw() {
    const { attributions } = this.filters.values;
    const counted = this.rows.length ? attributedWords(this.view, this.filters.values) : [];
    counted.forEach(({ passages, words, size }, at) => {
      const { group, box, figures, element } = this.rows[at];
      box.checked = attributions?.includes(group) ?? true;
      box.disabled = !passages && box.checked;
      element.classList.toggle("none", !passages);
      figures.textContent = attributionFigures(passages, words, size);
    });
  }
}

// Words that are in passages of several groups count in the last of these.
function attributionFigures(passages, words, size) {
  if (!passages) return "none";
  return `${plural(passages, "passage")}${words ? `, ${plural(words, "word")}, ${percent(size ? words / size : 0)}` : "; the words count in a group below"}`;
}
