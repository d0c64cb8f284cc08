// Passages as the survey has them: flat lists of whole numbers (`survey/exclusion_data.py`).

import { placesOf, scoreOfBoth } from "./cut_passages.js";

const PASSAGE_KINDS = ["verbatim", "edited", "reordered", "reworded"];
const HAS_SCORE = 4;
const HAS_PLACES = 8;
const ATTRIBUTION_BITS = [4, 6]; // of a and of b, two bits each

export function unpackedPassages(packed) {
  const passages = [];
  for (let at = 0; at < packed.length; ) {
    const [kind, count] = [packed[at], packed[at + 1]];
    at += 2;
    const runs = [];
    let [endA, endB] = [0, 0];
    for (const behind = at + 3 * count; at < behind; at += 3) {
      const [a, b, words] = [endA + packed[at], endB + packed[at + 1], packed[at + 2]];
      runs.push([a, b, words]);
      [endA, endB] = [a + words, b + words];
    }
    const score = kind & HAS_SCORE ? packed[at++] : scoreOfBoth(runs);
    const places = kind & HAS_PLACES ? packed.slice(at, (at += 4)) : placesOf(runs);
    passages.push({ kind: PASSAGE_KINDS[kind & 3], runs, score, places, attributions: ATTRIBUTION_BITS.map((bit) => (kind >> bit) & 3) });
  }
  return passages;
}
