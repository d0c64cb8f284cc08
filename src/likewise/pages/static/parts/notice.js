// Shown in place of a view: empty, loading and error states.

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { whole } from "../data/numbers.js";

// An error to be shown as it is: a sentence and what to do about it.
export class PlainError extends Error {
  constructor(message, hint = null, status = null) {
    super(message);
    this.hint = hint;
    this.status = status;
  }
}

export function emptyState(title, text, ...actions) {
  return h("section", { class: "state", "data-state": "empty" }, h("h2", {}, title), h("p", {}, text), actions.some(Boolean) ? h("p", { class: "actions" }, actions) : null);
}

export function errorState(error, retry) {
  const isPlain = error instanceof PlainError;
  return h(
    "section",
    { class: "state", role: "alert", "data-state": "error" },
    h("h2", {}, isPlain ? "This could not be shown" : "Something went wrong"),
    h("p", { class: "wrap", dir: "auto" }, sentence(error.message || String(error))),
    error.hint ? h("p", { class: "muted wrap", dir: "auto" }, sentence(error.hint)) : null,
    retry ? h("p", { class: "actions" }, h("button", { type: "button", class: "primary", "data-action": "retry", on: { click: retry } }, "Try again")) : null,
  );
}

// Servers speak in lower case; on a page a sentence begins large and ends.
export function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

export function problemDialog(title, error) {
  openDialog(title, h("p", { class: "wrap" }, [error.message, error.hint].filter(Boolean).map(sentence).join(" ")), [h("button", { value: "", class: "primary", autofocus: true }, "Close")]);
}

export function progressState({ stage, done, total }) {
  const known = typeof total === "number" && total > 0;
  return h(
    "section",
    { class: "state", "data-state": "running" },
    h("h2", {}, "Comparing the documents"),
    h("p", { class: "muted" }, stage ? `${stage}${known ? `: ${whole(done)} of ${whole(total)}` : "…"}` : "Starting…"),
    h("progress", { class: "bar", "aria-label": "Progress", max: known ? total : null, value: known ? done : undefined }),
  );
}

export function loadingState() {
  return h("section", { class: "state", "data-state": "loading" }, h("span", { class: "spinner", "aria-hidden": "true" }), h("p", { class: "muted" }, "Loading…"));
}

export function noteList(notes, className = "notes") {
  return notes?.length ? h("ul", { class: className }, notes.map((note) => h("li", { dir: "auto" }, note))) : null;
}
