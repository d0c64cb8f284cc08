// All texts as lines, each drawn to its length, with the parts that others have: the more documents have
// a part, the darker it is.

import { h, refill, svg } from "../parts/dom.js";
import { LABEL_HEIGHT, LabelRoom, textWidth } from "./labels.js";
import { familyLink } from "../families/collection_families.js";
import { plural, whole } from "../data/numbers.js";

const MAX_LINES = 400;
const MAX_LINE = 24;
const MIN_LINE = 2;
const MIN_PART = 1.2; // in the units of the picture
const STEPS_OF_REUSE = [[1, "1"], [2, "2"], [3, "3–4"], [5, "5–9"], [10, "10 or more"]]; // other documents
const NAMES_IN_TIP = 4;

// The documents that have families, in order: {document, parts}.
export function reuseOf(rows, families) {
  const byDocument = new Map();
  for (const family of families) {
    for (const { document, first, stop } of family.witnesses) {
      if (document === null) continue;
      if (!byDocument.has(document)) byDocument.set(document, []);
      byDocument.get(document).push({ family, document, first, stop });
    }
  }
  const lines = [...byDocument].map(([document, parts]) => ({ document, parts: parts.sort((x, y) => x.first - y.first), words: parts.reduce((sum, { first, stop }) => sum + stop - first, 0) }));
  const shown = lines.sort((x, y) => y.words - x.words || x.document.index - y.document.index).slice(0, MAX_LINES);
  return { lines: shown.sort((x, y) => x.document.index - y.document.index), total: lines.length };
}

export function reuseChart({ page, lines }, width, height) {
  const grid = new ReuseGrid(page, lines, width, height);
  return { width: grid.width, height: grid.height, items: grid.items, pick: (...place) => grid.pick(...place), draw: (...drawing) => grid.draw(...drawing) };
}

class ReuseGrid {
  constructor(page, lines, width, height) {
    Object.assign(this, { page, lines, width });
    this.line = Math.max(MIN_LINE, Math.min(MAX_LINE, height / lines.length));
    this.height = Math.max(60, this.line * lines.length);
    this.left = width < 560 ? 96 : 170;
    // Marks and excluded words are not counted as words of a document, but are in its text.
    this.most = Math.max(1, ...lines.map(({ document, parts }) => Math.max(document.words ?? 0, ...parts.map(({ stop }) => stop))));
    this.items = lines.flatMap(({ parts }, at) => parts.map((part) => this.item(part, at)));
    this.paths = STEPS_OF_REUSE.map(() => []);
    const thick = this.line * (this.line > 6 ? 0.72 : 0.9);
    for (const { from, to, at, step } of this.items) this.paths[step].push(`M${from.toFixed(2)} ${(at * this.line).toFixed(2)}h${(to - from).toFixed(2)}v${thick.toFixed(2)}h${(from - to).toFixed(2)}z`);
    this.ground = lines.map(({ document, parts }, at) => `M${this.left} ${(at * this.line).toFixed(2)}h${(this.xOf(Math.max(document.words ?? 0, parts[parts.length - 1].stop)) - this.left).toFixed(2)}v${thick.toFixed(2)}H${this.left}z`).join("");
    this.thick = thick;
  }

  xOf(word) {
    return this.left + (word / this.most) * (this.width - this.left - 8);
  }

  item(part, at) {
    const { family, first, stop } = part;
    const from = this.xOf(first);
    const to = Math.max(from + MIN_PART, this.xOf(stop));
    const others = family.documents - 1;
    const step = STEPS_OF_REUSE.findLastIndex(([least]) => others >= least);
    return { ...part, at, from, to, step: Math.max(0, step), x: (from + to) / 2, y: (at + 0.5) * this.line, href: familyLink(this.page, family), tip: () => this.tip(part, others) };
  }

  tip({ family, document, first, stop }, others) {
    const named = [...new Set(family.witnesses.map((witness) => witness.document))].filter((one) => one && one !== document);
    const rest = others - Math.min(NAMES_IN_TIP, named.length);
    return [
      h("strong", {}, this.page.names.marked(document, this.page.names.brief(document))),
      h("span", {}, `${plural(stop - first, "word")} from word ${whole(first + 1)}, in ${plural(others, "other document")}`),
      others ? h("span", {}, named.slice(0, NAMES_IN_TIP).map((one, at) => [at ? ", " : "", this.page.names.brief(one)]), rest > 0 ? ` and ${whole(rest)} more` : "") : null,
    ];
  }

  pick(x, y, reach) {
    const around = Math.min(12, Math.ceil(reach / this.line));
    const row = Math.floor(y / this.line);
    let [best, least] = [null, Infinity];
    for (const item of this.items) {
      const down = Math.abs(item.at - row);
      if (down > around) continue;
      const away = Math.max(0, item.from - x, x - item.to) + down * this.line;
      if (away < least && away <= reach) [best, least] = [item, away];
    }
    return best;
  }

  draw(layer, view, current) {
    if (layer.chart !== this) {
      this.plot = svg("g", {}, svg("path", { class: "reuse-ground", d: this.ground }), this.paths.map((path, step) => (path.length ? svg("path", { class: `heat-${step}`, d: path.join("") }) : null)));
      this.marks = svg("g", {});
      layer.chart = this;
      refill(layer, this.plot, this.marks);
    }
    this.plot.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
    refill(this.marks, current ? this.outlines(view, current) : null, this.names(view, current));
  }

  // The part itself, and the same wording in the other texts.
  outlines(view, current) {
    return this.items.filter(({ family }) => family === current.family).map((item) => {
      const [x, y] = view.at(item.from, item.at * this.line);
      return svg("rect", { class: "heat-current", x, y, width: Math.max(3, (item.to - item.from) * view.scale), height: Math.max(3, this.thick * view.scale) });
    });
  }

  names(view, current) {
    const room = new LabelRoom(view.width, view.height);
    const order = this.lines.map((_, at) => at);
    if (current) order.sort((one, other) => Number(other === current.at) - Number(one === current.at));
    const available = Math.max(40, this.left * Math.min(1, view.scale) - 10);
    return order.map((at) => {
      const y = view.at(0, at * this.line)[1] + (this.thick * view.scale) / 2;
      let words = this.page.names.tag(this.lines[at].document, 26);
      while (words.length > 4 && textWidth(words) > available) words = `${words.slice(0, -2).trimEnd()}…`;
      const x = Math.max(4, view.at(this.left, 0)[0] - 8 - textWidth(words));
      if (!room.fits(x, y - LABEL_HEIGHT / 2 + 1, x + textWidth(words), y + LABEL_HEIGHT / 2 - 1)) return null;
      return svg("text", { class: at === current?.at ? "dot-name strong" : "dot-name", x, y: y + 4 }, words);
    });
  }
}

export function reuseLegend() {
  return h("ul", { class: "picture-legend", "aria-label": "Colours: how many other documents have a part" },
    h("li", { class: "muted" }, "other documents"),
    STEPS_OF_REUSE.map(([, words], step) => h("li", {}, svg("svg", { class: "heat-key", viewBox: "0 0 20 12", "aria-hidden": "true" }, svg("rect", { class: `heat-${step}`, width: 20, height: 12, rx: 2 })), words)));
}
