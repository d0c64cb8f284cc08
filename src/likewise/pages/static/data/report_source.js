// The data embedded in the report itself.

import { embedded } from "./embedded_data.js";
import { EmbeddedSearch } from "./embedded_search.js";
import { placedMatch, WordPlaces } from "./excluded_view.js";
import { unpackedPassages } from "./packed_passages.js";
import { StretchTexts } from "./stretch_texts.js";
import { KeptMarks } from "./kept_marks.js";
import { wordsOfText } from "../texts/words.js";
import { PlainError } from "../parts/notice.js";
import { isSmallest } from "./survey_rows.js";

const MEASURE_FIELDS = [
  "jaccard", "low", "high", "level", "containment_a", "containment_b", "shared", "size_a", "size_b", "words", "words_b", "share_a", "share_b",
  "passages", "reworded", "run", "run_p", "chance_run", "chance", "p", "q",
];

const NO_PLACES = new WordPlaces(null);

export class ReportSource {
  constructor() {
    this.mode = "report";
    this.collection = null;
    this.parsed = null;
    this.exclusions = null; // those of the page
  }

  async survey() {
    this.parsed ??= embedded("survey");
    if (this.parsed === null) throw new PlainError("This report contains no data.", "The file may be incomplete.");
    return this.parsed;
  }

  // Files that could not be read: {name, reason}.
  get unread() {
    const skipped = this.parsed?.run.skipped ?? [];
    return { files: skipped.map(([name, place, reason]) => ({ name: place ? `${name}, ${place}` : name, reason })), unlisted: 0, what: skipped.some(([, place]) => place) ? "document" : "file" };
  }

  // Marks of documents are kept by the browser: a file cannot change itself.
  get kept() {
    this.keptMarks ??= new KeptMarks(this.parsed.identity);
    return this.keptMarks;
  }

  async reviewMarks() { return this.kept.read(); }
  async saveMarks(marks) { return this.kept.save(marks); }
  async removeMarks(marks) { return this.kept.remove(marks); }

  place(id) {
    const place = this.parsed.documents.columns.id.indexOf(id);
    if (place < 0) throw new PlainError(`This report has no document “${id}”.`, "The link may belong to another report, or the document is not listed.");
    return place;
  }

  about(place) {
    const { columns } = this.parsed.documents;
    const value = (name) => columns[name]?.[place] ?? null;
    return { id: columns.id[place], title: value("title"), author: value("author"), date: value("date"), group: value("group"), archive: value("archive"), words: columns.words[place], digest: value("digest") };
  }

  // Where phrases, templates and passages are in the texts.
  async excludedWords(wanted) {
    return this.search.find(wanted);
  }

  get search() {
    this.searched ??= new EmbeddedSearch(this.parsed.documents.columns.id, (id) => displayedText(embedded(`text-${this.place(id)}`)));
    return this.searched;
  }

  // Phrases are in the link; templates are kept while the page is open.
  async exclusionTexts() {
    return { phrases: null, templates: this.search.templates.map(({ name, text }) => ({ name, words: wordsOfText(text).words.length })), canChange: true, accepts: ".txt,.md,text/plain" };
  }

  async addTemplate(file) { this.search.addTemplate(file.name, await file.text()); }
  async removeTemplate(name) { this.search.removeTemplate(name); }

  // The words of documents from `first` up to, not including, `last`, and where they are: {text, place},
  // null where the report has no text.
  async stretches(places) {
    this.stretchTexts ??= new StretchTexts((id) => {
      const shown = embedded(`text-${this.place(id)}`);
      return shown && { ...shown, text: displayedText(shown) };
    });
    return places.map((place) => this.stretchTexts.of(place));
  }

  text(place) {
    const text = embedded(`text-${place}`);
    return text === null ? { ...this.about(place), text: null, page_starts: null, marks: [], left_out: [], flags: [] } : { ...text, digest: this.about(place).digest };
  }

  async document(id) {
    const here = this.place(id);
    const { a, b } = this.parsed.pairs.columns;
    const sources = [];
    const bare = []; // pairs whose passages are not in the page
    let listed = 0; // of those that share passages
    for (let row = 0; row < a.length; row += 1) {
      if (a[row] !== here && b[row] !== here) continue;
      if (this.parsed.pairs.columns.passages[row]) listed += 1;
      const turned = a[row] !== here;
      const found = this.passages(row, turned);
      const other = { ...this.about(turned ? a[row] : b[row]), pair: this.measures(row, turned) };
      if (found === null) bare.push(other);
      else if (found.passages.length || found.reworded.length) sources.push({ ...other, ...this.marked(turned ? a[row] : b[row]), ...found });
    }
    const shown = this.text(here);
    const notes = [];
    if (shown.archive) notes.push("This document is in the archive. It is compared with the documents under review, not with others of the archive.");
    if (shown.text === null) {
      const hasTexts = this.parsed.documents.columns.text.some(Boolean);
      notes.push(hasTexts && !sources.length && !bare.length
        ? "A report contains the texts of pairs; this document is in none."
        : `The text of this document is not in this report${this.remedy("it")}.`);
    }
    return this.exclusions.ofDocument({ document: shown, sources, notes, min_words: this.parsed.min_words, whole: this.whole(here, bare, listed) });
  }

  // What can be excluded from a text.
  marked(place) {
    const { marks, unspaced } = this.text(place);
    return { marks, unspaced };
  }

  // What was counted when the report was made, where not all that it was counted from is here.
  whole(place, bare, listed) {
    const { words, matched, sources } = this.parsed.documents.columns;
    const unlisted = sources[place] - listed;
    return bare.length || unlisted > 0 ? { words: words[place], matched: matched[place], bare, unlisted } : null;
  }

  remedy(what) {
    return this.parsed.documents.columns.text.some(Boolean) ? `; a report of fewer documents has ${what}` : "";
  }

  async pair(first, second) {
    const [one, other] = [this.place(first), this.place(second)];
    const { a, b } = this.parsed.pairs.columns;
    let row = a.findIndex((place, at) => place === one && b[at] === other);
    const turned = row < 0;
    if (turned) row = a.findIndex((place, at) => place === other && b[at] === one);
    if (row < 0) throw new PlainError("These two documents are not among the pairs of this report.", "They have too little in common, or the pair is not listed.");
    const [text, otherText] = [this.text(one), this.text(other)];
    const found = this.passages(row, turned, new WordPlaces(text.text), new WordPlaces(otherText.text));
    return this.exclusions.ofPair({
      a: found === null ? { ...text, text: null } : text,
      b: otherText,
      measures: this.measures(row, turned),
      passages: found?.passages ?? [],
      reworded: found?.reworded ?? [],
      notes: found === null ? [`The texts of this pair are not in this report${this.remedy("them")}.`] : [],
    });
  }

  // Where their matched words are is in the survey; the places of these in characters are in the texts.
  passages(row, turned, places = NO_PLACES, otherPlaces = NO_PLACES) {
    const known = embedded(`pair-${row}`)?.passages ?? null;
    if (known === null) return null;
    const packed = unpackedPassages(this.parsed.exclusion_data.passages[row]);
    const sides = turned ? [otherPlaces, places] : [places, otherPlaces];
    const stored = known.map((passage, at) => ({ ...passage, matches: packed[at].runs.map((match) => placedMatch(match, ...sides)) }));
    const found = turned ? stored.map(turnedPassage).sort((x, y) => x.start - y.start || x.end - y.end) : stored;
    const isReworded = (passage) => passage.kind === "reworded";
    return { passages: found.filter((passage) => !isReworded(passage)), reworded: found.filter(isReworded) };
  }

  measures(row, turned) {
    const { columns } = this.parsed.pairs;
    const measures = {};
    for (const field of MEASURE_FIELDS) measures[turned ? otherField(field) : field] = columns[field]?.[row] ?? null;
    measures.bounded = isSmallest(measures.p, this.parsed.chance?.pairs);
    measures.chance_reason = this.parsed.chance_reason ?? null;
    return measures;
  }
}

function otherField(field) {
  if (field === "words" || field === "words_b") return field === "words" ? "words_b" : "words";
  if (field.endsWith("_a")) return `${field.slice(0, -1)}b`;
  return field.endsWith("_b") ? `${field.slice(0, -1)}a` : field;
}

function turnedPassage(passage) {
  return {
    ...passage,
    start: passage.other_start, end: passage.other_end, first: passage.other_first, last: passage.other_last,
    other_start: passage.start, other_end: passage.end, other_first: passage.first, other_last: passage.last,
    attribution: passage.other_attribution, other_attribution: passage.attribution,
    changed: passage.other_changed, other_changed: passage.changed,
    matches: passage.matches.map(([own, other, words, start, end, otherStart, otherEnd]) => [other, own, words, otherStart, otherEnd, start, end]).sort((x, y) => x[0] - y[0]),
  };
}

// Letters that look like others are compared as these.
function displayedText(shown) {
  if (!shown?.lookalikes?.[1]) return shown?.text ?? null;
  const [signs, letters] = [[...shown.text], [...shown.lookalikes[1]]];
  shown.lookalikes[0].forEach((place, at) => (signs[place] = letters[at]));
  return signs.join("");
}
