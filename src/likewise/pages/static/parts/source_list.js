// The sources of a document, ranked.

import { attributionWords } from "../data/attributions.js";
import { kindWords, numberBadge } from "./badge.js";
import { choiceGroup } from "./choice.js";
import { filteredScore, otherOwners } from "../data/document_score.js";
import { h, refill } from "./dom.js";
import { RUN_CHANCE, chanceText, percent, plural, whole } from "../data/numbers.js";

const SOURCES_SHOWN = 20;

export class SourceList {
  // `onGo(index)` leads to the next passage of a source, `pairLink(index)` to both texts.
  constructor({ page, view, numbers, filters, onGo, pairLink }) {
    Object.assign(this, { page, view, numbers, filters, onGo, pairLink });
    this.ranking = "best";
    this.all = false;
    this.list = h("ol", { class: "sources" });
    this.element = h("section", { class: "card", "data-list": "sources", "aria-label": "Sources" },
      h("div", { class: "card-head" }, h("h2", {}, "Sources"),
        choiceGroup("Rank by", [["best", "Best match"], ["all", "All sources"]], "best", (value) => { this.ranking = value; this.draw(this.score); })),
      (this.words = h("p", { class: "muted small" })),
      this.list);
  }

  draw(score) {
    this.score = score;
    const best = this.ranking === "best";
    this.words.textContent = best
      ? "Ranked by the words counted with each source. A word that several sources share is counted once, with the source that shares the most words."
      : "Ranked by all words that each source shares. Several sources may share the same words.";
    // Ranked as if none were hidden, so that what is hidden stays where it was.
    const ranked = filteredScore(this.view, { ...this.filters.values, hidden: [] });
    const order = (best ? ranked.byBest : ranked.byAll).filter((index) => ranked.counts[index] > 0);
    const part = this.all ? order : order.slice(0, SOURCES_SHOWN);
    this.words.hidden = !order.length;
    refill(this.list, part.map((index) => this.item(index, best)));
    if (!order.length) refill(this.list, h("li", { class: "muted" }, this.filters.active ? "No sources match these filters." : "No sources found."));
    if (order.length > part.length) this.list.append(h("li", {}, h("button", { type: "button", class: "link", on: { click: () => { this.all = true; this.draw(this.score); } } }, `Show all ${plural(order.length, "source")}`)));
  }

  toggle(index) {
    this.filters.toggleSource(index);
    this.list.querySelector(`[data-source="${index}"] input`)?.focus();
  }

  // What of a source is counted with others, in the ranking that counts each word once.
  countedNote(index) {
    const { page, score, view } = this;
    if (score.credited[index] >= score.counts[index]) return null;
    const [first, ...more] = otherOwners(score, index).map((owner) => page.names.short(view.sources[owner]));
    const others = more.length > 1 ? `${first} and ${plural(more.length, "more source")}` : [first, ...more].join(" and ");
    return h("span", { class: "row-note", "data-value": "counted-here" },
      `Counted here: ${percent(score.credited[index] / score.size)}; ${score.credited[index] ? "the rest is" : "all of it is"} counted with ${others}.`);
  }

  item(index, best) {
    const { page, score } = this;
    const words = score.counts[index];
    const source = this.view.sources[index];
    const hidden = this.filters.values.hidden.includes(index);
    const passages = score.shown[index].filter(Boolean).length;
    const run = source.passages.reduce((most, passage, at) => (score.shown[index][at] ? Math.max(most, passage.run) : most), 0);
    const name = page.names.short(source);
    return h("li", { class: hidden ? "source hidden-source" : "source", "data-source": index },
      h("button", { type: "button", class: "go", "data-action": "next-of-source", "aria-label": `Source ${this.numbers[index]}, ${name}: go to next passage`, disabled: hidden, on: { click: () => this.onGo(index) } }, numberBadge(this.numbers[index])),
      h("span", { class: "source-name" }, this.pairLink(index) ? h("a", { href: this.pairLink(index) }, page.names.node(source)) : page.names.node(source)),
      h("span", { class: "row-figure", "data-value": "source-share" }, hidden ? "–" : percent(score.size ? words / score.size : 0)),
      h("span", { class: "row-note" }, hidden ? "hidden" : `${plural(words, "shared word")} in ${plural(passages, "passage")}, longest run ${whole(Math.min(run, words))}${page.names.about(source).length ? ` · ${page.names.about(source).join(" · ")}` : ""}`),
      best && !hidden ? this.countedNote(index) : null,
      h("label", { class: "check small-check" },
        h("input", { type: "checkbox", checked: !hidden, "data-action": "show-source", "aria-label": `Count source ${this.numbers[index]}, ${name}`, on: { change: () => this.toggle(index) } }),
        h("span", { "aria-hidden": "true" }, "count")));
  }
}

// What a passage is, as the command line says it too; `attribution` says how the text cites there.
export function passageFacts(passage, attribution = attributionWords(passage.attribution), place = "") {
  const [own, other] = [passage.last - passage.first, passage.other_last - passage.other_first];
  const shared = plural(passage.words, "shared word");
  return [
    place,
    kindWords(passage.kind),
    passage.kind === "verbatim" ? shared : `${shared} of ${whole(own)} and ${whole(other)}`,
    `longest run ${whole(passage.run)}`,
    typeof passage.p === "number" ? `${RUN_CHANCE}: ${chanceText(passage.p)}` : null,
    attribution,
  ].filter(Boolean);
}
