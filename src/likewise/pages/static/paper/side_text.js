// One text of a pair on paper: where its passages are, and what is printed of it.

import { h } from "../parts/dom.js";
import { whole } from "../data/numbers.js";
import { unitPlaces } from "../texts/code_points.js";
import { placeOf } from "../texts/references.js";

const AROUND = 90; // characters before and after a passage

export class SideText {
  constructor(shown) {
    this.shown = shown;
    this.text = shown.text;
    this.unspaced = Boolean(shown.unspaced);
    this.at = unitPlaces(shown.text);
    this.lineStarts = null;
  }

  // Chapter and verse or the like, else page or line, as the command line gives them, and words.
  // Places are in code points.
  placeWords(start, end, first, last) {
    const words = rangeWords("word", first + 1, last);
    const place = placeOf(this.shown, start, end);
    if (place) return `${place}, ${words}`;
    const pages = this.shown.page_starts;
    const [from, to] = pages ? [countUpTo(pages, start), countUpTo(pages, end - 1)] : [this.line(start), this.line(end - 1)];
    return `${rangeWords(pages ? "page" : "line", Math.max(1, from), Math.max(1, to))}, ${words}`;
  }

  line(place) {
    this.lineStarts ??= [0, ...Array.from(this.text.matchAll(/\n/g), (found) => found.index + 1)];
    return countUpTo(this.lineStarts, this.at(place));
  }

  // A part of the text, its matched places underlined; with `before` or `after`, some words around it.
  nodes([start, end], matched, { before = false, after = false } = {}) {
    const nodes = before ? [h("span", { class: "around" }, this.around(start, -1))] : [];
    let at = start;
    for (let next = firstBehind(matched, start); next < matched.length && matched[next][0] < end; next += 1) {
      const [from, to] = [Math.max(start, matched[next][0]), Math.min(end, matched[next][1])];
      nodes.push(this.text.slice(at, from), h("u", {}, this.text.slice(from, to)));
      at = to;
    }
    nodes.push(this.text.slice(at, end));
    if (after) nodes.push(h("span", { class: "around" }, this.around(end, 1)));
    return nodes;
  }

  // Whole words only, unless the script has no spaces.
  around(place, way) {
    const length = this.unspaced ? AROUND / 2 : AROUND;
    if (way < 0) {
      const from = Math.max(0, place - length);
      const words = this.text.slice(from, place);
      return from === 0 ? words : `… ${words.replace(this.unspaced ? /^[\udc00-\udfff]/ : /^\S+/, "").trimStart()}`;
    }
    const words = this.text.slice(place, place + length);
    return place + length >= this.text.length ? words : `${words.replace(this.unspaced ? /[\ud800-\udbff]$/ : /\S+$/, "").trimEnd()} …`;
  }
}

function rangeWords(what, first, last) {
  return last > first ? `${what}s ${whole(first)}–${whole(last)}` : `${what} ${whole(first)}`;
}

// How many of these sorted places are not behind a place.
function countUpTo(sorted, place) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The first of these sorted ranges that ends behind a place.
function firstBehind(ranges, place) {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle][1] <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
