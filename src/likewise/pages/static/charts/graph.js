// Clusters as dots and lines. A line has an arrowhead at the later of its documents, if their dates say
// which that is.

import { h, refill, svg } from "../parts/dom.js";
import { hueOf } from "../parts/badge.js";
import { groupShape } from "../parts/group_mark.js";
import { backbone, strongestFirst } from "./backbone.js";
import { isInView, LABEL_HEIGHT, LabelRoom, textWidth } from "./labels.js";
import { compareDates } from "../data/dates.js";
import { layOut } from "./layout.js";
import { decimal, plural, whole } from "../data/numbers.js";

const MAX_NODES = 500;
const MIN_HUB = 40; // a larger cluster is one disc among others, if there are
const ALL_DOTS = 150; // so many documents in all
const WEIGHTS = 5;
const NAME_LENGTH = 18;
const MIN_HEAD = 4; // length of an arrowhead
const MAX_HEAD = 9;
const MANY_LINKS = 80; // thick lines would cover each other

// What is drawn of the clusters: whole ones as long as they fit. `shown` documents, `drawn` of `links`.
export function graphChart({ page, rows, clusters, measure, clusterLink, groups = null, hubs = true, names = null }, width, height) {
  const total = clusters.reduce((sum, cluster) => sum + cluster.members.length, 0);
  const folds = hubs && clusters.length > 1 && total > ALL_DOTS;
  const chosen = [];
  let [room, shown] = [MAX_NODES, 0];
  for (const cluster of clusters) {
    const hub = folds && cluster.members.length > MIN_HUB;
    const size = hub ? 1 : cluster.members.length;
    if (size > room && chosen.length) break;
    const whole = size > room ? strongestPart(cluster, measure) : cluster;
    chosen.push(hub ? { ...cluster, radius: 26 + 2.5 * Math.sqrt(cluster.members.length) } : { members: whole.members, all: whole.links, links: backbone(whole, measure) });
    room -= size;
    shown += whole.members.length;
    if (room <= 0) break;
  }
  const picture = layOut(chosen, width, height);
  const graph = new Graph({ page, rows, measure, groups, clusterLink, chosen, picture, names });
  const drawn = chosen.reduce((sum, cluster) => sum + (cluster.radius ? 0 : cluster.links.length), 0);
  const links = chosen.reduce((sum, cluster) => sum + (cluster.radius ? 0 : cluster.all.length), 0);
  return { width: picture.width, height: picture.height, items: graph.items, pick: (...place) => graph.pick(...place), draw: (...drawing) => graph.draw(...drawing), shown, drawn, links, directed: graph.edges.filter(({ turn }) => turn).length };
}

// Of a cluster that is too large, the part around its strongest pairs.
function strongestPart(cluster, measure) {
  const members = new Set();
  const links = strongestFirst(cluster.links, measure);
  for (const { a, b } of links) {
    if (members.size >= MAX_NODES - 1) break;
    members.add(a).add(b);
  }
  return { members: [...members].sort((x, y) => x - y), links: links.filter(({ a, b }) => members.has(a) && members.has(b)) };
}

class Graph {
  constructor(given) {
    Object.assign(this, given);
    this.items = [];
    this.dots = new Map();
    for (const node of this.picture.nodes) this.addDot(node);
    this.heads = this.picture.areas.map((area) => this.headOf(area));
    this.items.push(...this.heads);
    for (const cluster of this.chosen) if (!cluster.radius) for (const pair of cluster.all) [pair.a, pair.b].forEach((index) => this.dots.get(index).links.push(pair));
    this.byDegree = [...this.dots.values()].sort((x, y) => y.links.length - x.links.length || x.index - y.index);
    this.edges = this.chosen.flatMap((cluster) => (cluster.radius ? [] : cluster.links.map((pair) => this.edgeOf(pair))));
  }

  numberOf(cluster) {
    return (this.names?.[cluster] ?? cluster) + 1;
  }

  addDot({ index, cluster, x, y }) {
    const document = this.rows.documents[index];
    const { radius } = this.chosen[cluster];
    const dot = {
      x, y, index, cluster, radius, links: [], document,
      href: radius ? this.clusterLink(cluster) : this.page.links.document(document.id),
      tip: () => (radius ? this.clusterTip(cluster) : this.dotTip(dot)),
    };
    this.dots.set(index, dot);
    this.items.push(dot);
  }

  dotTip({ document, cluster, links }) {
    const { page } = this;
    const about = page.names.about(document);
    return [h("strong", {}, page.names.marked(document, page.names.brief(document))), about.length ? h("span", { dir: "auto" }, about.join(" · ")) : null, h("span", {}, `Cluster ${this.numberOf(cluster)}, ${plural(links.length, "link")}`)];
  }

  clusterTip(cluster) {
    const { members, links, all } = this.chosen[cluster];
    return [h("strong", {}, `Cluster ${this.numberOf(cluster)}`), h("span", {}, `${plural(members.length, "document")}, ${plural((all ?? links).length, "link")}`)];
  }

  headOf({ cluster, x, y }) {
    return { x: x + 30, y: y + 16, isHead: true, cluster, href: this.clusterLink(cluster), tip: () => this.clusterTip(cluster) };
  }

  edgeOf(pair) {
    const [one, other] = [this.dots.get(pair.a), this.dots.get(pair.b)];
    const value = this.measure(pair);
    return {
      pair, one, other, turn: turnOf(pair), x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, weight: Math.min(WEIGHTS - 1, Math.floor(value * WEIGHTS)),
      href: this.page.links.pair(pair.first.id, pair.second.id),
      tip: () => [h("strong", {}, this.page.names.brief(pair.first), " and ", this.page.names.brief(pair.second)), h("span", {}, `${decimal(value)}${pair.sharedWords ? `, ${plural(pair.sharedWords, "shared word")}` : ""}`), pair.first.date && pair.second.date && !this.page.names.anonymous ? h("span", {}, `dated ${pair.first.date} and ${pair.second.date}`) : null],
    };
  }

  pick(x, y, reach) {
    let [best, least] = [null, reach];
    for (const item of this.items) {
      const away = item.isHead ? (Math.abs(item.y - y) < reach && x > item.x - 26 && x < item.x + 40 ? 0.9 * reach : Infinity) : Math.hypot(item.x - x, item.y - y) - (item.radius ?? 0);
      if (away < least) [best, least] = [item, away];
    }
    if (best) return best;
    least = reach * 0.6;
    for (const edge of this.edges) {
      const away = distanceToLine(x, y, edge.one, edge.other);
      if (away < least) [best, least] = [edge, away];
    }
    return best;
  }

  draw(layer, view, current) {
    const room = new LabelRoom(view.width, view.height);
    const size = Math.min(8, Math.max(3.5, 7 * Math.sqrt(view.scale)));
    const dots = [...this.dots.values()].map((dot) => this.dotShape(dot, view, size, current, room));
    const names = this.headNames(view, room);
    names.push(...this.dotNames(view, room, size));
    layer.dataset.links = String(this.edges.length);
    refill(layer,
      this.picture.areas.map(({ x, y, width, height }) => svg("rect", { class: "cluster-area", x: view.at(x, y)[0], y: view.at(x, y)[1], width: width * view.scale, height: height * view.scale, rx: 8 })),
      this.lines(view), this.arrows(view, size), this.chosenLines(view, current, size),
      svg("g", { class: "dots" }, dots), names);
  }

  // One path for each strength: thousands of links cost no more than five elements.
  lines(view) {
    const paths = Array.from({ length: WEIGHTS }, () => []);
    for (const { one, other, weight } of this.edges) paths[weight].push(line(view, one, other));
    return paths.map((path, weight) => (path.length ? svg("path", { class: `edge weight-${weight}${this.edges.length > MANY_LINKS ? " thin" : ""}`, d: path.join("") }) : null));
  }

  // The arrowheads, beside the dots.
  arrows(view, size) {
    return headPath(this.edges.map(({ pair }) => this.arrow(pair, view, size)), "arrow");
  }

  arrow(pair, view, size) {
    const turn = turnOf(pair);
    const [a, b] = [this.dots.get(pair.a), this.dots.get(pair.b)];
    return turn ? arrowhead(view, ...(turn < 0 ? [a, b] : [b, a]), size) : "";
  }

  // Of the current document all links, drawn or not.
  chosenLines(view, current, size) {
    if (!current) return null;
    const ends = current.pair ? [current.pair] : current.document && !current.radius ? current.links : [];
    if (!ends.length) return null;
    return [svg("path", { class: "edge chosen", d: ends.map(({ a, b }) => line(view, this.dots.get(a), this.dots.get(b))).join("") }), headPath(ends.map((pair) => this.arrow(pair, view, size)), "arrow chosen")];
  }

  dotShape(dot, view, size, current, room) {
    const [x, y] = view.at(dot.x, dot.y);
    const radius = dot.radius ? dot.radius * view.scale : size;
    if (!isInView(view, x, y, radius)) return null;
    room.take(x - radius, y - radius, x + radius, y + radius);
    const state = `dot${dot === current ? " current" : ""}${dot.document.archive && !dot.radius ? " in-archive" : ""}`;
    const className = `${state} hue-${hueOf(this.numberOf(dot.cluster))}`;
    if (dot.radius) {
      return svg("g", { class: `${className} hub`, transform: `translate(${x} ${y})` }, svg("circle", { r: radius }), svg("text", { y: 4, "text-anchor": "middle" }, whole(this.chosen[dot.cluster].members.length)));
    }
    if (!this.groups) return svg("circle", { class: className, cx: x, cy: y, r: radius });
    return svg("g", { class: state, transform: `translate(${x} ${y}) scale(${radius / 4.6})` }, groupShape(this.groups.numberOf(dot.document)));
  }

  headNames(view, room) {
    return this.picture.areas.flatMap(({ cluster, x, y, width }) => {
      const [left, top] = view.at(x, y);
      const words = [`Cluster ${this.numberOf(cluster)}`, String(this.numberOf(cluster))].find((text) => textWidth(text) + 16 < width * view.scale && room.fits(left + 4, top + 2, left + 12 + textWidth(text) * 1.08, top + 3 + LABEL_HEIGHT));
      if (!words) return [];
      return [svg("text", { class: "cluster-number", x: left + 8, y: top + 14 }, words)];
    });
  }

  // Documents with more links come first; names that do not fit are shown on hover and focus.
  dotNames(view, room, size) {
    return this.byDegree.flatMap((dot) => {
      if (dot.radius) return [];
      const [x, y] = view.at(dot.x, dot.y);
      const words = this.page.names.tag(dot.document, NAME_LENGTH);
      const half = textWidth(words) / 2 + 3;
      const top = y + size + 2;
      const area = this.picture.areas[dot.cluster];
      const [from, to] = [view.at(area.x, 0)[0], view.at(area.x + area.width, 0)[0]];
      return x - half >= from && x + half <= to && room.fits(x - half, top, x + half, top + LABEL_HEIGHT) ? [svg("text", { class: "dot-name", x, y: top + 11, "text-anchor": "middle" }, words)] : [];
    });
  }
}

function line(view, one, other) {
  const [[x, y], [toX, toY]] = [view.at(one.x, one.y), view.at(other.x, other.y)];
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${toX.toFixed(1)} ${toY.toFixed(1)}`;
}

function distanceToLine(x, y, one, other) {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const along = Math.max(0, Math.min(1, ((x - one.x) * dx + (y - one.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(one.x + along * dx - x, one.y + along * dy - y);
}

// -1 if a of a pair is the earlier, 1 if it is the later, 0 if the dates do not say.
function turnOf({ first, second }) {
  return compareDates(first.date, second.date);
}

// A triangle that ends where the dot of the later document begins; none where there is no room for it.
function arrowhead(view, from, to, size) {
  const [[x, y], [toX, toY]] = [view.at(from.x, from.y), view.at(to.x, to.y)];
  const away = Math.hypot(toX - x, toY - y);
  const long = Math.min(MAX_HEAD, Math.max(MIN_HEAD, 1.5 * size), away - 2 * size);
  if (long < MIN_HEAD) return "";
  const [dx, dy] = [(toX - x) / away, (toY - y) / away];
  const [tipX, tipY] = [toX - dx * (size + 1), toY - dy * (size + 1)];
  const [backX, backY, half] = [tipX - dx * long, tipY - dy * long, 0.45 * long];
  return `M${point(tipX, tipY)}L${point(backX - dy * half, backY + dx * half)}L${point(backX + dy * half, backY - dx * half)}Z`;
}

function point(x, y) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

function headPath(heads, className) {
  const path = heads.join("");
  return path ? svg("path", { class: className, d: path }) : null;
}

// What arrowheads mean, for a chart that has any.
export function arrowLegend({ directed, drawn }) {
  if (!directed) return null;
  return h("ul", { class: "picture-legend", "aria-label": "Arrows", "data-value": "arrow-legend" },
    h("li", {}, svg("svg", { class: "arrow-key", viewBox: "0 0 28 12", "aria-hidden": "true" }, svg("path", { class: "edge weight-2", d: "M1 6H20" }), svg("path", { class: "arrow", d: "M27 6L18 2V10Z" })), "from the earlier to the later document, by the dates of the metadata; an earlier date alone does not make it the source"),
    directed < drawn ? h("li", {}, svg("svg", { class: "arrow-key", viewBox: "0 0 28 12", "aria-hidden": "true" }, svg("path", { class: "edge weight-2", d: "M1 6H27" })), "a date is missing, or the dates do not say which is earlier") : null);
}
