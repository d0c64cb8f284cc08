// Modal dialogs: questions and help.

import { freshId, h } from "./dom.js";

export function openDialog(title, body, buttons, className = "") {
  const id = freshId("dialog");
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id }, title),
    body,
    h("p", { class: "actions" }, buttons),
  );
  const dialog = h("dialog", { class: className || null, "aria-labelledby": id }, form);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close("");
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function confirmDialog(title, text, action) {
  return new Promise((resolve) => {
    const dialog = openDialog(title, h("p", { class: "wrap", dir: "auto" }, text), [
      h("button", { value: "", class: "quiet", autofocus: true }, "Keep"),
      h("button", { value: "yes", class: "danger", "data-action": "confirm" }, action),
    ]);
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
  });
}

// Returns what was typed, or null. `check` gives a problem in words, or null.
export function askDialog({ title, text, label, type = "text", maxLength = 200, action, check = () => null }) {
  return new Promise((resolve) => {
    const problem = h("p", { class: "problem", role: "alert" });
    const input = h("input", { type, required: true, autocomplete: "off", autofocus: true, maxlength: maxLength });
    const dialog = openDialog(
      title,
      [text ? h("p", { class: "muted" }, text) : null, h("label", { class: "field" }, h("span", {}, label), input), problem],
      [
        h("button", { type: "button", class: "quiet", on: { click: () => dialog.close("") } }, "Cancel"),
        h("button", { value: "yes", class: "primary", "data-action": "confirm" }, action),
      ],
    );
    dialog.querySelector("form").addEventListener("submit", (event) => {
      const wrong = check(input.value.trim());
      if (!wrong) return;
      event.preventDefault();
      problem.textContent = wrong;
      input.focus();
    });
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? input.value.trim() : null));
  });
}

// Returns a text of several lines as it was written, or null.
export function noteDialog(title, text, maxLength) {
  return new Promise((resolve) => {
    const input = h("textarea", { rows: 5, maxlength: maxLength, autofocus: true, dir: "auto", value: text, "data-control": "note" });
    const dialog = openDialog(title, h("label", { class: "field" }, h("span", { class: "unseen" }, "Note"), input), [
      h("button", { type: "button", class: "quiet", on: { click: () => dialog.close("") } }, "Cancel"),
      h("button", { value: "yes", class: "primary", "data-action": "confirm" }, "Save note"),
    ]);
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? input.value.trim() : null));
  });
}

export function helpDialog(title, rows) {
  openDialog(
    title,
    h("dl", { class: "keys" }, rows.map(([keys, what]) => [h("dt", {}, keys.map((key) => h("kbd", {}, key))), h("dd", {}, what)])),
    [h("button", { value: "", class: "primary", autofocus: true }, "Close")],
  );
}
