// Linked documents along time: a lane for each cluster, and a line from the earlier to the later of
// each two that are linked. A date says what came first, and nothing about who wrote it.

import { hueOf } from "../parts/badge.js";
import { h, refill, svg } from "../parts/dom.js";
import { groupShape } from "../parts/group_mark.js";
import { backbone } from "./backbone.js";
import { dateTicks, dayOf } from "../data/dates.js";
import { isInView, LABEL_HEIGHT, LabelRoom, textWidth } from "./labels.js";
import { decimal, plural } from "../data/numbers.js";

const MAX_DATED = 300;
const AXIS = 30;
const LANE_NAME = 74;
const STACK = 17; // between documents of one day
const SAME_PLACE = 15; // closer dots are stacked
const LANE_ROOM = 52;
const MIN_NAMED_SCALE = 0.75;

// Which linked documents have a date that can be read, and what of the clusters is drawn.
export function timelineOf(rows, clusters) {
  const days = new Map();
  const undated = [];
  const lanes = [];
  clusters.forEach((cluster, number) => {
    const dated = cluster.members.filter((index) => {
      const day = dayOf(rows.documents[index].date);
      if (day === null) undated.push(index);
      else days.set(index, day);
      return day !== null;
    });
    if (dated.length) lanes.push({ number, members: dated, links: cluster.links.filter(({ a, b }) => days.has(a) && days.has(b)) });
  });
  const drawn = [];
  let count = 0;
  for (const lane of lanes) {
    if (count + lane.members.length > MAX_DATED && drawn.length) break;
    drawn.push(lane);
    count += lane.members.length;
  }
  return { days, undated, lanes: drawn, shown: count, dated: days.size };
}

// `laneName(number)` is what a lane is called; by its cluster, if not given.
export function timelineChart({ page, rows, line, measure, groups, laneName = (number) => `Cluster ${number + 1}` }, width, height) {
  const timeline = new Timeline({ page, rows, ...line, measure, groups, laneName }, width, height);
  return { width: timeline.width, height: timeline.height, items: timeline.items, pick: (...place) => timeline.pick(...place), draw: (...drawing) => timeline.draw(...drawing) };
}

class Timeline {
  constructor(given, width, height) {
    Object.assign(this, given);
    const known = this.lanes.flatMap(({ members }) => members.map((index) => this.days.get(index)));
    [this.from, this.to] = [Math.min(...known), Math.max(...known)];
    this.named = width < 560 ? 24 : LANE_NAME;
    // Where the lanes are higher than the page, the picture is wider too, so that it has its shape.
    for (let times = 1; ; times *= 1.15) {
      [this.width, this.times] = [width * times, times];
      this.place();
      if (this.height <= height * times || times > 12) break;
    }
    this.edges = this.lanes.flatMap((lane) => backbone(lane, this.measure).map((pair) => this.edgeOf(pair)));
  }

  xOf(day) {
    const left = (this.named + 48) * this.times;
    const room = this.width - left - 56 * this.times;
    return left + (this.to > this.from ? ((day - this.from) / (this.to - this.from)) * room : room / 2);
  }

  place() {
    this.items = [];
    this.dots = new Map();
    this.bands = [];
    let y = 0;
    for (const lane of this.lanes) {
      const ends = []; // where the last dot of each row of the lane is
      const members = lane.members.slice().sort((x, z) => this.days.get(x) - this.days.get(z) || x - z);
      const first = y + LANE_ROOM / 2 - 2;
      for (const index of members) {
        const x = this.xOf(this.days.get(index));
        let row = ends.findIndex((end) => x - end >= SAME_PLACE * Math.min(this.times, 2));
        if (row < 0) row = ends.length;
        ends[row] = x;
        this.addDot(index, lane.number, x, first + row * STACK);
      }
      const high = LANE_ROOM + Math.max(0, ends.length - 1) * STACK;
      this.bands.push({ lane, y, height: high });
      y += high;
    }
    this.height = y + AXIS;
  }

  addDot(index, cluster, x, y) {
    const document = this.rows.documents[index];
    const dot = { x, y, index, cluster, document, links: [], href: this.page.links.document(document.id), tip: () => this.dotTip(dot) };
    this.dots.set(index, dot);
    this.items.push(dot);
  }

  dotTip({ document, cluster, links }) {
    return [h("strong", {}, this.page.names.marked(document, this.page.names.brief(document))), h("span", {}, [`dated ${document.date}`, this.laneName(cluster).toLowerCase(), plural(links.length, "drawn link")].filter(Boolean).join(", "))];
  }

  edgeOf(pair) {
    const ends = [this.dots.get(pair.a), this.dots.get(pair.b)];
    const [earlier, later] = this.days.get(pair.a) <= this.days.get(pair.b) ? ends : [ends[1], ends[0]];
    const edge = {
      earlier, later, x: (earlier.x + later.x) / 2, y: (earlier.y + later.y) / 2, pair, href: this.page.links.pair(earlier.document.id, later.document.id),
      tip: () => [h("strong", {}, this.page.names.brief(earlier.document), " and ", this.page.names.brief(later.document)), h("span", {}, `dated ${earlier.document.date} and ${later.document.date}; ${decimal(this.measure(pair))}`)],
    };
    for (const dot of ends) dot.links.push(edge);
    return edge;
  }

  pick(x, y, reach) {
    let [best, least] = [null, reach];
    for (const item of this.items) {
      const away = Math.hypot(item.x - x, item.y - y);
      if (away < least) [best, least] = [item, away];
    }
    if (best) return best;
    least = 0.6 * reach;
    for (const edge of this.edges) {
      const away = Math.hypot(edge.x - x, edge.y - bend(edge) / 2 - y);
      if (away < least) [best, least] = [edge, away];
    }
    return best;
  }

  draw(layer, view, current) {
    const room = new LabelRoom(view.width, view.height);
    const floor = view.height - AXIS;
    room.take(0, floor, view.width, view.height);
    const size = Math.min(7, Math.max(3, (STACK * view.scale) / 2), Math.max(3.5, 6 * Math.sqrt(view.scale)));
    const chosen = current?.links ?? (current?.pair ? [current] : []);
    const dots = this.items.map((dot) => this.dot(dot, view, size, current, room));
    const lanes = this.laneNames(view, room, floor);
    refill(layer,
      this.bands.map(({ y, height }, at) => svg("rect", { class: at % 2 ? "lane odd" : "lane", x: 0, y: view.at(0, y)[1], width: view.width, height: height * view.scale })),
      svg("path", { class: "edge time", d: this.edges.map((edge) => curve(view, edge)).join("") }),
      chosen.length ? svg("path", { class: "edge time chosen", d: chosen.map((edge) => curve(view, edge)).join("") }) : null,
      dots, lanes, view.scale < MIN_NAMED_SCALE ? null : this.dotNames(view, room, size), this.axis(view, floor));
  }

  dot(dot, view, size, current, room) {
    const [x, y] = view.at(dot.x, dot.y);
    if (!isInView(view, x, y, size)) return null;
    room.take(x - size, y - size, x + size, y + size);
    const now = `${dot === current ? " current" : ""}${dot.document.archive ? " in-archive" : ""}`;
    if (!this.groups) return svg("circle", { class: `dot hue-${hueOf(dot.cluster + 1)}${now}`, cx: x, cy: y, r: size });
    return svg("g", { class: `dot${now}`, transform: `translate(${x} ${y}) scale(${size / 4.6})` }, groupShape(this.groups.numberOf(dot.document)));
  }

  laneNames(view, room, floor) {
    return this.bands.map(({ lane, y, height }) => {
      const top = view.at(0, y)[1] + (height * view.scale) / 2;
      const words = view.width < 560 && this.laneName(lane.number) ? String(lane.number + 1) : this.laneName(lane.number);
      if (!words || top > floor - 6 || !room.fits(2, top - 7, 12 + textWidth(words) * 1.08, top + 7)) return null;
      return svg("text", { class: "cluster-number", x: 8, y: top + 4 }, words);
    });
  }

  dotNames(view, room, size) {
    return this.items.map((dot) => {
      const [x, y] = view.at(dot.x, dot.y);
      const words = this.page.names.tag(dot.document, 18);
      const half = textWidth(words) / 2 + 3;
      const top = y + size + 1;
      return room.fits(x - half, top, x + half, top + LABEL_HEIGHT) ? svg("text", { class: "dot-name", x, y: top + 11, "text-anchor": "middle" }, words) : null;
    });
  }

  axis(view, floor) {
    const dayAt = (x) => this.from + (((x - view.x) / view.scale - this.xOf(this.from)) / (this.xOf(this.to) - this.xOf(this.from) || 1)) * (this.to - this.from);
    const ticks = this.to > this.from ? dateTicks(Math.max(this.from, dayAt(0)), Math.min(this.to, dayAt(view.width)), Math.max(2, Math.floor(view.width / 110))) : [{ day: this.from, words: new Date(this.from).toISOString().slice(0, 10) }];
    const ruler = new LabelRoom(view.width, view.height);
    return [
      svg("rect", { class: "time-ground", x: 0, y: floor, width: view.width, height: AXIS }),
      svg("line", { class: "time-axis", x1: 0, x2: view.width, y1: floor, y2: floor }),
      ticks.map(({ day, words }) => {
        const x = view.at(this.xOf(day), 0)[0];
        const half = textWidth(words) / 2 + 6;
        if (!ruler.fits(x - half, floor + 4, x + half, floor + 24)) return null;
        return svg("g", { class: "time-tick" }, svg("line", { x1: x, x2: x, y1: floor, y2: floor + 5 }), svg("text", { x, y: floor + 18, "text-anchor": "middle" }, words));
      }),
    ];
  }
}

// How far a line leaves the straight way; among dots of one day it goes around those between.
function bend({ earlier, later }) {
  return earlier.x === later.x ? 0 : Math.min(20, 6 + Math.abs(later.x - earlier.x) / 30);
}

function curve(view, edge) {
  const [x, y] = view.at(edge.earlier.x, edge.earlier.y);
  const [toX, toY] = view.at(edge.later.x, edge.later.y);
  const side = x === toX ? -10 : 0;
  return `M${x.toFixed(1)} ${y.toFixed(1)}Q${((x + toX) / 2 + side * view.scale).toFixed(1)} ${((y + toY) / 2 - 2 * bend(edge) * view.scale).toFixed(1)} ${toX.toFixed(1)} ${toY.toFixed(1)}`;
}
