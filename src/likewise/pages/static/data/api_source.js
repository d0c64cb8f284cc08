// The data as the server gives it.

import { askDialog } from "../parts/dialog.js";
import { recall, remember } from "./memory.js";
import { PlainError } from "../parts/notice.js";
import { sendFile } from "./sending.js";

const PAUSE = 700;
const FRESH_PAUSE = 150;
const FRESH_PATIENCE = 1500; // for figures that are being made anew; then those of before are shown
const LIBRARY_PAGE = 50;

export class ApiSource {
  constructor() {
    this.mode = "app";
    this.collection = null;
    this.token = recall("token", "session");
    this.asking = null;
    this.changed = false;
  }

  address(path, collection = this.collection) {
    const prefix = collection === null ? "" : `c/${encodeURIComponent(collection)}/`;
    return new URL(`${prefix}api/${path}`, document.baseURI.split("#")[0]).href;
  }

  headers(more = {}) {
    return this.token ? { ...more, Authorization: `Bearer ${this.token}` } : more;
  }

  async ask(path, options = {}) {
    for (;;) {
      const response = await this.fetched(path, options);
      if (response.status === 401) {
        await this.askForToken();
        continue;
      }
      const body = await bodyOf(response);
      if (response.ok) return body;
      throw failure(response.status, body);
    }
  }

  async fetched(path, options) {
    try {
      return await fetch(this.address(path), { ...options, headers: this.headers(options.headers) });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new PlainError("The server is not responding.", "Check that it is running, then try again.");
    }
  }

  // Several requests may be refused at once: the question is put once.
  async askForToken() {
    const refused = this.token !== null;
    this.asking ??= askDialog({
      title: "Token required",
      text: refused ? "The server rejected this token. Ask whoever runs the server for it." : "This server requires a token. Ask whoever runs the server for it. It is kept until you close this tab.",
      label: "Token", type: "password", most: 10_000, action: "Continue",
      check: (token) => (/^[!-~]+$/.test(token) ? null : "A token contains letters, digits and punctuation, but no spaces."),
    }).finally(() => (this.asking = null));
    const token = await this.asking;
    if (token === null) throw new PlainError("This page cannot be shown without a token.", "Reload the page to enter it.", 401);
    this.token = token;
    remember("token", token, "session");
  }

  post(path, value, options = {}) {
    return this.ask(path, { ...options, method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
  }

  async survey(onProgress) {
    const [here, began] = [this.collection, performance.now()];
    while (this.collection === here) {
      const answer = await this.ask("view/survey");
      if (answer.state === "ready" && answer.changed && performance.now() - began < FRESH_PATIENCE) {
        await new Promise((resolve) => setTimeout(resolve, FRESH_PAUSE));
        continue;
      }
      if (answer.state === "ready") {
        this.changed = Boolean(answer.changed);
        return answer.survey;
      }
      if (answer.state === "empty") return null;
      if (answer.state !== "running") throw new PlainError("The server sent an unexpected answer.");
      onProgress(answer);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return null; // nobody waits for it any more
  }

  document(id) { return this.ask(`view/document/${encodeURIComponent(id)}`); }
  pair(a, b) { return this.ask(`view/pair?${new URLSearchParams({ a, b })}`); }
  check(text, signal) { return this.post("view/check", { text }, { signal }); }

  checkFile(file, signal) {
    return this.ask(`view/check/file?${new URLSearchParams({ name: file.name })}`, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file, signal });
  }

  documents({ after = 0, contains = "", signal } = {}) {
    const asked = { limit: String(LIBRARY_PAGE), after: String(after) };
    if (contains) asked.contains = contains;
    return this.ask(`documents?${new URLSearchParams(asked)}`, { signal });
  }

  remove(ids) { return this.post("remove", { ids }); }

  collections() {
    const here = this.collection;
    this.collection = null;
    const asked = this.ask("collections");
    this.collection = here;
    return asked;
  }

  makeCollection(name) {
    const here = this.collection;
    this.collection = null;
    const asked = this.post("collections", { name });
    this.collection = here;
    return asked;
  }

  upload(file, name, collection, onProgress, onLine) {
    return sendFile(this.address(`uploads?${new URLSearchParams({ name })}`, collection), this.headers({ "Content-Type": "application/octet-stream" }), file, onProgress, onLine);
  }
}

async function bodyOf(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function failure(status, body) {
  const told = body?.error;
  if (told?.message) return new PlainError(told.message, told.hint ?? null, status);
  if (status === 413) return new PlainError("This is larger than the server accepts.", null, status);
  if (status === 429) return new PlainError("Too many requests.", "Wait a moment, then try again.", status);
  if (status === 404) return new PlainError("Not found on the server.", null, status);
  return new PlainError(`The server answered with status ${status}.`, "The server log may have details.", status);
}
