// Two texts as the sides of a field: the words of one run down, those of the other to the right, and a
// line marks the words that match. Copied text is a diagonal; moved text is a diagonal elsewhere.

import { hueOf, kindWords } from "../parts/badge.js";
import { h, refill, svg } from "../parts/dom.js";
import { linearTicks } from "./ticks.js";
import { LABEL_HEIGHT, LabelRoom, textWidth } from "./labels.js";
import { plural, whole } from "../data/numbers.js";

const SIDE_LEFT = 58;
const SIDE_TOP = 26;
const MAX_FIELD = 320;
const HUES_OF_PASSAGES = 8;

// `onGo(index, places)` is called with a passage, and the places in both texts, in characters.
export function dotChart({ page, view, onGo }, width, height) {
  const plot = new DotPlot({ page, view, onGo }, width, height);
  return { width: plot.width, height: plot.height, items: plot.items, pick: (...place) => plot.pick(...place), draw: (...drawing) => plot.draw(...drawing) };
}

class DotPlot {
  constructor(given, width, height) {
    Object.assign(this, given);
    const size = (side, last) => Math.max(1, side.words ?? 0, ...this.view.passages.map((passage) => passage[last]));
    [this.down, this.across] = [size(this.view.a, "last"), size(this.view.b, "other_last")];
    const most = width - SIDE_LEFT - 20;
    const unit = Math.min(most / this.across, Math.min(MAX_FIELD, height - SIDE_TOP - 24) / this.down);
    // Texts of very different lengths still get a field that can be seen.
    const high = Math.max(120, this.down * unit);
    const wide = Math.max(Math.min(most, 1.5 * high), this.across * unit);
    [this.unitDown, this.unitAcross] = [high / this.down, wide / this.across];
    this.width = SIDE_LEFT + wide + 20;
    this.height = SIDE_TOP + this.down * this.unitDown + 12;
    this.segments = this.view.passages.flatMap((passage, index) => this.segmentsOf(passage, index));
    this.items = this.view.passages.map((passage, index) => this.item(passage, index));
  }

  place(wordA, wordB) {
    return [SIDE_LEFT + wordB * this.unitAcross, SIDE_TOP + wordA * this.unitDown];
  }

  // The matched words of a passage, run by run.
  segmentsOf(passage, index) {
    return passage.matches.map(([a, b, words, ...characters]) => ({ index, from: this.place(a, b), to: this.place(a + words, b + words), characters }));
  }

  item(passage, index) {
    const [x, y] = this.place(passage.first, passage.other_first);
    return {
      x, y, index, open: () => this.onGo(index, [passage.start, passage.other_start]),
      tip: () => [
        h("strong", {}, `Passage ${whole(index + 1)}`),
        h("span", {}, `${kindWords(passage.kind)}, ${plural(passage.words, "shared word")}`),
        h("span", {}, `words ${whole(passage.first + 1)}–${whole(passage.last)} of `, this.page.names.brief(this.view.a)),
        h("span", {}, `words ${whole(passage.other_first + 1)}–${whole(passage.other_last)} of `, this.page.names.brief(this.view.b)),
      ],
    };
  }

  pick(x, y, reach) {
    let [best, least] = [null, reach];
    for (const segment of this.segments) {
      const [[x1, y1], [x2, y2]] = [segment.from, segment.to];
      const along = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2 || 1)));
      const away = Math.hypot(x1 + along * (x2 - x1) - x, y1 + along * (y2 - y1) - y);
      if (away < least) [best, least] = [{ segment, along }, away];
    }
    if (!best) return null;
    const { index, from, to, characters: [start, end, otherStart, otherEnd] } = best.segment;
    const within = (first, last) => Math.floor(first + best.along * Math.max(0, last - first - 1));
    // The same item as long as the pointer stays on a passage, or the tip would flicker.
    if (this.hovered?.index !== index) this.hovered = this.item(this.view.passages[index], index);
    [this.hovered.x, this.hovered.y] = from.map((place, axis) => place + best.along * (to[axis] - place));
    this.hovered.open = () => this.onGo(index, [within(start, end), within(otherStart, otherEnd)]);
    return this.hovered;
  }

  draw(layer, view, current) {
    const room = new LabelRoom(view.width, view.height);
    const [[left, top], [right, bottom]] = [view.at(SIDE_LEFT, SIDE_TOP), view.at(SIDE_LEFT + this.across * this.unitAcross, SIDE_TOP + this.down * this.unitDown)];
    const paths = Array.from({ length: HUES_OF_PASSAGES }, () => []);
    const d = ({ from, to }) => `M${view.at(...from).map((place) => place.toFixed(1)).join(" ")}L${view.at(...to).map((place) => place.toFixed(1)).join(" ")}`;
    for (const segment of this.segments) paths[hueOf(segment.index + 1) - 1].push(d(segment));
    const chosen = current ? this.segments.filter(({ index }) => index === current.index) : [];
    refill(layer,
      svg("rect", { class: "dot-field", x: left, y: top, width: right - left, height: bottom - top }),
      this.ticks(view, room, left, top, right, bottom),
      chosen.length ? svg("path", { class: "dot-line chosen", d: chosen.map(d).join("") }) : null,
      paths.map((path, at) => (path.length ? svg("path", { class: `dot-line hue-${at + 1}`, d: path.join("") }) : null)),
      this.numbers(view, room));
  }

  ticks(view, room, left, top, right, bottom) {
    const marks = [];
    for (const word of linearTicks(this.across, 6).slice(1)) {
      const x = view.at(this.place(0, word)[0], 0)[0];
      const half = textWidth(whole(word)) / 2 + 4;
      if (word > this.across || x < left || !room.fits(x - half, Math.max(0, top - 18), x + half, Math.max(0, top - 18) + LABEL_HEIGHT)) continue;
      marks.push(svg("line", { class: "dot-grid", x1: x, x2: x, y1: top, y2: bottom }), svg("text", { x, y: Math.max(0, top - 18) + 11, "text-anchor": "middle" }, whole(word)));
    }
    for (const word of linearTicks(this.down, 5).slice(1)) {
      const y = view.at(0, this.place(word, 0)[1])[1];
      const edge = Math.max(44, left);
      if (word > this.down || y < top || !room.fits(edge - 8 - textWidth(whole(word)), y - 7, edge - 4, y + 7)) continue;
      marks.push(svg("line", { class: "dot-grid", x1: left, x2: right, y1: y, y2: y }), svg("text", { x: edge - 8, y: y + 4, "text-anchor": "end" }, whole(word)));
    }
    return marks;
  }

  numbers(view, room) {
    return this.view.passages.map((passage, index) => {
      const [x, y] = view.at(...this.place((passage.first + passage.last) / 2, (passage.other_first + passage.other_last) / 2));
      const words = String(index + 1);
      return room.fits(x + 4, y - 16, x + 10 + textWidth(words), y - 2) ? svg("text", { class: "dot-name", x: x + 7, y: y - 5 }, words) : null;
    });
  }
}
