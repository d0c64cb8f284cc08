// How documents are called: by author and title, by their id where others are called the same, or by
// number where the page is anonymous.

import { h, isolated } from "../parts/dom.js";
import { recall, remember } from "./memory.js";

const MIN_FOR_MARK = 40; // characters of a name; a shorter one is a label in a picture, where the shape says it

export class Names {
  constructor() {
    this.anonymous = recall("anonymous", "session") === "yes";
    this.numbers = new Map();
    this.forget();
  }

  setAnonymous(on) {
    this.anonymous = on;
    remember("anonymous", on ? "yes" : null, "session");
  }

  // Titles and authors may have changed since.
  forget() {
    this.called = new Map(); // a name → the ids of all that are called so
    this.written = new Map(); // an author → the ids
  }

  // All that are shown together, before any of them is. Numbers follow the order of the collection
  // where it is known before anything is shown.
  learn(documents) {
    for (const document of documents) {
      this.numberOf(document.id);
      countName(this.called, nameOf(document), document.id);
      countName(this.written, document.author, document.id);
    }
  }

  numberOf(id) {
    if (!this.numbers.has(id)) this.numbers.set(id, this.numbers.size + 1);
    return this.numbers.get(id);
  }

  isUnique(document) {
    return (this.called.get(nameOf(document))?.size ?? 1) < 2;
  }

  plain(document) {
    if (this.anonymous) return `Document ${this.numberOf(document.id)}`;
    return (this.isUnique(document) && nameOf(document)) || document.id;
  }

  // For buttons and titles, where a thousand characters would be in the way.
  short(document, limit = 60) {
    return `${shortened(this.plain(document), limit)}${document.archive && limit >= MIN_FOR_MARK ? " (archive)" : ""}`;
  }

  // For labels with little room: what tells documents apart, without what they have in common.
  tag(document, limit = 16) {
    if (this.anonymous) return this.plain(document);
    const single = document.author && (this.written.get(document.author)?.size ?? 1) < 2;
    const letters = [...(single ? document.author : nameOf(document) && this.isUnique(document) && !document.author ? document.title : document.id.split("/").pop() || document.id)];
    if (letters.length <= limit) return letters.join("");
    const end = Math.floor((limit - 1) / 2); // names of files often differ at their ends
    return `${letters.slice(0, limit - 1 - end).join("")}…${letters.slice(-end).join("")}`;
  }

  node(document, className = "name") {
    return this.marked(document, isolated(this.plain(document), className));
  }

  // Within a sentence.
  brief(document) {
    return isolated(shortened(this.plain(document), 40), "name");
  }

  // Documents of an archive are marked wherever they are named.
  marked(document, name) {
    if (!document.archive) return name;
    const isNamed = document.archive === "archive" || this.plain(document).startsWith(`${document.archive}:`);
    const label = isNamed ? "archive" : `archive: ${document.archive}`;
    return h("span", { class: "archived" }, name, " ", h("span", { class: "archive-mark" }, label));
  }

  // What the name does not say: the id, or title and author; date and group.
  about(document) {
    if (this.anonymous) return [];
    const rest = this.plain(document) === document.id ? [document.title, document.author] : [document.id];
    return [...rest, document.date, document.group].filter((detail) => detail && detail !== this.plain(document));
  }

  // What a search for words may find, in lower case.
  searched(document) {
    return [this.plain(document), ...(this.anonymous ? [] : [document.id, ...this.about(document)])].join("\n").toLowerCase();
  }
}

function shortened(text, limit) {
  const letters = [...text];
  return letters.length <= limit ? text : `${letters.slice(0, limit - 1).join("")}…`;
}

function nameOf({ author, title }) {
  return [author, title].filter(Boolean).join(" – ");
}

function countName(ids, name, id) {
  if (!name) return;
  if (!ids.has(name)) ids.set(name, new Set());
  ids.get(name).add(id);
}
