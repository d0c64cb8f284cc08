// Whether a text quotes and cites where a passage is: four groups, in words and as a sign that needs no
// colour. A rule decides (`passages/attribution`), which sees marks and understands nothing.

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
