// Two scrolling texts that keep their passages side by side.

import { longestChain, placeAcross } from "./chain.js";

const EYE = 0.35; // how far down a reader looks

export class Synchrony {
  // `sides`: two of {scroller, text}; the n-th passage of one is the twin of the n-th of the other.
  constructor(sides) {
    this.sides = sides;
    this.on = true;
    this.anchors = null;
    this.leader = null;
    this.placed = null;
    this.ends = [];
    sides.forEach((side, which) => {
      const lead = () => (this.leader = which);
      for (const type of ["wheel", "touchstart", "pointerdown", "keydown", "pointerenter"]) this.listen(side.scroller, type, lead);
      this.listen(side.scroller, "scroll", () => this.follow(which));
    });
    this.watcher = new ResizeObserver(() => (this.anchors = null));
    for (const side of sides) this.watcher.observe(side.scroller);
  }

  listen(target, type, listener) {
    target.addEventListener(type, listener, { passive: true });
    this.ends.push(() => target.removeEventListener(type, listener));
  }

  stop() {
    this.watcher.disconnect();
    for (const end of this.ends) end();
  }

  follow(which) {
    if (!this.on || this.leader !== which || this.sides[which].scroller.scrollTop === this.placed?.[which]) return;
    this.anchors ??= this.measure();
    const [here, there] = [this.sides[which].scroller, this.sides[1 - which].scroller];
    const eye = here.scrollTop + here.clientHeight * EYE;
    there.scrollTop = placeAcross(this.anchors[which], eye) - there.clientHeight * EYE;
  }

  // Both sides are where they shall be: a pointer that comes to be over one of them leads no further.
  hold() {
    this.leader = null;
    this.placed = this.sides.map(({ scroller }) => scroller.scrollTop);
  }

  // Places of the passages that keep their order, in pixels of both sides.
  measure() {
    const spans = this.sides.map(({ scroller, text }) => {
      const zero = scroller.getBoundingClientRect().top - scroller.scrollTop;
      return text.firsts.map((first, index) => [first.getBoundingClientRect().top - zero, text.lasts[index].getBoundingClientRect().bottom - zero]);
    });
    const [a, b] = spans;
    const known = a.map((_, index) => index).filter((index) => a[index] && b[index]);
    const chain = longestChain(known.map((index) => a[index][0]), known.map((index) => b[index][0])).map((at) => known[at]);
    const edge = this.sides.map(({ scroller }) => scroller.clientHeight * EYE);
    const anchors = [[edge[0], edge[1]]];
    const put = (here, there) => {
      const [lastHere, lastThere] = anchors[anchors.length - 1];
      if (here > lastHere && there > lastThere) anchors.push([here, there]);
    };
    for (const index of chain) {
      put(a[index][0], b[index][0]);
      put(a[index][1], b[index][1]);
    }
    put(...this.sides.map(({ scroller }) => scroller.scrollHeight - scroller.clientHeight * (1 - EYE)));
    return [anchors, anchors.map(([here, there]) => [there, here])];
  }

  // Brings a passage before the eye on both sides.
  show(index, smooth) {
    this.leader = null;
    for (const { scroller, text } of this.sides) {
      const node = text.firsts[index];
      if (!node || !scroller.clientHeight) continue;
      const top = node.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      scroller.scrollTo({ top: top - Math.min(90, scroller.clientHeight * 0.2), behavior: smooth ? "smooth" : "auto" });
    }
  }
}
