// Matched words by how the text quotes and cites where they are. A word in passages of several groups
// counts in the last of them, so that the words of all groups add up to the matched words.

import { ATTRIBUTIONS } from "./attributions.js";
import { filteredScore } from "./document_score.js";
import { unionOf, wordsIn } from "./word_masks.js";

// `passages`: [place of the group in ATTRIBUTIONS, ranges of matched words].
export function wordsByAttribution(passages) {
  const upwards = ATTRIBUTIONS.map((_, place) => wordsIn(unionOf(passages.filter(([group]) => group >= place).flatMap(([, ranges]) => ranges))));
  return upwards.map((words, place) => words - (upwards[place + 1] ?? 0));
}

// By group, the passages and words of a document under filters, whichever groups are switched off.
export function attributedWords(view, filters) {
  const { shown, size } = filteredScore(view, { ...filters, attributions: null });
  const groups = new Map(ATTRIBUTIONS.map(({ group }, place) => [group, place]));
  const passages = view.sources.flatMap((source, index) => source.passages.filter((_, at) => shown[index][at]))
    .map((passage) => [groups.get(passage.attribution), passage.matches.map(([first, , words]) => [first, first + words])]);
  const words = wordsByAttribution(passages);
  return ATTRIBUTIONS.map((_, place) => ({ words: words[place], passages: passages.filter(([group]) => group === place).length, size }));
}
