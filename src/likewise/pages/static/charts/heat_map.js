// The collection as a map: a cell for each two documents, darker the more they have in common.
// Documents are ordered by cluster, then by name; each is named once, on the diagonal, for its row to
// the left and its column below.

import { h, refill, svg } from "../parts/dom.js";
import { LABEL_HEIGHT, LabelRoom, textWidth } from "./labels.js";
import { decimal, percent, plural, whole } from "../data/numbers.js";

const MAX_ROWS = 500; // more documents share rows
const ALL_SHOWN = 100; // of a larger collection the linked documents are shown
const MAX_CELL = 56;
const STEPS = 5;
const MIN_NAMED_ROW = 12;

// The documents that are shown, in their order: all of a small collection, else those with links.
export function orderOf(page, rows, clusters) {
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const byName = (indices) => indices.map((index) => [page.names.plain(rows.documents[index]), index]).sort((x, y) => compare(x[0], y[0]) || x[1] - y[1]).map(([, index]) => index);
  const parts = clusters.map(({ members }) => byName(members));
  const linked = parts.flat();
  const all = rows.documents.length <= ALL_SHOWN;
  const isLinked = new Set(linked);
  const order = all ? [...linked, ...byName(rows.documents.map((_, index) => index).filter((index) => !isLinked.has(index)))] : linked;
  return { order, sizes: parts.map((part) => part.length), all, perRow: Math.max(1, Math.ceil(order.length / MAX_ROWS)) };
}

export function heatChart({ page, rows, ordered, measure, clusterOf }, width, height) {
  const map = new HeatMap({ page, rows, measure, clusterOf, ...ordered }, width, height);
  return { width: map.width, height: map.height, items: map.items, pick: (...place) => map.pick(...place), draw: (...drawing) => map.draw(...drawing) };
}

class HeatMap {
  constructor(given, width, height) {
    Object.assign(this, given);
    this.rowOf = new Map(this.order.map((index, at) => [index, Math.floor(at / this.perRow)]));
    this.count = Math.ceil(this.order.length / this.perRow);
    const named = width < 560 ? 96 : 150;
    this.cell = Math.min(MAX_CELL, Math.min(width - named, height) / Math.max(1, this.count));
    this.width = this.cell * this.count + named;
    this.height = Math.max(60, this.cell * this.count);
    this.findCells();
  }

  // The strongest pair of each cell, below the diagonal or on it.
  findCells() {
    this.cells = new Map();
    for (const pair of this.rows.pairs) {
      const [one, other] = [this.rowOf.get(pair.a), this.rowOf.get(pair.b)];
      const value = this.measure(pair);
      if (one === undefined || other === undefined || !(value > 0)) continue;
      const [row, column] = [Math.max(one, other), Math.min(one, other)];
      const key = row * this.count + column;
      const known = this.cells.get(key);
      if (!known) this.cells.set(key, this.item(row, column, pair, value));
      else if (value > known.value) Object.assign(known, { pair, value, count: known.count + 1, href: this.hrefOf(pair) });
      else known.count += 1;
    }
    this.items = [...this.cells.values()];
    this.paths = Array.from({ length: STEPS }, () => []);
    const size = Number((this.cell * (this.cell > 6 ? 0.94 : 1)).toFixed(3));
    for (const { row, column, value } of this.items) this.paths[stepOf(value)].push(`M${(column * this.cell).toFixed(2)} ${(row * this.cell).toFixed(2)}h${size}v${size}h${-size}z`);
  }

  hrefOf(pair) {
    return this.page.links.pair(pair.first.id, pair.second.id);
  }

  item(row, column, pair, value) {
    const item = { row, column, pair, value, count: 1, x: (column + 0.5) * this.cell, y: (row + 0.5) * this.cell, href: this.hrefOf(pair), tip: () => this.tip(item) };
    return item;
  }

  tip({ pair, count }) {
    const { page } = this;
    const cluster = [pair.a, pair.b].map((index) => this.clusterOf.get(index));
    return [
      h("strong", {}, page.names.brief(pair.first), " and ", page.names.brief(pair.second)),
      h("span", {}, `similarity ${decimal(pair.jaccard)}${this.rows.has("words") ? `, ${percent(pair.share)} in passages, ${plural(pair.sharedWords, "shared word")}` : ""}`),
      cluster[0] !== undefined && cluster[0] === cluster[1] ? h("span", {}, `cluster ${cluster[0] + 1}`) : null,
      count > 1 ? h("span", {}, `the strongest of ${plural(count, "pair")} in this cell`) : null,
    ];
  }

  // The cell under the pointer, or the nearest within reach: cells may be as small as a pixel.
  pick(x, y, reach) {
    const [column, row] = [Math.floor(x / this.cell), Math.floor(y / this.cell)];
    const around = Math.min(12, Math.ceil(reach / this.cell));
    let [best, least] = [this.cells.get(row * this.count + column) ?? null, Infinity];
    if (best && column >= 0 && column < this.count) return best;
    best = null;
    for (let down = -around; down <= around; down += 1) {
      for (let across = -around; across <= around; across += 1) {
        const item = column + across >= 0 && column + across < this.count ? this.cells.get((row + down) * this.count + column + across) : null;
        const away = item ? Math.hypot(item.x - x, item.y - y) : Infinity;
        if (away < least && away <= reach) [best, least] = [item, away];
      }
    }
    return best;
  }

  draw(layer, view, current) {
    const side = this.cell * this.count;
    if (layer.chart !== this) {
      this.plot = svg("g", {},
        svg("path", { class: "heat-ground", d: this.ground(side) }),
        this.paths.map((path, step) => (path.length ? svg("path", { class: `heat-${step}`, d: path.join("") }) : null)),
        svg("path", { class: "heat-clusters", d: this.outlines(), "vector-effect": "non-scaling-stroke" }));
      this.marks = svg("g", {});
      layer.chart = this;
      refill(layer, this.plot, this.marks);
    }
    this.plot.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
    const room = new LabelRoom(view.width, view.height);
    refill(this.marks, this.cross(view, current, room), this.cell * view.scale >= MIN_NAMED_ROW && this.perRow === 1 ? this.names(view, room, current) : this.clusterNames(view, room));
  }

  // Stairs: what is above the diagonal would say everything twice.
  ground(side) {
    let path = "M0 0";
    for (let at = 0; at < this.count; at += 1) path += `H${((at + 1) * this.cell).toFixed(2)}V${((at + 1) * this.cell).toFixed(2)}`;
    return `${path}V${side.toFixed(2)}H0Z`;
  }

  outlines() {
    let from = 0;
    return this.sizes.map((size) => {
      const [start, end] = [(from / this.perRow) * this.cell, ((from + size) / this.perRow) * this.cell];
      from += size;
      return `M${start} ${start}V${end}H${end}`;
    }).join("");
  }

  // The row and the column of the current cell, with both names at their ends.
  cross(view, current, room) {
    if (!current) return null;
    const [left, top] = view.at(current.column * this.cell, current.row * this.cell);
    const size = this.cell * view.scale;
    const end = view.at((current.row + 1) * this.cell, 0)[0];
    const start = view.at(0, current.column * this.cell)[1];
    const names = this.perRow > 1 || size >= MIN_NAMED_ROW ? [] : [[current.pair.a, current.pair.b].find((index) => this.rowOf.get(index) === current.row), [current.pair.a, current.pair.b].find((index) => this.rowOf.get(index) === current.column)].map((index, at) => this.name(view, index, at ? current.column : current.row, room));
    return [svg("rect", { class: "heat-cross", x: left, y: top, width: Math.max(0, end - left), height: Math.max(1, size) }), svg("rect", { class: "heat-cross", x: left, y: start, width: Math.max(1, size), height: Math.max(0, top - start) }), svg("rect", { class: "heat-current", x: left, y: top, width: Math.max(3, size), height: Math.max(3, size) }), names];
  }

  name(view, index, row, room, bold = true) {
    const [x, y] = view.at((row + 1) * this.cell, (row + 0.5) * this.cell);
    const available = view.width - x - 8;
    let words = this.page.names.short(this.rows.documents[index], 40);
    while (words.length > 4 && textWidth(words) > available) words = `${words.slice(0, -2).trimEnd()}…`;
    if (textWidth(words) > available || !room.fits(x + 2, y - LABEL_HEIGHT / 2 + 1, x + 6 + textWidth(words), y + LABEL_HEIGHT / 2 - 1)) return null;
    return svg("text", { class: bold ? "dot-name strong" : "dot-name", x: x + 6, y: y + 4 }, words);
  }

  names(view, room, current) {
    return this.order.map((index, row) => this.name(view, index, row, room, current !== null && (current.row === row || current.column === row)));
  }

  clusterNames(view, room) {
    let from = 0;
    return this.sizes.map((size, cluster) => {
      const middle = ((from + size / 2) / this.perRow) * this.cell;
      from += size;
      const [x, y] = view.at(middle, middle);
      const half = (size / this.perRow) * this.cell * view.scale / 2;
      const words = `Cluster ${cluster + 1}: ${whole(size)}`;
      if (half < 5 || !room.fits(x + 8, y - 7, x + 16 + textWidth(words), y + 7)) return null;
      return svg("text", { class: "dot-name", x: x + 12, y: y + 4 }, words);
    });
  }
}

function stepOf(value) {
  return Math.min(STEPS - 1, Math.floor(value * STEPS));
}

export function heatLegend(measureLabel) {
  return h("ul", { class: "picture-legend", "aria-label": `Colours: ${measureLabel}` },
    h("li", { class: "muted" }, measureLabel),
    Array.from({ length: STEPS }, (_, step) => h("li", {}, svg("svg", { class: "heat-key", viewBox: "0 0 20 12", "aria-hidden": "true" }, svg("rect", { class: `heat-${step}`, width: 20, height: 12, rx: 2 })), `${step ? (step / STEPS).toFixed(1) : ">0"}–${((step + 1) / STEPS).toFixed(1)}`)));
}
