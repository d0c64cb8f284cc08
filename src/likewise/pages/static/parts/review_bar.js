// The marks of one pair or passage: seen, set, changed and removed.

import { confirmDialog, noteDialog } from "./dialog.js";
import { h, isolated, refill } from "./dom.js";
import { icon } from "./icons.js";
import { problemDialog } from "./notice.js";
import { marksOfPassages, markTime, MAX_NOTE, markedPlaces, STATUSES } from "../data/review_marks.js";

const REVIEW_KEYS = { i: "important", r: "reviewed", c: "cleared" };
export const REVIEW_KEY_HELP = [[["i", "r", "c"], "mark the passage, or else the pair, as important, reviewed or cleared"], [["m"], "write a note on it"]];

export function isReviewKey(name) {
  return name === "m" || Object.hasOwn(REVIEW_KEYS, name);
}
const REVIEW_SIGNS = { important: "star", reviewed: "tick", cleared: "ring" };

export function statusWord(status) {
  return h("span", { class: `review-word review-${status}` }, icon(REVIEW_SIGNS[status]), status);
}

// For little room; the word is there for those who do not see it.
export function statusSign(status) {
  return h("span", { class: `review-sign review-${status}`, title: status }, icon(REVIEW_SIGNS[status]), h("span", { class: "unseen" }, `, ${status}`));
}

export function markDate({ time }) {
  return time.slice(0, 10);
}

// A note may name people: it is hidden with the names.
export function noteNode(names, mark, className = "review-note") {
  if (!mark.note) return null;
  return h("p", { class: className }, names.anonymous ? h("span", { class: "muted" }, "A note, hidden with the names") : isolated(mark.note));
}

export class ReviewBar {
  // `subject`: {a, b, digest_a, digest_b, passage}; `find()` gives its mark or null; `what` is its name in
  // words, such as "passage 3".
  constructor(page, what, subject, find) {
    Object.assign(this, { page, what, subject, find });
    this.element = h("div", { class: "review-bar", role: "group", "aria-label": `Review of ${what}`, "data-review": subject.passage ? "passage" : "pair" });
    this.draw();
  }

  get mark() {
    return this.find();
  }

  draw() {
    const { mark, page, what } = this;
    this.element.hidden = !page.review.canChange && !mark;
    const label = h("span", { class: "review-label" }, `${what[0].toUpperCase()}${what.slice(1)}`);
    const date = mark ? h("span", { class: "muted small" }, markDate(mark)) : null;
    if (!page.review.canChange) {
      refill(this.element, label, mark ? statusWord(mark.status) : null, date, mark ? noteNode(page.names, mark) : null);
      return;
    }
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    const buttons = STATUSES.map((status) => h("button", { type: "button", class: `chip review-choice review-${status}`, "aria-pressed": String(mark?.status === status), "data-action": `mark-${status}`, on: { click: () => this.toggle(status) } }, icon(REVIEW_SIGNS[status]), status));
    refill(this.element, label, h("span", { class: "review-choices" }, buttons,
      h("button", { type: "button", class: "link small", "data-action": "mark-note", on: { click: () => this.editNote() } }, mark?.note ? "Edit note" : "Add note")), date, mark ? noteNode(page.names, mark) : null);
    if (focused) this.element.querySelector(`[data-action="${focused}"]`)?.focus({ preventScroll: true });
  }

  // Whether a key was one for marks.
  key(name) {
    if (!this.page.review.canChange) return false;
    if (Object.hasOwn(REVIEW_KEYS, name)) this.toggle(REVIEW_KEYS[name]);
    else if (name === "m") this.editNote();
    else return false;
    return true;
  }

  async toggle(status) {
    const { mark } = this;
    if (mark?.status !== status) {
      await this.save(status, mark?.note ?? "");
    } else if (!mark.note || (await confirmDialog("Remove the mark and its note?", `The note on ${this.what} cannot be restored.`, "Remove"))) {
      await this.change(() => this.page.review.remove([mark]), `The mark of ${this.what} is removed`);
    }
  }

  async editNote() {
    const { mark } = this;
    const note = await noteDialog(`Note on ${this.what}`, mark?.note ?? "", MAX_NOTE);
    if (note !== null && note !== (mark?.note ?? "")) await this.save(mark?.status ?? "reviewed", note);
  }

  save(status, note) {
    return this.change(() => this.page.review.save([{ ...this.subject, status, note, time: markTime() }]), `${this.what} is marked as ${status}`);
  }

  async change(make, told) {
    try {
      await make();
      this.page.announce(told);
    } catch (error) {
      problemDialog("The mark was not changed", error);
    }
  }
}

// Of a passage that a document shares with one of its sources.
export function passageReview(page, document, source, at) {
  const find = () => marksOfPassages(page.review.ofTexts(document, source).passages, source.passages).found[at];
  const passage = find()?.passage ?? markedPlaces(source.passages[at]);
  return new ReviewBar(page, "the passage", { a: document.id, b: source.id, digest_a: document.digest ?? null, digest_b: source.digest ?? null, passage }, find);
}

// Marks that no passage shown has: of text that has changed since, or of passages that other settings
// gave.
export function otherMarks(page, { stale, others }) {
  const entries = [...stale.map((mark) => [mark, "The text has changed since."]), ...others.map((mark) => [mark, "With these settings, no such passage is shown."])];
  if (!entries.length) return null;
  const remove = (mark) => page.review.remove([mark]).catch((error) => problemDialog("The mark was not removed", error));
  return h("section", { class: "card", "data-list": "other-marks" }, h("h2", {}, "Other marks of these documents"),
    h("ul", { class: "plain" }, entries.map(([mark, why]) => h("li", { class: "other-mark" },
      statusWord(mark.status), h("span", {}, mark.passage ? ` a passage of ${mark.passage[1] - mark.passage[0]} characters, ` : " the pair, ", markDate(mark), ". ", why, " "),
      page.review.canChange ? h("button", { type: "button", class: "link", "data-action": "remove-mark", on: { click: () => remove(mark) } }, "Remove") : null,
      noteNode(page.names, mark)))));
}
