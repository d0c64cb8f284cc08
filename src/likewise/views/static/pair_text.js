// One side of a pair as text: a number and a colour for each passage, the same on both sides.

import { ShownText } from "./shown_text.js";
import { passageFacts } from "./source_list.js";

export function pairText(view, isOther, onPick) {
  const shown = isOther ? view.b : view.a;
  const passages = view.passages.map((passage, index) => ({
    start: isOther ? passage.other_start : passage.start,
    end: isOther ? passage.other_end : passage.end,
    changed: isOther ? passage.other_changed : passage.changed,
    number: index + 1,
    label: `Passage ${index + 1}: ${passageFacts(passage).join(", ")}`,
  }));
  const text = new ShownText(shown, passages, onPick);
  const out = new Set(shown.left_out ?? []);
  text.paint((piece) => ({
    number: piece.passages.length ? piece.passages[0] + 1 : 0,
    several: piece.passages.length > 1,
    out: !piece.passages.length && piece.marks.some((reason) => out.has(reason)),
  }), () => true);
  return text;
}
