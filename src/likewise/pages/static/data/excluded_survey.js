// A survey with exclusions: its pairs, documents and totals are those of a survey made with them.

import { ATTRIBUTIONS } from "./attributions.js";
import { wordsByAttribution } from "./attributed_words.js";
import { cutPassage, longestRun, matchedWords } from "./cut_passages.js";
import { unpackedPassages } from "./packed_passages.js";
import { passageChance } from "./run_chance.js";
import { unionOf, wordsIn } from "./word_masks.js";

const CHANGED = ["words", "words_b", "share_a", "share_b", "passages", "reworded", "run", "run_p"];

// What does not depend on the exclusions, for one survey.
export class SurveyPassages {
  constructor(survey) {
    this.survey = survey;
    this.data = survey.exclusion_data ?? null; // none where no texts are kept
    this.packed = this.data?.passages ?? [];
    this.unpacked = new Map();
    this.unspaced = new Set(this.data?.unspaced ?? []);
    this.byPassages = new Set(this.data?.by_passages ?? []);
    this.marks = new Map(Object.entries(this.data?.marks ?? {}).map(([reason, flat]) => [reason, rangesByDocument(flat)]));
    const { columns } = survey.documents;
    this.before = (columns.words ?? []).map((words, row) => wordsIn(this.marked(["excluded"], row)));
    this.sizes = (columns.words ?? []).map((words, row) => words + this.before[row]); // of all words
    this.rowOf = new Map(columns.id.map((id, row) => [id, row]));
  }

  passages(row) {
    if (!this.unpacked.has(row)) this.unpacked.set(row, unpackedPassages(this.packed[row] ?? []));
    return this.unpacked.get(row);
  }

  // The excluded words of a document by some of the reasons.
  marked(reasons, row) {
    return unionOf(reasons.flatMap((reason) => this.marks.get(reason)?.get(row) ?? []));
  }

  // What the chance of a run depends on.
  texts(row) {
    const { a, b } = this.survey.pairs.columns;
    const rows = [a[row], b[row]];
    return { words: rows.map((one) => this.sizes[one]), runs: this.data?.runs[row] ?? null, unspaced: rows.some((one) => this.unspaced.has(one)) };
  }

  minScore(row) {
    return this.survey.min_words * (this.texts(row).unspaced ? 2 : 1);
  }
}

function rangesByDocument(flat) {
  const byRow = new Map();
  for (let at = 0; at < flat.length; at += 3) {
    if (!byRow.has(flat[at])) byRow.set(flat[at], []);
    byRow.get(flat[at]).push([flat[at + 1], flat[at + 2]]);
  }
  return byRow;
}

// `rules`: {masks, minPassage, same}, where `masks` has the excluded words of documents by their rows,
// those included that the survey itself excluded.
export function excludedSurvey(known, rules) {
  const { survey } = known;
  const pairs = pairsWithout(known, rules);
  const documents = documentsWithout(known, rules, pairs);
  const found = listed(known, rules, documents, pairs);
  return { ...survey, ...found, histogram: histogramsOf(survey, documents, pairs), attributions: attributionsOf(survey, documents), similarity: similarityOf(survey, documents) };
}

// What a pair shares with these exclusions; null if it is no longer a pair.
export function pairWithout(known, rules, row) {
  const { survey, data } = known;
  const { columns } = survey.pairs;
  const rows = [columns.a[row], columns.b[row]];
  if (isOfTheSame(survey, rules.same, rows)) return null;
  if (!data) return { kept: [], values: null };
  const masks = rows.map((one) => rules.masks.get(one) ?? []);
  const minPassage = Math.max(rules.minPassage, data.min_passage);
  const isTouched = masks.some((mask) => mask.length);
  const kept = known.passages(row).flatMap((passage) => cutPassage(passage, ...masks, known.minScore(row)))
    .filter((passage) => matchedWords(passage) >= minPassage);
  if (!kept.length && (isTouched || known.byPassages.has(row))) return null;
  const values = figuresOf(known, rules, row, kept, masks);
  const shares = [values.share_a, values.share_b, columns.containment_a[row], columns.containment_b[row]];
  return Math.max(...shares) < data.min_share ? null : { kept, values };
}

function isOfTheSame({ documents: { columns } }, fields, [a, b]) {
  return fields.some((field) => (columns[field]?.[a] ?? null) !== null && columns[field][a] === columns[field][b]);
}

function figuresOf(known, rules, row, kept, masks) {
  const { a, b } = known.survey.pairs.columns;
  const sizes = [a[row], b[row]].map((one, side) => known.sizes[one] - wordsIn(masks[side]));
  const shared = kept.filter(({ kind }) => kind !== "reworded");
  const words = [0, 1].map((side) => wordsIn(matchedRanges(shared, side)));
  const texts = known.texts(row);
  const chances = shared.map((passage) => passageChance(passage, longestRun(passage), texts, known.survey.min_words)).filter((p) => p !== null);
  return {
    words: words[0], words_b: words[1],
    share_a: sizes[0] ? words[0] / sizes[0] : 0, share_b: sizes[1] ? words[1] / sizes[1] : 0,
    passages: shared.length, reworded: kept.length - shared.length,
    run: Math.max(0, ...shared.map(longestRun)), run_p: chances.length ? Math.min(...chances) : null,
  };
}

// The matched words of one side of passages, each once.
export function matchedRanges(passages, side) {
  return unionOf(passages.flatMap(({ runs }) => runs.map((run) => [run[side], run[side] + run[2]])));
}

// By row what is left of each pair that the exclusions change: null if nothing is.
function pairsWithout(known, rules) {
  const { survey, data } = known;
  const { a, b } = survey.pairs.columns;
  const changed = new Map();
  const everywhere = rules.minPassage > (data?.min_passage ?? 0);
  for (let row = 0; row < a.length; row += 1) {
    const isChanged = everywhere || rules.masks.has(a[row]) || rules.masks.has(b[row]) || isOfTheSame(survey, rules.same, [a[row], b[row]]);
    if (isChanged) changed.set(row, pairWithout(known, rules, row));
  }
  return changed;
}

// The columns of documents, of which those change that are in a pair that does.
function documentsWithout(known, rules, pairs) {
  const { survey } = known;
  const { a, b, jaccard, words, words_b: otherWords, passages, run } = survey.pairs.columns;
  const columns = Object.fromEntries(Object.entries(survey.documents.columns).map(([name, values]) => [name, values.slice()]));
  if (known.data) for (const [row, mask] of rules.masks) columns.words[row] = known.sizes[row] - wordsIn(mask);
  const touched = new Set([...pairs.keys()].flatMap((row) => [a[row], b[row]]));
  const own = new Map([...touched].map((row) => [row, []])); // [pair, side] by document
  for (let row = 0; row < a.length; row += 1) {
    if (pairs.get(row) === null) continue;
    own.get(a[row])?.push([row, 0]);
    own.get(b[row])?.push([row, 1]);
  }
  for (const [document, ends] of own) {
    const valueOf = (row, side, name, column) => pairs.get(row)?.values?.[name] ?? column?.[row] ?? 0;
    const facts = ends.map(([row, side]) => ({
      row, side, other: side ? a[row] : b[row], jaccard: jaccard[row],
      words: valueOf(row, side, side ? "words_b" : "words", side ? otherWords : words),
      passages: valueOf(row, side, "passages", passages), run: valueOf(row, side, "run", run),
    }));
    const best = facts.reduce((one, two) => (one === null || isBetter(two, one) > 0 ? two : one), null);
    const set = (name, value) => columns[name] && (columns[name][document] = value);
    set("highest", Math.max(0, ...facts.map((fact) => fact.jaccard)));
    set("best", best?.other ?? null);
    set("sources", facts.filter((fact) => !known.data || fact.passages).length);
    set("run", Math.max(0, ...facts.map((fact) => fact.run)));
    const shared = facts.flatMap(({ row, side }) => (pairs.get(row)?.kept ?? known.passages(row)).filter(({ kind }) => kind !== "reworded").map((passage) => ({ passage, side })));
    set("matched", wordsIn(unionOf(shared.flatMap(({ passage, side }) => matchedRanges([passage], side)))));
    const byAttribution = wordsByAttribution(shared.map(({ passage, side }) => [passage.attributions[side], matchedRanges([passage], side)]));
    ATTRIBUTIONS.forEach(({ column }, place) => set(column, byAttribution[place]));
  }
  return columns;
}

// Of two documents that share as much, the one that comes first.
function isBetter(one, two) {
  return one.words - two.words || one.jaccard - two.jaccard || two.other - one.other;
}

// Pairs that are left, in the order of a survey, and the documents that it would list: of an archive
// only those that are in a pair.
function listed(known, rules, documents, pairs) {
  const { survey } = known;
  const { columns } = survey.pairs;
  const rows = columns.a.map((_, row) => row).filter((row) => pairs.get(row) !== null);
  const value = (name, row) => pairs.get(row)?.values?.[name] ?? (pairs.get(row)?.values && CHANGED.includes(name) ? null : columns[name][row]);
  const exact = (row) => (columns.shared ? columns.shared[row] / Math.max(1, columns.size_a[row] + columns.size_b[row] - columns.shared[row]) : columns.jaccard[row]);
  const share = (name, row, document) => (known.data ? value(name, row) / Math.max(1, known.sizes[document] - wordsIn(rules.masks.get(document) ?? [])) : 0);
  const keys = new Map(rows.map((row) => [row, [Math.max(exact(row), share("words", row, columns.a[row]), share("words_b", row, columns.b[row])), exact(row)]]));
  rows.sort((x, y) => keys.get(y)[0] - keys.get(x)[0] || keys.get(y)[1] - keys.get(x)[1] || columns.a[x] - columns.a[y] || columns.b[x] - columns.b[y]);
  const inPair = new Set(rows.flatMap((row) => [columns.a[row], columns.b[row]]));
  const kept = documents.id.map((_, row) => row).filter((row) => !documents.archive?.[row] || inPair.has(row));
  const place = new Map(kept.map((row, at) => [row, at]));
  const rounded = (name, number) => (name.startsWith("share_") && number !== null ? Math.round(number * 1e6) / 1e6 : number);
  return {
    documents: {
      ...survey.documents,
      columns: Object.fromEntries(Object.entries(documents).map(([name, values]) => [name, kept.map((row) => (name === "best" ? place.get(values[row]) ?? null : values[row]))])),
    },
    archive: survey.archive && { ...survey.archive, found: survey.archive.found - (documents.id.length - kept.length) },
    pairs: {
      count: survey.pairs.count - (columns.a.length - rows.length),
      columns: Object.fromEntries(Object.keys(columns).map((name) => [name, rows.map((row) => (name === "a" || name === "b" ? place.get(columns[name][row]) : rounded(name, value(name, row))))])),
    },
  };
}

function histogramsOf({ histogram, pairs: { columns }, documents: { columns: before } }, documents, pairs) {
  const counts = { pairs: histogram.pairs.slice(), documents: histogram.documents.slice() };
  const binOf = (number, bins) => Math.min(Math.floor(number * bins.length), bins.length - 1);
  for (const [row, left] of pairs) if (left === null) counts.pairs[binOf(columns.jaccard[row], counts.pairs)] -= 1;
  before.highest.forEach((highest, row) => {
    if (before.archive?.[row]) return;
    counts.documents[binOf(highest, counts.documents)] -= 1;
    counts.documents[binOf(documents.highest[row], counts.documents)] += 1;
  });
  return counts;
}

// Of the documents under review; of those that are not listed, as before.
function attributionsOf({ attributions, documents: { columns: before } }, documents) {
  if (!attributions) return null;
  const underReview = documents.id.map((_, row) => row).filter((row) => !documents.archive?.[row]);
  return Object.fromEntries(ATTRIBUTIONS.map(({ group, column }) => {
    const change = (of) => underReview.reduce((sum, row) => sum + of(documents[column][row]) - of(before[column][row]), 0);
    return [group, { words: attributions[group].words + change((words) => words), documents: attributions[group].documents + change((words) => Number(words > 0)) }];
  }));
}

function similarityOf({ similarity, documents: { count, columns: before } }, documents) {
  const underReview = documents.highest.map((_, row) => row).filter((row) => !documents.archive?.[row]);
  const values = underReview.map((row) => documents.highest[row]).sort((x, y) => x - y);
  if (!values.length) return similarity;
  const difference = underReview.reduce((sum, row) => sum + documents.highest[row] - before.highest[row], 0);
  const middle = values.length >> 1;
  return {
    highest: values[values.length - 1],
    mean: similarity.mean + difference / count,
    // Of documents that are not listed nothing is known but that they have least in common.
    median: values.length < count ? similarity.median : values.length % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2,
  };
}
