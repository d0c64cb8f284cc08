// How much of a document is shared, and with which sources. Shared are matched words only, not all
// between the ends of a passage. A word that several sources share counts once; it is credited to the
// source that shares most in all. Excluded text counts nowhere.

import { unionOf, wordsIn } from "./word_masks.js";
import { excludedParts } from "../texts/word_ranges.js";

export const NO_FILTERS = {
  minShare: 0,
  kinds: null,
  attributions: null,
  hidden: [],
};

// `view` is a document view. Returns by source which passages are shown, and the score of them.
export function filteredScore(view, filters) {
  const size = view.document.words ?? 0; // not known of a text that is not kept
  const out = excludedParts(view.document, view.document.left_out ?? []);
  const left = size - out.reduce((sum, { first, last }) => sum + last - first, 0);
  const shared = view.sources.map((source, index) => source.passages.map((passage) => !filters.hidden.includes(index) && (filters.kinds?.includes(passage.kind) ?? true) && (filters.attributions?.includes(passage.attribution) ?? true)));
  const ranges = view.sources.map((source, index) => unionOf(source.passages.filter((_, at) => shared[index][at]).flatMap(({ matches }) => matches.map(([first, , words]) => [first, first + words]))));
  const counts = ranges.map(wordsIn);
  const isSmall = (index) => left > 0 && counts[index] / left < filters.minShare;
  const shown = shared.map((passages, index) => passages.map((isShared) => isShared && !isSmall(index)));
  counts.forEach((_, index) => {
    if (isSmall(index)) [counts[index], ranges[index]] = [0, []];
  });
  return { size: left, shown, ranges, counts, ...creditWords(view.sources, ranges, counts, size) };
}

function creditWords(sources, ranges, counts, size) {
  const byAll = sources
    .map((_, index) => index)
    .sort((one, other) => counts[other] - counts[one] || compareIds(sources[one].id, sources[other].id));
  const owners = new Int32Array(size).fill(-1); // of each word the source that it is counted with
  const credited = new Array(sources.length).fill(0);
  let matched = 0;
  for (const index of byAll) {
    for (const [first, last] of ranges[index]) {
      for (let word = first; word < last && word < size; word += 1) {
        if (owners[word] >= 0) continue;
        owners[word] = index;
        credited[index] += 1;
        matched += 1;
      }
    }
  }
  const byBest = byAll.slice().sort((one, other) => credited[other] - credited[one]);
  return { matched, credited, owners, byAll, byBest };
}

// The sources that words of this one are counted with instead, those with most of them first.
export function otherOwners(score, index) {
  const words = new Map();
  for (const [first, last] of score.ranges[index]) {
    for (const owner of score.owners.subarray(first, last)) if (owner !== index) words.set(owner, (words.get(owner) ?? 0) + 1);
  }
  return [...words.keys()].sort((one, other) => words.get(other) - words.get(one) || one - other);
}

function compareIds(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

// Numbers of sources stay what they are, whatever is filtered: by best match of all that was found.
export function numberSources(view) {
  const score = filteredScore(view, NO_FILTERS);
  const numbers = [];
  score.byBest.forEach((index, rank) => {
    numbers[index] = rank + 1;
  });
  return { numbers, score };
}
