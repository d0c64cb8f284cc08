// What excluded words leave of a passage, by the rule of Python (`passages/excluded_words.py`).
//
// Texts are aligned as a whole; a matched word is not shared if it is excluded in either text. A passage
// is {kind, runs, score, places, attributions?}: runs of matched words as [word of a, word of b, words], and the first
// word and that behind the last, of a and of b.

import { begunBefore, maskedWithin, wordsIn } from "./word_masks.js";

// The passage itself if no excluded word is in it; otherwise its parts with at least `minScore`.
export function cutPassage(passage, maskA, maskB, minScore) {
  const [firstA, lastA, firstB, lastB] = passage.places;
  const [outA, outB] = [maskedWithin(maskA, firstA, lastA), maskedWithin(maskB, firstB, lastB)];
  if (!outA.length && !outB.length) return [passage];
  if (passage.kind === "reworded") return 2 * wordsIn(outA) <= lastA - firstA && 2 * wordsIn(outB) <= lastB - firstB ? [passage] : [];
  const groups = new Map(); // runs between the same excluded parts, on both sides
  for (const run of passage.runs) {
    for (const part of freeParts(run, maskA, maskB)) {
      const key = `${begunBefore(maskA, part[0])} ${begunBefore(maskB, part[1])}`;
      if (groups.has(key)) groups.get(key).push(part);
      else groups.set(key, [part]);
    }
  }
  const parts = [];
  for (const runs of groups.values()) {
    const score = scoreOfBoth(runs);
    if (score >= minScore) parts.push({ kind: passage.kind, attributions: passage.attributions, runs, score, places: placesOf(runs), cutFrom: passage });
  }
  return parts;
}

// What of a run is excluded on neither side.
function freeParts([a, b, words], maskA, maskB) {
  const out = [...maskedWithin(maskA, a, a + words), ...maskedWithin(maskB, b, b + words).map(([first, last]) => [first - b + a, last - b + a])];
  if (!out.length) return [[a, b, words]];
  out.sort((x, y) => x[0] - y[0]);
  const parts = [];
  let from = a;
  for (const [first, last] of [...out, [a + words, a + words]]) {
    if (first > from) parts.push([from, from - a + b, first - from]);
    from = Math.max(from, last);
  }
  return parts;
}

export function placesOf(runs) {
  const places = [Infinity, 0, Infinity, 0];
  for (const [a, b, words] of runs) {
    places[0] = Math.min(places[0], a);
    places[1] = Math.max(places[1], a + words);
    places[2] = Math.min(places[2], b);
    places[3] = Math.max(places[3], b + words);
  }
  return places;
}

// Seen from both sides: the same whichever text is a.
export function scoreOfBoth(runs) {
  const turned = runs.map(([a, b, words]) => [b, a, words]).sort((x, y) => x[0] - y[0]);
  return Math.max(scoreOf(runs), scoreOf(turned));
}

// The best stretch of runs in the same order on both sides: matched less changed words.
function scoreOf(runs) {
  let [best, score, endA, endB] = [0, 0, 0, 0];
  for (const [a, b, words] of runs) {
    const changed = Math.max(a - endA, b - endB);
    score = (b >= endB ? Math.max(0, score - changed) : 0) + words;
    best = Math.max(best, score);
    [endA, endB] = [a + words, b + words];
  }
  return best;
}

export function matchedWords(passage) {
  return passage.runs.reduce((sum, [, , words]) => sum + words, 0);
}

export function longestRun(passage) {
  return passage.runs.reduce((most, [, , words]) => Math.max(most, words), 0);
}
