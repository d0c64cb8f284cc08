// Passages as runs, and where the set of documents that share the wording of a document changes: the
// rules of Python (`passages/families/runs.py` and `cuts.py`).

const DIVIDED = 0.85; // of the matched words of a reordered passage a cut must divide in both documents

export class FamilyPassage {
  // `a` and `b` are documents by their rows; `runs` are [word of a, word of b, words].
  constructor(a, b, runs, inOrder = null) {
    this.a = a;
    this.b = b;
    this.runs = runs.slice().sort((x, y) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2]);
    this.inOrder = inOrder ?? this.runs.every((run, at) => !at || this.runs[at - 1][1] < run[1]);
  }

  turned() {
    return new FamilyPassage(this.b, this.a, this.runs.map(([a, b, length]) => [b, a, length]), this.inOrder);
  }

  // The first matched word of a, and the one after the last.
  get stretch() {
    return [this.runs[0][0], this.runs.reduce((most, [a, , length]) => Math.max(most, a + length), 0)];
  }

  // The runs, cut at these words: the segment of a and of b, and the piece of the run.
  pieces(cutsA, cutsB) {
    const pieces = [];
    for (const run of this.runs) {
      let [a, b, length] = run;
      while (length) {
        const [inA, inB] = [placeAfter(cutsA, a), placeAfter(cutsB, b)];
        const endA = inA < cutsA.length ? cutsA[inA] : a + length;
        const endB = inB < cutsB.length ? cutsB[inB] : b + length;
        const own = Math.min(length, endA - a, endB - b);
        pieces.push([inA, inB, [a, b, own]]);
        [a, b, length] = [a + own, b + own, length - own];
      }
    }
    return pieces;
  }
}

// How many of the sorted numbers are at most, or less than, a value.
export function placeAfter(sorted, value, orEqual = true) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (orEqual ? sorted[middle] <= value : sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The cuts of each document, at least `minWords` apart.
export function findCuts(passages, minWords) {
  const sides = passages.flatMap((passage) => [passage, passage.turned()]);
  for (const side of sides) side.ends = side.stretch;
  const cuts = new Map();
  let boundaries = new Map();
  for (const { a, ends } of sides) for (const end of ends) countBoundary(boundaries, a, end);
  let added = new Map([...boundaries].map(([row, counts]) => [row, chosenCuts(counts, [], minWords)]));
  while (added.size) {
    for (const [row, chosen] of added) cuts.set(row, [...(cuts.get(row) ?? []), ...chosen].sort((x, y) => x - y));
    boundaries = new Map();
    for (const side of sides) {
      for (const cut of added.get(side.a) ?? []) {
        if (cut < side.ends[0] + minWords || cut > side.ends[1] - minWords) continue;
        const at = projected(side, cut);
        if (at !== null && !isNear(cuts.get(side.b), at, minWords)) countBoundary(boundaries, side.b, at);
      }
    }
    added = new Map([...boundaries].map(([row, counts]) => [row, chosenCuts(counts, cuts.get(row), minWords)]));
  }
  return cuts;
}

function countBoundary(boundaries, row, place) {
  if (!boundaries.has(row)) boundaries.set(row, new Map());
  const counts = boundaries.get(row);
  counts.set(place, (counts.get(place) ?? 0) + 1);
}

// Those with the most boundaries around them, none of them near another or a known cut.
function chosenCuts(counts, known, minWords) {
  const places = [...counts.keys()].sort((x, y) => x - y);
  const support = new Map(places.map((place) => {
    let sum = 0;
    for (let at = placeAfter(places, place - minWords); at < places.length && places[at] < place + minWords; at += 1) {
      sum += counts.get(places[at]) * (minWords - Math.abs(places[at] - place));
    }
    return [place, sum];
  }));
  const kept = known.slice();
  const chosen = [];
  for (const place of places.sort((x, y) => support.get(y) - support.get(x) || x - y)) {
    if (isNear(kept, place, minWords)) continue;
    kept.splice(placeAfter(kept, place), 0, place);
    chosen.push(place);
  }
  return chosen;
}

function isNear(cuts, place, minWords) {
  const at = placeAfter(cuts, place, false);
  return (at < cuts.length && cuts[at] - place < minWords) || (at > 0 && place - cuts[at - 1] < minWords);
}

// The word of b that corresponds to a cut of a: by the run around it, or by the nearest one; of a reordered
// passage the word that best divides what a matches before the cut from what it matches after it. Null if
// there is none.
function projected({ runs, inOrder }, cut) {
  if (!inOrder) return dividingWord(runs, cut);
  const at = placeAfter(runs.map(([a]) => a), cut) - 1;
  const [a, b, length] = runs[Math.max(at, 0)];
  const past = cut - (a + length);
  if (past <= 0) return b + cut - a;
  const following = runs[at + 1];
  return following !== undefined && following[0] - cut < past ? following[1] : b + length;
}

function dividingWord(runs, cut) {
  const pieces = [];
  for (const [a, b, length] of runs) {
    const own = Math.min(Math.max(cut - a, 0), length);
    if (own) pieces.push([b, own, true]);
    if (own < length) pieces.push([b + own, length - own, false]);
  }
  pieces.sort((x, y) => x[0] - y[0] || x[1] - y[1] || Number(x[2]) - Number(y[2]));
  const total = pieces.reduce((sum, [, length]) => sum + length, 0);
  let balance = pieces.reduce((sum, [, length, isBefore]) => sum + (isBefore ? 0 : length), 0);
  let [best, place] = [Math.max(balance, total - balance), pieces[0][0]];
  for (let at = 0; at + 1 < pieces.length; at += 1) {
    const [, length, isBefore] = pieces[at];
    balance += isBefore ? length : -length; // matched words in place, if those before the cut come first
    const inPlace = Math.max(balance, total - balance);
    if (inPlace > best) [best, place] = [inPlace, pieces[at + 1][0]];
  }
  return best >= DIVIDED * total ? place : null;
}
