// Half-open ranges of words, and the excluded parts of a text.

import { plural, whole } from "../data/numbers.js";

// The size of a document, of which percentages are taken: "210 words, 60 excluded". It is not known
// of a text that is not kept.
export function wordCount(shown) {
  if (typeof shown.words !== "number") return null;
  const excluded = excludedParts(shown, shown.left_out ?? []).reduce((sum, { first, last }) => sum + last - first, 0);
  return `${plural(shown.words, "word")}${excluded ? `, ${whole(excluded)} excluded` : ""}`;
}

// The parts of a text that are excluded by these reasons, in order: {start, end} in characters and
// {first, last} in words. Those that overlap are one.
export function excludedParts(shown, reasons) {
  const known = new Set(reasons);
  const parts = [];
  for (const [start, end, reason, first, last] of (shown.marks ?? []).slice().sort((x, y) => x[0] - y[0])) {
    const before = parts[parts.length - 1];
    if (!known.has(reason)) continue;
    if (before && start <= before.end) Object.assign(before, { end: Math.max(end, before.end), last: Math.max(last, before.last) });
    else parts.push({ start, end, first, last });
  }
  return parts;
}
