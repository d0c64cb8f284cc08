// Phrases, templates and passages, found in the texts of a report.

import { MIN_TEMPLATE_RUN, phrasePlaces, SearchedTexts, templateRuns } from "../texts/found_words.js";
import { plural, whole } from "./numbers.js";
import { PlainError } from "../parts/notice.js";

const MAX_TEMPLATE_LENGTH = 1_000_000;

export class EmbeddedSearch {
  // `textOf(id)` is the text of a document, or null where the report does not have it.
  constructor(ids, textOf) {
    this.ids = ids;
    this.textOf = textOf;
    this.searched = new SearchedTexts();
    this.without = new Set(); // documents whose texts are not here
    this.templates = []; // texts that were chosen in this page
  }

  addTemplate(name, text) {
    if (text.length > MAX_TEMPLATE_LENGTH) throw new PlainError(`The template is longer than ${whole(MAX_TEMPLATE_LENGTH)} characters.`);
    if (/[\0\ufffd]/.test(text) || !this.searched.words(text).length) throw new PlainError("This file is not plain text in UTF-8.", "Save the template as text (.txt), or write the report with --template FILE.");
    this.removeTemplate(name);
    this.templates.push({ name, text });
  }

  removeTemplate(name) {
    this.templates = this.templates.filter((one) => one.name !== name);
  }

  words(id) {
    return this.searched.of(id, () => {
      const text = this.textOf(id);
      if (text === null) this.without.add(id);
      return text ?? "";
    });
  }

  // {words: id → ranges by reason, notes}.
  find({ phrases, template, given, passages }) {
    const wanted = { phrase: phrases ? given.map((phrase) => this.searched.words(phrase)) : [], template: template ? this.templates.map(({ text }) => this.searched.words(text)) : [] };
    const taken = passages.map(({ id, first, last }) => (this.ids.includes(id) ? this.words(id).slice(first, last) : []));
    const words = new Map();
    for (const id of this.ids) {
      const own = this.words(id);
      const found = {
        phrase: wanted.phrase.flatMap((phrase) => phrasePlaces(own, phrase)),
        template: wanted.template.flatMap((text) => templateRuns(own, text)),
        passage: taken.flatMap((text) => (text.length < MIN_TEMPLATE_RUN ? phrasePlaces(own, text) : templateRuns(own, text))),
      };
      const some = Object.entries(found).filter(([, ranges]) => ranges.length);
      if (some.length) words.set(id, Object.fromEntries(some));
    }
    const notes = this.without.size ? [`The texts of ${plural(this.without.size, "document")} are not in this report: phrases, templates and passages are not searched for in them.`] : [];
    if (template && !this.templates.length) notes.push("The link says that a template is excluded, which is not part of the report: choose its file again.");
    return { words, notes };
  }
}
