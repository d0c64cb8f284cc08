// The review of two documents side by side: of the pair, of the passage that is looked at, and what is
// left of other marks.

import { h, refill } from "./dom.js";
import { marksOfPassages, markedPlaces } from "../data/review_marks.js";
import { otherMarks, ReviewBar, statusSign } from "./review_bar.js";
import { plural } from "../data/numbers.js";

export class PairReview {
  // `onMarks(marks)` gets the mark of each passage, or null.
  constructor(page, view, onMarks) {
    Object.assign(this, { page, view, onMarks });
    this.others = h("div", { class: "other-marks" });
    this.read();
    this.passageBar = null;
    this.passageBox = h("div", { class: "passage-review" });
    this.pairBar = new ReviewBar(page, "the pair", this.subject(null), () => this.ofPair);
    this.element = h("div", { class: "pair-review" }, this.pairBar.element);
    this.unlisten = page.review.listen(() => this.draw());
  }

  subject(passage) {
    const { a, b } = this.view;
    return { a: a.id, b: b.id, digest_a: a.digest ?? null, digest_b: b.digest ?? null, passage };
  }

  read() {
    const { pair, passages, stale } = this.page.review.ofTexts(this.view.a, this.view.b);
    const { found, others } = marksOfPassages(passages, this.view.passages);
    Object.assign(this, { ofPair: pair, marks: found });
    refill(this.others, otherMarks(this.page, { stale, others }));
  }

  draw() {
    this.read();
    this.pairBar.draw();
    this.passageBar?.draw();
    this.onMarks(this.marks);
  }

  // The passage that is looked at. A mark keeps the places that it was made with.
  setCurrent(index) {
    const passage = this.view.passages[index];
    const subject = this.subject(this.marks[index]?.passage ?? markedPlaces(passage));
    this.passageBar = new ReviewBar(this.page, `passage ${index + 1}`, subject, () => this.marks[index]);
    refill(this.passageBox, this.passageBar.element);
  }

  key(name) {
    return (this.passageBar ?? this.pairBar).key(name);
  }

  stop() {
    this.unlisten();
  }
}

// The sign of a mark on the button of a passage.
export function showSign(chip, mark) {
  chip.querySelector(".review-sign")?.remove();
  if (mark) chip.append(statusSign(mark.status));
}

// The overview: how far the review has come, by pairs.
export function reviewCard(page, rows) {
  const { review, links } = page;
  if (!rows.pairs.length || (!review.marks.length && !review.canChange)) return null;
  const { marked, important, reviewed, cleared, passages, stale } = review.countPairs(rows);
  const part = (count, word, query) => (count ? h("li", {}, h("a", { href: links.pairs(query) }, `${count} ${word}`)) : null);
  return h("section", { class: "card", "data-list": "review" }, h("h2", {}, "Review"),
    h("p", { "data-value": "review-count" }, `${marked} of ${plural(rows.pairs.length, "pair")} reviewed${passages ? `; ${plural(passages, "passage")} marked` : ""}. `, marked && marked < rows.pairs.length ? h("a", { href: links.pairs("review:none") }, "Pairs without marks") : null),
    h("ul", { class: "review-counts" }, part(important, "important", "review:important"), part(reviewed, "reviewed", "review:reviewed"), part(cleared, "cleared", "review:cleared"), stale ? h("li", {}, h("a", { href: links.marks("state:changed") }, `${stale} of text that has changed since`)) : null),
    review.marks.length ? h("p", { class: "muted small" }, "Marks change no figure. ", h("a", { href: links.marks() }, "All marks")) : h("p", { class: "muted small" }, "Mark a pair on its page as important, reviewed or cleared; marks change no figure."));
}
