// The whole text as a narrow strip, with its passages in their places.

import { hueOf } from "../parts/badge.js";
import { h, refill, svg } from "../parts/dom.js";

const MINIMAP_WIDTH = 14;

export class Minimap {
  // `scroller` is what scrolls the text: an element, or null for the page.
  constructor(text, scroller = null) {
    this.text = text;
    this.scroller = scroller;
    this.plot = svg("svg", { width: MINIMAP_WIDTH, height: "100%", preserveAspectRatio: "none" });
    this.view = h("div", { class: "minimap-view" });
    this.element = h("div", { class: "minimap", "aria-hidden": "true", title: "Positions of the passages; click to go to one" }, this.plot, this.view);
    this.element.addEventListener("pointerdown", (event) => this.go(event));
    this.onScroll = () => this.follow();
    (scroller ?? window).addEventListener("scroll", this.onScroll, { passive: true });
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(text.element);
    this.watcher.observe(this.element);
  }

  stop() {
    (this.scroller ?? window).removeEventListener("scroll", this.onScroll);
    this.watcher.disconnect();
  }

  // One path a colour: thousands of passages cost no more than eight elements.
  draw() {
    const box = this.text.element.getBoundingClientRect();
    if (!box.height) return;
    const paths = new Map();
    for (const piece of this.text.pieces) {
      if (!piece.number) continue;
      const place = piece.node.getBoundingClientRect();
      const hue = hueOf(piece.number);
      const tall = Math.max(place.height, box.height / 600);
      paths.set(hue, `${paths.get(hue) ?? ""}M0 ${(place.top - box.top).toFixed(0)}h${MINIMAP_WIDTH}v${tall.toFixed(0)}h-${MINIMAP_WIDTH}z`);
    }
    this.plot.setAttribute("viewBox", `0 0 ${MINIMAP_WIDTH} ${Math.round(box.height)}`);
    refill(this.plot, [...paths].map(([hue, d]) => svg("path", { class: `map-piece hue-${hue}`, d })));
    this.follow();
  }

  follow() {
    const box = this.text.element.getBoundingClientRect();
    const frame = this.scroller?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight };
    const from = Math.max(0, (frame.top - box.top) / box.height);
    const to = Math.min(1, (frame.bottom - box.top) / box.height);
    this.view.style.top = `${(from * 100).toFixed(2)}%`;
    this.view.style.height = `${(Math.max(0, to - from) * 100).toFixed(2)}%`;
  }

  go(event) {
    const strip = this.element.getBoundingClientRect();
    const box = this.text.element.getBoundingClientRect();
    const frame = this.scroller?.getBoundingClientRect() ?? { top: 0, height: window.innerHeight };
    const wanted = box.top + ((event.clientY - strip.top) / strip.height) * box.height;
    (this.scroller ?? window).scrollBy({ top: wanted - frame.top - frame.height / 3 });
  }
}
