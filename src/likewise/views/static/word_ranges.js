// Half-open ranges of words, and how many words they hold.

export function mergedRanges(ranges) {
  const sorted = ranges.filter(([first, last]) => first < last).sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  const merged = [];
  for (const [first, last] of sorted) {
    const before = merged[merged.length - 1];
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

// For each place how many words before it are in the ranges.
export function runningCounts(size, merged) {
  const counts = new Uint32Array(size + 1);
  let at = 0;
  for (let word = 0; word < size; word += 1) {
    while (at < merged.length && merged[at][1] <= word) at += 1;
    const inside = at < merged.length && merged[at][0] <= word;
    counts[word + 1] = counts[word] + (inside ? 1 : 0);
  }
  return counts;
}

export function wordsIn(counts, first, last) {
  const end = counts.length - 1;
  return counts[Math.min(last, end)] - counts[Math.min(first, end)];
}
