// How to read this page, in plain words.

import { h } from "../parts/dom.js";
import { P_MEANING, Q_MEANING, RUN_CHANCE_HELP } from "../data/numbers.js";

const EXCLUDING = "Exclusions";
const ENTRIES = [
  ["Similarity is not a verdict", "A high number says that two texts have many words in common. It does not say why: a quotation, a template, the same assignment, work done together and copying all look alike in numbers. Read both texts before you conclude anything."],
  ["Similarity (Jaccard)", "Both texts are cut into short groups of neighbouring words or letters. The similarity is the share of all distinct groups that both texts contain: 1 means the same groups, 0 none in common."],
  ["Containment", "The share of one text’s groups that are also in the other. A short text that was taken whole into a long one has a containment near 1, though the similarity of the two is small."],
  ["Interval", "Where a similarity is an estimate, as in 0.71 (0.63–0.78), the true value lies within the brackets in about 95 of 100 such cases. Numbers without brackets were counted."],
  ["Chance level", "The similarity that unrelated texts reach. Values near or below this line mean nothing. It depends on the subject and the length of the texts."],
  ["Shared words and passages", "A passage is a stretch that two documents share: verbatim, edited or reordered. Only its matched words, which are marked on both sides, count as shared; words between them do not. Each word of a document counts once, however many sources have it."],
  [EXCLUDING, "Exclusions, in the header, takes text, passages and pairs out of all pages. Excluded words count neither as shared nor as words of a document. If that cuts a passage, each remaining part must be long enough to be a passage of its own. The figures are those of a report that was written with options such as --no-quotations."],
  ["Possibly reworded", "Stretches that have single rare words in common, but no wording. They are listed separately and are not part of any percentage."],
  ["Longest run", "The largest number of consecutive words that are the same on both sides."],
  ["Chance of a match", RUN_CHANCE_HELP],
  ["p and q of the similarity", `p: ${P_MEANING}. q: ${Q_MEANING}. Small values speak against chance, not for any cause. With ≤, no smaller p could have come out of so few pairs: the true one may be less. Neither is shown where too few pairs are unrelated.`],
];

export function readingHelp() {
  return h(
    "details",
    { class: "card reading", id: "reading" },
    h("summary", {}, h("h2", {}, "How to read this page")),
    readingList(),
  );
}

// On paper without what can be done on the page.
export function readingList(onPaper = false) {
  return h("dl", {}, ENTRIES.filter(([term]) => !onPaper || term !== EXCLUDING).map(([term, words]) => h("div", {}, h("dt", {}, term), h("dd", {}, words))));
}
