// How similarities are spread, with a threshold to drag and the level that chance alone reaches.

import { h, refill, svg } from "../parts/dom.js";
import { decimal, plural, whole } from "../data/numbers.js";
import { ChartWidth } from "./chart_width.js";
import { heightOf, linearTicks, logTicks } from "./ticks.js";

const HEIGHT = 260;
const PAPER_WIDTH = 640;
const EDGE = { left: 52, right: 16, top: 34, bottom: 40 };

export class Histogram {
  // `onThreshold` is called while the threshold moves.
  constructor({ threshold, step, chance, onThreshold }) {
    this.threshold = threshold;
    this.step = step;
    this.chance = chance;
    this.onThreshold = onThreshold;
    this.log = false;
    this.bins = [];
    this.what = "pairs";
    this.width = 720;
    this.plot = svg("svg", { class: "histogram", height: HEIGHT, "aria-hidden": "true" });
    this.handle = h("div", {
      class: "threshold", role: "slider", tabindex: "0", "aria-label": "Similarity threshold",
      "aria-valuemin": "0", "aria-valuemax": "1", "data-control": "threshold",
      on: { keydown: (event) => this.onKey(event) },
    }, h("span", { class: "grip" }));
    this.element = h("div", { class: "histogram-box" }, this.plot, this.handle);
    this.element.addEventListener("pointerdown", (event) => this.onDown(event));
    this.element.addEventListener("pointermove", (event) => this.onMove(event));
    this.chartWidth = new ChartWidth(this.element, PAPER_WIDTH, (width) => this.resize(width));
  }

  stop() {
    this.chartWidth.stop();
  }

  show(bins, what, log) {
    [this.bins, this.what, this.log] = [bins, what, log];
    this.draw();
  }

  resize(width) {
    if (width > 0 && width !== this.width) {
      this.width = width;
      this.draw();
    }
  }

  xOf(value) {
    return EDGE.left + value * (this.width - EDGE.left - EDGE.right);
  }

  draw() {
    const highest = Math.max(1, ...this.bins);
    const ticks = this.log ? logTicks(highest) : linearTicks(highest);
    const top = ticks[ticks.length - 1];
    const bottom = HEIGHT - EDGE.bottom;
    const yOf = (count) => bottom - heightOf(count, top, this.log) * (bottom - EDGE.top);
    this.plot.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.bars = this.bins.map((count, at) => this.bar(count, at, yOf(count), bottom));
    refill(
      this.plot,
      ticks.map((tick) => svg("g", { class: "grid" },
        svg("line", { x1: EDGE.left, x2: this.width - EDGE.right, y1: yOf(tick), y2: yOf(tick) }),
        svg("text", { x: EDGE.left - 10, y: yOf(tick) + 4, "text-anchor": "end" }, whole(tick)))),
      this.bars,
      [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) => svg("text", { class: "tick", x: this.xOf(value), y: bottom + 18, "text-anchor": "middle" }, value.toFixed(1))),
      svg("text", { class: "tick axis", x: this.xOf(0.5), y: HEIGHT - 4, "text-anchor": "middle" }, this.what === "pairs" ? "similarity of a pair" : "highest similarity of a document"),
      this.chanceLine(bottom),
    );
    this.move();
  }

  bar(count, at, y, bottom) {
    const from = this.xOf(at / this.bins.length);
    const to = this.xOf((at + 1) / this.bins.length);
    const range = `${(at / this.bins.length).toFixed(2)} to ${((at + 1) / this.bins.length).toFixed(2)}`;
    return svg("rect", { class: "bar", x: from + 0.75, width: Math.max(1, to - from - 1.5), y, height: Math.max(0, bottom - y), rx: 1.5 },
      svg("title", {}, `${range}: ${plural(count, this.what.slice(0, -1))}`));
  }

  chanceLine(bottom) {
    if (!this.chance) return null;
    const x = this.xOf(Math.min(1, this.chance.highest));
    const right = x < this.width * 0.6;
    return svg("g", { class: "chance" },
      svg("line", { x1: x, x2: x, y1: EDGE.top - 6, y2: bottom }),
      svg("text", { x: x + (right ? 7 : -7), y: EDGE.top - 14, "text-anchor": right ? "start" : "end" }, `chance reaches ${decimal(this.chance.highest, this.chance.highest < 0.1 ? 3 : 2)}`));
  }

  // The bars above the threshold are filled; screen readers announce the value of the handle.
  move() {
    const shown = this.threshold.toFixed(2);
    this.handle.style.left = `${(this.xOf(this.threshold) / this.width) * 100}%`;
    this.handle.dataset.value = shown;
    this.handle.classList.toggle("flip", this.threshold > 0.85);
    this.handle.setAttribute("aria-valuenow", shown);
    this.handle.setAttribute("aria-valuetext", `${shown}`);
    this.bars?.forEach((bar, at) => bar.classList.toggle("above", (at + 1) / this.bins.length > this.threshold + 1e-9));
  }

  set(value) {
    const stepped = Math.round(Math.min(1, Math.max(0, value)) / this.step) * this.step;
    this.threshold = Number(stepped.toFixed(4));
    this.move();
    this.onThreshold(this.threshold);
  }

  onKey(event) {
    const moves = {
      ArrowLeft: -this.step, ArrowDown: -this.step, ArrowRight: this.step, ArrowUp: this.step,
      PageDown: -0.1, PageUp: 0.1, Home: -2, End: 2,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.set(this.threshold + moves[event.key]);
  }

  onDown(event) {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.dragging = event.pointerId;
    this.handle.focus({ preventScroll: true });
    this.onMove(event);
  }

  onMove(event) {
    if (this.dragging !== event.pointerId || !this.element.hasPointerCapture(event.pointerId)) return;
    const box = this.element.getBoundingClientRect();
    const x = event.clientX - box.left - EDGE.left;
    this.set(x / (box.width - EDGE.left - EDGE.right));
  }
}
