// Where given texts are in others, by their words: runs of a template, and phrases. As in Python
// (`passages/matching_text.py`, `passages/exclusions/phrases.py`).

import { wordsOfText } from "./words.js";

export const MIN_TEMPLATE_RUN = 6; // words in a row that are taken from a template

// All texts that are searched are cut once; equal words have equal numbers.
export class SearchedTexts {
  constructor() {
    this.numbers = new Map();
    this.texts = new Map();
  }

  words(text) {
    return wordsOfText(text).words.map((word) => {
      if (!this.numbers.has(word)) this.numbers.set(word, this.numbers.size);
      return this.numbers.get(word);
    });
  }

  // The words of a document, where `read` gives its text.
  of(id, read) {
    if (!this.texts.has(id)) this.texts.set(id, this.words(read()));
    return this.texts.get(id);
  }
}

// Ranges of words that are in the template, at least so many in a row.
export function templateRuns(words, template) {
  const runs = new Map(); // by their second and last words, which are rarely those of another
  for (let at = 0; at + MIN_TEMPLATE_RUN <= template.length; at += 1) {
    const key = template[at + 1] * 2 ** 26 + template[at + MIN_TEMPLATE_RUN - 1];
    if (runs.has(key)) runs.get(key).push(at);
    else runs.set(key, [at]);
  }
  const isRun = (at, place) => {
    for (let step = 0; step < MIN_TEMPLATE_RUN; step += 1) if (words[at + step] !== template[place + step]) return false;
    return true;
  };
  const found = [];
  for (let at = 0; at + MIN_TEMPLATE_RUN <= words.length; at += 1) {
    const places = runs.get(words[at + 1] * 2 ** 26 + words[at + MIN_TEMPLATE_RUN - 1]);
    if (!places?.some((place) => isRun(at, place))) continue;
    const before = found[found.length - 1];
    if (before && at <= before[1]) before[1] = at + MIN_TEMPLATE_RUN;
    else found.push([at, at + MIN_TEMPLATE_RUN]);
  }
  return found;
}

export function phrasePlaces(words, phrase) {
  const found = [];
  for (let at = words.indexOf(phrase[0]); phrase.length && at >= 0; at = words.indexOf(phrase[0], at + 1)) {
    if (phrase.every((word, step) => words[at + step] === word)) found.push([at, at + phrase.length]);
  }
  return found;
}
