// The probability that unrelated texts share a run, by the law of Python (`statistics/shared_runs.py`).

const PROSE = { rates: [6.6e-3, 1.3e-4, 10 ** -5.5, 10 ** -6.5, 10 ** -7.5, 10 ** -8.5], tail: 0.25, minExcess: 1 };
const UNSPACED = { rates: [8e-3, 4e-4, 1e-4, 3e-5, 1e-5, 3e-6], tail: 0.4, minExcess: 0.05 };
export const SMALLEST_P = 1e-6;
const SHORT_PRIOR = 5; // short runs that are added to both sides
const USUAL_MIN_WORDS = 12; // DEFAULT_MIN_WORDS of Python

// `texts`: {words: [of a, of b], runs: [short runs, pairs of equal words], unspaced}. Null for a passage
// whose evidence is single rare words and not runs.
export function passageChance(passage, run, texts, minWords) {
  if (!texts.runs || passage.kind === "reworded") return null;
  const isInRuns = passage.kind === "reordered" ? run >= (texts.unspaced ? 2 : 1) * minWords : run >= minWords || passage.score >= USUAL_MIN_WORDS;
  return isInRuns ? Math.max(SMALLEST_P, pairRunChance(passage.score, texts)) : null;
}

// Nothing is known of two texts whose `runs` are null.
export function pairRunChance(run, { words: [a, b], runs, unspaced }) {
  if (run <= 0) return 1;
  const law = unspaced ? UNSPACED : PROSE;
  const excess = runs ? Math.max(law.minExcess, ((runs[0] + SHORT_PRIOR) / (a * b * rateOf(law, 2) + SHORT_PRIOR)) ** 2) : 1;
  const least = runs ? (runs[1] / Math.max(1, a * b)) ** run : 0;
  const places = Math.max(0, a - run + 1) * Math.max(0, b - run + 1);
  return -Math.expm1(-places * Math.max(rateOf(law, run) * excess, least));
}

function rateOf({ rates, tail }, run) {
  return rates[Math.min(run, rates.length) - 1] * tail ** Math.max(0, run - rates.length);
}
