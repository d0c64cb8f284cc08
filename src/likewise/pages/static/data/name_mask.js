// Names in texts while names are hidden on the screen. Every letter of a name becomes another sign that
// is part of a word, so that no place in the text changes. On the screen nothing is lost, so that also
// ordinary words that are names are hidden; a report without names (`survey/anonymous`) replaces fewer.

import { wordsOfText } from "../texts/words.js";

const LETTER_SIGN = "x";
const ALONE_SIGN = "〇"; // a letter of scripts without spaces
const UNSPACED_SIGN = /[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{323af}]/u;
const EMAIL_SIGNS = /[\p{L}\p{M}\p{N}.+'_-]+(?=@[\p{L}\p{N}-]+\.)/gu;
const SHORT_GAP = /^[\s.,_'’–·&+/()-]{0,3}$/u;
const INSIDE_TOKEN = /[._@-]/;

export class NameMask {
  constructor(authors) {
    this.owners = new Map(); // a word of a name → the numbers of those who have it
    this.initials = new Map();
    this.compounds = new Map(); // names without spaces, by their first letters
    authors.forEach((author, person) => this.add(author, person));
  }

  add(author, person) {
    const { words, begins, ends } = wordsOfText(author);
    const letters = [...author];
    for (let at = 0; at < words.length; at += 1) {
      if (!UNSPACED_SIGN.test(letters[begins[at]])) {
        put(this.owners, words[at], person);
        put(this.initials, [...words[at]][0], person);
        continue;
      }
      const run = [words[at]];
      while (at + 1 < words.length && begins[at + 1] === ends[at] && UNSPACED_SIGN.test(letters[begins[at + 1]])) run.push(words[(at += 1)]);
      if (run.length > 1) {
        if (!this.compounds.has(run[0])) this.compounds.set(run[0], []);
        this.compounds.get(run[0]).push(run);
      }
    }
  }

  // The text with as many characters and words.
  mask(text) {
    if (!this.owners.size && !this.compounds.size) return text;
    const cut = wordsOfText(text);
    const letters = [...text];
    const hidden = new Set();
    cut.words.forEach((word, at) => {
      if (this.owners.has(word)) this.hideName(cut, letters, at, hidden);
      for (const run of this.compounds.get(word) ?? []) {
        if (run.every((one, step) => cut.words[at + step] === one)) run.forEach((_, step) => hidden.add(at + step));
      }
    });
    for (const at of hidden) {
      for (let place = cut.begins[at]; place < cut.ends[at]; place += 1) letters[place] = UNSPACED_SIGN.test(letters[place]) ? ALONE_SIGN : LETTER_SIGN;
    }
    return letters.join("").replace(EMAIL_SIGNS, (local) => local.replace(/[\p{L}\p{M}\p{N}]/gu, LETTER_SIGN));
  }

  hideName(cut, letters, at, hidden) {
    const own = this.owners.get(cut.words[at]);
    const [begin, end] = [cut.begins[at], cut.ends[at]];
    const isLower = /\p{Ll}/u.test(letters[begin]);
    const isInside = INSIDE_TOKEN.test(letters[begin - 1] ?? " ") || INSIDE_TOKEN.test(letters[end] ?? " ") && /\S/.test(letters[end + 1] ?? " ");
    if (!isLower || isInside) hidden.add(at);
    for (const other of [at - 1, at + 1]) {
      const word = cut.words[other];
      const [first, last] = other < at ? [cut.ends[other], begin] : [end, cut.begins[other]];
      if (word === undefined || word === cut.words[at] || !SHORT_GAP.test(letters.slice(first, last).join(""))) continue;
      if (shares(own, this.owners.get(word))) hidden.add(at).add(other);
      else if (!isLower && [...word].length === 1 && letters[cut.begins[other]] !== word && shares(own, this.initials.get(word))) hidden.add(other);
    }
  }
}

function put(map, key, value) {
  if (!map.has(key)) map.set(key, new Set());
  map.get(key).add(value);
}

function shares(one, other) {
  return Boolean(other) && [...one].some((value) => other.has(value));
}
