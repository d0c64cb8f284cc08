// Whether a text quotes and cites where a passage is: four groups, in words and as a sign that needs no
// colour. A rule decides (`passages/attribution`), which sees marks and understands nothing.

import { filteredScore } from "./document_score.js";

// In the order in which words count: a word in passages of several groups counts in the last of them.
export const ATTRIBUTIONS = [
  { group: "quoted and cited", column: "quoted_and_cited", label: "quoted and cited", sign: "“…” [1]" },
  { group: "quoted", column: "quoted", label: "quoted without citation", sign: "“…”" },
  { group: "cited", column: "cited", label: "cited without quotation marks", sign: "[1]" },
  { group: "neither", column: "neither", label: "neither quotation marks nor citation", sign: "–" },
];
export const ATTRIBUTION_LIMITS = "A rule looks for quotation marks, block quotes and citations near each passage. It does not understand the text or check that a citation names the source, and misses footnote marks that were lost when the file was read.";

const LABELS = new Map(ATTRIBUTIONS.map(({ group, label }) => [group, label]));

export function attributionWords(group) {
  return LABELS.get(group) ?? null;
}

// Of both texts of a passage.
export function pairAttribution({ attribution, other_attribution: other }) {
  const [first, second] = [attributionWords(attribution), attributionWords(other)];
  if (!first || !second) return null;
  return first === second ? `${first} in both` : `left: ${first}; right: ${second}`;
}

// By group, the passages and words of a document under filters, whichever groups are switched off. The
// words add up to the matched words.
export function attributedWords(view, filters) {
  const every = filteredScore(view, { ...filters, attributions: null });
  const small = view.sources.map((_, index) => index).filter((index) => !every.counts[index]);
  const hidden = [...new Set([...filters.hidden, ...small])];
  const upwards = ATTRIBUTIONS.map((_, at) => filteredScore(view, { ...filters, hidden, minShare: 0, attributions: ATTRIBUTIONS.slice(at).map(({ group }) => group) }).matched);
  return ATTRIBUTIONS.map(({ group }, at) => ({
    group,
    words: upwards[at] - (upwards[at + 1] ?? 0),
    passages: view.sources.reduce((sum, source, index) => sum + source.passages.filter((passage, place) => every.shown[index][place] && passage.attribution === group).length, 0),
    size: every.size,
  }));
}
