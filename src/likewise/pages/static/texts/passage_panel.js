// The details of a marked passage: opens beside it, closes with Escape.

import { numberBadge } from "../parts/badge.js";
import { h } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { passageFacts } from "../parts/source_list.js";

export class PassagePanel {
  constructor(host) {
    this.host = host;
    this.element = null;
    this.onKey = (event) => {
      if (event.key === "Escape") this.close(true);
    };
  }

  // `entries`: {number, name, passage, place, link, onExclude, review}, where `onExclude` and `review`, a
  // `ReviewBar`, may be null.
  open(anchor, entries) {
    this.close(false);
    this.anchor = anchor;
    this.reviews = entries.map(({ review }) => review).filter(Boolean);
    this.element = h("div", { class: "panel", role: "dialog", "aria-label": "Sources of this passage", tabindex: "-1", "data-panel": "passage" },
      h("button", { type: "button", class: "quiet icon-button panel-close", "aria-label": "Close", on: { click: () => this.close(true) } }, icon("close")),
      h("ul", {}, entries.map(({ number, name, passage, place, link, onExclude, review }) =>
        h("li", {}, numberBadge(number),
          h("div", {}, h("p", { class: "panel-name" }, name), h("p", { class: "muted small" }, passageFacts(passage, undefined, place).join(" · ")),
            link ? h("p", {}, h("a", { href: link, "data-action": "side-by-side" }, "See both side by side")) : null,
            onExclude ? h("p", {}, h("button", { type: "button", class: "link", "data-action": "exclude-passage", on: { click: onExclude } }, "Exclude everywhere")) : null,
            review?.element)))));
    this.host.append(this.element);
    this.place();
    this.element.focus({ preventScroll: true });
    document.addEventListener("keydown", this.onKey);
  }

  drawReview() {
    if (this.element) for (const review of this.reviews) review.draw();
  }

  place() {
    const host = this.host.getBoundingClientRect();
    const at = this.anchor.getClientRects()[0] ?? this.anchor.getBoundingClientRect();
    const left = Math.max(0, Math.min(at.left - host.left, host.width - this.element.offsetWidth));
    this.element.style.left = `${left}px`;
    this.element.style.top = `${at.bottom - host.top + 8}px`;
    const below = this.element.getBoundingClientRect().bottom - window.innerHeight + 16;
    if (below > 0 && getComputedStyle(this.element).position === "absolute") window.scrollBy({ top: below });
  }

  close(back) {
    if (!this.element) return;
    document.removeEventListener("keydown", this.onKey);
    this.element.remove();
    this.element = null;
    if (back && this.anchor?.matches("button")) this.anchor.focus({ preventScroll: true });
  }
}
