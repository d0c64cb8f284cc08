// Texts cut where the texts that agree change: what a cell shows.

import { unitPlaces } from "../texts/code_points.js";
import { h } from "../parts/dom.js";
import { numbersInText } from "../texts/references.js";
import { bitsOf } from "./agreement_styles.js";

const HAS_WORD = /[\p{L}\p{N}]/u;

export class AgreementTexts {
  // `view`: a synopsis; places of it are in code points.
  constructor(view, styles) {
    this.styles = styles;
    this.labels = view.texts.map((shown) => shown.label);
    this.texts = view.texts.map((shown) => {
      const at = unitPlaces(shown.text);
      const numbers = numbersInText(shown).map(([place, words]) => [at(place), words]);
      return { text: shown.text, at, runs: [], numbers, excluded: shown.excluded.map(([start, end]) => [at(start), at(end)]) };
    });
    view.agreements.forEach((flat, id) => this.addRun(id, flat));
    for (const one of this.texts) one.runs.sort((a, b) => a.start - b.start);
  }

  addRun(id, [, ...places]) {
    const members = [];
    for (let at = 0; at < places.length; at += 3) members.push(places.slice(at, at + 3));
    const bits = bitsOf([...new Set(members.map(([text]) => text))]);
    for (const [text, start, end] of members) {
      const { at, runs } = this.texts[text];
      runs.push({ start: at(start), end: at(end), bits, id });
    }
  }

  place(text, codePoints) {
    return this.texts[text].at(codePoints);
  }

  // The nodes of a stretch of a text, in code points.
  nodes(text, start, end) {
    const one = this.texts[text];
    const [from, to] = [one.at(start), one.at(end)];
    const nodes = [];
    const words = (first, last) => numberedWords(one, first, last, from);
    let done = from;
    let before = null; // the bits of the run that ends at `done`
    const plain = (until) => {
      if (until > done) nodes.push(...plainNodes(one, done, until, words));
      done = Math.max(done, until);
    };
    for (let next = firstEndingBehind(one.runs, from); next < one.runs.length && one.runs[next].start < to; next += 1) {
      const run = one.runs[next];
      const [first, last] = [Math.max(from, run.start, done), Math.min(to, run.end)];
      if (last <= first) continue;
      // Runs of the same texts are one mark, if only spaces and signs are between them.
      const joined = before === run.bits && !HAS_WORD.test(one.text.slice(done, first));
      if (joined) nodes[nodes.length - 1].append(...words(done, first));
      else plain(first);
      nodes.push(this.markNode(run, words(first, last), joined));
      [done, before] = [last, run.bits];
    }
    plain(to);
    return nodes;
  }

  markNode(run, words, joined) {
    const letters = this.labels.filter((_, text) => run.bits & (1 << text)).join("");
    return h("span", { class: this.styles.get(run.bits), "data-run": run.id, "data-bits": run.bits, "data-letters": joined ? null : letters }, words);
  }
}

// Words that agree with none; excluded text is hatched. `words(from, to)` are the nodes of a part.
function plainNodes({ excluded }, from, to, words) {
  const nodes = [];
  let done = from;
  for (const [start, end] of excluded) {
    if (end <= done || start >= to) continue;
    if (start > done) nodes.push(...words(done, start));
    nodes.push(h("span", { class: "out" }, words(Math.max(start, done), Math.min(end, to))));
    done = Math.min(end, to);
  }
  if (done < to) nodes.push(...words(done, to));
  return nodes;
}

// A part of a text with the numbers of its verses; not the one that a cell begins with, which is above
// it. They are no text, so that a search finds words across them.
function numberedWords({ text, numbers }, from, to, cellStart) {
  const nodes = [];
  let done = from;
  for (let at = firstNotBefore(numbers, Math.max(from, cellStart + 1)); at < numbers.length && numbers[at][0] < to; at += 1) {
    const [place, number] = numbers[at];
    if (place > done) nodes.push(text.slice(done, place));
    nodes.push(h("span", { class: "place-number", "data-number": number }));
    done = place;
  }
  if (done < to) nodes.push(text.slice(done, to));
  return nodes;
}

function firstNotBefore(numbers, place) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle][0] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The first of these runs that ends behind a place; runs do not overlap.
function firstEndingBehind(runs, place) {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle].end <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
