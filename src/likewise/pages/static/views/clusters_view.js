// Linked documents at a threshold: as a graph, as a map, along time, and as a table.

import { numberBadge } from "../parts/badge.js";
import { choiceGroup } from "../parts/choice.js";
import { clusterOfDocuments, findClusters, measureFrom, MEASURES } from "../data/clusters.js";
import { h, refill } from "../parts/dom.js";
import { arrowLegend, graphChart } from "../charts/graph.js";
import { groupLegend, groupMark, hasGroups } from "../parts/group_mark.js";
import { groupsOf } from "../data/groups.js";
import { heatChart, heatLegend, orderOf } from "../charts/heat_map.js";
import { replaceAddress } from "../data/links.js";
import { emptyState } from "../parts/notice.js";
import { decimal, plural, whole } from "../data/numbers.js";
import { keepFocus, pager } from "../tables/pager.js";
import { heightLimit, Picture } from "../charts/picture.js";
import { timelineChart, timelineOf } from "../charts/timeline.js";

const CLUSTERS_PER_PAGE = 25;
const MEMBERS_SHOWN = 12;
const UNDATED_SHOWN = 40;
const PICTURE_NAMES = { graph: "Graph", map: "Heat map", time: "Timeline" };

export async function showClusters(page, address) {
  const rows = await page.rows();
  if (rows === null) return page.nothingYet();
  const given = Number.parseFloat(address.query.get("t") ?? "");
  if (given >= 0 && given <= 1) page.threshold = given;
  return new ClustersView(page, rows, address.query).shown();
}

function alone(count) {
  return `${plural(count, "document")} ${count === 1 ? "is" : "are"}`;
}

class ClustersView {
  constructor(page, rows, query) {
    this.page = page;
    this.rows = rows;
    this.measure = measureFrom(query.get("by"));
    this.show = Object.hasOwn(PICTURE_NAMES, query.get("show") ?? "") ? query.get("show") : "graph";
    this.byGroup = hasGroups(page, rows) && query.get("colour") === "group";
    this.at = 0;
    this.frame = null;
    this.picture = null;
  }

  get of() {
    return MEASURES[this.measure].of;
  }

  shown() {
    this.output = h("output", { class: "figure-small", "data-value": "threshold" });
    this.summary = h("p", { class: "threshold-words", role: "status", "data-value": "cluster-count" });
    this.pictureBox = h("div", { class: "picture-box" });
    this.table = h("div", { class: "list" });
    const slider = h("input", {
      type: "range", min: 0, max: 1, step: 0.01, value: this.page.threshold, "aria-label": "Threshold", "data-control": "threshold",
      on: { input: (event) => this.moveTo(Number(event.target.value)) },
    });
    const select = h("select", { "data-control": "measure", on: { change: (event) => this.change({ measure: event.target.value }) } },
      Object.entries(MEASURES).map(([value, { label }]) => h("option", { value, selected: value === this.measure }, label)));
    const colours = ["cluster", "group"].map((value) => h("option", { value, selected: (value === "group") === this.byGroup }, value));
    this.colours = hasGroups(this.page, this.rows) ? h("label", { class: "field" }, h("span", {}, "Colour by"), h("select", { "data-control": "colour", on: { change: (event) => this.change({ byGroup: event.target.value === "group" }) } }, colours)) : null;
    const node = [
      h("div", { class: "heading" }, h("h1", { tabindex: "-1" }, "Clusters"), this.page.changeNote()),
      h("p", { class: "lead" }, "Documents linked by pairs at or above the threshold, directly or through other documents. Two documents in a cluster may have little in common; see the lowest similarity in the table."),
      h("section", { class: "card" },
        h("div", { class: "toolbar" },
          h("label", { class: "field" }, h("span", {}, "Measure"), select),
          h("label", { class: "field grow" }, h("span", {}, "Threshold ", this.output), slider),
          this.colours),
        h("div", { class: "card-head" }, this.summary,
          choiceGroup("Picture", Object.entries(PICTURE_NAMES), this.show, (show) => this.change({ show }))),
        this.pictureBox),
      this.table,
    ];
    this.draw();
    return { title: "Clusters", node, leave: () => this.picture?.stop() };
  }

  change(changed) {
    Object.assign(this, changed);
    this.at = 0;
    this.keepAddress();
    this.draw();
  }

  keepAddress() {
    replaceAddress(this.page.links.clusters(this.page.threshold.toFixed(2), this.measure, { show: this.show === "graph" ? "" : this.show, colour: this.byGroup ? "group" : "" }));
  }

  moveTo(value) {
    this.page.threshold = value;
    this.at = 0;
    this.output.textContent = value.toFixed(2);
    // Sliders report changes more often than a large graph can be laid out.
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.keepAddress();
      this.draw();
    });
  }

  draw() {
    const { threshold } = this.page;
    this.output.textContent = threshold.toFixed(2);
    this.clusters = findClusters(this.rows.pairs, this.of, threshold);
    const members = this.clusters.reduce((sum, cluster) => sum + cluster.members.length, 0);
    this.summary.textContent = `${plural(this.clusters.length, "cluster")} with ${plural(members, "document")}; ${alone(this.rows.count - members)} in no cluster.`;
    this.members = members;
    this.drawPicture();
    this.drawTable();
  }

  drawPicture() {
    this.picture?.stop();
    this.picture = null;
    this.note = h("p", { class: "muted small", "data-value": "picture-note" });
    if (this.colours) this.colours.hidden = this.show === "map"; // whose colours are figures
    if (!this.clusters.length) {
      refill(this.pictureBox, h("p", { class: "muted" }, "No documents are linked at this threshold."));
      return;
    }
    const archived = this.rows.survey.archive && this.show !== "map" ? "Dots with a dashed outline are documents of the archive. " : "";
    const parts = { graph: () => this.graph(), map: () => this.map(), time: () => this.timeline() }[this.show]();
    refill(this.pictureBox, parts,
      this.rows.survey.archive ? h("p", { class: "muted small", "data-value": "archive-legend" }, `${archived}Documents of the archive are not compared with each other; they are in one cluster if they share text with the same documents under review.`) : null);
  }

  framed(label, build) {
    this.picture = new Picture({ label, build });
    return this.picture.element;
  }

  get groups() {
    return this.byGroup ? groupsOf(this.rows) : null;
  }

  legend() {
    return this.byGroup ? groupLegend(this.page, this.rows) : null;
  }

  graph() {
    const arrows = h("div", {});
    const build = (width) => {
      const chart = graphChart({ page: this.page, rows: this.rows, clusters: this.clusters, measure: this.of, clusterLink: (at) => this.linkTo(at), groups: this.groups }, width, heightLimit());
      this.note.textContent = [
        chart.shown < this.members ? `The graph shows ${whole(chart.shown)} of ${whole(this.members)} documents, the largest clusters first; the table lists all.` : "",
        chart.drawn < chart.links ? `${whole(chart.drawn)} of ${whole(chart.links)} links are drawn, the strongest of each document; point at a document to see all of its links.` : "",
        chart.items.some(({ radius }) => radius) ? "A disc with a number is a cluster of so many documents; open it to see them." : "",
      ].filter(Boolean).join(" ");
      refill(arrows, arrowLegend(chart));
      return chart;
    };
    return [this.legend(), arrows, this.framed("Graph of the clusters; the table shows the same data", build), this.note];
  }

  map() {
    const ordered = orderOf(this.page, this.rows, this.clusters);
    const { count } = this.rows;
    this.note.textContent = [
      "Each cell is a pair: find one name, go left or down to the column or row of the other. Empty cells are pairs that were not found similar.",
      ordered.order.length < count ? `The map shows ${whole(ordered.order.length)} of ${whole(count)} documents, those in clusters.` : "",
      ordered.perRow > 1 ? `A row stands for ${whole(ordered.perRow)} documents; a cell has the colour of its strongest pair.` : "",
    ].filter(Boolean).join(" ");
    const clusterOf = clusterOfDocuments(this.clusters);
    return [heatLegend(MEASURES[this.measure].label), this.framed("Heat map of the documents; the table of pairs shows the same data", (width) => heatChart({ page: this.page, rows: this.rows, ordered, measure: this.of, clusterOf }, width, heightLimit())), this.note];
  }

  timeline() {
    const line = timelineOf(this.rows, this.clusters);
    const caution = "Lines join the earlier to the later of two linked documents. The dates are those of the metadata; an earlier date alone does not make a document the source.";
    this.note.textContent = `${caution}${line.shown < line.dated ? ` The timeline shows ${whole(line.shown)} of ${whole(line.dated)} dated documents, the largest clusters first.` : ""}`;
    if (!line.lanes.length) return [h("p", { class: "muted" }, "No linked document has a date. Dates come with the metadata, as 2024-03-18, 2024-03 or 2024."), this.undated(line.undated)];
    return [this.legend(), this.framed("Timeline of the linked documents", (width) => timelineChart({ page: this.page, rows: this.rows, line, measure: this.of, groups: this.groups }, width, heightLimit())), this.note, this.undated(line.undated)];
  }

  undated(indices) {
    if (!indices.length) return null;
    const rest = indices.length - UNDATED_SHOWN;
    return h("details", { class: "undated", open: indices.length <= 12, "data-list": "undated" },
      h("summary", {}, `${plural(indices.length, "linked document")} without a date`),
      h("ul", { class: "members" }, indices.slice(0, UNDATED_SHOWN).map((index) => this.memberLink(index)), rest > 0 ? h("li", { class: "muted" }, `and ${whole(rest)} more`) : null));
  }

  linkTo(at) {
    return this.page.links.cluster(this.rows.documents[this.clusters[at].members[0]].id, this.page.threshold.toFixed(2), this.measure);
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
        h("tbody", { role: "rowgroup" }, part.map((cluster, at) => this.row(cluster, from + at)))),
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

  row(cluster, at) {
    const cell = (label, className, ...children) => h("td", { role: "cell", class: className, "data-label": label }, h("div", { class: "cell" }, children));
    const lowest = cluster.unlisted ? [decimal(cluster.lowest), h("span", { class: "cell-note" }, `${plural(cluster.unlisted, "pair")} not found similar`)] : decimal(cluster.lowest);
    return h("tr", { role: "row", "data-cluster": at + 1 },
      cell("Cluster", null, h("a", { class: "badge-link", href: this.linkTo(at), "aria-label": `Cluster ${at + 1}` }, numberBadge(at + 1))),
      cell("Documents", "names", this.membersOf(cluster, at)),
      cell("Size", "number", whole(cluster.members.length)),
      cell("Lowest", "number", lowest),
      cell("Mean", "number", decimal(cluster.mean)));
  }

  memberLink(index) {
    const document = this.rows.documents[index];
    return h("li", {}, groupMark(this.page, this.rows, document), h("a", { href: this.page.links.document(document.id) }, this.page.names.node(document)));
  }

  membersOf(cluster, at) {
    const rest = cluster.members.length - MEMBERS_SHOWN;
    return h("ul", { class: "members" }, cluster.members.slice(0, MEMBERS_SHOWN).map((index) => this.memberLink(index)),
      rest > 0 ? h("li", {}, h("a", { href: this.linkTo(at) }, `and ${whole(rest)} more`)) : null);
  }
}
