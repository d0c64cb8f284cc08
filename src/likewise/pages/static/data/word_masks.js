// Masks: which words of a text are excluded, as sorted [first, behind the last] that do not touch.

export function unionOf(ranges) {
  const sorted = ranges.filter(([first, last]) => first < last).sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  const merged = [];
  for (const [first, last] of sorted) {
    const before = merged[merged.length - 1];
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

export function wordsIn(ranges) {
  return ranges.reduce((sum, [first, last]) => sum + last - first, 0);
}

// How many of the ranges begin at or before a word.
export function begunBefore(mask, word) {
  let [low, high] = [0, mask.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (mask[middle][0] <= word) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The parts of the mask between two words.
export function maskedWithin(mask, first, last) {
  const parts = [];
  for (let at = Math.max(0, begunBefore(mask, first) - 1); at < mask.length && mask[at][0] < last; at += 1) {
    if (mask[at][1] > first) parts.push([Math.max(first, mask[at][0]), Math.min(last, mask[at][1])]);
  }
  return parts;
}
