// One document: its text with all that it shares, and its sources.

import { AttributionCard } from "../parts/attribution_card.js";
import { hueOf } from "../parts/badge.js";
import { choiceGroup } from "../parts/choice.js";
import { helpDialog } from "../parts/dialog.js";
import { WordPlaces } from "../data/excluded_view.js";
import { DocumentFilters } from "../parts/document_filters.js";
import { filteredScore, numberSources } from "../data/document_score.js";
import { h, isTyping, refill, svg } from "../parts/dom.js";
import { flagList } from "../texts/flag_list.js";
import { familiesOf } from "../families/collection_families.js";
import { documentsOf } from "../tables/family_columns.js";
import { Minimap } from "../texts/minimap.js";
import { noteList, sentence } from "../parts/notice.js";
import { decimal, jaccardWithInterval, percent, plural, whole } from "../data/numbers.js";
import { allPairs, printButton } from "../paper/print_dialog.js";
import { PassagePanel } from "../texts/passage_panel.js";
import { isReviewKey, passageReview, REVIEW_KEY_HELP } from "../parts/review_bar.js";
import { rewordedList } from "../texts/reworded_list.js";
import { ShownText } from "../texts/shown_text.js";
import { StoredSigns } from "../texts/stored_signs.js";
import { passageFacts, SourceList } from "../parts/source_list.js";
import { placeOf } from "../texts/references.js";
import { wordCount } from "../texts/word_ranges.js";

const BARE_SHOWN = 20;
const MATCHES_SHOWN = 20;

export async function showDocument(page, address) {
  if (page.source.mode === "report") await page.rows();
  const view = await page.source.document(address.ids[0] ?? "");
  await page.review.load();
  const shown = view.document;
  page.names.learn([shown, ...view.sources]);
  const stretch = stretchFrom(address.query.get("words"), shown);
  const board = new DocumentBoard(page, view, (source, at) => page.links.pair(shown.id, source.id, at), { canMark: true, stretch });
  const meta = [...page.names.about(shown), wordCount(shown), shown.page_starts?.length > 1 ? plural(shown.page_starts.length, "page") : null].filter(Boolean);
  const node = [
    h("div", { class: "heading" }, h("div", {}, h("h1", { tabindex: "-1" }, page.names.node(shown)), h("p", { class: "muted wrap", dir: "auto" }, meta.join(" · ")), familiesLink(page, shown, view)),
      printButton(page, () => documentScopes(page, shown))),
    board.element,
  ];
  return { title: page.names.short(shown), node, ready: () => board.showStretch(), leave: () => board.stop() };
}

// Words of the text that the address names, as a place in it; null for none.
function stretchFrom(given, { text }) {
  const found = /^(\d{1,8})-(\d{1,8})$/.exec(given ?? "");
  if (!found || typeof text !== "string") return null;
  const [start, end] = new WordPlaces(text).range(Number(found[1]), Number(found[2]));
  return start < end ? { start, end } : null;
}

// To the wording that several documents share with this one.
function familiesLink(page, shown, { sources }) {
  const rows = page.knownRows;
  const families = rows && familiesOf(page, rows);
  const count = families?.rows.filter((family) => documentsOf(family).some(({ id }) => id === shown.id)).length;
  if (rows ? !count : !sources.length) return null;
  const words = rows ? `In ${plural(count, "passage family", "passage families")}` : "Passage families of this document";
  return h("p", { class: "small" }, h("a", { href: page.links.families("", "", { all: [shown.id] }), "data-action": "families" }, words));
}

function documentScopes(page, shown) {
  const pairs = page.knownRows?.pairs.filter(({ first, second }) => first.id === shown.id || second.id === shown.id) ?? [];
  return [
    { label: "This document, with its sources", asShown: true, document: { ...shown, characters: shown.text?.length ?? null } },
    ...(pairs.length ? [{ label: `The ${plural(pairs.length, "pair")} of this document`, entries: pairs }] : []),
    ...allPairs(page, pairs.length),
  ];
}

// The text, its score and its sources; also of a text that was only pasted.
export class DocumentBoard {
  // `canMark`: not a text that is only checked; `stretch` is a place that is outlined, {start, end}.
  constructor(page, view, pairLink, { canMark = false, stretch = null } = {}) {
    this.page = page;
    this.view = view;
    this.pairLink = pairLink;
    this.canMark = canMark;
    this.stretch = stretch;
    page.names.learn([...view.sources, ...(view.matches ?? [])]);
    page.names.hideInText(view.document);
    const { numbers, score } = numberSources(view);
    this.numbers = numbers;
    this.matched = score.matched; // before any filter
    this.flat = view.sources.flatMap((source, index) => source.passages.map((passage, at) => ({ index, at, passage })));
    this.reworded = view.sources.flatMap((source) => (source.reworded ?? []).map((passage) => ({ source, passage })));
    this.filters = new DocumentFilters(view, () => this.apply());
    this.attributions = new AttributionCard(view, this.filters);
    this.list = new SourceList({
      page, view, numbers: this.numbers, filters: this.filters,
      onGo: (index) => this.goToSource(index), pairLink: (index) => pairLink(view.sources[index], null),
    });
    this.scoreBox = h("section", { class: "card score", "aria-label": "Shared words", "aria-live": "polite", "data-list": "score" });
    this.text = view.document.text === null ? null : this.makeText(false);
    this.element = this.build();
    this.apply();
  }

  makeText(asStored) {
    return new ShownText(this.view.document, this.flat.map(({ index, passage }) => ({
      start: passage.start,
      end: passage.end,
      changed: passage.changed,
      number: this.numbers[index],
      label: `Source ${this.numbers[index]}, ${this.page.names.short(this.view.sources[index])}: ${passageFacts(passage, undefined, placeOf(this.view.document, passage.start, passage.end)).join(", ")}`,
    })), (indices, anchor) => this.pick(indices, anchor), [...this.reworded.map(({ passage }) => passage), ...(this.stretch ? [this.stretch] : [])], asStored);
  }

  build() {
    const side = h("aside", { class: "side", "aria-label": "Score and sources" },
      this.scoreBox, this.isCounted ? [this.attributions.element, this.list.element, this.flat.length ? this.filters.element : null] : null, this.rewordedCard(), this.bare(),
      flagList(this.view.document, (index) => this.goToNode(this.text?.flags[index])),
      this.matches(), noteList(this.view.notes, "notes card"));
    if (!this.text) return h("div", { class: "board" }, side);
    this.map = new Minimap(this.text);
    this.sheet = h("div", { class: "sheet" }, this.text.element);
    this.panel = new PassagePanel(this.sheet);
    this.unlisten = this.page.review.listen(() => this.panel.drawReview());
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    const steps = h("div", { class: "steps", hidden: !this.flat.length }, this.stepper = h("span", { class: "muted small", "data-value": "passage-count" }),
      h("button", { type: "button", class: "quiet small-button", "data-action": "previous", on: { click: () => this.step(-1) } }, "Previous ", h("kbd", {}, "p")),
      h("button", { type: "button", class: "quiet small-button", "data-action": "next", on: { click: () => this.step(1) } }, "Next ", h("kbd", {}, "n")));
    this.sheetBox = h("div", { class: "sheet-box" }, this.sheet, this.map.element);
    return h("div", { class: "board" }, h("section", { class: "reading-column", "aria-label": "Text" }, this.storedChoice(), steps, this.sheetBox), side);
  }

  // Only where a text is stored otherwise than it is displayed.
  storedChoice() {
    if (!StoredSigns.differ(this.view.document)) return null;
    const legend = h("span", { class: "muted small" });
    const choose = (value) => {
      const asStored = value === "stored";
      this.panel.close(false);
      this.map.stop();
      this.text = this.makeText(asStored);
      this.map = new Minimap(this.text);
      refill(this.sheet, this.text.element);
      refill(this.sheetBox, this.sheet, this.map.element);
      refill(legend, asStored ? [h("span", { class: "altered-sign" }, "Marked"), " letters look like others; codes such as ", h("span", { class: "unseen-sign" }, "U+200B"), " stand for invisible characters."] : null);
      this.apply();
    };
    const notes = this.view.document.flag_notes ?? [];
    return h("div", { class: "stored-choice" }, notes.length ? h("p", { "data-value": "flag-notes" }, sentence(notes.join("; "))) : null, choiceGroup("Show the text", [["displayed", "As displayed"], ["stored", "As stored"]], "displayed", choose), legend);
  }

  rewordedCard() {
    return rewordedList(this.reworded.map(({ source, passage }) => ({ passage, name: this.page.names.node(source), link: this.pairLink(source, null) })),
      this.text ? (index) => this.goToNode(this.text.outline(index)) : null);
  }

  // Whether the score is counted here, from passages.
  get isCounted() {
    return this.view.searched !== false && (!this.view.whole || this.flat.length > 0);
  }

  bare() {
    const { whole: known } = this.view;
    if (!known) return null;
    const shown = known.bare.slice(0, BARE_SHOWN);
    const more = known.bare.length - shown.length + known.unlisted;
    return h("section", { class: "card", "data-list": "bare" }, h("h2", {}, "Pairs without passages in this report"),
      h("p", { class: "muted small" }, "Their passages are not in this report; their measures are."),
      h("ul", { class: "plain" }, shown.map((other) =>
        h("li", {}, h("a", { href: this.pairLink(other, null) }, this.page.names.node(other)), ` ${plural(Math.max(other.pair.words ?? 0, other.pair.words_b ?? 0), "shared word")}, similarity ${decimal(other.pair.jaccard)}`))),
      more > 0 ? h("p", { class: "muted small" }, `and ${whole(more)} more${known.unlisted ? `, of which ${whole(known.unlisted)} ${known.unlisted === 1 ? "is" : "are"} not listed in this report` : ""}.`) : null);
  }

  matches() {
    const others = (this.view.matches ?? []).filter((match) => !this.view.sources.some((source) => source.id === match.id));
    if (!others.length) return null;
    return h("section", { class: "card" }, h("h2", {}, "Similar as a whole"), h("ul", { class: "plain" }, others.slice(0, MATCHES_SHOWN).map((match) =>
      h("li", {}, h("a", { href: this.page.links.document(match.id) }, this.page.names.node(match)), ` ${jaccardWithInterval(match)}`))),
      others.length > MATCHES_SHOWN ? h("p", { class: "muted small" }, `and ${whole(others.length - MATCHES_SHOWN)} more that are less similar.`) : null);
  }

  stop() {
    this.panel?.close(false);
    this.unlisten?.();
    this.map?.stop();
    if (this.onKey) document.removeEventListener("keydown", this.onKey);
  }

  apply() {
    const score = filteredScore(this.view, this.filters.values);
    this.score = score;
    this.drawScore(score);
    this.attributions.draw();
    this.list.draw(score);
    if (!this.text) return;
    this.panel.close(false);
    const out = new Set(this.view.document.left_out ?? []);
    const rank = [];
    score.byAll.forEach((index, place) => (rank[index] = place));
    const isShown = (flat) => score.shown[this.flat[flat].index][this.flat[flat].at];
    const firstOf = (flats) => flats.reduce((best, flat) => (rank[this.flat[flat].index] < rank[this.flat[best].index] ? flat : best));
    this.text.paint(out, isShown, firstOf);
    this.stepper.textContent = plural(this.text.order.length, "passage");
    if (this.element.isConnected) this.map.draw();
  }

  // The place that the address names.
  showStretch() {
    if (!this.stretch || !this.text) return;
    this.goToNode(this.text.outline(this.reworded.length));
    this.page.announce("The wording of the family is outlined");
  }

  drawScore(score) {
    const known = this.view.whole;
    if (this.view.searched === false) {
      refill(this.scoreBox, h("p", { class: "muted" }, "The number of shared words is unknown, because passages were not searched for."));
      return;
    }
    if (!this.isCounted) {
      refill(this.scoreBox, bigShare(known.matched, known.words), h("p", { class: "muted small" }, `${sharedWords(known.matched, known.words)} Counted when the report was created.`));
      return;
    }
    refill(this.scoreBox,
      bigShare(score.matched, score.size),
      creditBar(score, this.numbers),
      h("p", { class: "muted small" }, `${sharedWords(score.matched, score.size)}${this.filters.active ? " Filters are on." : ""}`),
      known && known.matched > this.matched ? h("p", { class: "small" }, `With the pairs whose passages are not in this report: ${whole(known.matched)} words, ${percent(known.matched / known.words)}.`) : null);
  }

  pick(indices, anchor) {
    const shown = indices.filter((flat) => this.text.order.includes(flat));
    if (!shown.length) return;
    this.text.setCurrent(shown[0]);
    this.panel.open(anchor, shown.map((flat) => {
      const { index, at, passage } = this.flat[flat];
      const source = this.view.sources[index];
      const { document: text } = this.view;
      const onExclude = this.page.exclusions.canExclude(text) ? () => this.page.exclusions.excludePassage(text.id, passage.first, passage.last) : null;
      return { number: this.numbers[index], name: this.page.names.node(source), passage, place: placeOf(text, passage.start, passage.end), link: this.pairLink(source, at), onExclude, review: this.canMark ? passageReview(this.page, text, source, at) : null };
    }));
  }

  // With a key, the passage that n and p have come to.
  markCurrent(name) {
    const { current } = this.text;
    if (!this.canMark || current === null || !this.page.review.canChange || !isReviewKey(name)) return;
    if (!this.panel.element) this.pick([current], this.text.badges[current] ?? this.text.firsts[current]);
    this.panel.reviews[0]?.key(name);
  }

  goToSource(index) {
    const own = this.text?.order.filter((flat) => this.flat[flat].index === index) ?? [];
    if (own.length) this.goTo(own[(own.indexOf(this.text.current) + 1) % own.length]);
  }

  step(by) {
    const next = this.text.step(by);
    if (next !== null) this.goTo(next);
  }

  goTo(flat) {
    this.panel.close(false);
    this.text.setCurrent(flat);
    const badge = this.text.badges[flat];
    this.goToNode(this.text.firsts[flat]);
    if (badge && !badge.hidden) badge.focus({ preventScroll: true });
    const { number, label } = this.text.passages[flat];
    this.page.announce(label || `Source ${number}`);
  }

  goToNode(node) {
    node?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }

  key(event) {
    if (isTyping(event)) return;
    if (event.key === "n" || event.key === "j") this.step(1);
    else if (event.key === "p" || event.key === "k") this.step(-1);
    else if (event.key !== "?") this.markCurrent(event.key);
    else helpDialog("Keys", [[["n", "j"], "next passage"], [["p", "k"], "previous passage"], [["Enter"], "open the selected passage"], ...(this.canMark && this.page.review.canChange ? REVIEW_KEY_HELP : []), [["Esc"], "close the panel"], [["?"], "this list"]]);
  }
}

function bigShare(matched, size) {
  return h("p", { class: "big" }, h("span", { class: "figure", "data-value": "score" }, percent(size ? matched / size : 0)), h("span", { class: "muted" }, "shared"));
}

function sharedWords(matched, size) {
  return `${whole(matched)} of ${plural(size, "word")} ${matched === 1 ? "is" : "are"} matched in at least one passage; each word counts once.`;
}

function creditBar(score, numbers) {
  let x = 0;
  return svg("svg", { class: "credit-bar", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "rest", x: 0, y: 0, width: 1000, height: 10 }),
    score.byBest.filter((index) => score.credited[index] > 0).map((index) => {
      const width = (score.credited[index] / score.size) * 1000;
      x += width;
      return svg("rect", { class: `map-piece hue-${hueOf(numbers[index])}`, x: x - width, y: 0, width, height: 10 });
    }));
}
