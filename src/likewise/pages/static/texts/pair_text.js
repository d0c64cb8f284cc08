// One side of a pair as text: a number and a colour for each passage, the same on both sides.
// Possibly reworded stretches have neither; they can be outlined.

import { attributionWords } from "../data/attributions.js";
import { pairPlace } from "./references.js";
import { ShownText } from "./shown_text.js";
import { passageFacts } from "../parts/source_list.js";

export function pairText(view, isOther, onPick) {
  const shown = isOther ? view.b : view.a;
  const passages = view.passages.map((passage, index) => ({
    start: isOther ? passage.other_start : passage.start,
    end: isOther ? passage.other_end : passage.end,
    changed: isOther ? passage.other_changed : passage.changed,
    number: index + 1,
    label: `Passage ${index + 1}: ${passageFacts(passage, attributionWords(isOther ? passage.other_attribution : passage.attribution), pairPlace(view, passage)).join(", ")}`,
  }));
  const reworded = (view.reworded ?? []).map((passage) => (isOther ? { start: passage.other_start, end: passage.other_end } : { start: passage.start, end: passage.end }));
  const text = new ShownText(shown, passages, onPick, reworded);
  text.paint(new Set(shown.left_out ?? []), () => true);
  return text;
}
