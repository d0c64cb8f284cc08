// The frame around a picture: zoom and pan by wheel, fingers, keys and buttons; a tip that names the
// thing under the pointer or the keys; a click or Enter opens it.

import { h, refill, svg } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { ChartWidth } from "./chart_width.js";

const MAX_HEIGHT = 720;
const PAPER = 700;
const MAX_ZOOM = 40;
const STEP = 1.4;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// How high a picture may be, so that the page around it is still seen.
export function heightLimit() {
  return Math.max(320, Math.min(MAX_HEIGHT, Math.round(window.innerHeight * 0.8)));
}

export class Picture {
  // `build(width)` gives the chart: {width, height, items, pick(x, y, reach), draw(layer, view, current)},
  // all in its own units. An item is {x, y, href or open(), tip}: `tip()` gives elements. `view` has
  // `at(x, y)`, the place on the screen, and the size of the frame.
  constructor({ label, build }) {
    this.build = build;
    this.zoom = 1;
    this.current = null;
    this.fingers = new Map();
    this.layer = svg("svg", { class: "picture-layer", "aria-hidden": "true" });
    this.tip = h("div", { class: "picture-tip", role: "status", hidden: true });
    this.frame = h("div", {
      class: "picture-frame", role: "application", tabindex: "0", "aria-roledescription": "picture",
      "aria-label": `${label}. Arrow keys go from one item to the next, Enter opens it, plus and minus zoom.`,
      on: {
        keydown: (event) => this.onKey(event),
        wheel: (event) => this.onWheel(event),
        pointerdown: (event) => this.onDown(event),
        pointermove: (event) => this.onMove(event),
        pointerup: (event) => this.onUp(event),
        pointercancel: (event) => this.lift(event),
        pointerleave: (event) => this.onLeave(event),
        blur: () => this.select(null),
      },
    }, this.layer, this.tip);
    const button = (name, what, act) => h("button", { type: "button", class: "quiet icon-button", "aria-label": what, title: what, "data-action": name, on: { click: act } }, icon(name));
    this.tools = h("div", { class: "picture-tools" },
      h("span", { class: "muted small" }, "Ctrl and the wheel, two fingers, or + and − zoom; drag to move."),
      button("minus", "Zoom out", () => this.zoomBy(1 / STEP)), button("plus", "Zoom in", () => this.zoomBy(STEP)), button("fit", "Show everything", () => this.fit()));
    this.element = h("div", { class: "picture" }, this.frame, this.tools);
    this.chartWidth = new ChartWidth(this.frame, PAPER, (width) => this.resize(width));
  }

  stop() {
    this.chartWidth.stop();
  }

  resize(width) {
    if (width > 0 && width !== this.width) {
      this.width = width;
      this.redo();
    }
  }

  // Builds the chart again, after what it shows has changed.
  redo() {
    if (!this.width) return;
    this.chart = this.build(this.width);
    this.fitScale = Math.min(1, this.width / this.chart.width, heightLimit() / this.chart.height);
    this.height = Math.ceil(this.chart.height * this.fitScale);
    this.layer.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.layer.setAttribute("width", this.width);
    this.layer.setAttribute("height", this.height);
    this.current = null;
    this.fit();
  }

  fit() {
    this.zoom = 1;
    [this.x, this.y] = [0, 0];
    this.change();
  }

  get scale() {
    return this.fitScale * this.zoom;
  }

  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const before = this.scale;
    this.zoom = Math.min(MAX_ZOOM, Math.max(1, this.zoom * factor));
    if (this.zoom === 1) return this.fit();
    this.x = x - ((x - this.x) / before) * this.scale;
    this.y = y - ((y - this.y) / before) * this.scale;
    return this.change();
  }

  moveBy(dx, dy) {
    if (this.zoom === 1) return;
    this.x += dx;
    this.y += dy;
    this.change();
  }

  // Some of the picture stays in the frame; it is drawn at most once a frame of the screen.
  change() {
    const within = (place, size, room) => (size <= room ? 0 : Math.min(room * 0.4, Math.max(room * 0.6 - size, place)));
    if (this.zoom > 1) {
      this.x = within(this.x, this.chart.width * this.scale, this.width);
      this.y = within(this.y, this.chart.height * this.scale, this.height);
    }
    this.frame.classList.toggle("zoomed", this.zoom > 1);
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = null;
      this.draw();
    });
  }

  draw() {
    const view = { scale: this.scale, x: this.x, y: this.y, width: this.width, height: this.height, at: (x, y) => [x * this.scale + this.x, y * this.scale + this.y] };
    this.chart.draw(this.layer, view, this.current);
    this.placeTip(view);
  }

  placeTip(view) {
    const item = this.current;
    this.tip.hidden = item === null;
    if (item === null) return;
    const [x, y] = view.at(item.x, item.y);
    this.tip.style.left = `${Math.max(4, Math.min(x + 14, this.width - this.tip.offsetWidth - 4))}px`;
    const below = y + 16;
    this.tip.style.top = `${below + this.tip.offsetHeight > this.height ? Math.max(4, y - 14 - this.tip.offsetHeight) : below}px`;
  }

  select(item) {
    if (item === this.current) return;
    this.current = item;
    this.frame.classList.toggle("pointing", item !== null);
    refill(this.tip, item?.tip() ?? null);
    this.change();
  }

  open(item) {
    if (item.open) item.open();
    else if (item.href) location.hash = item.href;
  }

  onKey(event) {
    const way = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way && event.shiftKey) this.moveBy(-60 * way[0], -60 * way[1]);
    else if (way) this.step(way);
    else if (event.key === "+" || event.key === "=") this.zoomBy(STEP);
    else if (event.key === "-") this.zoomBy(1 / STEP);
    else if (event.key === "0") this.fit();
    else if (event.key === "Enter" && this.current) this.open(this.current);
    else if (event.key === "Escape") this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // To the nearest item in a direction; what lies to the side is farther than what lies ahead.
  step([dx, dy]) {
    const from = this.current;
    let [best, least] = [null, Infinity];
    for (const item of this.chart.items) {
      if (item === from) continue;
      if (from === null) {
        best = item;
        break;
      }
      const ahead = (item.x - from.x) * dx + (item.y - from.y) * dy;
      const aside = Math.abs((item.x - from.x) * dy) + Math.abs((item.y - from.y) * dx);
      if (ahead > 0 && ahead + 3 * aside < least) [best, least] = [item, ahead + 3 * aside];
    }
    if (best === null) return;
    const [x, y] = [best.x * this.scale + this.x, best.y * this.scale + this.y];
    if (x < 0 || y < 0 || x > this.width || y > this.height) this.moveBy(this.width / 2 - x, this.height / 2 - y);
    this.select(best);
  }

  // The wheel belongs to the page until the reader is at work in the picture.
  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.frame) return;
    event.preventDefault();
    this.zoomBy(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), ...this.placeOf(event));
  }

  placeOf(event) {
    const box = this.layer.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  at(event) {
    const [x, y] = this.placeOf(event);
    const reach = (event.pointerType === "touch" ? 18 : 9) / this.scale;
    return this.chart.pick((x - this.x) / this.scale, (y - this.y) / this.scale, reach);
  }

  onDown(event) {
    if (event.button !== 0 || this.tip.contains(event.target)) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    this.moved = this.fingers.size > 1 ? Infinity : 0;
  }

  onMove(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      if (!this.tip.contains(event.target)) this.select(this.at(event));
      return;
    }
    const now = [event.clientX, event.clientY];
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.fingers.set(event.pointerId, now);
    this.moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (other) {
      const gap = (place) => Math.hypot(place[0] - other[0], place[1] - other[1]) || 1;
      this.zoomBy(gap(now) / gap(before), ...this.placeOf({ clientX: (now[0] + other[0]) / 2, clientY: (now[1] + other[1]) / 2 }));
    } else if (this.moved > 4) {
      // A click that is no drag must still reach what it is on.
      if (!this.frame.hasPointerCapture(event.pointerId)) this.frame.setPointerCapture(event.pointerId);
      this.moveBy(now[0] - before[0], now[1] - before[1]);
    }
  }

  onUp(event) {
    if (!this.lift(event) || this.moved > 4) return;
    const item = this.at(event);
    // A finger has no hover: the first tap names the item, the second opens it.
    const named = event.pointerType !== "touch" || item === this.current;
    this.select(item);
    if (item && named) this.open(item);
  }

  lift(event) {
    return this.fingers.delete(event.pointerId);
  }

  onLeave(event) {
    if (event.pointerType !== "touch" && document.activeElement !== this.frame) this.select(null);
  }
}
