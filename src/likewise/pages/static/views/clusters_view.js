// Groups of documents that hang together at a threshold.

import { numberBadge } from "../parts/badge.js";
import { findClusters, MEASURES } from "../data/clusters.js";
import { h, refill } from "../parts/dom.js";
import { clusterGraph } from "../charts/graph.js";
import { replaceAddress } from "../data/links.js";
import { emptyState } from "../parts/notice.js";
import { decimal, plural, whole } from "../data/numbers.js";
import { keepFocus, pager } from "../tables/pager.js";

const CLUSTERS_PER_PAGE = 25;
const MEMBERS_SHOWN = 12;

export async function showClusters(page, address) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  const given = Number.parseFloat(address.query.get("t") ?? "");
  if (given >= 0 && given <= 1) page.threshold = given;
  return new ClustersView(page, rows).shown();
}

function alone(count) {
  return `${plural(count, "document")} ${count === 1 ? "is" : "are"}`;
}

class ClustersView {
  constructor(page, rows) {
    this.page = page;
    this.rows = rows;
    this.measure = "jaccard";
    this.at = 0;
    this.width = 0;
    this.frame = null;
  }

  shown() {
    this.output = h("output", { class: "figure-small", "data-value": "threshold" });
    this.summary = h("p", { class: "threshold-words", role: "status", "data-value": "cluster-count" });
    this.picture = h("div", { class: "graph-box" });
    this.table = h("div", { class: "list" });
    const slider = h("input", {
      type: "range", min: 0, max: 1, step: 0.01, value: this.page.threshold, "aria-label": "Threshold", "data-control": "threshold",
      on: { input: (event) => this.moveTo(Number(event.target.value)) },
    });
    const select = h("select", { "data-control": "measure", on: { change: (event) => { this.measure = event.target.value; this.draw(); } } },
      Object.entries(MEASURES).map(([value, { label }]) => h("option", { value }, label)));
    const node = [
      h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Clusters"), this.page.changeNote()),
      h("p", { class: "lead" }, "Documents linked by pairs at or above the threshold, directly or through other documents. Two documents in a cluster may have little in common; see the lowest similarity in the table."),
      h("section", { class: "card" },
        h("div", { class: "toolbar" },
          h("label", { class: "field" }, h("span", {}, "Measure"), select),
          h("label", { class: "field grow" }, h("span", {}, "Threshold ", this.output), slider)),
        this.summary,
        this.picture),
      this.table,
    ];
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(this.picture);
    this.draw();
    return { title: "Clusters", node, leave: () => this.watcher.disconnect() };
  }

  moveTo(value) {
    this.page.threshold = value;
    this.at = 0;
    this.output.textContent = value.toFixed(2);
    // Sliders report changes more often than a large graph can be laid out.
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      replaceAddress(this.page.links.clusters(this.page.threshold.toFixed(2)));
      this.draw();
    });
  }

  resize() {
    const width = this.picture.clientWidth;
    if (width > 0 && width !== this.width) {
      this.width = width;
      this.drawGraph();
    }
  }

  draw() {
    const { threshold } = this.page;
    this.output.textContent = threshold.toFixed(2);
    this.clusters = findClusters(this.rows.pairs, MEASURES[this.measure].of, threshold);
    const members = this.clusters.reduce((sum, cluster) => sum + cluster.members.length, 0);
    this.summary.textContent = `${plural(this.clusters.length, "cluster")} with ${plural(members, "document")}; ${alone(this.rows.survey.documents.count - members)} in no cluster.`;
    this.members = members;
    if (this.width) this.drawGraph(); // else when it is known how wide
    this.drawTable();
  }

  drawGraph() {
    if (!this.clusters.length) {
      refill(this.picture, h("p", { class: "muted" }, "No documents are linked at this threshold."));
      return;
    }
    const width = Math.max(300, this.width);
    const { element, shown } = clusterGraph(this.page, this.rows, this.clusters, MEASURES[this.measure].of, width);
    refill(this.picture, element, shown < this.members ? h("p", { class: "muted small", "data-value": "graph-note" }, `The graph shows ${whole(shown)} of ${whole(this.members)} documents, the largest clusters first; the table lists all.`) : null);
  }

  drawTable() {
    if (!this.clusters.length) {
      refill(this.table, emptyState("No clusters", "Lower the threshold to see looser groups."));
      return;
    }
    const from = this.at * CLUSTERS_PER_PAGE;
    const part = this.clusters.slice(from, from + CLUSTERS_PER_PAGE);
    const head = ["Cluster", "Documents", "Size", "Lowest", "Mean"];
    refill(
      this.table,
      h("table", { role: "table", class: "rows", "aria-label": "Clusters" },
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head.map((label, at) => h("th", { role: "columnheader", scope: "col", class: at > 1 ? "number" : null }, label)))),
        h("tbody", { role: "rowgroup" }, part.map((cluster, at) => this.row(cluster, from + at + 1)))),
      pager({ page: this.at, size: CLUSTERS_PER_PAGE, count: this.clusters.length, what: "clusters", onPage: (page) => this.turnTo(page) }),
    );
  }

  turnTo(at) {
    const way = at > this.at ? "next" : "previous";
    this.at = at;
    this.drawTable();
    this.table.scrollIntoView({ block: "start" });
    keepFocus(this.table, way);
  }

  row(cluster, number) {
    const cell = (label, className, ...children) => h("td", { role: "cell", class: className, "data-label": label }, h("div", { class: "cell" }, children));
    const lowest = cluster.unlisted ? [decimal(cluster.lowest), h("span", { class: "cell-note" }, `${plural(cluster.unlisted, "pair")} not found similar`)] : decimal(cluster.lowest);
    return h("tr", { role: "row", "data-cluster": number },
      cell("Cluster", null, numberBadge(number)),
      cell("Documents", "names", this.membersOf(cluster)),
      cell("Size", "number", whole(cluster.members.length)),
      cell("Lowest", "number", lowest),
      cell("Mean", "number", decimal(cluster.mean)));
  }

  membersOf(cluster) {
    const { page, rows } = this;
    const link = (index) => h("li", {}, h("a", { href: page.links.document(rows.documents[index].id) }, page.names.node(rows.documents[index])));
    const list = h("ul", { class: "members" }, cluster.members.slice(0, MEMBERS_SHOWN).map(link));
    const rest = cluster.members.slice(MEMBERS_SHOWN);
    if (rest.length) {
      const more = h("button", { type: "button", class: "link", on: { click: () => more.parentElement.replaceWith(...rest.map(link)) } }, `and ${whole(rest.length)} more`);
      list.append(h("li", {}, more));
    }
    return list;
  }
}
