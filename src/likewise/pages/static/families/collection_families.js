// The families of a collection as they are shown: with what the page excludes.

import { familyRows } from "./family_rows.js";
import { familiesWithout } from "./found_families.js";

const familiesOfRows = new WeakMap();

// {rows, count, notes} of the rows of a survey that the page shows; null where no texts are kept.
export function familiesOf(page, rows) {
  if (!rows.survey.families) return null;
  if (!familiesOfRows.has(rows)) familiesOfRows.set(rows, collected(page, rows));
  return familiesOfRows.get(rows);
}

function collected(page, rows) {
  const { known, cut, active } = page.exclusions;
  const isCut = active && Boolean(known?.data) && cut?.rows === rows;
  const families = isCut ? familiesWithout(known, cut.rules) : rows.survey.families;
  const { id } = (isCut ? known.survey : rows.survey).documents.columns;
  const notes = [];
  if (isCut && known.survey.pairs.count > known.survey.pairs.columns.a.length) notes.push("Families with exclusions are those of the listed pairs.");
  return { rows: familyRows(families.columns, (row) => rows.byId.get(id[row]) ?? null), count: families.count, notes };
}

// The family in which a document has a word; null if there is none.
export function familyAt(families, id, word) {
  return families.rows.find(({ witnesses }) => witnesses.some(({ document, first, stop }) => document?.id === id && first <= word && word < stop)) ?? null;
}

export function familyLink(page, family) {
  const known = family.witnesses.find(({ document }) => document !== null);
  return known ? page.links.family(known.document.id, known.first) : null;
}
