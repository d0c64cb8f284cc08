// A number on a colour. There are eight colours and any number of numbers: the number is what counts.

import { h } from "./dom.js";

const HUES = 8;

export function hueOf(number) {
  return ((number - 1) % HUES) + 1;
}

export function numberBadge(number, className = "") {
  return h("span", { class: `badge hue-${hueOf(number)} ${className}`.trim() }, String(number));
}

const KINDS = {
  verbatim: "verbatim",
  edited: "edited",
  reordered: "reordered",
  reworded: "possibly reworded",
};

export function kindWords(kind) {
  return KINDS[kind] ?? kind;
}
