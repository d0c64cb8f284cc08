// What the reader excludes on every page: one state, and the figures that follow from it. Views get
// surveys, documents and pairs from the page's source, to which this has been applied.

import { EXCLUDED_PARTS, exclusionsFrom, NOT_EXCLUDED, queryOfExclusions, withExclusions } from "./exclusion_state.js";
import { excludedSurvey, pairWithout, SurveyPassages } from "./excluded_survey.js";
import { markedText, remainingMeasures, remainingPassages, WordPlaces } from "./excluded_view.js";
import { replaceAddress } from "./links.js";
import { plural, whole } from "./numbers.js";
import { SurveyRows } from "./survey_rows.js";
import { unionOf, wordsIn } from "./word_masks.js";

export class Exclusions {
  constructor(page) {
    this.page = page;
    this.state = NOT_EXCLUDED;
    this.hash = null;
    this.forget();
  }

  // Figures of a survey that is no longer shown.
  forget() {
    this.known = null;
    this.cut = null;
    this.searched = null;
  }

  // Takes the state from the address, unless it has just been written there.
  read(query) {
    if (this.hash === location.hash) return;
    this.hash = location.hash;
    const state = exclusionsFrom(query);
    this.state = { ...state, passages: state.passages.map((one) => ({ ...one, id: this.page.names.fromLink(one.id) })) };
  }

  get query() {
    return queryOfExclusions(this.inLinks(this.state));
  }

  // As links call the documents.
  inLinks(state) {
    return { ...state, passages: state.passages.map((one) => ({ ...one, id: this.page.links.called(one.id) })) };
  }

  get active() {
    return this.query.length > 0;
  }

  has(name) {
    return this.state.parts.includes(name) || this.state.same.some((field) => name === `same-${field}`);
  }

  toggle(name, on) {
    const field = /^same-(.*)$/.exec(name)?.[1];
    const key = field ? "same" : "parts";
    const rest = this.state[key].filter((one) => one !== (field ?? name));
    const order = field ? ["author", "group"] : Object.keys(EXCLUDED_PARTS);
    this.change({ [key]: order.filter((one) => rest.includes(one) || (on && one === (field ?? name))) });
  }

  excludePassage(id, first, last) {
    const others = this.state.passages.filter((one) => one.id !== id || one.first !== first || one.last !== last);
    this.change({ passages: [...others, { id, first, last }] });
  }

  reset() {
    this.change(NOT_EXCLUDED);
  }

  change(values) {
    this.state = { ...this.state, ...values };
    replaceAddress(withExclusions(location.hash, this.inLinks(this.state)));
    this.hash = location.hash;
    this.page.announce(this.active ? `Excluded: ${this.words().join(", ")}` : "Nothing is excluded");
    return this.page.show(false, true);
  }

  // Each thing that is excluded: its name, in words, and the state without it.
  items() {
    const { parts, same, minWords, phrases, passages } = this.state;
    return [
      ...parts.map((name) => ({ name, words: PART_WORDS[name], without: { parts: parts.filter((one) => one !== name) } })),
      ...same.map((field) => ({ name: `same-${field}`, words: `pairs of the same ${field}`, without: { same: same.filter((one) => one !== field) } })),
      ...(minWords > 1 ? [{ name: "min-words", words: `passages of fewer than ${plural(minWords, "word")}`, without: { minWords: 0 } }] : []),
      ...phrases.map((phrase, at) => ({ name: `phrase-${at}`, words: `“${phrase}”`, without: { phrases: phrases.filter((one) => one !== phrase) } })),
      ...passages.map((passage, at) => ({ name: `passage-${at}`, words: this.passageWords(passage), without: { passages: passages.filter((one) => one !== passage) } })),
    ];
  }

  // What is excluded, in words, for print and for screen readers.
  words() {
    return this.items().map(({ words }) => words);
  }

  passageWords({ id, first, last }) {
    const document = this.page.surveyRows?.byId.get(id) ?? { id };
    return `a passage of ${plural(last - first, "word")} in ${this.page.names.short(document, 40)}`;
  }

  // The name of a saved file says that something was excluded.
  fileName(name) {
    const { parts, same, minWords, phrases, passages } = this.state;
    const said = [...parts, ...same.map((field) => `same-${field}`), ...(minWords > 1 ? [`short-passages-${minWords}`] : []), ...(phrases.length && !parts.includes("phrases") ? ["phrases"] : []), ...(passages.length ? ["passages"] : [])];
    return said.length ? name.replace(/(\.\w+)$/, `-without-${said.join("-")}$1`) : name;
  }

  // Sentences on what does not follow the exclusions.
  notes(survey) {
    const data = survey.exclusion_data;
    const notes = [];
    const unlisted = survey.pairs.count - survey.pairs.columns.a.length;
    if (!data) notes.push("No texts are stored here, so text and passages cannot be excluded.");
    if (unlisted > 0) notes.push(`Exclusions apply to the ${whole(survey.pairs.columns.a.length)} pairs that are listed; the other ${whole(unlisted)} count as they are without them.`);
    if (data && (survey.chance || survey.pairs.columns.p)) notes.push("Similarity is that of the whole texts. The chance level, p and q are those without exclusions made here.");
    return [...notes, ...(this.searched?.notes ?? [])];
  }

  // --- figures

  // The rows of a survey with what is excluded.
  async rows(base) {
    if (this.known?.survey !== base.survey) {
      this.forget();
      this.known = new SurveyPassages(base.survey);
    }
    if (!this.active) return base;
    await this.search();
    const key = JSON.stringify(this.query);
    if (this.cut?.key !== key) {
      const rules = this.rules();
      this.cut = { key, rules, rows: new SurveyRows(excludedSurvey(this.known, rules)) };
    }
    return this.cut.rows;
  }

  // Finds phrases, templates and passages in the texts; the survey knows where the rest is.
  async search() {
    const { parts, phrases, passages } = this.state;
    const wanted = { phrases: parts.includes("phrases") || phrases.length > 0, template: parts.includes("template"), given: phrases, passages, archive: this.archiveIds() };
    const key = JSON.stringify(wanted);
    if (this.searched?.key === key) return;
    const nothing = !wanted.phrases && !wanted.template && !passages.length;
    this.searched = { key, ...(nothing ? { words: new Map(), notes: [] } : await this.page.source.excludedWords(wanted)) };
  }

  // Those of an archive are not among the documents of a collection.
  archiveIds() {
    const { id, archive } = this.known?.survey.documents.columns ?? {};
    return archive ? id.filter((_, row) => archive[row]) : [];
  }

  // Phrases or templates were changed; they count from now on.
  changedTexts(part, on) {
    this.searched = this.cut = null;
    const parts = Object.keys(EXCLUDED_PARTS).filter((name) => (name === part ? on : this.state.parts.includes(name)));
    return this.change({ parts });
  }

  // Whether a passage of this document can be excluded wherever it is.
  canExclude(shown) {
    if (typeof shown.text !== "string" || this.page.address.view === "check") return false;
    return this.known === null ? this.page.source.mode === "app" : Boolean(this.known.data) && this.known.rowOf.has(shown.id);
  }

  rules() {
    const { parts, minWords, same } = this.state;
    const masks = new Map();
    const reasons = parts.map((name) => EXCLUDED_PARTS[name]);
    for (const [id, row] of this.known.rowOf) {
      const mask = unionOf([...this.known.marked(["excluded", ...reasons], row), ...this.wordsFound(id).flatMap(([, ranges]) => ranges)]);
      if (mask.length) masks.set(row, mask);
    }
    return { masks, minPassage: minWords, same };
  }

  // [reason, ranges of words] of phrases, templates and passages in a document.
  wordsFound(id) {
    return Object.entries(this.searched?.words.get(id) ?? {});
  }

  // The excluded words of a text that is shown: {mask, words by reason that it has no marks for}.
  excludedIn(shown) {
    const { parts } = this.state;
    const reasons = parts.map((name) => EXCLUDED_PARTS[name]);
    const known = new Set((shown.marks ?? []).map((mark) => mark[2]));
    const row = this.known?.rowOf.get(shown.id);
    const words = this.wordsFound(shown.id);
    if (row !== undefined) for (const reason of reasons) if (!known.has(reason)) words.push([reason, this.known.marked([reason], row)]);
    const wanted = new Set([...reasons, ...(shown.left_out ?? [])]);
    const marked = (shown.marks ?? []).filter((mark) => wanted.has(mark[2])).map(([, , , first, last]) => [first, last]);
    const before = row === undefined ? [] : this.known.marked(["excluded"], row);
    return { mask: unionOf([...marked, ...before, ...words.flatMap(([, ranges]) => ranges)]), words: words.filter(([, ranges]) => ranges.length), reasons: [...reasons, ...words.map(([reason]) => reason)] };
  }

  async ready() {
    if (!this.active) return false;
    await this.page.rows({ evenEmpty: true, quiet: true });
    if (!this.known) await this.search(); // there is no survey
    return true;
  }

  // A document view as it is with what is excluded.
  async ofDocument(view) {
    if (!(await this.ready())) return view;
    const shown = view.document;
    const own = { ...this.excludedIn(shown), places: new WordPlaces(shown.text) };
    const sources = view.sources.filter((source) => !this.isOfTheSame(shown, source)).map((source) => {
      const other = { ...this.excludedIn(source), places: new WordPlaces(null) };
      const rest = this.remaining(view.min_words, shown, source, source, [own, other]);
      return { ...source, ...rest, pair: remainingMeasures(source.pair, rest, this.sizes([shown, source], [own, other])) };
    });
    return {
      ...view,
      document: markedText(shown, own.reasons, own.words, own.places),
      sources: sources.filter((source) => source.passages.length || source.reworded.length),
      whole: view.whole && this.wholeOf(shown.id, view.whole),
    };
  }

  // A pair view as it is with what is excluded.
  async ofPair(view) {
    if (!(await this.ready())) return view;
    const sides = [view.a, view.b].map((shown) => ({ ...this.excludedIn(shown), places: new WordPlaces(shown.text) }));
    const minWords = this.known?.survey.min_words ?? view.min_words ?? 1;
    const rest = this.remaining(minWords, view.a, view.b, view, sides);
    const [a, b] = [view.a, view.b].map((shown, side) => markedText(shown, sides[side].reasons, sides[side].words, sides[side].places));
    const fact = this.pairLeft(view.a.id, view.b.id);
    const notes = fact?.left === null ? [`With these exclusions the two documents are not among the pairs${this.isOfTheSame(view.a, view.b) ? ", because they have the same author or group" : ""}.`] : [];
    const isKnown = view.passages.length || view.reworded?.length;
    const measures = isKnown || !fact?.left?.values ? remainingMeasures(view.measures, rest, this.sizes([view.a, view.b], sides)) : { ...view.measures, ...turnedFigures(fact.left.values, fact.turned) };
    return { ...view, a, b, ...rest, measures: typeof view.measures.words === "number" ? measures : view.measures, notes: [...notes, ...view.notes] };
  }

  remaining(minWords, one, other, { passages, reworded }, sides) {
    const unspaced = Boolean(one.unspaced || other.unspaced);
    const rules = { minWords, minScore: minWords * (unspaced ? 2 : 1), minPassage: Math.max(this.state.minWords, this.known?.data?.min_passage ?? 0) };
    const texts = this.chanceOf(one.id, other.id);
    return { passages: remainingPassages(passages, sides, texts, rules), reworded: remainingPassages(reworded ?? [], sides, texts, rules) };
  }

  sizes(shown, sides) {
    return shown.map(({ words }, side) => (typeof words === "number" ? words - wordsIn(sides[side].mask) : null));
  }

  isOfTheSame(one, other) {
    return this.state.same.some((field) => (one[field] ?? null) !== null && one[field] === other[field]);
  }

  // The row of a pair in the survey; null if it is not listed.
  pairRow(one, other) {
    if (!this.known) return null;
    const [a, b] = [this.known.rowOf.get(one), this.known.rowOf.get(other)];
    const { columns } = this.known.survey.pairs;
    const row = columns.a.findIndex((first, at) => (first === a && columns.b[at] === b) || (first === b && columns.b[at] === a));
    return row < 0 ? null : { row, turned: columns.a[row] === b };
  }

  chanceOf(one, other) {
    const place = this.known?.data ? this.pairRow(one, other) : null;
    if (place === null) return null;
    const texts = this.known.texts(place.row);
    return place.turned ? { ...texts, words: texts.words.slice().reverse() } : texts;
  }

  pairLeft(one, other) {
    const place = this.pairRow(one, other);
    return place && { left: pairWithout(this.known, this.cut.rules, place.row), turned: place.turned };
  }

  // Pairs whose passages are not in the page, with what the survey knows of them.
  wholeOf(id, known) {
    const row = this.cut.rows.byId.get(id);
    const bare = known.bare.map((other) => ({ other, fact: this.pairLeft(id, other.id) })).filter(({ fact }) => fact?.left)
      .map(({ other, fact }) => ({ ...other, pair: { ...other.pair, ...turnedFigures(fact.left.values, fact.turned) } }));
    return { ...known, words: row?.words ?? known.words, matched: row?.matched ?? 0, bare };
  }
}

const PART_WORDS = { quotations: "quotations", bibliography: "bibliographies", "common-text": "text common to many documents", template: "template text", phrases: "phrases" };

function turnedFigures(values, turned) {
  if (!values || !turned) return values ?? {};
  return { ...values, words: values.words_b, words_b: values.words, share_a: values.share_b, share_b: values.share_a };
}
