// The rows of a synopsis: a cell for each text, a gap where a text has nothing, and what it has elsewhere.

import { h } from "../parts/dom.js";
import { plural, whole } from "../data/numbers.js";
import { letterMark } from "./tradition_table.js";

// `onGo(row, from)` goes to another row.
export function synopsisRows({ view, names, texts, onGo }) {
  return view.rows.map((row, number) => synopsisRow(row, number, { view, names, texts, onGo }));
}

export function hasMoved(row) {
  return row.elsewhere.some(({ shown }) => shown);
}

export function rowHead(view, names) {
  return h("div", { role: "rowgroup", class: "synopsis-head" },
    h("div", { role: "row", class: "synopsis-row" },
      h("div", { role: "columnheader", class: "row-number" }, h("span", { class: "unseen" }, "Row")),
      view.texts.map((shown) => h("div", { role: "columnheader", class: "synopsis-name" }, letterMark(shown.label), h("span", {}, names.node(shown), h("span", { class: "cell-note" }, plural(shown.words, "word")))))));
}

function synopsisRow(row, number, context) {
  const { view } = context;
  const present = view.texts.filter((_, text) => row.cells[text]).map(({ label }) => label).join(", ");
  return h("div", { role: "row", class: "synopsis-row", id: `row-${number + 1}`, "data-row": number, "data-kind": row.kind },
    h("div", { role: "rowheader", class: "row-number", tabindex: "-1" }, h("span", { class: "unseen" }, "Row "), whole(number + 1), h("span", { class: "unseen" }, `: ${present}`)),
    view.texts.map((shown, text) => synopsisCell(row, number, text, context)));
}

function synopsisCell(row, number, text, { view, names, texts, onGo }) {
  const cell = row.cells[text];
  const shown = view.texts[text];
  const places = row.elsewhere.filter((one) => one.text === text);
  const elsewhere = [...places.filter((one) => one.shown).map((one) => elsewhereBlock(one, number, shown, texts, onGo)), alsoAt(places.filter((one) => !one.shown), number, shown, onGo)];
  const node = h("div", { role: "cell", class: "synopsis-cell", "data-text": text, "data-label": shown.label },
    cell
      ? [h("p", { class: "place muted" }, h("span", { class: "cell-letter", "aria-hidden": "true" }, shown.label), h("bdi", {}, cell.place)), h("div", { class: "text block", dir: "auto" }, texts.nodes(text, cell.start, cell.end))]
      : places.some((one) => one.shown) ? null : h("p", { class: "gap" }, h("span", { "aria-hidden": "true" }, "–"), h("span", { class: "unseen" }, "nothing in ", names.brief(shown))),
    elsewhere);
  if (!cell) node.classList.add("no-home");
  return node;
}

// Wording that this text has in another place, shown in parallel.
function elsewhereBlock(one, number, shown, texts, onGo) {
  return h("div", { class: "elsewhere", "data-elsewhere": one.row },
    h("p", { class: "place" }, h("span", { class: "cell-letter", "aria-hidden": "true" }, shown.label), h("span", { class: "turn-sign", "aria-hidden": "true" }, one.row > number ? "↓ " : "↑ "), "Out of order: ", goButton(one, number, shown, onGo)),
    h("div", { class: "text block", dir: "auto" }, texts.nodes(one.text, one.start, one.end)));
}

function alsoAt(places, number, shown, onGo) {
  if (!places.length) return null;
  return h("p", { class: "also place muted" }, "Also: ", places.map((one, at) => [at ? "; " : "", goButton(one, number, shown, onGo)]));
}

function goButton(one, number, shown, onGo) {
  return h("button", { type: "button", class: "link", "data-go": one.row, "aria-label": `Go to ${shown.label}, ${one.place}, row ${one.row + 1}`, on: { click: () => onGo(one.row, number) } }, h("bdi", {}, one.place), h("span", { class: "row-reference" }, ` (row ${whole(one.row + 1)})`));
}
