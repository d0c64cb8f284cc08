// A text as it is stored: letters that look like others are marked, invisible characters are shown.

import { unitPlaces } from "./code_points.js";
import { h } from "../parts/dom.js";

const UNSEEN_CHARACTER = /\p{Default_Ignorable_Code_Point}/gu;

export class StoredSigns {
  constructor({ text, lookalikes: [places, letters] = [[], ""] }) {
    const at = unitPlaces(text);
    const shownAs = [...letters];
    this.signs = places.map((place, index) => ({ start: at(place), shownAs: shownAs[index] }));
    for (const found of text.matchAll(UNSEEN_CHARACTER)) this.signs.push({ start: found.index, shownAs: null });
    this.signs.sort((one, other) => one.start - other.start);
  }

  // Whether a text is stored otherwise than it is displayed.
  static differ({ text, lookalikes }) {
    return text !== null && (Boolean(lookalikes?.[1]) || text.search(UNSEEN_CHARACTER) >= 0);
  }

  // The words that begin at a place of the text, in order of the places.
  nodes(start, words) {
    this.next ??= 0;
    while (this.next < this.signs.length && this.signs[this.next].start < start) this.next += 1;
    const nodes = [];
    let from = 0;
    for (; this.next < this.signs.length && this.signs[this.next].start < start + words.length; this.next += 1) {
      const at = this.signs[this.next].start - start;
      const letter = String.fromCodePoint(words.codePointAt(at));
      nodes.push(words.slice(from, at), signOf(letter, this.signs[this.next].shownAs));
      from = at + letter.length;
    }
    return [...nodes, words.slice(from)];
  }
}

function signOf(letter, shownAs) {
  const code = `U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  if (shownAs === null) return h("span", { class: "unseen-sign", title: "Not visible" }, code, letter);
  return h("span", { class: "altered-sign", title: `${code}, which looks like “${shownAs}”` }, letter);
}
