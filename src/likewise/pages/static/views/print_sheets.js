// Pairs for paper: each begins a page of its own, with both texts in full.

import { h } from "../parts/dom.js";
import { measureCards } from "../data/measure_words.js";
import { pairText } from "../texts/pair_text.js";
import { rewordedList } from "../texts/reworded_list.js";
import { wordCount } from "../texts/word_ranges.js";

// On the screen the sheets are not seen; they go when they have been printed.
export async function printPairs(page, rows) {
  document.querySelector(".print-sheets")?.remove();
  const sheets = h("div", { class: "print-sheets" });
  for (const row of rows) {
    const view = await page.source.pair(row.first.id, row.second.id);
    sheets.append(sheetOf(page, view));
  }
  document.body.append(sheets);
  document.documentElement.classList.add("printing-sheets");
  window.addEventListener("afterprint", dropSheets, { once: true });
  window.print();
}

export function dropSheets() {
  document.querySelector(".print-sheets")?.remove();
  document.documentElement.classList.remove("printing-sheets");
}

function sheetOf(page, view) {
  const { names } = page;
  const sides = [[view.a, false], [view.b, true]].map(([shown, isOther]) =>
    h("article", { class: "pane" },
      h("header", {}, h("h3", {}, names.node(shown)), h("p", { class: "muted small" }, [wordCount(shown), ...names.about(shown)].filter(Boolean).join(" · "))),
      shown.text === null ? h("p", { class: "muted" }, "The text is not stored here.") : pairText(view, isOther, () => {}).element));
  return h("section", { class: "print-sheet" },
    h("h2", { class: "pair-title" }, names.node(view.a), h("span", { class: "with" }, " and "), names.node(view.b)),
    measureCards(view.measures, () => names.brief(view.a), () => names.brief(view.b)),
    h("div", { class: "panes" }, sides),
    rewordedList((view.reworded ?? []).map((passage) => ({ passage })), null));
}
