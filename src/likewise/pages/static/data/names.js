// How documents are called: by author and title, by their id where others are called the same, or by
// number where names are hidden on the screen: there, texts have no names of authors either, and links
// have numbers.

import { h, isolated } from "../parts/dom.js";
import { recall, remember } from "./memory.js";
import { NameMask } from "./name_mask.js";

const MIN_FOR_MARK = 40; // characters of a name; a shorter one is a label in a picture, where the shape says it

export class Names {
  constructor() {
    this.anonymous = recall("anonymous", "session") === "yes";
    this.numbers = new Map(); // of documents, by their ids
    this.ids = [];
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
    this.nameMask = null;
  }

  // All that are shown together, before any of them is; their texts as they are shown. Numbers follow
  // no names.
  learn(documents) {
    for (const id of documents.map((document) => document.id).sort((one, other) => scrambledRank(one) - scrambledRank(other))) this.numberOf(id);
    for (const document of documents) {
      countName(this.called, nameOf(document), document.id);
      if (document.author && !this.written.has(document.author)) this.nameMask = null;
      countName(this.written, document.author, document.id);
    }
    for (const document of documents) this.hideInText(document);
  }

  // Sets the text of a document as it is shown.
  hideInText(document) {
    if (typeof document.text !== "string") return;
    document.stored ??= { text: document.text, flags: document.flags ?? [] };
    const { text, flags } = document.stored;
    document.text = this.inText(text);
    document.flags = this.anonymous ? flags.map(([start, end, kind, shown, ...more]) => [start, end, kind, this.inText(shown), ...more]) : flags;
  }

  // A text without the names of authors, if they are hidden; it has as many characters and words.
  inText(text) {
    if (!this.anonymous || !text) return text;
    this.nameMask ??= new NameMask([...this.written.keys()]);
    return this.nameMask.mask(text);
  }

  numberOf(id) {
    if (!this.numbers.has(id)) this.numbers.set(id, this.ids.push(id));
    return this.numbers.get(id);
  }

  // What a link calls a document, and the other way round.
  inLink(id) {
    if (this.anonymous) return `~${this.numberOf(id)}`;
    return linkedId(id);
  }

  fromLink(text) {
    if (text.startsWith("~~")) return text.slice(1);
    return (/^~\d+$/.test(text) && this.ids[Number(text.slice(1)) - 1]) || text;
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
    if (this.anonymous) return h("span", { class: "archived" }, name, " ", h("span", { class: "archive-mark" }, "archive"));
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

// An order that does not follow names, the same each time.
function scrambledRank(id) {
  let rank = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) rank = Math.imul(rank ^ id.charCodeAt(at), 0x01000193);
  rank = Math.imul(rank ^ (rank >>> 15), 0x2c1b3c6d);
  return (rank ^ (rank >>> 12)) >>> 0;
}

// An id as it is in an address where names are shown: a number after one ~ stands for a hidden one.
export function linkedId(id) {
  return id.startsWith("~") ? `~${id}` : id;
}
