// The view of a document or of a pair with exclusions.

import { cutPassage, longestRun, matchedWords } from "./cut_passages.js";
import { passageChance } from "./run_chance.js";
import { unionOf, wordsIn } from "./word_masks.js";
import { matchedRanges } from "./excluded_survey.js";
import { wordsOfText } from "../texts/words.js";

// Where the words of a text are, in code points; found when they are first asked for.
export class WordPlaces {
  constructor(text) {
    this.text = text;
    this.found = null;
  }

  // From the first word to that before the last.
  range(first, last) {
    if (this.text === null || this.text === undefined) return [0, 0];
    this.found ??= wordsOfText(this.text);
    return [this.found.begins[first] ?? 0, this.found.ends[last - 1] ?? 0];
  }
}

// What is left of the passages that a document shares with another, as this document sees them.
// `sides`: {mask, places} of both; `texts` is what the chance of a run depends on.
export function remainingPassages(passages, sides, texts, { minScore, minWords, minPassage }) {
  const [{ mask }, { mask: otherMask }] = sides;
  const left = [];
  for (const passage of passages) {
    const plain = plainPassage(passage);
    for (const part of cutPassage(plain, mask, otherMask, minScore)) {
      if (matchedWords(part) < minPassage) continue;
      left.push(part === plain ? passage : shownPart(passage, part, sides, texts, minWords));
    }
  }
  return left.sort((x, y) => x.first - y.first || x.last - y.last);
}

export function plainPassage(passage) {
  return {
    kind: passage.kind,
    runs: passage.matches.map(([own, other, words]) => [own, other, words]),
    places: [passage.first, passage.last, passage.other_first, passage.other_last],
  };
}

function shownPart(passage, part, [own, other], texts, minWords) {
  const [first, last, otherFirst, otherLast] = part.places;
  const [words, run] = [matchedWords(part), longestRun(part)];
  const edges = (places, from, to, known) => {
    const [start, end] = places.range(from, to);
    return [from === known[0] ? known[2] : start, to === known[1] ? known[3] : end];
  };
  const [start, end] = edges(own.places, first, last, [passage.first, passage.last, passage.start, passage.end]);
  const [otherStart, otherEnd] = edges(other.places, otherFirst, otherLast, [passage.other_first, passage.other_last, passage.other_start, passage.other_end]);
  return {
    ...passage, start, end, first, last, other_start: otherStart, other_end: otherEnd, other_first: otherFirst, other_last: otherLast,
    words, run, similarity: (2 * words) / (last - first + otherLast - otherFirst),
    p: texts ? passageChance(part, run, texts, minWords) : null,
    matches: part.runs.map((match) => placedMatch(match, own.places, other.places)),
    changed: gapsBetween(matchedRanges([part], 0), first, last).map((gap) => own.places.range(...gap)),
    other_changed: gapsBetween(matchedRanges([part], 1), otherFirst, otherLast).map((gap) => other.places.range(...gap)),
  };
}

// A run of matched words, [word of a, word of b, words], with its start and end in a and in b.
export function placedMatch([a, b, words], places, otherPlaces) {
  return [a, b, words, ...places.range(a, a + words), ...otherPlaces.range(b, b + words)];
}

function gapsBetween(ranges, first, last) {
  const gaps = [];
  let from = first;
  for (const [begin, end] of [...ranges, [last, last]]) {
    if (begin > from) gaps.push([from, begin]);
    from = Math.max(from, end);
  }
  return gaps;
}

// The measures of a pair by what is left of its passages; `sizes` are the words of both texts that are
// not excluded, null where they are not known.
export function remainingMeasures(measures, { passages, reworded }, sizes) {
  const words = [0, 1].map((side) => wordsIn(matchedRanges(passages.map(plainPassage), side)));
  const share = (side) => (sizes[side] ? words[side] / sizes[side] : 0);
  const chances = passages.map(({ p }) => p).filter((p) => typeof p === "number");
  return {
    ...measures,
    words: words[0], words_b: words[1], share_a: share(0), share_b: share(1),
    passages: passages.length, reworded: reworded.length, run: Math.max(0, ...passages.map(({ run }) => run)),
    run_p: chances.length ? Math.min(...chances) : null,
  };
}

// A text whose excluded words are marked; `words` are by reason those that it has no marks for yet.
export function markedText(shown, reasons, words, places) {
  const marks = [...(shown.marks ?? [])];
  for (const [reason, ranges] of words) for (const [first, last] of unionOf(ranges)) marks.push([...places.range(first, last), reason, first, last]);
  marks.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  return { ...shown, marks, left_out: [...new Set([...(shown.left_out ?? []), ...reasons])] };
}
