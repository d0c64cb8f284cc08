// Marks as a file: to keep them, and to take them to another report or collection of the same texts.

import { PlainError } from "../parts/notice.js";
import { MAX_MARKS, markKey, markProblem, mergedMarks } from "./review_marks.js";

const REVIEW_FORMAT = "likewise review marks 1";
export const MAX_REVIEW_BYTES = 50_000_000; // 10,000 marks with the longest notes and names

export function reviewFile(title, identity, marks) {
  const plain = marks.map(({ a, b, status, note, time, digest_a, digest_b, passage }) => ({ a, b, status, note, time, digest_a, digest_b, passage }));
  return `${JSON.stringify({ format: REVIEW_FORMAT, title, identity: identity ?? null, marks: plain }, null, 1)}\n`;
}

// The marks of a file that anybody may have written; throws a `PlainError`.
export function readReviewFile(text) {
  let file;
  try {
    file = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw new PlainError("This is not a file of review marks.", "Choose a .json file that was saved on a page such as this one.");
  }
  if (file?.format !== REVIEW_FORMAT || !Array.isArray(file.marks)) throw new PlainError("This is not a file of review marks.", "Choose a .json file that was saved on a page such as this one.");
  if (file.marks.length > MAX_MARKS) throw new PlainError(`This file has ${file.marks.length} marks; at most 10,000 can be kept.`);
  file.marks.forEach((mark, index) => {
    const problem = markProblem(mark);
    if (problem) throw new PlainError(`This file is damaged: mark ${index + 1} ${problem}.`);
  });
  return { title: typeof file.title === "string" ? file.title.slice(0, 200) : "", identity: typeof file.identity === "string" ? file.identity : null, marks: file.marks };
}

// Which marks of a file belong here: both documents are here with the same texts. Where a digest is
// not known, the file must have been saved from these documents. Of two marks of one pair or passage the
// later is taken.
export function chooseMarks(file, known, documentOf, { identity = null, title }) {
  const isSame = file.identity === identity && (identity !== null || file.title === title);
  const belongs = (id, digest) => {
    const document = documentOf(id);
    return document !== undefined && (digest && document.digest ? digest === document.digest : isSame);
  };
  const own = file.marks.filter((mark) => belongs(mark.a, mark.digest_a) && belongs(mark.b, mark.digest_b));
  if (!own.length && file.marks.length) {
    const why = isSame ? "The documents that it marks are not listed here." : `It was saved from “${file.title || "another report"}”, and has other documents or other texts.`;
    throw new PlainError("None of the marks in this file belongs here.", why);
  }
  const before = new Map(known.map((mark) => [markKey(mark), mark]));
  const merged = new Map(mergedMarks(known, own).map((mark) => [markKey(mark), mark]));
  const taken = own.filter((mark) => merged.get(markKey(mark)) === mark && !sameMark(mark, before.get(markKey(mark))));
  return { taken, foreign: file.marks.length - own.length, older: own.length - taken.length };
}

function sameMark(mark, other) {
  return other !== undefined && mark.status === other.status && mark.note === other.note && mark.time === other.time;
}
