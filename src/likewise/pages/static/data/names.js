// How documents are called: by title or id, or by number where the page is anonymous.

import { isolated } from "../parts/dom.js";
import { recall, remember } from "./memory.js";

export class Names {
  constructor() {
    this.anonymous = recall("anonymous", "session") === "yes";
    this.numbers = new Map();
  }

  setAnonymous(on) {
    this.anonymous = on;
    remember("anonymous", on ? "yes" : null, "session");
  }

  // Numbers follow the order of the collection where it is known before anything is shown.
  learn(documents) {
    for (const { id } of documents) this.numberOf(id);
  }

  numberOf(id) {
    if (!this.numbers.has(id)) this.numbers.set(id, this.numbers.size + 1);
    return this.numbers.get(id);
  }

  plain(document) {
    if (this.anonymous) return `Document ${this.numberOf(document.id)}`;
    return document.title || document.id;
  }

  // For buttons and titles, where a thousand characters would be in the way.
  short(document, limit = 60) {
    const letters = [...this.plain(document)];
    return letters.length <= limit ? letters.join("") : `${letters.slice(0, limit - 1).join("")}…`;
  }

  node(document, className = "name") {
    return isolated(this.plain(document), className);
  }

  // Within a sentence.
  brief(document) {
    return isolated(this.short(document, 40), "name");
  }

  // Author, date and group; and the id if the title replaces it.
  about(document) {
    if (this.anonymous) return [];
    const details = [document.author, document.date, document.group].filter(Boolean);
    return document.title && document.title !== document.id ? [document.id, ...details] : details;
  }

  // What a search for words may find, in lower case.
  searched(document) {
    return [this.plain(document), ...(this.anonymous ? [] : [document.id, ...this.about(document)])].join("\n").toLowerCase();
  }
}
