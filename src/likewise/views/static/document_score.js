// How much of a document is shared, and with which sources. A word that several sources share counts
// once; it is credited to the source that shares most in all. What is left out counts nowhere.

import { mergedRanges, runningCounts, wordsIn } from "./word_ranges.js";

export const NO_FILTERS = {
  leastWords: 1,
  leastShare: 0,
  kinds: null,
  leaveOut: [],
  hidden: [],
};

// `view` is a document view. Returns which passages are shown, by source, and the score of the rest.
export function filteredScore(view, filters) {
  const size = view.document.words ?? 0; // not known of a text that is not kept
  const reasons = new Set([...(view.document.left_out ?? []), ...filters.leaveOut]);
  const out = mergedRanges(view.document.marks.filter((mark) => reasons.has(mark[2])).map((mark) => [mark[3], mark[4]]));
  const outCounts = runningCounts(size, out);
  const left = size - outCounts[size];
  const shown = view.sources.map((source, index) =>
    source.passages.map((passage) => {
      if (filters.hidden.includes(index)) return false;
      if (filters.kinds !== null && !filters.kinds.includes(passage.kind)) return false;
      const kept = passage.last - passage.first - wordsIn(outCounts, passage.first, passage.last);
      return kept > 0 && Math.min(kept, passage.words) >= filters.leastWords;
    }),
  );
  const ranges = view.sources.map((source, index) =>
    mergedRanges(source.passages.filter((_, at) => shown[index][at]).map((passage) => [passage.first, passage.last])),
  );
  const counts = ranges.map((own) =>
    own.reduce((sum, [first, last]) => sum + last - first - wordsIn(outCounts, first, last), 0),
  );
  counts.forEach((count, index) => {
    if (left > 0 && count / left < filters.leastShare) {
      counts[index] = 0;
      ranges[index] = [];
      shown[index] = shown[index].map(() => false);
    }
  });
  return { size: left, outCounts, shown, ...creditWords(view.sources, ranges, counts, outCounts, size) };
}

function creditWords(sources, ranges, counts, outCounts, size) {
  const byAll = sources
    .map((_, index) => index)
    .sort((one, other) => counts[other] - counts[one] || compareIds(sources[one].id, sources[other].id));
  const taken = new Uint8Array(size);
  const credited = new Array(sources.length).fill(0);
  let matched = 0;
  for (const index of byAll) {
    for (const [first, last] of ranges[index]) {
      for (let word = first; word < last && word < size; word += 1) {
        if (taken[word] || outCounts[word + 1] > outCounts[word]) continue;
        taken[word] = 1;
        credited[index] += 1;
        matched += 1;
      }
    }
  }
  const byBest = byAll.slice().sort((one, other) => credited[other] - credited[one]);
  return { matched, counts, credited, byAll, byBest };
}

export function compareIds(one, other) {
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
