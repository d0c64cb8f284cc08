// The families of a survey with what is excluded, found in what that leaves of its passages: those of a
// report that was made with these exclusions (`passages/families/find.py`).

import { cutPassage, longestRun } from "../data/cut_passages.js";
import { pairWithout } from "../data/excluded_survey.js";
import { pairRunChance, passageChance, SMALLEST_P } from "../data/run_chance.js";
import { alignedColumns, changeOf, commonColumns, longestCommonRun, packedColumns } from "./family_columns.js";
import { findComponents } from "./family_components.js";
import { FamilyPassage, findCuts, placeAfter } from "./family_cuts.js";
import { findStretches } from "./family_stretches.js";
import { greatestChange } from "./family_rows.js";

// In the form of a survey's; rows are those of `known.survey`. `known` and `rules` are those of
// `excludedSurvey`.
export function familiesWithout(known, rules) {
  const { survey } = known;
  const pairs = remainingPairs(known, rules);
  const passages = pairs.flatMap(({ a, b, kept }) => kept.map(({ runs }) => new FamilyPassage(a, b, runs)));
  const ranks = survey.families.ranks ?? known.sizes.map((_, row) => row);
  const chances = new FamilyChances(known, rules, pairs);
  const tooCommon = new CommonStretches(survey.families.common);
  const found = findComponents(passages, survey.min_words)
    .flatMap((own) => familiesOfComponent(own, known, ranks, chances))
    .filter((family) => !tooCommon.has(family));
  found.sort((x, y) => y.documents - x.documents || y.common - x.common || x.witnesses[0] - y.witnesses[0] || x.witnesses[1] - y.witnesses[1]);
  const columns = Object.fromEntries(["documents", "common", "run", "p", "kind", "witnesses", "words"].map((name) => [name, found.map((family) => family[name])]));
  return { ...survey.families, count: found.length, columns };
}

function familiesOfComponent(passages, { sizes, survey }, ranks, chances) {
  const cuts = findCuts(passages, survey.min_words);
  const stretches = findStretches(passages, cuts, sizes, survey.min_words);
  const { runs, whole } = runsOfFamilies(passages, stretches);
  const isFamily = (own, at) => whole.has(at) || chances.isExceeded(own, runs[at]);
  return stretches.flatMap((own, at) => (isFamily(own, at) ? describedFamily(own, runs[at], ranks, chances) ?? [] : []));
}

// Pairs that still share passages, with these.
function remainingPairs(known, rules) {
  const { a, b } = known.survey.pairs.columns;
  return a.flatMap((_, row) => {
    const kept = pairWithout(known, rules, row)?.kept.filter(({ kind }) => kind !== "reworded") ?? [];
    return kept.length ? [{ row, a: a[row], b: b[row], kept }] : [];
  });
}

// The runs between stretches of each family, by the positions of both stretches in it; and the families
// that have at least half of the matched words of some passage.
function runsOfFamilies(passages, families) {
  const edges = new Map();
  for (const { row, first, stop } of families.flat()) edges.set(row, (edges.get(row) ?? new Set()).add(first).add(stop));
  const cuts = new Map([...edges].map(([row, own]) => [row, [...own].sort((x, y) => x - y)]));
  const owners = new Map();
  families.forEach((family, at) => family.forEach(({ row, first, stop }, position) => {
    const own = cuts.get(row);
    for (let segment = placeAfter(own, first); segment <= placeAfter(own, stop) - 1; segment += 1) owners.set(`${row} ${segment}`, [at, position]);
  }));
  const runs = families.map(() => []);
  const whole = new Set();
  for (const passage of passages) {
    const { a, b } = passage;
    const words = new Map();
    let matched = 0;
    for (const [inA, inB, piece] of passage.pieces(cuts.get(a) ?? [], cuts.get(b) ?? [])) {
      const [ofA, ofB] = [owners.get(`${a} ${inA}`), owners.get(`${b} ${inB}`)];
      matched += piece[2];
      if (ofA && ofB && ofA[0] === ofB[0]) {
        runs[ofA[0]].push([ofA[1], ofB[1], piece]);
        words.set(ofA[0], (words.get(ofA[0]) ?? 0) + piece[2]);
      }
    }
    for (const [at, own] of words) if (2 * own >= matched) whole.add(at);
  }
  return { runs, whole };
}

// Null if fewer than two documents have a word in common.
function describedFamily(stretches, runs, ranks, chances) {
  // By their texts, so that the order of the documents plays no part.
  const order = stretches.map((_, at) => at).sort((x, y) => ranks[stretches[x].row] - ranks[stretches[y].row] || stretches[x].first - stretches[y].first);
  const places = new Map(order.map((old, at) => [old, at]));
  const ordered = order.map((at) => stretches[at]);
  const all = alignedColumns(ordered, runs.map(([one, other, run]) => [places.get(one), places.get(other), run]));
  const kept = ordered.map((_, at) => at).filter((at) => all.some((column) => column[at] >= 0));
  if (new Set(kept.map((at) => ordered[at].row)).size < 2) return null;
  const kind = familyKind(all.map((column) => kept.map((at) => column[at])));
  kept.sort((x, y) => ordered[x].row - ordered[y].row || ordered[x].first - ordered[y].first);
  const columns = all.map((column) => kept.map((at) => column[at]));
  const rows = kept.map((at) => ordered[at].row);
  const common = commonColumns(columns, rows);
  const ends = rows.map((_, witness) => spanOf(columns, witness));
  const run = longestCommonRun(common, rows);
  const linked = runs.map(([one, other]) => [stretches[one].row, stretches[other].row]);
  return {
    documents: new Set(rows).size, common: common.length, run, p: chances.of(linked, run), kind,
    witnesses: rows.flatMap((row, at) => [row, ...ends[at]]),
    words: packedColumns(columns, ends.map(([first]) => first)),
  };
}

function spanOf(columns, witness) {
  let [first, stop] = [Infinity, 0];
  for (const column of columns) if (column[witness] >= 0) [first, stop] = [Math.min(first, column[witness]), Math.max(stop, column[witness] + 1)];
  return [first, stop];
}

// The greatest change between the witness with the most matched words and the others.
function familyKind(columns) {
  const counts = columns[0].map((_, witness) => columns.reduce((sum, column) => sum + Number(column[witness] >= 0), 0));
  const base = counts.indexOf(Math.max(...counts));
  const wordsOf = (witness) => spanOf(columns, witness).reduce((first, stop) => stop - first);
  const kinds = columns[0].map((_, witness) => witness).filter((witness) => witness !== base).map((witness) => {
    const both = columns.filter((column) => column[base] >= 0 && column[witness] >= 0).map((column) => [column[base], column[witness]]).sort((x, y) => x[0] - y[0]);
    return both.length ? changeOf(wordsOf(base), wordsOf(witness), both) : "edited";
  });
  return greatestChange(kinds);
}

// A run that unrelated texts share less often is more than chance.
const RARE = 0.05;

// For unrelated texts, all of them share a run no more often than any two of them do: of those that
// passages link in the family.
class FamilyChances {
  constructor(known, rules, pairs) {
    this.known = known;
    this.rules = rules;
    this.rows = new Map(pairs.map(({ a, b, row }) => [`${a} ${b}`, row]));
    this.texts = new Map();
  }

  of(linked, run) {
    if (!run) return null;
    const rows = new Set(linked.map(([a, b]) => this.rowOf(a, b)));
    return Math.max(SMALLEST_P, Math.min(...[...rows].map((row) => pairRunChance(run, this.textsOf(row)))));
  }

  // Whether two documents share a run in these stretches that unrelated ones rarely share.
  isExceeded(stretches, runs) {
    return runs.some(([one, other, [, , length]]) => {
      const texts = this.known.texts(this.rowOf(stretches[one].row, stretches[other].row));
      return pairRunChance(length, { ...texts, runs: null }) <= RARE;
    });
  }

  rowOf(a, b) {
    return this.rows.get(`${a} ${b}`) ?? this.rows.get(`${b} ${a}`);
  }

  // The words that two texts have in common count where a passage of theirs is known by its runs.
  textsOf(row) {
    if (!this.texts.has(row)) {
      const { known, rules } = this;
      const { a, b } = known.survey.pairs.columns;
      const masks = [a[row], b[row]].map((one) => rules.masks.get(one) ?? []);
      const texts = known.texts(row);
      const isByRuns = known.passages(row).flatMap((passage) => cutPassage(passage, ...masks, known.minScore(row)))
        .some((passage) => passageChance(passage, longestRun(passage), texts, known.survey.min_words) !== null);
      this.texts.set(row, isByRuns ? texts : { ...texts, runs: null });
    }
    return this.texts.get(row);
  }
}

// Stretches that too many documents have to be compared: what overlaps them is no family.
class CommonStretches {
  constructor(flat) {
    this.byRow = new Map();
    for (let at = 0; at < flat.length; at += 3) {
      if (!this.byRow.has(flat[at])) this.byRow.set(flat[at], []);
      this.byRow.get(flat[at]).push([flat[at + 1], flat[at + 2]]);
    }
  }

  has({ witnesses: [row, first, stop] }) {
    return (this.byRow.get(row) ?? []).some(([start, end]) => 2 * (Math.min(stop, end) - Math.max(first, start)) > stop - first);
  }
}
