// A text or a file is compared with the collection, and is not stored.

import { DocumentBoard } from "./document_view.js";
import { h, refill } from "../parts/dom.js";
import { fileDrop } from "../parts/file_drop.js";
import { errorState, PlainError } from "../parts/notice.js";
import { bytes, plural } from "../data/numbers.js";
import { pairShown } from "./pair_view.js";

const TYPING_PAUSE_MS = 600;
const MIN_CHECKED_WORDS = 5;
const SIMILAR_ONLY = "This collection was created without passages: only documents that are similar as a whole are listed.";

// Kept while the page is open, so that the way back from a pair finds it.
const kept = { text: "", view: null, collection: null };

export async function showCheck(page, address) {
  if (kept.collection !== page.links.collection) Object.assign(kept, { view: null, collection: page.links.collection });
  const source = address.query.get("with");
  if (source !== null && kept.view !== null) return checkedPair(page, source, Number.parseInt(address.query.get("passage") ?? "", 10));
  return new CheckView(page).shown();
}

async function checkedPair(page, id, passage) {
  const found = kept.view.sources.find((source) => source.id === id);
  if (!found) throw new PlainError("This document is no longer a source of the text.");
  const other = await page.source.document(id);
  const view = await page.exclusions.ofPair({ a: kept.view.document, b: other.document, measures: found.pair, passages: found.passages, reworded: found.reworded, notes: [], min_words: kept.view.min_words });
  const shown = pairShown(page, view, passage, (side) => (side === view.b ? page.links.document(id) : null));
  shown.node.unshift(h("p", { class: "back" }, h("a", { href: page.links.to(["check"]) }, "← Back to the text")));
  return shown;
}

class CheckView {
  constructor(page) {
    this.page = page;
    this.board = null;
  }

  shown() {
    this.input = h("textarea", { rows: 8, placeholder: "Paste a text here. Its sources will appear below.", spellcheck: "false", dir: "auto", "data-control": "text", on: { input: () => this.onInput() } });
    this.input.value = kept.text;
    this.status = h("p", { class: "status", role: "status", "aria-live": "polite", "data-value": "check-status" });
    this.result = h("div", { class: "result" });
    const node = [
      h("div", { class: "heading" }, h("div", {}, h("h1", { tabindex: "-1" }, "Check a text"), h("p", { class: "muted" }, "Your text is compared with this collection. It is not stored."))),
      h("div", { class: "check-box" },
        h("label", { class: "field" }, h("span", { class: "unseen" }, "Text to check"), this.input),
        fileDrop({ label: "Choose a file", hint: "or drop one here", multiple: false, accept: "", onFiles: ([one]) => this.onFile(one.file) })),
      this.status,
      this.result,
    ];
    if (kept.view) this.draw(kept.view);
    return { title: "Check a text", node, leave: () => this.leave() };
  }

  leave() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.board?.stop();
  }

  onInput() {
    kept.text = this.input.value;
    clearTimeout(this.timer);
    this.abort?.abort();
    const words = kept.text.trim().split(/\s+/).filter(Boolean).length;
    if (!kept.text.trim()) {
      this.clear("");
    } else if (words < MIN_CHECKED_WORDS && kept.text.length < 40) {
      this.clear("This text is too short to check. Enter a few more words.");
    } else {
      this.timer = setTimeout(() => this.search((signal) => this.page.source.check(kept.text, signal)), TYPING_PAUSE_MS);
    }
  }

  clear(words) {
    this.board?.stop();
    this.board = null;
    kept.view = null;
    this.status.textContent = words;
    this.result.replaceChildren();
  }

  async onFile(file) {
    const { limits } = await this.page.source.collections().catch(() => ({ limits: {} }));
    if (limits.max_request && file.size > limits.max_request) {
      this.clear(`The file is ${bytes(file.size)}; the server accepts at most ${bytes(limits.max_request)}.`);
      return;
    }
    this.input.value = "";
    kept.text = "";
    clearTimeout(this.timer);
    this.search((signal) => this.page.source.checkFile(file, signal));
  }

  async search(request) {
    this.abort?.abort();
    const abort = (this.abort = new AbortController());
    refill(this.status, h("span", { class: "spinner small-spinner", "aria-hidden": "true" }), "Searching for sources…");
    this.result.classList.add("waiting");
    try {
      const view = await request(abort.signal);
      if (abort.signal.aborted) return;
      kept.view = view;
      await this.draw(view);
    } catch (error) {
      if (error.name === "AbortError" || abort.signal.aborted) return;
      this.clear("");
      refill(this.result, errorState(error, () => this.search(request)));
    } finally {
      if (this.abort === abort) this.result.classList.remove("waiting");
    }
  }

  async draw(given) {
    const view = await this.page.exclusions.ofDocument(given);
    this.board?.stop();
    this.board = new DocumentBoard(this.page, view, (source, passage) => this.page.links.to(["check"], { with: this.page.links.called(source.id), passage }));
    const sources = view.sources.filter((source) => source.passages.length).length; // others are possibly reworded
    this.status.textContent = sources ? `${plural(sources, "source")} found` : view.searched === false ? SIMILAR_ONLY : "No sources found in this collection.";
    refill(this.result, this.board.element);
  }
}
