// The text of a document with its passages, built once; afterwards only classes and badges change.
// Only matched words are coloured, with the gaps between them; the other words of a passage and
// excluded text never look shared.

import { hueOf } from "../parts/badge.js";
import { unitPlaces } from "./code_points.js";
import { h } from "../parts/dom.js";
import { flagWords } from "./flag_list.js";
import { numbersInText } from "./references.js";
import { blockStarts, cutSegments } from "./segments.js";
import { StoredSigns } from "./stored_signs.js";

const BADGES_AT_A_PLACE = 3;

export class ShownText {
  // `passages`: {start, end, number, label, changed}, in code points, where `changed` are the places of
  // words that are not matched. `outlines`: {start, end} of stretches that can be outlined.
  // `onPick(indices, element)` is called with the passages at the place of a click. With `asStored`,
  // letters that look like others are marked and invisible characters are shown.
  constructor(shown, passages, onPick, outlines = [], asStored = false) {
    this.passages = passages;
    this.outlines = outlines;
    this.signs = asStored ? new StoredSigns(shown) : null;
    this.outlineFirsts = [];
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
    const at = (this.unitPlace = unitPlaces(text));
    const ranged = ([start, end]) => [at(start), at(end)];
    const pages = (shown.page_starts ?? []).map((place) => at(place));
    const numbers = new Map(numbersInText(shown).map(([place, words]) => [at(place), words]));
    const unmatched = this.passages.flatMap(({ start, end, changed }, index) =>
      changed.map((place) => ({ index, range: widened(text, ranged(place), ranged([start, end])) })));
    const layers = [
      this.passages.map((passage) => ranged([passage.start, passage.end])),
      shown.marks.map(ranged),
      shown.flags.map(ranged),
      unmatched.map(({ range }) => range),
      this.outlines.map(({ start, end }) => ranged([start, end])),
    ];
    const blocks = blockStarts(text);
    const segments = cutSegments(text.length, layers, [...blocks, ...pages, ...numbers.keys(), ...layers[1].flatMap((mark) => widened(text, mark, [0, text.length]))]);
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
      if (numbers.has(segment.start)) block.append(h("span", { class: "place-number" }, numbers.get(segment.start)));
      const [passages, marks, flags, changed, outlines] = segment.on;
      const words = text.slice(segment.start, segment.end);
      const content = this.signs?.nodes(segment.start, words) ?? words;
      if (!passages.length && !marks.length && !flags.length && !outlines.length) {
        block.append(...[content].flat());
        continue;
      }
      for (const index of flags) {
        if (flagged.has(index)) continue;
        flagged.add(index);
        block.append((this.flags[index] = h("span", { class: "flag-mark", role: "img", "aria-label": flagLabel(shown.flags[index]), title: flagLabel(shown.flags[index]) }, "⚑")));
      }
      block.append(...this.badgesAt(segment.start, starting));
      const others = new Set(changed.map((at) => unmatched[at].index));
      const matched = passages.filter((index) => !others.has(index));
      const node = h(matched.length ? "mark" : "span", { class: "piece" }, content);
      block.append(node);
      this.pieces.push({ node, start: segment.start, end: segment.end, hasWords: IN_WORD.test(words.normalize("NFKC")), passages, matched, outlines, marks: marks.map((index) => shown.marks[index][2]), flagged: flags.length > 0 });
      node.dataset.piece = String(this.pieces.length - 1);
      for (const index of passages) {
        this.firsts[index] ??= node;
        this.lasts[index] = node;
      }
      for (const index of outlines) this.outlineFirsts[index] ??= node;
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

  // `excluded`: reasons by which parts of the text are excluded. `isShown(index)` of each passage;
  // `firstOf(indices)` is the one whose colour a place has that several share.
  paint(excluded, isShown, firstOf = (indices) => indices[0]) {
    for (const piece of this.pieces) {
      piece.reasons = piece.marks.filter((reason) => excluded.has(reason));
      piece.within = piece.passages.filter(isShown);
      piece.counted = piece.reasons.length ? [] : piece.matched.filter(isShown);
    }
    this.pieces.forEach((piece, at) => {
      const { reasons, within } = piece;
      const matched = piece.hasWords || (this.isColoured(at, -1) && this.isColoured(at, 1)) ? piece.counted : [];
      const numbers = new Set(matched.map((index) => this.passages[index].number));
      piece.number = matched.length ? this.passages[firstOf(matched)].number : 0;
      const names = ["piece"];
      if (piece.number) names.push("hit", `hue-${hueOf(piece.number)}`);
      else if (within.length && !reasons.length && (piece.hasWords || !piece.counted.length)) names.push("unmatched", `hue-${hueOf(this.passages[firstOf(within)].number)}`);
      if (numbers.size > 1) names.push("several");
      if (reasons.length) names.push("out");
      if (piece.flagged) names.push("flagged");
      if (piece.outlines.includes(this.outlined)) names.push("outlined");
      piece.node.className = names.join(" ");
      piece.node.title = reasons.length ? `excluded: ${[...new Set(reasons)].join(", ")}` : "";
    });
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

  // Whether the next words before or after a piece are coloured: only then are the signs between.
  isColoured(at, step) {
    const touches = (one, other) => (step > 0 ? one.end === other.start : other.end === one.start);
    let [here, next] = [this.pieces[at], this.pieces[at + step]];
    while (next && !next.hasWords && touches(here, next)) [at, here, next] = [at + step, next, this.pieces[at + 2 * step]];
    return Boolean(next && touches(here, next) && next.counted.length);
  }

  // Where a place of a passage is on the screen, from the top; null for a place of no passage.
  topAt(place) {
    const unit = this.unitPlace(place);
    const piece = this.pieces.find(({ start, end }) => start <= unit && unit < end);
    const words = piece?.node.firstChild;
    if (!words) return null;
    const range = document.createRange();
    range.setStart(words, Math.min(unit - piece.start, words.length));
    return range.getBoundingClientRect().top || piece.node.getBoundingClientRect().top;
  }

  // Outlines one stretch, or none; returns where it begins.
  outline(index) {
    this.outlined = index;
    for (const piece of this.pieces) piece.node.classList.toggle("outlined", piece.outlines.includes(index));
    return this.outlineFirsts[index] ?? null;
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
    const picked = piece.passages.filter((index) => this.order.includes(index));
    if (picked.length) onPick(picked, node);
  }
}

const IN_WORD = /[\p{L}\p{M}\p{N}]/u;

// Words that are not matched, with the spaces and signs around them, but not beyond the passage.
function widened(text, [start, end], [first, last]) {
  let [from, to] = [start, end];
  while (from > first && !IN_WORD.test(before(text, from))) from -= before(text, from).length;
  while (to < last && !IN_WORD.test(String.fromCodePoint(text.codePointAt(to)))) to += String.fromCodePoint(text.codePointAt(to)).length;
  return [from, Math.min(to, last)];
}

function before(text, place) {
  const two = text.slice(Math.max(0, place - 2), place);
  return two.codePointAt(0) > 0xffff ? two : text.charAt(place - 1);
}

function flagLabel([, , kind, , number = 1]) {
  return `Flag: ${flagWords(kind, number)}`;
}

function pageMark(number) {
  return h("span", { class: "page-mark" }, h("span", {}, `Page ${number}`));
}
