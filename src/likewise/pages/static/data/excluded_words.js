// What excluded text leaves of a passage, by the rule of Python (`passages/excluded_words.py`).
//
// Texts are aligned as a whole; a matched word is not shared if it is excluded in either text.

// `out` and `otherOut` are the excluded parts of both texts (`excludedParts`). Returns null for a
// passage that they do not touch; otherwise the runs of matched words outside of them, in groups
// between the same excluded parts, and the score of each.
export function remainingGroups(passage, out, otherOut) {
  const touches = (parts, first, last) => parts.some((part) => part.first < last && first < part.last && part.first < part.last);
  if (!touches(out, passage.first, passage.last) && !touches(otherOut, passage.other_first, passage.other_last)) return null;
  const groups = new Map();
  for (const run of passage.matches) {
    const [own, other] = [placeAmong(out, run[0]), placeAmong(otherOut, run[1])];
    if (own.isInside || other.isInside) continue;
    const key = `${own.before} ${other.before}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((runs) => ({ runs, score: Math.max(scoreOf(runs), scoreOf(turned(runs))) }));
}

// How many excluded parts begin before a word, and whether it is in one.
function placeAmong(parts, word) {
  let before = 0;
  for (const { first, last } of parts) {
    if (first > word) break;
    if (word < last) return { isInside: true };
    if (first < last) before += 1;
  }
  return { before, isInside: false };
}

function turned(runs) {
  return runs.map(([own, other, words]) => [other, own, words]).sort((one, two) => one[0] - two[0]);
}

// The best stretch of runs in the same order on both sides: matched less changed words.
function scoreOf(runs) {
  let [best, score, end, otherEnd] = [0, 0, 0, 0];
  for (const [own, other, words] of runs) {
    const changed = Math.max(own - end, other - otherEnd);
    score = (other >= otherEnd ? Math.max(0, score - changed) : 0) + words;
    best = Math.max(best, score);
    [end, otherEnd] = [own + words, other + words];
  }
  return best;
}
