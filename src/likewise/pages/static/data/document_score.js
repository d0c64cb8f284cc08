// How much of a document is shared, and with which sources. Shared are matched words only, not all
// between the ends of a passage. A word that several sources share counts once; it is credited to the
// source that shares most in all. Excluded text counts nowhere.

import { excludedParts, mergedRanges } from "../texts/word_ranges.js";

export const NO_FILTERS = {
  minWords: 1,
  minShare: 0,
  kinds: null,
  leaveOut: [],
  hidden: [],
};

// The words that the rest of a passage needs where text of it is excluded: as many as a run does.
export function minRemainder(view) {
  return (view.min_words ?? 1) * (view.document.unspaced ? 2 : 1);
}

// `view` is a document view. Returns by source which passages are shown, which parts of them are not
// shared after all (`dropped`, in characters), and the score of the rest.
export function filteredScore(view, filters) {
  const size = view.document.words ?? 0; // not known of a text that is not kept
  const out = excludedParts(view.document, [...(view.document.left_out ?? []), ...filters.leaveOut]);
  const left = size - out.reduce((sum, { first, last }) => sum + last - first, 0);
  const parts = view.sources.map((source, index) => source.passages.map((passage) => {
    const inside = out.filter((one) => one.end > passage.start && one.start < passage.end);
    const fewest = Math.max(1, filters.minWords, inside.length ? minRemainder(view) : 1);
    const isCounted = !filters.hidden.includes(index) && (filters.kinds?.includes(passage.kind) ?? true);
    return partsOf(passage, inside).map((part) => ({ ...part, isShared: isCounted && wordsOf(part.matched) >= fewest }));
  }));
  const ranges = parts.map((passages) => mergedRanges(passages.flat().filter((part) => part.isShared).flatMap((part) => part.matched)));
  const counts = ranges.map(wordsOf);
  const isSmall = (index) => left > 0 && counts[index] / left < filters.minShare;
  const shown = parts.map((passages, index) => passages.map((found) => !isSmall(index) && found.some((part) => part.isShared)));
  const dropped = parts.map((passages) => passages.map((found) => found.filter((part) => !part.isShared).map(({ start, end }) => [start, end])));
  counts.forEach((_, index) => {
    if (isSmall(index)) [counts[index], ranges[index]] = [0, []];
  });
  return { size: left, shown, dropped, ranges, counts, ...creditWords(view.sources, ranges, counts, size) };
}

// What lies between the excluded parts of a passage, or all of it: where, and its matched words.
function partsOf(passage, out) {
  const edges = [{ end: passage.start, last: passage.first }, ...out, { start: passage.end, first: passage.last }];
  return edges.slice(1).map((next, at) => {
    const [start, first] = [edges[at].end, edges[at].last];
    const matched = passage.matched.map(([from, to]) => [Math.max(from, first), Math.min(to, next.first)]).filter(([from, to]) => from < to);
    return { start, end: next.start, matched };
  }).filter(({ start, end }) => start < end);
}

function wordsOf(ranges) {
  return ranges.reduce((sum, [first, last]) => sum + last - first, 0);
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
