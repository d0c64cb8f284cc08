// Texts cut where the texts that agree change: what a cell shows.

import { unitPlaces } from "../texts/code_points.js";
import { h } from "../parts/dom.js";
import { bitsOf } from "./agreement_styles.js";

const HAS_WORD = /[\p{L}\p{N}]/u;

export class AgreementTexts {
  // `view`: a synopsis; places of it are in code points.
  constructor(view, styles) {
    this.styles = styles;
    this.labels = view.texts.map((shown) => shown.label);
    this.texts = view.texts.map((shown) => {
      const at = unitPlaces(shown.text);
      return { text: shown.text, at, runs: [], excluded: shown.excluded.map(([start, end]) => [at(start), at(end)]) };
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
    let done = from;
    let before = null; // the bits of the run that ends at `done`
    const plain = (until) => {
      if (until > done) nodes.push(...this.plainNodes(one, done, until));
      done = Math.max(done, until);
    };
    for (let next = firstEndingBehind(one.runs, from); next < one.runs.length && one.runs[next].start < to; next += 1) {
      const run = one.runs[next];
      const [first, last] = [Math.max(from, run.start, done), Math.min(to, run.end)];
      if (last <= first) continue;
      const gap = one.text.slice(done, first);
      // Runs of the same texts are one mark, if only spaces and signs are between them.
      const joined = before === run.bits && !HAS_WORD.test(gap);
      if (joined && gap) nodes[nodes.length - 1].append(gap);
      else plain(first);
      nodes.push(this.markNode(run, one.text.slice(first, last), joined));
      [done, before] = [last, run.bits];
    }
    plain(to);
    return nodes;
  }

  markNode(run, words, joined) {
    const letters = this.labels.filter((_, text) => run.bits & (1 << text)).join("");
    return h("span", { class: this.styles.get(run.bits), "data-run": run.id, "data-bits": run.bits, "data-letters": joined ? null : letters }, words);
  }

  // Words that agree with none; excluded text is hatched.
  plainNodes({ text, excluded }, from, to) {
    const nodes = [];
    let done = from;
    for (const [start, end] of excluded) {
      if (end <= done || start >= to) continue;
      if (start > done) nodes.push(text.slice(done, start));
      nodes.push(h("span", { class: "out" }, text.slice(Math.max(start, done), Math.min(end, to))));
      done = Math.min(end, to);
    }
    if (done < to) nodes.push(text.slice(done, to));
    return nodes;
  }
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
