// How much of the shared text of a collection is quoted and cited.

import { ATTRIBUTION_LIMITS, ATTRIBUTIONS } from "../data/attributions.js";
import { h } from "./dom.js";
import { percent, plural } from "../data/numbers.js";
import { shareBar } from "./tile.js";

// Null where passages were not searched for, or there are none.
export function attributionOverview(page, { attributions, archive }) {
  const total = attributions ? ATTRIBUTIONS.reduce((sum, { group }) => sum + attributions[group].words, 0) : 0;
  if (!total) return null;
  const items = ATTRIBUTIONS.map(({ group, column, label, sign }) => {
    const { words, documents } = attributions[group];
    const query = `${column} > 0 %${archive ? " archive:no" : ""}`;
    return h("li", { "data-attribution": column },
      h("span", { class: "row-name" }, h("span", { class: "attribution-sign", "aria-hidden": "true" }, sign), h("span", {}, sentenceCase(label))),
      h("span", { class: "row-figure" }, percent(words / total)),
      shareBar(words / total),
      h("span", { class: "row-note" }, plural(words, "word"), documents ? [" in ", h("a", { href: page.links.documents(query, column === "neither" ? "-neither" : "") }, plural(documents, "document"))] : null));
  });
  return h("section", { class: "card", "data-list": "attributions" }, h("h2", {}, "Shared text by citation"),
    h("p", { class: "muted small" }, `Of the ${plural(total, "word")} of documents${archive ? " under review" : ""} that are shared with others. ${ATTRIBUTION_LIMITS}`),
    h("ul", { class: "ranked plain" }, items));
}

function sentenceCase(text) {
  return text[0].toUpperCase() + text.slice(1);
}
