// Passage families as rows: wording that the same documents share, with the witnesses that have it.

import { dateParts } from "../data/dates.js";

const FAMILY_CHANGES = ["verbatim", "edited", "reordered"];

// `columns` are those of a survey (`survey/families.py`), whose rows of documents `documentOf` knows.
export function familyRows(columns, documentOf) {
  return columns.witnesses.map((flat, at) => {
    const witnesses = [];
    for (let place = 0; place < flat.length; place += 3) {
      const [row, first, stop] = flat.slice(place, place + 3);
      witnesses.push({ document: documentOf(row), first, stop, words: stop - first, matched: 0 });
    }
    const runs = unpackedRuns(columns.words[at], witnesses);
    const dates = witnesses.map(({ document }) => document?.date ?? null);
    const earliest = earliestOf(dates);
    const groups = [...new Set(witnesses.map(({ document }) => document?.group).filter((group) => (group ?? null) !== null))].sort();
    return {
      at, documents: columns.documents[at], common: columns.common[at], run: columns.run[at], p: columns.p[at], kind: columns.kind[at],
      witnesses, runs, earliest, groups, base: earliest[0] ?? 0,
      words: Math.max(...witnesses.map(({ words }) => words)),
      similarity: witnesses.reduce((sum, { matched }) => sum + matched, 0) / witnesses.reduce((sum, { words }) => sum + words, 0),
    };
  });
}

// Runs of words that the same witnesses have: {length, places}, where `places` are the words of the
// documents, -1 of a witness that lacks them.
function unpackedRuns(packed, witnesses) {
  const runs = [];
  for (let at = 0; at < packed.length; at += witnesses.length + 1) {
    const length = packed[at];
    const places = witnesses.map((witness, place) => {
      const word = packed[at + 1 + place];
      if (word) witness.matched += length;
      return word ? witness.first + word - 1 : -1;
    });
    runs.push({ length, places });
  }
  return runs;
}

// The positions of the earliest of at least two dates, as Python finds them.
function earliestOf(dates) {
  const known = dates.map((date, at) => [...dateParts(date), 1, 1].slice(0, 3).concat(at)).filter((_, at) => dateParts(dates[at]).length);
  if (known.length < 2) return [];
  const [first] = known.slice().sort((x, y) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || x[3] - y[3]);
  return known.filter((one) => [0, 1, 2].every((part) => one[part] === first[part])).map(([, , , at]) => at);
}

// The greater of several changes.
export function greatestChange(kinds) {
  return FAMILY_CHANGES[Math.max(...kinds.map((kind) => FAMILY_CHANGES.indexOf(kind)))];
}

// How one witness differs from another, as parts of both in the order of the first: {kind, own, other},
// ranges of words. "same" words are in both; "moved" ones too, but elsewhere in the other; "added" are
// only in the first, "missing" only in the other.
export function differences({ runs, witnesses }, own, other) {
  const shared = runs.filter(({ places }) => places[own] >= 0 && places[other] >= 0).map(({ length, places }) => [places[own], places[other], length]).sort((x, y) => x[0] - y[0]);
  const inOrder = heaviestInOrder(shared);
  const covered = shared.map(([, at, length]) => [at, at + length]).sort((x, y) => x[0] - y[0]);
  const parts = [];
  const put = (kind, from, to, of, until) => {
    const before = parts[parts.length - 1];
    if (before && before.kind === kind && before.own[1] === from && before.other[1] === of) [before.own[1], before.other[1]] = [to, until];
    else parts.push({ kind, own: [from, to], other: [of, until] });
  };
  const missing = (from, to, at) => {
    let begin = from;
    for (const [start, end] of [...covered.filter(([start, end]) => end > from && start < to), [to, to]]) {
      if (start > begin) put("missing", at, at, begin, start);
      begin = Math.max(begin, end);
    }
  };
  let [end, otherEnd] = [witnesses[own].first, witnesses[other].first];
  shared.forEach(([first, at, length], index) => {
    if (first > end) put("added", end, first, otherEnd, otherEnd);
    if (inOrder.has(index)) {
      missing(otherEnd, at, first);
      put("same", first, first + length, at, at + length);
      otherEnd = at + length;
    } else put("moved", first, first + length, at, at + length);
    end = first + length;
  });
  if (witnesses[own].stop > end) put("added", end, witnesses[own].stop, otherEnd, otherEnd);
  missing(otherEnd, witnesses[other].stop, witnesses[own].stop);
  return parts;
}

// Which of the runs, in the order of one side, are in the same order on the other: those with most words.
function heaviestInOrder(runs) {
  const best = runs.map(([, , length]) => length);
  const before = runs.map(() => -1);
  runs.forEach(([, at, length], index) => {
    for (let one = 0; one < index; one += 1) {
      if (runs[one][1] + runs[one][2] <= at && best[one] + length > best[index]) [best[index], before[index]] = [best[one] + length, one];
    }
  });
  const chosen = new Set();
  for (let at = best.indexOf(Math.max(...best)); at >= 0; at = before[at]) chosen.add(at);
  return chosen;
}
