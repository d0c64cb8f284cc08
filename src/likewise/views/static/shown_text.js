// The text of a document with its passages, built once; afterwards only classes and badges change.

import { hueOf } from "./badge.js";
import { unitPlaces } from "./code_points.js";
import { h } from "./dom.js";
import { blockStarts, cutSegments } from "./segments.js";

const BADGES_AT_A_PLACE = 3;

export class ShownText {
  // `passages`: {start, end, number, label, changed?}, in code points. `onPick(indices, element)` is
  // told which passages lie where somebody clicked.
  constructor(shown, passages, onPick) {
    this.passages = passages;
    this.badges = [];
    this.pieces = [];
    this.firsts = [];
    this.lasts = [];
    this.flags = [];
    this.current = null;
    this.element = h("div", { class: "text", lang: "" });
    this.element.addEventListener("click", (event) => this.onClick(event, onPick));
    this.build(shown);
  }

  build(shown) {
    const { text } = shown;
    const at = unitPlaces(text);
    const ranged = ([start, end]) => [at(start), at(end)];
    const pages = (shown.page_starts ?? []).map((place) => at(place));
    const layers = [
      this.passages.map((passage) => ranged([passage.start, passage.end])),
      shown.marks.map(ranged),
      shown.flags.map(ranged),
      this.passages.flatMap((passage) => passage.changed ?? []).map(ranged),
    ];
    const blocks = blockStarts(text);
    const segments = cutSegments(text.length, layers, [...blocks, ...pages]);
    const starting = this.startingAt(layers[0]);
    const [atPage, atBlock, flagged] = [new Map(pages.map((place, index) => [place, index + 1])), new Set(blocks), new Set()];
    const whole = document.createDocumentFragment();
    let block = null;
    for (const segment of segments) {
      if (block === null || atBlock.has(segment.start)) {
        block = h("div", { class: "block", dir: "auto" });
        whole.append(block);
      }
      if (atPage.has(segment.start) && pages.length > 1) block.append(pageMark(atPage.get(segment.start)));
      const [passages, marks, flags, changed] = segment.on;
      const words = text.slice(segment.start, segment.end);
      if (!passages.length && !marks.length && !flags.length) {
        block.append(words);
        continue;
      }
      for (const index of flags) {
        if (flagged.has(index)) continue;
        flagged.add(index);
        block.append((this.flags[index] = h("span", { class: "flag-mark", role: "img", "aria-label": `Flag: ${shown.flags[index][2]}` }, "⚑")));
      }
      block.append(...this.badgesAt(segment.start, starting));
      const node = h(passages.length ? "mark" : "span", { class: "piece" }, words);
      block.append(node);
      this.pieces.push({ node, passages, marks: marks.map((index) => shown.marks[index][2]), flagged: flags.length > 0, changed: changed.length > 0 });
      node.dataset.piece = String(this.pieces.length - 1);
      for (const index of passages) {
        this.firsts[index] ??= node;
        this.lasts[index] = node;
      }
    }
    this.element.append(whole);
  }

  startingAt(ranges) {
    const starting = new Map();
    ranges.forEach(([start, end], index) => {
      if (start >= end) return;
      if (!starting.has(start)) starting.set(start, []);
      starting.get(start).push(index);
    });
    return starting;
  }

  badgesAt(place, starting) {
    return (starting.get(place) ?? []).map((index) => {
      const { number, label } = this.passages[index];
      const badge = h("button", { type: "button", class: `badge hue-${hueOf(number)}`, tabindex: "-1", "data-passage": index, "aria-label": label }, String(number));
      badge.placeOfText = place;
      this.badges[index] = badge;
      return badge;
    });
  }

  // `hueAt(piece)` gives {number, several, out} of each piece; `isShown(index)` of each passage.
  paint(hueAt, isShown) {
    for (const piece of this.pieces) {
      const { number, several, out } = hueAt(piece);
      const names = ["piece"];
      if (number) names.push("hit", `hue-${hueOf(number)}`);
      if (several) names.push("several");
      if (out) names.push("out");
      if (piece.flagged) names.push("flagged");
      if (piece.changed && number) names.push("changed");
      piece.number = number;
      piece.node.className = names.join(" ");
      piece.node.title = out ? `left out: ${piece.marks.join(", ")}` : "";
    }
    const at = new Map();
    this.badges.forEach((badge, index) => {
      const before = at.get(badge.placeOfText) ?? 0;
      badge.hidden = !isShown(index) || before >= BADGES_AT_A_PLACE;
      if (!badge.hidden) at.set(badge.placeOfText, before + 1);
    });
    this.order = this.passages.map((_, index) => index).filter((index) => isShown(index) && this.firsts[index])
      .sort((x, y) => this.passages[x].start - this.passages[y].start || x - y);
    const stop = this.order.find((index) => this.badges[index] && !this.badges[index].hidden);
    for (const badge of this.badges) if (badge) badge.tabIndex = -1;
    if (stop !== undefined) this.badges[stop].tabIndex = 0;
  }

  // The passage that keys have come to; its badge is the one that Tab reaches.
  setCurrent(index) {
    const mark = (which, on) => {
      for (const piece of this.pieces) if (piece.passages.includes(which)) piece.node.classList.toggle("current", on);
    };
    if (this.current !== null) {
      mark(this.current, false);
      if (this.badges[this.current]) this.badges[this.current].tabIndex = -1;
    }
    this.current = index;
    if (index === null) return;
    mark(index, true);
    if (this.badges[index]) this.badges[index].tabIndex = 0;
  }

  step(by) {
    const { order } = this;
    if (!order?.length) return null;
    const at = order.indexOf(this.current);
    return at < 0 ? order[by > 0 ? 0 : order.length - 1] : order[(at + by + order.length) % order.length];
  }

  onClick(event, onPick) {
    const badge = event.target.closest("[data-passage]");
    if (badge) {
      onPick([Number(badge.dataset.passage)], badge);
      return;
    }
    const node = event.target.closest("[data-piece]");
    if (!node || !window.getSelection().isCollapsed) return;
    const piece = this.pieces[Number(node.dataset.piece)];
    if (piece.number) onPick(piece.passages, node);
  }
}

function pageMark(number) {
  return h("span", { class: "page-mark" }, h("span", {}, `Page ${number}`));
}
