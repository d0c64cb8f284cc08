// How words that the same texts have are marked: a colour and a line, so that neither is needed alone.

const LINES = ["solid", "double", "dashed", "dotted"];
// With three texts all four groups have a line of their own.
const OF_THREE = { 7: [3, "solid"], 3: [1, "dashed"], 5: [2, "dotted"], 6: [5, "double"] };
const PAIR_HUES = [1, 2, 5, 4, 6, 7, 8];
const ALL_HUE = 3;

// `sets` are lists of texts, by their numbers. Returns a map: the texts as bits → the classes of a mark.
export function agreementStyles(sets, count) {
  const styles = new Map();
  const used = new Map(); // by size, how many have a colour
  for (const texts of sets.filter((one) => one.length > 1)) {
    const bits = bitsOf(texts);
    const [hue, line] = count === 3 ? OF_THREE[bits] : styleBySize(texts.length, count, used);
    styles.set(bits, `agree hue-${hue} line-${line}`);
  }
  return styles;
}

// With more texts, the line says in how many of them a word is.
function styleBySize(size, count, used) {
  if (size === count) return [ALL_HUE, LINES[0]];
  const place = used.get(size) ?? 0;
  used.set(size, place + 1);
  return [PAIR_HUES[place % PAIR_HUES.length], LINES[Math.min(count - size, LINES.length - 1)]];
}

export function bitsOf(texts) {
  return texts.reduce((bits, text) => bits | (1 << text), 0);
}

export function columnLetters(texts, labels) {
  return texts.map((text) => labels[text]).join("");
}
