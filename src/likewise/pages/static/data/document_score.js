// How much of a document is shared, and with which sources. Shared are matched words only, not all
// between the ends of a passage. A word that several sources share counts once; it is credited to the
// source that shares most in all. Excluded text counts nowhere.

import { remainingGroups } from "./excluded_words.js";
import { excludedParts, mergedRanges } from "../texts/word_ranges.js";

export const NO_FILTERS = {
  minWords: 1,
  minShare: 0,
  kinds: null,
  leaveOut: [],
  hidden: [],
};

// The run that the rest of a passage needs where text of it is excluded: as long as any other.
export function minRemainder(view, source = {}) {
  return (view.min_words ?? 1) * (view.document.unspaced || source.unspaced ? 2 : 1);
}

// `view` is a document view. Returns by source which passages are shown, which parts of them are not
// shared after all (`dropped`, in characters), and the score of the rest.
export function filteredScore(view, filters) {
  const size = view.document.words ?? 0; // not known of a text that is not kept
  const reasons = [...(view.document.left_out ?? []), ...filters.leaveOut];
  const out = excludedParts(view.document, reasons);
  const left = size - out.reduce((sum, { first, last }) => sum + last - first, 0);
  const parts = view.sources.map((source, index) => {
    const otherOut = excludedParts(source, reasons);
    return source.passages.map((passage) => {
      const isCounted = !filters.hidden.includes(index) && (filters.kinds?.includes(passage.kind) ?? true);
      return partsOf(passage, out, otherOut, minRemainder(view, source)).map((part) => ({
        ...part,
        isShared: isCounted && part.isEnough && wordsOf(part.matched) >= Math.max(1, filters.minWords),
      }));
    });
  });
  const ranges = parts.map((passages) => mergedRanges(passages.flat().filter((part) => part.isShared).flatMap((part) => part.matched)));
  const counts = ranges.map(wordsOf);
  const isSmall = (index) => left > 0 && counts[index] / left < filters.minShare;
  const shown = parts.map((passages, index) => passages.map((found) => !isSmall(index) && found.some((part) => part.isShared)));
  const dropped = parts.map((passages, index) => passages.map((found, at) => {
    const kept = new Set(found.filter((part) => part.isShared).flatMap((part) => part.places.map(([start]) => start)));
    return view.sources[index].passages[at].matches.map(([, , , start, end]) => [start, end]).filter(([start]) => !kept.has(start));
  }));
  counts.forEach((_, index) => {
    if (isSmall(index)) [counts[index], ranges[index]] = [0, []];
  });
  return { size: left, shown, dropped, ranges, counts, ...creditWords(view.sources, ranges, counts, size) };
}

// The passage, or its parts between excluded text: matched words, and where these are.
function partsOf(passage, out, otherOut, minScore) {
  const groups = remainingGroups(passage, out, otherOut) ?? [{ runs: passage.matches, score: Infinity }];
  return groups.map(({ runs, score }) => ({
    isEnough: score >= minScore,
    matched: runs.map(([first, , words]) => [first, first + words]),
    places: runs.map(([, , , start, end]) => [start, end]),
  }));
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
