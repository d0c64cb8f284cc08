// A survey comes as columns; here are its rows.

import { whole } from "./numbers.js";

export class SurveyRows {
  constructor(survey) {
    this.survey = survey;
    this.documents = rowsOf(survey.documents.columns);
    this.pairs = rowsOf(survey.pairs.columns);
    this.byId = new Map();
    this.documents.forEach((row, index) => {
      row.index = index;
      if ("matched" in row) row.share = row.words ? row.matched / row.words : 0;
      if (!this.byId.has(row.id)) this.byId.set(row.id, row);
    });
    this.pairs.forEach((row, index) => {
      row.row = index;
      row.first = this.documents[row.a];
      row.second = this.documents[row.b];
      row.containment = Math.max(row.containment_a ?? 0, row.containment_b ?? 0);
      if ("words" in row) row.sharedWords = Math.max(row.words ?? 0, row.words_b ?? 0);
      row.share = Math.max(row.share_a ?? 0, row.share_b ?? 0);
      row.strength = Math.max(row.jaccard ?? 0, row.share);
      row.bounded = isSmallest(row.p, survey.chance?.pairs);
      // What a search by archive: finds.
      row.archive = [row.first, row.second].map(({ archive }) => archive).filter(Boolean).map((name) => `yes ${name}`).join(" ") || "no";
    });
  }

  // Those that are not in an archive.
  get underReview() {
    return this.documents.filter((row) => !row.archive);
  }

  // All that can be listed: documents under review, and those of the archive that share text.
  get count() {
    return this.survey.documents.count + (this.survey.archive?.found ?? 0);
  }

  // Chance level, p and q of a pair, as far as they are known; null if it is not listed.
  chanceOf(one, other) {
    const row = this.pairs.find(({ first, second }) => (first.id === one && second.id === other) || (first.id === other && second.id === one));
    if (!row) return null;
    const { chance = null, p = null, q = null, bounded } = row;
    return { chance, p, q, bounded, chance_reason: this.survey.chance_reason ?? null };
  }

  // Whether two documents, by their rows, are a pair that is listed.
  isListed(one, other) {
    this.listed ??= new Set(this.pairs.map((row) => `${row.a} ${row.b}`));
    return this.listed.has(`${one} ${other}`) || this.listed.has(`${other} ${one}`);
  }

  get allPairsListed() {
    return this.survey.pairs.count <= this.pairs.length;
  }

  get allDocumentsListed() {
    return this.count <= this.documents.length;
  }

  has(column) {
    return column in this.survey.pairs.columns;
  }

  hasOfDocuments(column) {
    return column in this.survey.documents.columns;
  }
}

// Shared words of a pair: one number, or that of each document where one has something repeatedly.
export function sharedWordsText({ words, words_b: other }) {
  return typeof other !== "number" || other === words ? whole(words ?? 0) : `${whole(words)} · ${whole(other)}`;
}

// Whether so many trials can give no smaller p-value; those in the data are rounded.
export function isSmallest(p, trials) {
  return typeof p === "number" && typeof trials === "number" && p * (trials + 1) < 1.001;
}

function rowsOf(columns) {
  const names = Object.keys(columns);
  const count = names.length ? columns[names[0]].length : 0;
  const rows = new Array(count);
  for (let at = 0; at < count; at += 1) {
    const row = {};
    for (const name of names) row[name] = columns[name][at];
    rows[at] = row;
  }
  return rows;
}

// How many lie at or above a threshold. Where not all are listed, the bins know all that were found.
export function countAtOrAbove(values, bins, complete, threshold) {
  if (complete) return values.reduce((count, value) => count + (value >= threshold ? 1 : 0), 0);
  const first = Math.round(threshold * bins.length);
  return bins.slice(first).reduce((sum, count) => sum + count, 0);
}
