// One number, large, with what it is.

import { h } from "./dom.js";

export function tile(label, value, note = null) {
  return h("div", { class: "tile" }, h("dt", {}, label), h("dd", {}, h("span", { class: "figure" }, value), note ? h("span", { class: "note" }, note) : null));
}

// A share as a bar; the number is beside it, so it is hidden from screen readers.
export function shareBar(share) {
  const fill = h("span", { class: "fill" });
  fill.style.width = `${Math.min(100, Math.max(0, share * 100)).toFixed(1)}%`;
  return h("span", { class: "share-bar", "aria-hidden": "true" }, fill);
}
