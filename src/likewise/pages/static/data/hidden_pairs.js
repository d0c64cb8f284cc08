// Pairs that the reader has put aside, for as long as the browser's tab is open.

import { recall, remember } from "./memory.js";

export class HiddenPairs {
  constructor(place) {
    this.key = `hidden.${place}`;
    try {
      this.keys = new Set(JSON.parse(recall(this.key, "session") ?? "[]"));
    } catch {
      this.keys = new Set();
    }
  }

  get count() {
    return this.keys.size;
  }

  has(row) {
    return this.keys.has(keyOf(row));
  }

  hide(row) {
    this.keys.add(keyOf(row));
    this.keep();
  }

  showAll() {
    this.keys.clear();
    this.keep();
  }

  keep() {
    remember(this.key, this.keys.size ? JSON.stringify([...this.keys]) : null, "session");
  }
}

function keyOf(row) {
  return JSON.stringify([row.first.id, row.second.id]);
}
