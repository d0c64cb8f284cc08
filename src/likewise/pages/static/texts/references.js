// Where passages are in chapters and verses, acts and lines, or sections and paragraphs. How a
// reference is written comes from the program (`Label` in references.py); here ranges are put together.

const EVERY = 5; // of lines of verse one in so many has its number in the text
const TO = "–";
const known = new WeakMap();

// The range of a passage, in code points, such as "Mt 3,7–10"; "" in a text without references.
export function placeOf(shown, start, end) {
  if (!shown?.references) return "";
  if (!known.has(shown)) known.set(shown, new References(shown.references));
  return known.get(shown).between(start, end);
}

// The places of a passage in both texts: "Mt 3,7–10 and Lk 3,7–9"; "" if neither has references.
export function pairPlace({ a, b }, passage) {
  return [placeOf(a, passage.start, passage.end), placeOf(b, passage.other_start, passage.other_end)].filter(Boolean).join(" and ");
}

// The numbers that a text shows where verses and lines begin: [place, words].
export function numbersInText({ references }) {
  if (!references || references.scheme === "sections") return [];
  const found = [];
  let before = -1;
  for (const [place, head, tail] of references.marks) {
    const isNew = head !== before;
    before = head;
    if (!tail || (references.scheme === "lines" && !isNew && Number(tail) % EVERY)) continue;
    found.push([place, isNew ? references.heads[head].join("") + tail : tail]);
  }
  return found;
}

// `heads` are the names and the numbers but the last ("Mt ", "3,"), `marks` [place, head, last
// number]; a head of -1 stands for a place without a reference.
export class References {
  constructor({ heads, marks }) {
    this.heads = heads;
    this.marks = marks;
  }

  between(start, end) {
    const at = this.countUpTo(start) - 1;
    let last = Math.max(this.countUpTo(end - 1) - 1, at);
    let first = Math.max(0, at);
    const isEmpty = (index) => this.marks[index][1] < 0;
    while (first < last && isEmpty(first)) first += 1;
    while (first < last && isEmpty(last)) last -= 1;
    if (last < 0 || isEmpty(first) || isEmpty(last)) return "";
    return this.range(this.label(first), this.label(last));
  }

  label(index) {
    const [, head, tail] = this.marks[index];
    return [...this.heads[head], tail];
  }

  range(from, to) {
    const [words, other] = [from.join(""), to.join("")];
    if (words === other) return words;
    const [first, end] = [from[2].split(TO)[0], to[2].split(TO).at(-1)];
    if (!first || !end || from[0] !== to[0]) return `${words} ${TO} ${other}`;
    return `${from[0]}${from[1]}${first}${TO}${from[1] === to[1] ? "" : to[1]}${end}`;
  }

  countUpTo(place) {
    let [low, high] = [0, this.marks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.marks[middle][0] <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
