// Two documents side by side.

import { pairAttribution } from "../data/attributions.js";
import { kindWords, numberBadge } from "../parts/badge.js";
import { dotChart } from "../charts/dot_plot.js";
import { helpDialog } from "../parts/dialog.js";
import { h, isTyping, refill } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { measureCards } from "../data/measure_words.js";
import { Minimap } from "../texts/minimap.js";
import { noteList } from "../parts/notice.js";
import { percent, plural, whole } from "../data/numbers.js";
import { heightLimit, Picture } from "../charts/picture.js";
import { PairReview, showSign } from "../parts/pair_review.js";
import { pairText } from "../texts/pair_text.js";
import { allPairs, evidence, printButton, printsFullTexts, viewEntry } from "../paper/print_dialog.js";
import { REVIEW_KEY_HELP } from "../parts/review_bar.js";
import { rewordedList } from "../texts/reworded_list.js";
import { passageFacts } from "../parts/source_list.js";
import { pairPlace } from "../texts/references.js";
import { Synchrony } from "../texts/synchrony.js";
import { wordCount } from "../texts/word_ranges.js";

const CHIPS_SHOWN = 120;
const LONG_TEXT = 2000; // words: passages of longer texts are hard to find without a picture

export async function showPair(page, address) {
  if (page.source.mode === "report") await page.rows();
  const view = await page.source.pair(address.ids[0] ?? "", address.ids[1] ?? "");
  await page.review.load();
  return pairShown(page, view, Number.parseInt(address.query.get("passage") ?? "", 10), (side) => page.links.document(side.id), true);
}

// A text that is only checked cannot be marked.
export function pairShown(page, view, passage, documentLink, canMark = false) {
  page.names.learn([view.a, view.b]);
  const review = canMark ? new PairReview(page, view, (marks) => board.showMarks(marks)) : null;
  const board = new PairBoard(page, view, documentLink, review);
  const cards = h("div", {}, measureCards(view.measures, () => page.names.brief(view.a), () => page.names.brief(view.b)));
  const node = [
    h("div", { class: "heading" },
      h("h1", { tabindex: "-1", class: "pair-title" }, page.names.node(view.a), h("span", { class: "with" }, " and "), page.names.node(view.b)),
      printButton(page, () => [{ label: "This pair", entries: [viewEntry(view)] }, ...allPairs(page)])),
    cards,
    review?.element,
    noteList(view.notes, "notes card"),
    board.plot,
    board.element,
    review?.others,
  ];
  return {
    title: `${page.names.short(view.a, 40)} and ${page.names.short(view.b, 40)}`,
    node,
    ready: () => {
      board.ready(passage);
      return chanceFromSurvey(page, view, (measures) => refill(cards, measureCards(measures, () => page.names.brief(view.a), () => page.names.brief(view.b))));
    },
    leave: () => {
      board.stop();
      review?.stop();
    },
    sheets: () => evidence(page, [view], printsFullTexts(), false),
  };
}

// The app's answer on a pair knows nothing of the collection; its p and q are those of the survey.
async function chanceFromSurvey(page, view, onMeasures) {
  if (page.source.mode !== "app") return;
  const rows = await page.rows({ quiet: true }).catch(() => null);
  const found = rows?.chanceOf(view.a.id, view.b.id);
  if (found) onMeasures({ ...view.measures, ...found });
}

class PairBoard {
  constructor(page, view, documentLink, review) {
    this.page = page;
    this.view = view;
    this.review = review;
    this.current = null;
    this.plot = null;
    this.sides = view.a.text === null || view.b.text === null ? null : [this.side(view.a, false, documentLink), this.side(view.b, true, documentLink)];
    if (!this.sides) {
      this.onKey = (event) => !isTyping(event) && this.review?.key(event.key);
      document.addEventListener("keydown", this.onKey);
      this.element = h("p", { class: "card muted" }, "This collection stores no texts, so only the measures are shown.");
      return;
    }
    this.synchrony = new Synchrony(this.sides);
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.panes = h("div", { class: "panes", "data-side": "0" }, this.sides.map((side) => side.element));
    this.element = h("section", { class: "pair-board", "aria-label": "Both texts" }, this.toolbar(), this.tabs(), this.panes, this.legend(),
      rewordedList((view.reworded ?? []).map((passage) => ({ passage })), (index) => this.outline(index)));
    if (view.passages.length) this.plot = this.dotPlot();
    if (review) this.showMarks(review.marks);
  }

  showMarks(marks) {
    this.chips?.forEach((chip, index) => showSign(chip, marks[index]));
  }

  dotPlot() {
    const { a, b } = this.view;
    this.picture = new Picture({
      label: "Dot plot of the passages",
      build: (width) => dotChart({ page: this.page, view: this.view, onGo: (index, places) => this.jumpTo(index, places) }, width, heightLimit()),
    });
    return h("details", { class: "card dot-plot", open: Math.max(a.words ?? 0, b.words ?? 0) > LONG_TEXT, "data-list": "dot-plot" },
      h("summary", {}, h("h2", {}, "Dot plot")),
      h("p", { class: "muted small" }, "Words of ", this.page.names.brief(a), " run down, those of ", this.page.names.brief(b), " to the right. A line marks matched words, with the number of the passage; choose one to go to its place in both texts."),
      this.picture.element);
  }

  // To a place of a passage in each text, in characters.
  jumpTo(index, places) {
    this.goTo(index, false);
    this.sides.forEach(({ text, scroller }, side) => {
      const top = text.topAt(places[side]);
      if (top !== null && scroller.clientHeight) scroller.scrollTop += top - scroller.getBoundingClientRect().top - Math.min(90, scroller.clientHeight * 0.2);
    });
    this.synchrony.hold();
    this.element.scrollIntoView({ block: "start" });
  }

  side(shown, isOther, documentLink) {
    const text = pairText(this.view, isOther, (indices) => this.goTo(indices[0], true));
    const scroller = h("div", { class: "pane-scroll", tabindex: "0", role: "region", "aria-label": `Text of ${this.page.names.short(shown)}` }, text.element);
    const map = new Minimap(text, scroller);
    const share = this.view.measures[isOther ? "share_b" : "share_a"];
    const link = documentLink(shown);
    const element = h("article", { class: "pane", "data-pane": isOther ? "b" : "a" },
      h("header", {}, h("h2", {}, link ? h("a", { href: link }, this.page.names.node(shown)) : this.page.names.node(shown)),
        h("p", { class: "muted small wrap", dir: "auto" }, [wordCount(shown), share !== undefined && share !== null ? `${percent(share)} shared` : null, ...this.page.names.about(shown)].filter(Boolean).join(" · "))),
      h("div", { class: "pane-body" }, scroller, map.element));
    return { text, scroller, map, element };
  }

  toolbar() {
    const count = this.view.passages.length;
    this.position = h("span", { class: "muted small", "data-value": "passage" }, `${count ? plural(count, "passage") : "No shared passages"}${this.view.reworded?.length ? `; ${whole(this.view.reworded.length)} possibly reworded, listed below` : ""}`);
    this.chips = this.view.passages.slice(0, CHIPS_SHOWN).map((passage, index) =>
      h("button", { type: "button", class: "chip passage-chip", "data-chip": index, on: { click: () => this.goTo(index, true) } },
        numberBadge(index + 1), h("span", {}, kindWords(passage.kind)), h("span", { class: "chip-note" }, plural(passage.words, "shared word")),
        h("span", { class: "unseen" }, `, passage ${index + 1}`)));
    const together = h("input", { type: "checkbox", checked: true, "data-action": "together", on: { change: (event) => (this.synchrony.on = event.target.checked) } });
    return h("div", { class: "pair-tools" },
      h("div", { class: "chips", role: "group", "aria-label": "Passages" }, this.chips, count > CHIPS_SHOWN ? h("span", { class: "muted small" }, `and ${whole(count - CHIPS_SHOWN)} more: use next`) : null),
      h("div", { class: "steps" }, this.position, this.excluding = h("span"),
        h("label", { class: "check" }, together, h("span", {}, "Scroll together")),
        h("button", { type: "button", class: "quiet icon-button", "aria-label": "Previous passage", title: "Previous passage (p)", "data-action": "previous", disabled: !count, on: { click: () => this.step(-1) } }, icon("previous")),
        h("button", { type: "button", class: "quiet icon-button", "aria-label": "Next passage", title: "Next passage (n)", "data-action": "next", disabled: !count, on: { click: () => this.step(1) } }, icon("next")),
        h("button", { type: "button", class: "quiet icon-button", "aria-label": "Keys", title: "Keys (?)", "data-action": "help", on: { click: () => this.help() } }, "?")),
      this.review?.passageBox);
  }

  // On a narrow screen one side is seen at a time.
  tabs() {
    const names = [this.view.a, this.view.b].map((shown) => this.page.names.short(shown, 40));
    this.tabButtons = names.map((name, which) => h("button", { type: "button", "aria-pressed": String(which === 0), "data-tab": which, on: { click: () => this.turnTo(which) } }, h("bdi", {}, name)));
    return h("div", { class: "side-tabs", role: "group", "aria-label": "Which text is shown" }, this.tabButtons);
  }

  turnTo(which) {
    this.panes.dataset.side = String(which);
    this.tabButtons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === which)));
    this.synchrony.anchors = null;
    this.sides[which].map.draw();
    if (this.current !== null) this.synchrony.show(this.current, false);
  }

  legend() {
    const parts = [];
    if (this.view.passages.length) parts.push(h("span", { class: "hit hue-1 sample" }, "Coloured"), " words are shared, with the same number on both sides");
    if (this.view.passages.some((passage) => passage.changed.length || passage.other_changed.length)) parts.push("; ", h("span", { class: "unmatched hue-1 sample" }, "dotted"), " words are within a passage but not shared");
    if ([this.view.a, this.view.b].some((shown) => shown.left_out?.length)) parts.push(parts.length ? "; " : "", h("span", { class: "out sample" }, "hatched"), " text was excluded from the comparison");
    return parts.length ? h("p", { class: "legend muted small" }, parts, ".") : null;
  }

  // A stretch that is possibly reworded, on both sides; or none.
  outline(index) {
    this.synchrony.leader = null;
    for (const { text, scroller } of this.sides) {
      const node = text.outline(index);
      if (node) scroller.scrollTo({ top: node.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop - 60 });
    }
  }

  ready(passage) {
    if (!this.sides) return;
    if (passage >= 0 && passage < this.view.passages.length) this.goTo(passage, false);
  }

  stop() {
    document.removeEventListener("keydown", this.onKey);
    if (!this.sides) return;
    this.synchrony.stop();
    this.picture?.stop();
    for (const side of this.sides) side.map.stop();
  }

  step(by) {
    const next = this.sides[0].text.step(by);
    if (next !== null) this.goTo(next, true);
  }

  goTo(index, smooth) {
    const passage = this.view.passages[index];
    if (this.current !== null) this.chips[this.current]?.removeAttribute("aria-current");
    this.current = index;
    for (const side of this.sides) side.text.setCurrent(index);
    this.chips[index]?.setAttribute("aria-current", "true");
    this.review?.setCurrent(index);
    this.chips[index]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.synchrony.show(index, smooth && !matchMedia("(prefers-reduced-motion: reduce)").matches);
    const facts = passageFacts(passage, pairAttribution(passage), pairPlace(this.view, passage)).join(", ");
    refill(this.position, h("span", { "data-value": "passage-number" }, `Passage ${whole(index + 1)} of ${whole(this.view.passages.length)}`), h("span", { "data-value": "passage-facts" }, `: ${facts}`));
    const { exclusions } = this.page;
    if (exclusions.canExclude(this.view.a)) refill(this.excluding, h("button", { type: "button", class: "link small", "data-action": "exclude-passage", on: { click: () => exclusions.excludePassage(this.view.a.id, passage.first, passage.last) } }, "Exclude everywhere"));
    this.page.announce(`Passage ${index + 1} of ${this.view.passages.length}: ${facts}`);
  }

  key(event) {
    if (isTyping(event)) return;
    if (event.key === "n" || event.key === "j") this.step(1);
    else if (event.key === "p" || event.key === "k") this.step(-1);
    else if (event.key === "?") this.help();
    else this.review?.key(event.key);
  }

  help() {
    helpDialog("Keys", [[["n", "j"], "next passage, on both sides"], [["p", "k"], "previous passage"], ...(this.review && this.page.review.canChange ? REVIEW_KEY_HELP : []), [["?"], "this list"], [["Esc"], "close the panel"]]);
  }
}
