// Which parts of documents belong together, between the cuts of each document: the rules of Python
// (`passages/families/stretches.py`).

const SEGMENTS = 2 ** 20; // more than a document has
export const MAX_GAP = 40; // words between two parts of one stretch

// The stretches of each family, {row, first, stop} in order; `sizes` are the words of each document.
export function findStretches(passages, cuts, sizes, minWords) {
  const families = joined(connected(linked(passages, cuts, minWords)));
  const ranges = new SegmentRanges(cuts, sizes, minWords, new Set(families.flat()));
  return families.map((family) => ranges.of(family).sort((x, y) => x.row - y.row || x.first - y.first));
}

// A segment as one number: that before the first cut of a document is 0.
function segmentOf(row, at) {
  return row * SEGMENTS + at;
}

function placeOfSegment(segment) {
  const row = Math.floor(segment / SEGMENTS);
  return [row, segment - row * SEGMENTS];
}

function linked(passages, cuts, minWords) {
  const shared = new Map();
  for (const passage of passages) {
    for (const [inA, inB, [, , length]] of passage.pieces(cuts.get(passage.a), cuts.get(passage.b))) {
      const one = segmentOf(passage.a, inA);
      if (!shared.has(one)) shared.set(one, new Map());
      const others = shared.get(one);
      const other = segmentOf(passage.b, inB);
      others.set(other, (others.get(other) ?? 0) + length);
    }
  }
  const links = [];
  for (const [one, others] of shared) {
    for (const [other, words] of others) {
      if (words >= minWords || 2 * words >= Math.min(segmentLength(one, cuts), segmentLength(other, cuts))) links.push([one, other]);
    }
  }
  return links;
}

// The words between two cuts; the first and the last segment have no end.
function segmentLength(segment, cuts) {
  const [row, at] = placeOfSegment(segment);
  const own = cuts.get(row);
  return at > 0 && at < own.length ? own[at] - own[at - 1] : Infinity;
}

// What links connect, each in order.
export function connected(links) {
  const parent = new Map();
  const root = (one) => {
    if (!parent.has(one)) parent.set(one, one);
    let at = one;
    while (parent.get(at) !== at) {
      parent.set(at, parent.get(parent.get(at)));
      at = parent.get(at);
    }
    return at;
  };
  for (const [one, other] of links) {
    const [first, second] = [root(one), root(other)].sort((x, y) => x - y);
    parent.set(second, first);
  }
  const found = new Map();
  for (const one of [...parent.keys()].sort((x, y) => x - y)) {
    const leader = root(one);
    if (!found.has(leader)) found.set(leader, []);
    found.get(leader).push(one);
  }
  return [...found.values()];
}

// Families whose stretches follow each other in all of their documents as one.
function joined(families) {
  const keyOf = (segments) => segments.sort((x, y) => x - y).join(" ");
  const begins = new Map();
  const ends = families.map((family, number) => {
    const members = new Set(family);
    begins.set(keyOf(family.filter((one) => !members.has(one - 1) || one % SEGMENTS === 0)), number);
    return keyOf(family.map((one) => one + 1).filter((one) => !members.has(one)));
  });
  const follows = new Map(ends.map((end, number) => [number, begins.get(end)]).filter(([, next]) => next !== undefined));
  const later = new Set(follows.values());
  const whole = [];
  families.forEach((family, number) => {
    if (later.has(number)) return;
    const all = family.slice();
    for (let at = follows.get(number); at !== undefined; at = follows.get(at)) all.push(...families[at]);
    whole.push(all.sort((x, y) => x - y));
  });
  return whole;
}

class SegmentRanges {
  constructor(cuts, sizes, minWords, taken) {
    Object.assign(this, { cuts, sizes, minWords, taken });
  }

  // The stretches of a family: segments with little between them are one.
  of(family) {
    const parts = []; // {row, at, last}: the first and the last segment
    for (const segment of family) {
      const [row, at] = placeOfSegment(segment);
      const before = parts[parts.length - 1];
      if (before && before.row === row && this.isFree(row, before.last + 1, at)) before.last = at;
      else parts.push({ row, at, last: at });
    }
    return parts.map(({ row, at, last }) => ({ row, first: this.range(row, at)[0] - this.spare(row, at, -1), stop: this.range(row, last)[1] + this.spare(row, last, 1) }));
  }

  // Whether segments from `begin` up to, not including, `end` are short and in no family.
  isFree(row, begin, end) {
    if (begin === end) return true;
    if (this.range(row, end - 1)[1] - this.range(row, begin)[0] > MAX_GAP) return false;
    for (let at = begin; at < end; at += 1) if (this.taken.has(segmentOf(row, at))) return false;
    return true;
  }

  range(row, at) {
    const own = this.cuts.get(row);
    return [at ? own[at - 1] : 0, at < own.length ? own[at] : this.sizes[row]];
  }

  // How many words next to a segment, in one direction, can belong to it as well.
  spare(row, at, step) {
    const beside = at + step;
    if (beside < 0 || beside > this.cuts.get(row).length || this.taken.has(segmentOf(row, beside))) return 0;
    const [first, stop] = this.range(row, beside);
    const beyond = beside + step;
    const between = beyond >= 0 && this.taken.has(segmentOf(row, beyond));
    return Math.min(between ? Math.floor((stop - first) / 2) : stop - first, this.minWords - 1);
  }
}
