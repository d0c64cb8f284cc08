// Clusters as dots and lines.

import { svg } from "../parts/dom.js";
import { hueOf } from "../parts/badge.js";
import { layOut } from "./layout.js";
import { decimal } from "../data/numbers.js";

const MAX_NODES = 400;
const MAX_LABELS = 80;

// Takes whole clusters as long as they fit; says how many documents are drawn.
export function clusterGraph(page, rows, clusters, measure, width) {
  const drawn = [];
  let count = 0;
  for (const cluster of clusters) {
    if (count + cluster.members.length > MAX_NODES) {
      if (!drawn.length) drawn.push(strongestOf(cluster, measure));
      break;
    }
    drawn.push(cluster);
    count += cluster.members.length;
  }
  const shown = drawn.reduce((sum, cluster) => sum + cluster.members.length, 0);
  const picture = layOut(drawn, width);
  return { element: drawPicture(page, rows, drawn, picture, measure, shown), shown };
}

// Of a cluster that is too large, the part around its strongest pairs.
function strongestOf(cluster, measure) {
  const members = new Set();
  const links = cluster.links.slice().sort((x, y) => measure(y) - measure(x));
  for (const { a, b } of links) {
    if (members.size >= MAX_NODES - 1) break;
    members.add(a).add(b);
  }
  return { members: [...members].sort((x, y) => x - y), links: links.filter(({ a, b }) => members.has(a) && members.has(b)) };
}

function drawPicture(page, rows, clusters, picture, measure, shown) {
  const at = new Map(picture.nodes.map((node) => [node.index, node]));
  const lines = clusters.flatMap((cluster) => cluster.links.map((pair) => edge(page, pair, at, measure(pair))));
  const dots = picture.nodes.map((node) => dot(page, rows.documents[node.index], node, shown <= MAX_LABELS));
  return svg(
    "svg",
    { class: "graph", viewBox: `0 0 ${picture.width} ${picture.height}`, width: picture.width, height: picture.height, role: "group", "aria-label": "Graph of the clusters; the table shows the same data" },
    svg("g", { class: "edges" }, lines),
    svg("g", { class: "dots" }, dots),
    picture.labels.map(({ cluster, x, y }) => svg("text", { class: "cluster-number", x, y, "text-anchor": "end", "aria-hidden": "true" }, String(cluster + 1))),
  );
}

function edge(page, pair, at, value) {
  const [one, other] = [at.get(pair.a), at.get(pair.b)];
  return svg(
    "a",
    { href: page.links.pair(pair.first.id, pair.second.id), tabindex: "-1", "aria-label": `${page.names.short(pair.first)} and ${page.names.short(pair.second)}` },
    svg("line", { class: "edge-hit", x1: one.x, y1: one.y, x2: other.x, y2: other.y }),
    svg("line", { class: `edge weight-${Math.min(4, Math.floor(value * 5))}`, x1: one.x, y1: one.y, x2: other.x, y2: other.y }),
    svg("title", {}, `${page.names.short(pair.first)} and ${page.names.short(pair.second)}: ${decimal(value)}`),
  );
}

function dot(page, document, node, labelled) {
  return svg(
    "a",
    { href: page.links.document(document.id), tabindex: "-1", class: `dot hue-${hueOf(node.cluster + 1)}`, "aria-label": page.names.short(document) },
    svg("circle", { cx: node.x, cy: node.y, r: labelled ? 8 : 5.5 }),
    svg("title", {}, page.names.short(document)),
    labelled ? svg("text", { x: node.x, y: node.y + 21, "text-anchor": "middle" }, page.names.short(document, 16)) : null,
  );
}
