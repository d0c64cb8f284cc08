// The wording of one witness of a family, with how it differs from another, word by word.

import { differences } from "../families/family_rows.js";
import { h } from "../parts/dom.js";
import { plural } from "../data/numbers.js";
import { unitPlaces } from "./code_points.js";
import { wordsOfText } from "./words.js";

// A stretch of a text whose words have the numbers of its document, from `first` on.
export class WitnessText {
  constructor(text, first) {
    this.text = text;
    this.first = first;
    const { begins, ends } = wordsOfText(text);
    const place = unitPlaces(text);
    this.begins = begins.map(place);
    this.ends = ends.map(place);
  }

  // These words, with the signs up to the word after them, or only between them.
  words(from, to, withEnd = true) {
    const end = withEnd ? (this.begins[to - this.first] ?? this.text.length) : this.ends[to - 1 - this.first];
    return this.text.slice(from === this.first ? 0 : this.begins[from - this.first], end);
  }
}

const MARKS = { added: ["ins", "added", "added: "], moved: ["span", "moved", "moved: "] };

// `own` and `other` are positions in the family, `texts` the text of each witness, null if it is not known.
export function witnessNodes(family, own, other, texts) {
  if (own === other || !texts[other]) return [texts[own].text];
  let isSpaced = true; // before what comes next
  return differences(family, own, other).map(({ kind, own: [from, to], other: [start, end] }) => {
    if (kind === "missing") {
      const space = isSpaced ? "" : " ";
      isSpaced = true;
      return [space, markedWords("del", kind, "missing: ", texts[other].words(start, end, false)), " "];
    }
    const text = texts[own].words(from, to);
    const words = text.trimEnd();
    isSpaced = words.length < text.length;
    return kind === "same" ? text : [markedWords(...MARKS[kind], words), text.slice(words.length)];
  });
}

function markedWords(name, kind, spoken, words) {
  return h(name, { class: `word-${kind}` }, h("span", { class: "unseen" }, spoken), words);
}

// In words, how much differs.
export function differenceWords(family, own, other) {
  const counts = { added: 0, missing: 0, moved: 0 };
  for (const { kind, own: [from, to], other: [start, end] } of differences(family, own, other)) if (kind in counts) counts[kind] += kind === "missing" ? end - start : to - from;
  const parts = Object.entries({ "only here": counts.added, "only there": counts.missing, "in another place": counts.moved }).filter(([, words]) => words).map(([what, words]) => `${plural(words, "word")} ${what}`);
  return parts.length ? parts.join(", ") : "the same words";
}
