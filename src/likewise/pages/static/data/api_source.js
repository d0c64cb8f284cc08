// The data as the server gives it.

import { askDialog } from "../parts/dialog.js";
import { recall, remember } from "./memory.js";
import { plural } from "./numbers.js";
import { PlainError } from "../parts/notice.js";
import { sendFile } from "./sending.js";

const STRETCHES_AT_ONCE = 100;
const PAUSE_MS = 700;
const FRESH_PAUSE_MS = 150;
const MAX_FRESH_WAIT_MS = 1500; // for new figures; after that the previous ones are shown
const LIBRARY_PAGE = 50;
const MARKS_AT_ONCE = 200;

export class ApiSource {
  constructor() {
    this.mode = "app";
    this.collection = null;
    this.exclusions = null; // those of the page
    this.token = recall("token", "session");
    this.tokenDialog = null;
    this.changed = false;
    this.unread = { files: [], unlisted: 0 }; // files that could not be read: {name, reason}
  }

  address(path, collection = this.collection) {
    const prefix = collection === null ? "" : `c/${encodeURIComponent(collection)}/`;
    return new URL(`${prefix}api/${path}`, document.baseURI.split("#")[0]).href;
  }

  headers(more = {}) {
    return this.token ? { ...more, Authorization: `Bearer ${this.token}` } : more;
  }

  async request(path, options = {}) {
    for (;;) {
      const response = await this.response(path, options);
      if (response.status === 401) {
        await this.askForToken();
        continue;
      }
      const body = await bodyOf(response);
      if (response.ok) return body;
      throw failure(response.status, body);
    }
  }

  async response(path, { collection = this.collection, ...options }) {
    try {
      return await fetch(this.address(path, collection), { ...options, headers: this.headers(options.headers) });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new PlainError("The server is not responding.", "Check that it is running, then try again.");
    }
  }

  // Several requests may be refused at once: the dialog opens once.
  async askForToken() {
    const refused = this.token !== null;
    this.tokenDialog ??= askDialog({
      title: "Token required",
      text: refused ? "The server rejected this token. Ask whoever runs the server for it." : "This server requires a token. Ask whoever runs the server for it. It is kept until you close this tab.",
      label: "Token", type: "password", maxLength: 10_000, action: "Continue",
      check: (token) => (/^[!-~]+$/.test(token) ? null : "A token contains letters, digits and punctuation, but no spaces."),
    }).finally(() => (this.tokenDialog = null));
    const token = await this.tokenDialog;
    if (token === null) throw new PlainError("This page cannot be shown without a token.", "Reload the page to enter it.", 401);
    this.token = token;
    remember("token", token, "session");
  }

  post(path, value, options = {}) {
    return this.request(path, { method: "POST", ...options, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
  }

  async survey(onProgress) {
    const [here, began] = [this.collection, performance.now()];
    while (this.collection === here) {
      const answer = await this.request("view/survey");
      if (answer.unread) this.unread = answer.unread;
      if (answer.state === "ready" && answer.changed && performance.now() - began < MAX_FRESH_WAIT_MS) {
        await new Promise((resolve) => setTimeout(resolve, FRESH_PAUSE_MS));
        continue;
      }
      if (answer.state === "ready") {
        this.changed = Boolean(answer.changed);
        return answer.survey;
      }
      if (answer.state === "empty") return null;
      if (answer.state !== "running") throw new PlainError("The server sent an unexpected answer.");
      onProgress(answer);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return null; // another collection was chosen meanwhile
  }

  // Where phrases, templates and passages are in the texts, and what could not be searched.
  async excludedWords({ phrases, template, passages, archive }) {
    const { documents, missing } = await this.post("exclusions/words", { phrases, template, passages, archive });
    const words = new Map(Object.entries(documents).map(([id, reasons]) => [id, Object.fromEntries(Object.entries(reasons).map(([reason, flat]) => [reason, pairsOf(flat)]))]));
    return { words, notes: missing ? [`${plural(missing, "excluded passage or document", "excluded passages or documents")} could not be found.`] : [] };
  }

  async exclusionTexts() {
    const [texts, { can_change: canChange }] = await Promise.all([this.request("exclusions"), this.collections()]);
    return { ...texts, canChange, accepts: "" };
  }

  setPhrases(phrases) { return this.post("exclusions/phrases", { phrases }, { method: "PUT" }); }
  removeTemplate(name) { return this.post("exclusions/templates/remove", { name }); }

  addTemplate(file) {
    return this.request(`exclusions/templates?${new URLSearchParams({ name: file.name })}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
  }

  async document(id) { return this.exclusions.ofDocument(await this.request(`view/document/${encodeURIComponent(id)}`)); }
  async pair(a, b) { return this.exclusions.ofPair(await this.request(`view/pair?${new URLSearchParams({ a, b })}`)); }

  // The words of documents from `first` up to, not including, `last`, and where they are.
  async stretches(places) {
    const found = [];
    for (let from = 0; from < places.length; from += STRETCHES_AT_ONCE) found.push(...(await this.post("view/stretches", { places: places.slice(from, from + STRETCHES_AT_ONCE) })).stretches);
    return found;
  }

  synopsis(ids, exclude) { return this.request(`view/synopsis?${new URLSearchParams([...ids.map((id) => ["document", id]), ...exclude.map((name) => ["exclude", name])])}`); }
  check(text, signal) { return this.post("view/check", { text }, { signal }); }

  checkFile(file, signal) {
    return this.request(`view/check/file?${new URLSearchParams({ name: file.name })}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file, signal });
  }

  documents({ after = 0, contains = "", signal } = {}) {
    const query = { limit: String(LIBRARY_PAGE), after: String(after) };
    if (contains) query.contains = contains;
    return this.request(`documents?${new URLSearchParams(query)}`, { signal });
  }

  noteUnread(files, collection) { return this.post("view/unread", { files }, { collection }); }
  dismissUnread(names) { return this.post("view/unread/dismiss", { names }); }

  archive() { return this.request("archive"); }
  setArchive(collections) { return this.post("archive", { collections }, { method: "PUT" }); }
  // Marks that are known by their revision are not sent again.
  async reviewMarks() {
    const here = this.collection;
    const known = this.known?.collection === here ? this.known : null;
    const answer = await this.request(`review${known ? `?revision=${known.revision}` : ""}`, { collection: here });
    return this.keepMarks(answer.marks === null ? { ...known, ...answer, marks: known.marks } : answer, here);
  }

  async saveMarks(marks) {
    const here = this.collection;
    let answer = null;
    for (let from = 0; from < marks.length; from += MARKS_AT_ONCE) answer = await this.post("review", { marks: marks.slice(from, from + MARKS_AT_ONCE) }, { method: "PUT", collection: here });
    return this.keepMarks(answer, here);
  }

  async removeMarks(marks) {
    const here = this.collection;
    return this.keepMarks(await this.post("review/remove", { keys: marks.map(({ key }) => key) }, { collection: here }), here);
  }

  keepMarks({ revision, marks, can_change }, collection) {
    this.known = { revision, marks, can_change, collection };
    return { marks, canChange: can_change, problem: null };
  }

  sharing() { return this.request("sharing"); }
  share(readers) { return this.post("sharing", { readers }, { method: "PUT" }); }
  remove(ids) { return this.post("remove", { ids }); }

  addSamples() { return this.post("samples", {}, { collection: null }); }

  describe(file, name, collection) {
    return this.request(`metadata?${new URLSearchParams({ name })}`, { collection, method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
  }

  makeReport(options) { return this.request(`report?${new URLSearchParams(options)}`); }
  reportFile(options) { return this.file(`report/file?${new URLSearchParams(options)}`); }
  reportKey(options) { return this.file(`report/key?${new URLSearchParams(options)}`); }

  // A file as a blob; null if it is not ready.
  async file(path) {
    const response = await this.response(path, {});
    if (response.ok) return response.blob();
    if (response.status === 404) return null;
    throw failure(response.status, await bodyOf(response));
  }

  collections() { return this.request("collections", { collection: null }); }
  createCollection(name) { return this.post("collections", { name }, { collection: null }); }

  upload(file, name, collection, onProgress, onLine) {
    return sendFile(this.address(`uploads?${new URLSearchParams({ name })}`, collection), this.headers({ "Content-Type": "application/octet-stream" }), file, onProgress, onLine);
  }
}

function pairsOf(flat) {
  return flat.flatMap((first, at) => (at % 2 ? [] : [[first, flat[at + 1]]]));
}

async function bodyOf(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function failure(status, body) {
  const error = body?.error;
  if (error?.message) return new PlainError(error.message, error.hint ?? null, status);
  if (status === 413) return new PlainError("This is larger than the server accepts.", null, status);
  if (status === 429) return new PlainError("Too many requests.", "Wait a moment, then try again.", status);
  if (status === 404) return new PlainError("Not found on the server.", null, status);
  return new PlainError(`The server answered with status ${status}.`, "The server log may have details.", status);
}
