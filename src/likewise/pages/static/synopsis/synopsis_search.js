// Words searched for in all columns, or what a place is called: the hits, in the order of the rows.

const MAX_HITS = 2000;

export class SynopsisSearch {
  // `texts` are `AgreementTexts`; `rows` those of the synopsis.
  constructor(view, texts) {
    this.places = view.rows.flatMap((row, number) => row.cells.flatMap((cell, text) => (cell ? [{ row: number, text, place: cell.place.toLowerCase() }] : [])));
    this.cells = view.texts.map((_, text) => view.rows
      .map((row, number) => (row.cells[text] ? { number, text, start: texts.place(text, row.cells[text].start), end: texts.place(text, row.cells[text].end) } : null))
      .filter(Boolean));
    this.texts = texts.texts.map(({ text }) => text);
  }

  // {row, text, start, end} of each hit, in units of the text of its cell; `start` is null for the name
  // of a place. `isShown(row)` says which rows count.
  find(words, isShown) {
    const wanted = words.trim().split(/\s+/).filter(Boolean).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    if (!wanted.length) return [];
    const hits = [];
    this.cells.forEach((cells, text) => {
      const pattern = new RegExp(wanted.join("\\s+"), "giu");
      let at = 0;
      for (const found of this.texts[text].matchAll(pattern)) {
        while (at < cells.length && cells[at].end <= found.index) at += 1;
        const cell = cells[at];
        if (!cell || found.index < cell.start || !isShown(cell.number)) continue;
        hits.push({ row: cell.number, text, start: found.index - cell.start, end: Math.min(found.index + found[0].length, cell.end) - cell.start });
        if (hits.length >= MAX_HITS) break;
      }
    });
    const name = words.trim().toLowerCase();
    for (const { row, text, place } of this.places) {
      if (place.startsWith(name) && !/^\d/.test(place.slice(name.length)) && isShown(row)) hits.push({ row, text, start: null, end: null });
    }
    return hits.sort((one, other) => one.row - other.row || one.text - other.text || one.start - other.start);
  }
}

// The range of a hit within the text of a cell.
export function rangeIn(element, start, end) {
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let at = 0;
  let begun = false;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const next = at + node.data.length;
    if (!begun && start < next) {
      range.setStart(node, start - at);
      begun = true;
    }
    if (begun && end <= next) {
      range.setEnd(node, end - at);
      return range;
    }
    at = next;
  }
  return null;
}

// Marks ranges without a change of the page, where the browser can.
export function highlightRanges(name, ranges) {
  if (!("highlights" in CSS)) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}
