// How many words agree in which texts, with the switch of each colour.

import { h } from "../parts/dom.js";
import { percent, whole } from "../data/numbers.js";
import { bitsOf, columnLetters } from "./agreement_styles.js";

export const KIND_WORDS = { single: "Single tradition", double: "Double tradition", triple: "Triple tradition", quadruple: "Quadruple tradition", quintuple: "Quintuple tradition" };

// `onSwitch(bits, on)` is called when a colour is switched.
export function traditionTable({ view, names, styles, onSwitch }) {
  const { texts, traditions } = view;
  const labels = texts.map((shown) => shown.label);
  return h("div", { class: "traditions-box", tabindex: "0", role: "region", "aria-label": "Table of traditions" },
    h("table", { class: "traditions" },
      h("caption", { class: "unseen" }, "Words by the texts that have them"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Words in"), texts.map((shown) => h("th", { scope: "col", class: "number" }, letterMark(shown.label), " ", names.node(shown))))),
      h("tbody", {}, traditions.map((one) => traditionRow(one, { texts, labels, names, styles, onSwitch }))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "All words"), texts.map((shown) => h("td", { class: "number" }, whole(shown.counted)))))));
}

function traditionRow(one, { texts, labels, names, styles, onSwitch }) {
  const bits = bitsOf(one.texts);
  const name = traditionName(one.texts, texts, names);
  const style = styles.get(bits);
  return h("tr", { "data-tradition": columnLetters(one.texts, labels) },
    h("th", { scope: "row" }, style
      ? h("label", { class: "check" }, h("input", { type: "checkbox", checked: true, "data-switch": bits, on: { change: (event) => onSwitch(bits, event.target.checked) } }), h("span", { class: `${style} sample`, "data-bits": bits }, columnLetters(one.texts, labels)), h("span", { class: "tradition-name" }, h("span", {}, name), h("span", { class: "cell-note" }, KIND_WORDS[one.kind])))
      : h("span", { class: "check alone" }, h("span", { class: "sample" }, columnLetters(one.texts, labels)), h("span", { class: "tradition-name" }, h("span", {}, name), h("span", { class: "cell-note" }, KIND_WORDS[one.kind])))),
    texts.map((shown, text) => {
      const at = one.texts.indexOf(text);
      if (at < 0) return h("td", { class: "number" }, h("span", { "aria-hidden": "true" }, "–"), h("span", { class: "unseen" }, "none"));
      return h("td", { class: "number" }, whole(one.words[at]), h("span", { class: "cell-note" }, shown.counted ? percent(one.words[at] / shown.counted) : "–"),
        one.wider[at] && one.texts.length > 1 ? h("span", { class: "cell-note" }, `${whole(one.wider[at])} in passages of more texts`) : null);
    }));
}

function traditionName(numbers, texts, names) {
  if (numbers.length === texts.length) return texts.length === 2 ? "both texts" : "all texts";
  const shown = numbers.map((number) => names.brief(texts[number]));
  if (shown.length === 1) return ["only ", shown[0]];
  return shown.flatMap((name, at) => [at === 0 ? "" : at === shown.length - 1 ? " and " : ", ", name]);
}

export function letterMark(label) {
  return h("span", { class: "letter-mark" }, label);
}
