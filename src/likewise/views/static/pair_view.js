// Two documents side by side.

import { kindWords, numberBadge } from "./badge.js";
import { helpDialog } from "./dialog.js";
import { h, isTyping, refill } from "./dom.js";
import { icon } from "./icons.js";
import { measureCards } from "./measure_words.js";
import { Minimap } from "./minimap.js";
import { noteList } from "./notice.js";
import { percent, plural, whole, wordCount } from "./numbers.js";
import { pairText } from "./pair_text.js";
import { passageFacts } from "./source_list.js";
import { Synchrony } from "./synchrony.js";

const CHIPS_SHOWN = 120;

export async function showPair(page, address) {
  if (page.source.mode === "report") await page.rows();
  const view = await page.source.pair(address.ids[0] ?? "", address.ids[1] ?? "");
  return pairShown(page, view, Number.parseInt(address.query.get("passage") ?? "", 10), (side) => page.links.document(side.id));
}

export function pairShown(page, view, passage, documentLink) {
  const board = new PairBoard(page, view, documentLink);
  const node = [
    h("div", { class: "heading" },
      h("h1", { tabindex: "-1", class: "pair-title" }, page.names.node(view.a), h("span", { class: "with" }, " and "), page.names.node(view.b)),
      h("button", { type: "button", class: "quiet", "data-action": "print", on: { click: () => window.print() } }, icon("print"), "Print")),
    measureCards(view.measures, () => page.names.brief(view.a), () => page.names.brief(view.b)),
    noteList(view.notes, "notes card"),
    board.element,
  ];
  return {
    title: `${page.names.short(view.a, 40)} and ${page.names.short(view.b, 40)}`,
    node,
    ready: () => board.ready(passage),
    leave: () => board.stop(),
  };
}

class PairBoard {
  constructor(page, view, documentLink) {
    this.page = page;
    this.view = view;
    this.current = null;
    this.sides = view.a.text === null || view.b.text === null ? null : [this.side(view.a, false, documentLink), this.side(view.b, true, documentLink)];
    if (!this.sides) {
      this.element = h("p", { class: "card muted" }, "The texts are not kept here, so there are only the measures.");
      return;
    }
    this.synchrony = new Synchrony(this.sides);
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.panes = h("div", { class: "panes", "data-side": "0" }, this.sides.map((side) => side.element));
    this.element = h("section", { class: "pair-board", "aria-label": "Both texts" }, this.toolbar(), this.tabs(), this.panes, this.legend());
  }

  side(shown, isOther, documentLink) {
    const text = pairText(this.view, isOther, (indices) => this.goTo(indices[0], true));
    const scroller = h("div", { class: "pane-scroll", tabindex: "0", role: "region", "aria-label": `Text of ${this.page.names.short(shown)}` }, text.element);
    const map = new Minimap(text, scroller);
    const share = this.view.measures[isOther ? "share_b" : "share_a"];
    const link = documentLink(shown);
    const element = h("article", { class: "pane", "data-pane": isOther ? "b" : "a" },
      h("header", {}, h("h2", {}, link ? h("a", { href: link }, this.page.names.node(shown)) : this.page.names.node(shown)),
        h("p", { class: "muted small wrap", dir: "auto" }, [wordCount(shown), share !== undefined && share !== null ? `${percent(share)} shared` : null, ...this.page.names.about(shown)].filter(Boolean).join(" · "))),
      h("div", { class: "pane-body" }, scroller, map.element));
    return { text, scroller, map, element };
  }

  toolbar() {
    const count = this.view.passages.length;
    this.told = h("span", { class: "muted small", "data-value": "passage" }, plural(count, "passage"));
    this.chips = this.view.passages.slice(0, CHIPS_SHOWN).map((passage, index) =>
      h("button", { type: "button", class: "chip passage-chip", "data-chip": index, on: { click: () => this.goTo(index, true) } },
        numberBadge(index + 1), h("span", {}, kindWords(passage.kind)), h("span", { class: "chip-note" }, plural(passage.words, "word")), h("span", { class: "chip-note" }, percent(passage.similarity)),
        h("span", { class: "unseen" }, ` the same, passage ${index + 1}`)));
    const together = h("input", { type: "checkbox", checked: true, "data-action": "together", on: { change: (event) => (this.synchrony.on = event.target.checked) } });
    return h("div", { class: "pair-tools" },
      h("div", { class: "chips", role: "group", "aria-label": "Passages" }, this.chips, count > CHIPS_SHOWN ? h("span", { class: "muted small" }, `and ${whole(count - CHIPS_SHOWN)} more: use next`) : null),
      h("div", { class: "steps" }, this.told,
        h("label", { class: "check" }, together, h("span", {}, "Scroll together")),
        h("button", { type: "button", class: "quiet icon-button", "aria-label": "Previous passage", title: "Previous passage (p)", "data-action": "previous", disabled: !count, on: { click: () => this.step(-1) } }, icon("previous")),
        h("button", { type: "button", class: "quiet icon-button", "aria-label": "Next passage", title: "Next passage (n)", "data-action": "next", disabled: !count, on: { click: () => this.step(1) } }, icon("next")),
        h("button", { type: "button", class: "quiet icon-button", "aria-label": "Keys", title: "Keys (?)", "data-action": "help", on: { click: () => this.help() } }, "?")));
  }

  // On a narrow screen one side is seen at a time.
  tabs() {
    const names = [this.view.a, this.view.b].map((shown) => this.page.names.short(shown, 40));
    this.tabButtons = names.map((name, which) => h("button", { type: "button", "aria-pressed": String(which === 0), "data-tab": which, on: { click: () => this.turnTo(which) } }, h("bdi", {}, name)));
    return h("div", { class: "side-tabs", role: "group", "aria-label": "Which text is shown" }, this.tabButtons);
  }

  turnTo(which) {
    this.panes.dataset.side = String(which);
    this.tabButtons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === which)));
    this.synchrony.anchors = null;
    this.sides[which].map.draw();
    if (this.current !== null) this.synchrony.show(this.current, false);
  }

  legend() {
    return h("p", { class: "legend muted small" },
      h("span", { class: "hit hue-1 sample" }, "coloured"), " words are on both sides, with the same number; ",
      h("span", { class: "hit hue-1 changed sample" }, "dotted"), " ones stand on one side only; ",
      h("span", { class: "out sample" }, "grey"), " ones were left out of the comparison.");
  }

  ready(passage) {
    if (!this.sides) return;
    if (passage >= 0 && passage < this.view.passages.length) this.goTo(passage, false);
  }

  stop() {
    if (!this.sides) return;
    this.synchrony.stop();
    for (const side of this.sides) side.map.stop();
    document.removeEventListener("keydown", this.onKey);
  }

  step(by) {
    const next = this.sides[0].text.step(by);
    if (next !== null) this.goTo(next, true);
  }

  goTo(index, smooth) {
    const passage = this.view.passages[index];
    if (this.current !== null) this.chips[this.current]?.removeAttribute("aria-current");
    this.current = index;
    for (const side of this.sides) side.text.setCurrent(index);
    this.chips[index]?.setAttribute("aria-current", "true");
    this.chips[index]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.synchrony.show(index, smooth && !matchMedia("(prefers-reduced-motion: reduce)").matches);
    refill(this.told, `Passage ${whole(index + 1)} of ${whole(this.view.passages.length)}`);
    this.page.announce(`Passage ${index + 1} of ${this.view.passages.length}: ${passageFacts(passage).join(", ")}`);
  }

  key(event) {
    if (isTyping(event)) return;
    if (event.key === "n" || event.key === "j") this.step(1);
    else if (event.key === "p" || event.key === "k") this.step(-1);
    else if (event.key === "?") this.help();
  }

  help() {
    helpDialog("Keys", [[["n", "j"], "next passage, on both sides"], [["p", "k"], "previous passage"], [["?"], "this list"], [["Esc"], "close what is open"]]);
  }
}
