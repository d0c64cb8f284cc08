// The review of a collection: its marks, by pair and by document, and what they say in all.

import { markKey, pairKey, seenFrom, STATUSES } from "./review_marks.js";

const CHANGED_TEXT = "changed"; // of a mark whose text is another one by now

export class Review {
  constructor(source) {
    this.source = source;
    this.listeners = new Set();
    this.isLoaded = false;
    this.place({ marks: [], canChange: false, problem: null });
  }

  place({ marks, canChange, problem }) {
    Object.assign(this, { marks, canChange, problem });
    this.byPair = new Map();
    for (const mark of marks) {
      const key = pairKey(mark.a, mark.b);
      if (!this.byPair.has(key)) this.byPair.set(key, []);
      this.byPair.get(key).push(mark);
    }
  }

  // Marks of others are seen with the next view, or when the window is looked at again.
  async load() {
    const before = this.marks;
    this.place(await this.source.reviewMarks());
    this.isLoaded = true;
    if (this.marks !== before && !sameMarks(this.marks, before)) this.tell();
  }

  async save(marks) {
    this.place(await this.source.saveMarks(marks));
    this.tell();
  }

  async remove(marks) {
    this.place(await this.source.removeMarks(marks));
    this.tell();
  }

  // Calls a function after every change, until the one that is returned is called.
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell() {
    for (const listener of [...this.listeners]) listener();
  }

  // The marks of two documents with the digests of their texts: of the pair, of its passages, and those
  // of texts that have changed since.
  ofTexts(one, other) {
    const marks = (this.byPair.get(pairKey(one.id, other.id)) ?? []).map((mark) => seenFrom(mark, one.id));
    const stale = marks.filter((mark) => isStale(mark, one, other));
    const fresh = marks.filter((mark) => !stale.includes(mark));
    return { pair: fresh.find((mark) => mark.passage === null) ?? null, passages: fresh.filter((mark) => mark.passage !== null), stale };
  }

  // What is said of a pair of the survey; null for nothing.
  ofRow(row) {
    const { pair, passages, stale } = this.ofTexts(row.first, row.second);
    return pair || passages.length || stale.length ? { pair, passages, stale } : null;
  }

  // How many pairs have which mark; those without are not reviewed.
  countPairs(rows) {
    const counts = { ...Object.fromEntries(STATUSES.map((status) => [status, 0])), passages: 0, stale: 0 };
    let marked = 0;
    for (const row of rows.pairs) {
      const found = this.byPair.size ? this.ofRow(row) : null;
      if (found?.pair) {
        counts[found.pair.status] += 1;
        marked += 1;
      }
      counts.passages += found?.passages.length ?? 0;
      counts.stale += found?.stale.length ?? 0;
    }
    return { ...counts, marked };
  }
}

export function isStale(mark, one, other) {
  const differs = (marked, now) => Boolean(marked && now && marked !== now);
  return differs(mark.digest_a, one.digest) || differs(mark.digest_b, other.digest);
}

// What a search by review: finds.
export function reviewWords(found) {
  if (!found) return ["none"];
  return [...new Set([found.pair, ...found.passages].filter(Boolean).map(({ status }) => status)), ...(found.stale.length ? [CHANGED_TEXT] : [])];
}

// How many marks of each kind, in words.
export function markCounts(marks, stale = 0) {
  const counts = STATUSES.map((status) => [status, marks.filter((mark) => mark.status === status).length]).filter(([, count]) => count);
  return [...counts.map(([status, count]) => `${count} ${status}`), ...(stale ? [`${stale} of changed text`] : [])].join(", ");
}

function sameMarks(marks, before) {
  const written = (list) => list.map((mark) => `${markKey(mark)} ${mark.status} ${mark.time} ${mark.note}`).sort().join("\n");
  return marks.length === before.length && written(marks) === written(before);
}
