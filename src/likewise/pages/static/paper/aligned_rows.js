// A passage cut into rows that have the same words on both sides, so that it can break over sheets
// without losing its alignment. Rows end where sentences do, as far as both sides allow.

import { longestChain } from "../texts/chain.js";
import { unitPlaces } from "../texts/code_points.js";
import { wordsOfText } from "../texts/words.js";

const MIN_MOVED = 8; // words of a part that is elsewhere on the other side and has rows of its own
const MIN_ROW = 70; // characters of a row, half as many in a script without spaces
const MAX_ROW = 260;

const SENTENCE_ENDS = /[.!?…。！？؟۔।]|\n/u;

// `a` and `b`: {text, at, unspaced}, where `at` turns code points into places of the text. Returns rows
// {a, b, part, otherPart, parts}: places [start, end] in both texts, and of a reordered passage which
// of its parts it is, counted on each side.
export function alignedRows(passage, a, b) {
  const runs = aligningRuns(runsOf(passage, a, b));
  const ends = { a: [a.at(passage.start), a.at(passage.end)], b: [b.at(passage.other_start), b.at(passage.other_end)] };
  if (!runs.length) return [{ ...ends, part: 0, otherPart: 0, parts: 1 }];
  const blocks = blocksOf(runs);
  const limits = a.unspaced || b.unspaced ? [MIN_ROW / 2, MAX_ROW / 2] : [MIN_ROW, MAX_ROW];
  placeBlocks(blocks, "a", ends.a);
  placeBlocks([...blocks].sort((one, other) => one.runs[0].b[0] - other.runs[0].b[0]), "b", ends.b);
  return blocks.flatMap((block) => {
    const cuts = cutsOf(block.runs, a.text, b.text, limits);
    const starts = [[block.a[0], block.b[0]], ...cuts];
    return starts.map(([start, other], at) => ({
      a: [start, at + 1 < starts.length ? starts[at + 1][0] : block.a[1]],
      b: [other, at + 1 < starts.length ? starts[at + 1][1] : block.b[1]],
      part: block.aPlace, otherPart: block.bPlace, parts: blocks.length,
    }));
  });
}

// Matched words as places of one text; those that follow each other are one, with what is between.
export function matchedPlaces(passage, side, at) {
  const [word, start] = side === "a" ? [0, 3] : [1, 5];
  const places = [];
  let next = null; // the word behind the last
  for (const match of passage.matches.slice().sort((one, other) => one[word] - other[word])) {
    const [from, to] = [at(match[start]), at(match[start + 1])];
    if (match[word] === next) places[places.length - 1][1] = to;
    else places.push([from, to]);
    next = match[word] + match[2];
  }
  return places;
}

function runsOf(passage, a, b) {
  return passage.matches
    .map(([own, other, words, start, end, otherStart, otherEnd]) => ({ own, other, words, a: [a.at(start), a.at(end)], b: [b.at(otherStart), b.at(otherEnd)] }))
    .sort((one, other) => one.a[0] - other.a[0]);
}

// Those that rows follow: as many words as are in the same order on both sides, and longer parts that
// are not. Single words that are matched elsewhere would tear every row apart.
function aligningRuns(runs) {
  const words = runs.flatMap((run) => Array.from({ length: run.words }, (_, at) => [run, at]));
  const chain = longestChain(words.map(([run, at]) => run.own + at), words.map(([run, at]) => run.other + at));
  const inOrder = new Set(chain.map((at) => words[at][0]));
  const moved = blocksOf(runs.filter((run) => !inOrder.has(run))).filter((block) => block.runs.reduce((sum, run) => sum + run.words, 0) >= MIN_MOVED);
  const kept = new Set([...inOrder, ...moved.flatMap((block) => block.runs)]);
  return runs.filter((run) => kept.has(run));
}

// Runs that follow each other on both sides.
function blocksOf(runs) {
  const rank = new Map([...runs].sort((one, other) => one.b[0] - other.b[0]).map((run, place) => [run, place]));
  const blocks = [];
  let before = null;
  for (const run of runs) {
    if (before !== null && rank.get(run) === rank.get(before) + 1) blocks[blocks.length - 1].runs.push(run);
    else blocks.push({ runs: [run] });
    before = run;
  }
  return blocks;
}

// What is between two blocks belongs to the first.
function placeBlocks(blocks, side, [start, end]) {
  blocks.forEach((block, place) => {
    const next = blocks[place + 1];
    block[side] = [place ? block.runs[0][side][0] : start, next ? next.runs[0][side][0] : end];
    block[`${side}Place`] = place;
  });
}

function cutsOf(runs, text, other, [min, max]) {
  const cuts = [];
  let last = runs[0].a[0];
  const cut = (here, there) => {
    cuts.push([here, there]);
    last = here;
  };
  runs.forEach((run, place) => {
    if (place && run.a[0] - last >= min) cut(run.a[0], run.b[0]);
    for (const [here, there, isEnd] of placesWithin(run, text, other)) {
      if (here - last >= (isEnd ? min : max)) cut(here, there);
    }
  });
  if (runs[runs.length - 1].a[1] - last < min / 2) cuts.pop(); // no row of a few words
  return cuts;
}

// Where a run may be cut: the beginnings of its words on both sides, and whether a sentence begins.
function placesWithin(run, text, other) {
  const [own, twin] = [rowWords(text.slice(...run.a)), rowWords(other.slice(...run.b))];
  if (own.length !== twin.length) return [];
  return own.slice(1).map((word, at) => [run.a[0] + word.start, run.b[0] + twin[at + 1].start, SENTENCE_ENDS.test(word.before)]);
}

// Each word begins with the signs before it that no space separates from it, such as a quotation mark.
function rowWords(text) {
  const [{ begins, ends }, at] = [wordsOfText(text), unitPlaces(text)];
  return begins.map((begin, index) => {
    const before = text.slice(index ? at(ends[index - 1]) : 0, at(begin));
    const signs = /\s\S+$/u.exec(before);
    return { start: at(begin) - (signs ? signs[0].length - 1 : 0), before };
  });
}
