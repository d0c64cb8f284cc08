// Review marks: what was decided about a pair of documents or a passage that they share. A mark has
// {a, b, status, note, time, digest_a, digest_b, passage}, where `passage` is start and end in a and
// start and end in b, or null for the pair. They change no figure.

export const STATUSES = ["important", "reviewed", "cleared"];
export const MAX_MARKS = 10_000;
export const MAX_NOTE = 2000;
const MAX_ID = 2000;
const MAX_DIGEST = 64;
const MARK_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const MAX_PLACE = 2 ** 32;
const SAME_PASSAGE = 0.8; // of the places of both, on both sides

// What is wrong with a mark from a file or a store that anybody may have written; null for none.
export function markProblem(mark) {
  if (typeof mark !== "object" || mark === null || Array.isArray(mark)) return "is not a mark";
  const isText = (value, most) => typeof value === "string" && value.length <= most && !value.includes("\0");
  if (!isText(mark.a, MAX_ID) || !isText(mark.b, MAX_ID) || mark.a === mark.b) return "does not name two documents";
  if (!STATUSES.includes(mark.status)) return `is not ${STATUSES.join(", ")}`;
  if (!isText(mark.note, MAX_NOTE)) return "has a note that is too long";
  if (!isText(mark.time, 20) || !MARK_TIME.test(mark.time)) return "has no time";
  for (const digest of [mark.digest_a, mark.digest_b]) if (digest !== null && !isText(digest, MAX_DIGEST)) return "has a damaged digest";
  return mark.passage === null || isPassage(mark.passage) ? null : "has an impossible passage";
}

function isPassage(passage) {
  const isPlace = (place) => Number.isSafeInteger(place) && place >= 0 && place < MAX_PLACE;
  return Array.isArray(passage) && passage.length === 4 && passage.every(isPlace) && passage[0] < passage[1] && passage[2] < passage[3];
}

export function markTime() {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

export function pairKey(a, b) {
  return JSON.stringify(a < b ? [a, b] : [b, a]);
}

// The same for all marks of one pair or passage.
export function markKey(mark) {
  const { a, b, passage } = seenFrom(mark, mark.a < mark.b ? mark.a : mark.b);
  return JSON.stringify([a, b, passage]);
}

// A mark with this document as a.
export function seenFrom(mark, id) {
  if (mark.a === id) return mark;
  const { passage } = mark;
  return { ...mark, a: mark.b, b: mark.a, digest_a: mark.digest_b, digest_b: mark.digest_a, passage: passage && [passage[2], passage[3], passage[0], passage[1]] };
}

// Of marks of one pair or passage the latest is taken.
export function mergedMarks(marks, more) {
  const merged = new Map(marks.map((mark) => [markKey(mark), mark]));
  for (const mark of more) {
    const known = merged.get(markKey(mark));
    if (!known || known.time <= mark.time) merged.set(markKey(mark), mark);
  }
  return [...merged.values()];
}

export function markedPlaces(passage) {
  return [passage.start, passage.end, passage.other_start, passage.other_end];
}

// How much of two stretches is common to both, from 0 to 1.
function agreement([start, end], [otherStart, otherEnd]) {
  const common = Math.min(end, otherEnd) - Math.max(start, otherStart);
  return common <= 0 ? 0 : common / (Math.max(end, otherEnd) - Math.min(start, otherStart));
}

// Which mark each passage has: passages may begin and end elsewhere under other settings, but a mark of
// a few words says nothing about a long passage around them.
export function marksOfPassages(marks, passages) {
  const found = passages.map(() => null);
  const candidates = marks.flatMap((mark) => passages.map((passage, index) => {
    const places = markedPlaces(passage);
    return { mark, index, same: Math.min(agreement(mark.passage.slice(0, 2), places.slice(0, 2)), agreement(mark.passage.slice(2), places.slice(2))) };
  })).filter(({ same }) => same >= SAME_PASSAGE).sort((one, other) => other.same - one.same);
  const placed = new Set();
  for (const { mark, index } of candidates) {
    if (found[index] || placed.has(mark)) continue;
    found[index] = mark;
    placed.add(mark);
  }
  return { found, others: marks.filter((mark) => !placed.has(mark)) };
}
