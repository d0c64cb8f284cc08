// One cluster: its graph, its documents and its pairs.

import { findClusters, measureFrom, MEASURES } from "../data/clusters.js";
import { arrowLegend, graphChart } from "../charts/graph.js";
import { groupLegend, groupMark, hasGroups } from "../parts/group_mark.js";
import { groupsOf } from "../data/groups.js";
import { h, refill } from "../parts/dom.js";
import { emptyState } from "../parts/notice.js";
import { decimal, percent, plural, whole } from "../data/numbers.js";
import { heightLimit, Picture } from "../charts/picture.js";
import { pager } from "../tables/pager.js";
import { sortableTable, sortRows } from "../tables/table.js";

const DOCUMENTS_PER_PAGE = 50;
const PAIRS_SHOWN = 25;

export async function showCluster(page, address) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  const given = Number.parseFloat(address.query.get("t") ?? "");
  const threshold = given >= 0 && given <= 1 ? given : page.threshold;
  const by = measureFrom(address.query.get("by"));
  const measure = MEASURES[by].of;
  const clusters = findClusters(rows.pairs, measure, threshold);
  const wanted = rows.byId.get(address.ids[0] ?? "")?.index;
  const at = clusters.findIndex(({ members }) => members.includes(wanted));
  const back = h("p", { class: "back" }, h("a", { href: page.links.clusters(threshold.toFixed(2), by) }, "All clusters"));
  if (at < 0) return { title: "Cluster", node: [back, h("h1", { tabindex: "-1" }, "Cluster"), emptyState("No such cluster", "At this threshold the document is linked to no other.")] };
  const cluster = clusters[at];
  const note = h("p", { class: "muted small", "data-value": "picture-note" });
  const arrows = h("div", {});
  const picture = new Picture({
    label: `Graph of cluster ${at + 1}; the table lists its documents`,
    build: (width) => {
      const chart = graphChart({ page, rows, clusters: [cluster], measure, clusterLink: () => location.hash, groups: hasGroups(page, rows) ? groupsOf(rows) : null, hubs: false, names: [at] }, width, heightLimit());
      note.textContent = [
        chart.shown < cluster.members.length ? `The graph shows ${whole(chart.shown)} of ${whole(cluster.members.length)} documents, those of the strongest pairs.` : "",
        chart.drawn < chart.links ? `${whole(chart.drawn)} of ${whole(chart.links)} links are drawn, the strongest of each document; point at a document to see all of its links.` : "",
      ].filter(Boolean).join(" ");
      refill(arrows, arrowLegend(chart));
      return chart;
    },
  });
  const node = [
    back,
    h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, `Cluster ${at + 1}`), page.changeNote()),
    h("p", { class: "lead" }, `${plural(cluster.members.length, "document")} linked by ${plural(cluster.links.length, "pair")} at or above ${threshold.toFixed(2)}, by ${MEASURES[by].label}. Lowest ${decimal(cluster.lowest)}, mean ${decimal(cluster.mean)}${cluster.unlisted ? `; ${plural(cluster.unlisted, "pair")} of its documents not found similar` : ""}.`),
    h("section", { class: "card" }, groupLegend(page, rows), arrows, picture.element, note),
    documentList(page, rows, cluster, measure),
    pairList(page, cluster, measure),
  ];
  return { title: `Cluster ${at + 1}`, node, leave: () => picture.stop() };
}

function documentList(page, rows, cluster, measure) {
  const about = new Map(cluster.members.map((index) => [index, { document: rows.documents[index], links: 0, highest: 0 }]));
  for (const pair of cluster.links) {
    for (const index of [pair.a, pair.b]) {
      const entry = about.get(index);
      entry.links += 1;
      entry.highest = Math.max(entry.highest, measure(pair));
    }
  }
  const share = ({ document }) => (document.matched === undefined || !document.words ? null : document.matched / document.words);
  const columns = [
    { key: "name", label: "Document", sorts: true, className: "names", value: ({ document }) => page.names.plain(document).toLowerCase(), cell: ({ document }) => [groupMark(page, rows, document), h("a", { href: page.links.document(document.id) }, page.names.node(document))] },
    ...["author", "group", "date"].filter((column) => rows.hasOfDocuments(column) && !page.names.anonymous)
      .map((column) => ({ key: column, label: column[0].toUpperCase() + column.slice(1), sorts: true, value: ({ document }) => document[column], cell: ({ document }) => h("bdi", {}, document[column] ?? "–") })),
    { key: "links", label: "Links", number: true, sorts: true, value: ({ links }) => links, cell: ({ links }) => whole(links) },
    { key: "highest", label: "Highest", number: true, sorts: true, value: ({ highest }) => highest, cell: ({ highest }) => decimal(highest) },
    ...(rows.hasOfDocuments("matched") ? [{ key: "share", label: "Shared", number: true, sorts: true, title: "Words shared with any document", value: share, cell: (entry) => percent(share(entry)) }] : []),
  ];
  const box = h("div", { class: "list" });
  let [sort, at] = [{ key: "links", down: true }, 0];
  const draw = () => {
    const sorted = sortRows([...about.values()], columns.find(({ key }) => key === sort.key).value, sort.down);
    refill(box,
      sortableTable({ label: "Documents of the cluster", columns, rows: sorted.slice(at * DOCUMENTS_PER_PAGE, (at + 1) * DOCUMENTS_PER_PAGE), sort, onSort: (chosen) => { [sort, at] = [chosen, 0]; draw(); box.querySelector(`[data-sort="${sort.key}"]`)?.focus(); } }),
      pager({ page: at, size: DOCUMENTS_PER_PAGE, count: sorted.length, what: "documents", onPage: (turned) => { at = turned; draw(); box.scrollIntoView({ block: "start" }); } }));
  };
  draw();
  return box;
}

function pairList(page, cluster, measure) {
  const shown = cluster.links.slice().sort((x, y) => measure(y) - measure(x) || x.row - y.row).slice(0, PAIRS_SHOWN);
  return h("section", { class: "card", "data-list": "cluster-pairs" }, h("h2", {}, shown.length < cluster.links.length ? `Strongest pairs (${whole(shown.length)} of ${whole(cluster.links.length)})` : "Pairs"),
    h("ol", { class: "ranked" }, shown.map((pair) => h("li", {},
      h("a", { class: "row-name", href: page.links.pair(pair.first.id, pair.second.id) }, page.names.node(pair.first), h("span", { class: "with" }, " and "), page.names.node(pair.second)),
      h("span", { class: "row-figure" }, decimal(measure(pair)))))));
}
