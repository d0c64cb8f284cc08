// The words of a family, one to one across all of its witnesses, and what all of them have: the rules of
// Python (`passages/families/columns.py` and `described.py`) and of the core (`core/columns.cpp`).

import { placeAfter } from "./family_cuts.js";

// For each word that two or more witnesses have, its number in each, or -1; `runs` are [witness,
// witness, [word, word, words]].
export function alignedColumns(stretches, runs) {
  const offsets = [0];
  for (const { first, stop } of stretches) offsets.push(offsets[offsets.length - 1] + stop - first);
  const placed = runs.map(([one, other, [a, b, length]]) => {
    const [x, y] = [a - stretches[one].first + offsets[one], b - stretches[other].first + offsets[other]];
    return [Math.min(x, y), Math.max(x, y), length];
  });
  placed.sort((x, y) => y[2] - x[2] || x[0] - y[0] || x[1] - y[1]);
  const witnessOf = (word) => placeAfter(offsets, word) - 1;
  const words = new JoinedWords(offsets[offsets.length - 1], witnessOf);
  for (const [a, b, length] of placed) for (let at = 0; at < length; at += 1) words.join(a + at, b + at);
  return words.columns().map((column) => {
    const row = stretches.map(() => -1);
    for (const word of column) row[witnessOf(word)] = word - offsets[witnessOf(word)] + stretches[witnessOf(word)].first;
    return row;
  });
}

// Words that are joined, unless that would join two words of one witness.
class JoinedWords {
  constructor(count, witnessOf) {
    this.parent = Int32Array.from({ length: count }, (_, word) => word);
    this.witnessOf = witnessOf;
    this.members = new Map(); // the witnesses of a column of two words or more, by its root
  }

  root(word) {
    const { parent } = this;
    let at = word;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  }

  join(one, other) {
    const [x, y] = [this.root(one), this.root(other)].sort((p, q) => p - q);
    if (x === y) return;
    const [ofX, ofY] = [x, y].map((root) => this.members.get(root) ?? new Set([this.witnessOf(root)]));
    for (const witness of ofY) if (ofX.has(witness)) return;
    for (const witness of ofY) ofX.add(witness);
    this.members.delete(y);
    this.members.set(x, ofX);
    this.parent[y] = x;
  }

  columns() {
    const found = new Map([...this.members.keys()].map((root) => [root, []]));
    this.parent.forEach((_, word) => found.get(this.root(word))?.push(word));
    return [...found.values()];
  }
}

// The columns that all documents have, each in at least one of its places; `rows` are the documents of the
// witnesses.
export function commonColumns(columns, rows) {
  const places = placesByDocument(rows);
  return columns.filter((column) => places.every((own) => own.some((witness) => column[witness] >= 0)));
}

// The most words in a row that every document has in a row in one of its places. Such a run is in one of
// the places of any document: those of the document with the fewest of them are looked at.
export function longestCommonRun(common, rows) {
  const places = placesByDocument(rows);
  let longest = 0;
  for (const base of places.reduce((fewest, own) => (own.length < fewest.length ? own : fewest))) {
    const ordered = common.filter((column) => column[base] >= 0).sort((one, other) => one[base] - other[base]);
    const ahead = rows.map(() => 0); // columns from here on that have the words of a witness in a row
    for (let at = ordered.length - 1; at >= 0; at -= 1) {
      const [column, next] = [ordered[at], ordered[at + 1]];
      column.forEach((word, witness) => {
        if (word < 0) ahead[witness] = 0;
        else ahead[witness] = next?.[witness] === word + 1 ? ahead[witness] + 1 : 1;
      });
      longest = Math.max(longest, Math.min(...places.map((own) => Math.max(...own.map((witness) => ahead[witness])))));
    }
  }
  return longest;
}

// The positions of the witnesses of each document.
function placesByDocument(rows) {
  return [...new Set(rows)].map((row) => rows.flatMap((one, witness) => (one === row ? [witness] : [])));
}

// Columns as runs, as a survey has them (`packed_words` of `survey/families.py`).
export function packedColumns(columns, firsts) {
  const counted = columns.map((column) => column.map((word, witness) => (word < 0 ? 0 : word - firsts[witness] + 1)));
  counted.sort(byNumbers);
  const packed = [];
  let start = null;
  counted.forEach((column, at) => {
    const before = counted[at - 1];
    const follows = before && column.every((word, witness) => (word > 0) === (before[witness] > 0) && word === (word > 0 ? before[witness] + 1 : 0));
    if (follows) packed[start] += 1;
    else {
      start = packed.length;
      packed.push(1, ...column);
    }
  });
  return packed;
}

function byNumbers(one, other) {
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return one[at] - other[at];
  return 0;
}

const SAME_WORDS = 0.95;
const SAME_NEIGHBOURS = 0.9;
const SAME_ORDER = 0.7;

// How a passage was changed, by its matched words (`kind_of` of `passages/passage.py`); `wordsA` and
// `wordsB` are all words, `pairs` the matched ones of both, in the order of a.
export function changeOf(wordsA, wordsB, pairs) {
  const runs = [];
  for (const [a, b] of pairs) {
    const last = runs[runs.length - 1];
    if (last && a === last[0] + last[2] && b === last[1] + last[2]) last[2] += 1;
    else runs.push([a, b, 1]);
  }
  const matched = pairs.length;
  if (wordsInOrder(runs) < SAME_ORDER * matched) return "reordered";
  const isSame = matched >= SAME_WORDS * Math.max(wordsA, wordsB) && matched - runs.length >= SAME_NEIGHBOURS * (matched - 1);
  return isSame ? "verbatim" : "edited";
}

// The most matched words that are in the same order on both sides, by a Fenwick tree over b.
function wordsInOrder(runs) {
  const rank = new Map(runs.map(([, b]) => b).sort((x, y) => x - y).map((b, at) => [b, at + 1]));
  const best = new Array(rank.size + 1).fill(0);
  let most = 0;
  for (const [, b, words] of runs) {
    let before = 0;
    for (let at = rank.get(b) - 1; at; at &= at - 1) before = Math.max(before, best[at]);
    const here = before + words;
    most = Math.max(most, here);
    for (let at = rank.get(b); at <= rank.size; at += at & -at) best[at] = Math.max(best[at], here);
  }
  return most;
}
