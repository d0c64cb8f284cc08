// How to read this page, in plain words.

import { h } from "./dom.js";

const ENTRIES = [
  ["Similarity is no verdict", "A high number says that two texts have many words in common. It does not say why: a quotation, a template, the same assignment, work done together and copying all look alike in numbers. Read both texts before you conclude anything."],
  ["Similarity (Jaccard)", "Both texts are cut into short groups of neighbouring words or letters. The similarity is the part of all their different groups that both texts have: 1 means the same groups, 0 none in common."],
  ["Containment", "The part of one text’s groups that the other one has too. A short text that was taken whole into a long one has a containment near 1, though the similarity of the two is small."],
  ["Interval", "Where a similarity is an estimate, as in 0.71 (0.63–0.78), the true value lies within the brackets in about 95 of 100 such cases. Numbers without brackets were counted."],
  ["Chance level", "What texts that have nothing to do with each other reach all the same. Values near or below this line mean nothing. It depends on the subject and the length of the texts."],
  ["Shared words and passages", "A passage is a stretch that two documents share: word for word, edited, reordered or shortened. A document’s shared words are those in at least one passage; each counts once, however many sources have it."],
  ["Longest run", "The most words that follow each other in the same order on both sides. Beside it stands what chance would reach between texts of this length."],
  ["p and q", "How often chance alone would give a value as high as this one: for this pair looked at by itself (p), and with all pairs in mind that were looked at (q). Small values speak against chance, not for any cause. With ≤, no smaller value could have come out of so few pairs: the true one may be less."],
];

export function readingHelp() {
  return h(
    "details",
    { class: "card reading", id: "reading" },
    h("summary", {}, h("h2", {}, "How to read this page")),
    h("dl", {}, ENTRIES.map(([term, words]) => h("div", {}, h("dt", {}, term), h("dd", {}, words)))),
  );
}
