// Stretches of texts that are here, by the numbers of their words.

import { unitPlaces } from "../texts/code_points.js";
import { placeOf } from "../texts/references.js";
import { WordPlaces } from "./excluded_view.js";

const MAX_KEPT = 100; // texts

export class StretchTexts {
  // `shownOf(id)` is a text as it is shown, or null.
  constructor(shownOf) {
    this.shownOf = shownOf;
    this.kept = new Map();
  }

  of({ id, first, last }) {
    const known = this.known(id);
    if (!known) return null;
    const [start, end] = known.places.range(first, last);
    return { text: known.shown.text.slice(known.unitPlace(start), known.unitPlace(end)), place: placeWords(known.shown, known.unitPlace, start, end) };
  }

  known(id) {
    if (!this.kept.has(id)) {
      if (this.kept.size >= MAX_KEPT) this.kept.delete(this.kept.keys().next().value);
      const shown = this.shownOf(id);
      this.kept.set(id, shown && { shown, places: new WordPlaces(shown.text), unitPlace: unitPlaces(shown.text) });
    }
    return this.kept.get(id);
  }
}

// Chapter and verse, or page and line where a place begins, as `WordStretches` of Python writes them.
function placeWords(shown, unitPlace, offset, end) {
  const { text, page_starts: pages } = shown;
  const reference = placeOf(shown, offset, end);
  const page = pages?.length ? pages.filter((start) => start <= offset).length : null;
  if (reference) return page === null ? reference : `${reference}, page ${page}`;
  const lineOf = (place) => text.slice(0, unitPlace(place)).split("\n").length;
  if (page === null) return `line ${lineOf(offset)}`;
  return `page ${page}, line ${lineOf(offset) - lineOf(pages[page - 1]) + 1}`;
}
