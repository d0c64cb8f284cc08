// The review marks of a report, in the storage of the browser. It may be read and written by other
// pages from disk, it may be full, and it may not be there at all.

import { recall, remember } from "./memory.js";
import { MAX_MARKS, markKey, markProblem } from "./review_marks.js";

const NOT_KEPT = "This browser does not keep marks of this file: save them before you close the page.";
const TOO_MANY = "A report can have at most 10,000 marks.";

export class KeptMarks {
  constructor(identity) {
    this.key = `review.${identity}`;
    this.marks = null; // where nothing can be stored
  }

  // Read each time, since the report may be open twice.
  read() {
    return { marks: this.marks ?? this.stored(), canChange: true, problem: this.marks ? NOT_KEPT : null };
  }

  stored() {
    try {
      const stored = JSON.parse(recall(this.key) ?? "[]");
      return Array.isArray(stored) ? stored.slice(0, MAX_MARKS).filter((mark) => markProblem(mark) === null) : [];
    } catch {
      return [];
    }
  }

  save(marks) {
    const known = new Map(this.read().marks.map((mark) => [markKey(mark), mark]));
    for (const mark of marks) known.set(markKey(mark), mark);
    if (known.size > MAX_MARKS) return { ...this.read(), problem: TOO_MANY };
    return this.write([...known.values()]);
  }

  remove(marks) {
    const gone = new Set(marks.map(markKey));
    return this.write(this.read().marks.filter((mark) => !gone.has(markKey(mark))));
  }

  write(marks) {
    const isKept = remember(this.key, marks.length ? JSON.stringify(marks) : null) && this.stored().length === marks.length;
    this.marks = isKept ? null : marks;
    return this.read();
  }
}
