// Files that are dropped into a collection, or into a new one where they are a folder or an archive;
// and tables that describe its documents.

import { h } from "./dom.js";
import { openDialog } from "./dialog.js";
import { fileDrop } from "./file_drop.js";
import { problemDialog } from "./notice.js";
import { UploadList } from "./upload_list.js";
import { bytes, plural } from "../data/numbers.js";

const KIND_NAMES = { md: "Markdown", txt: "text" };

export class CollectionDrop {
  // `known`: the collections of the server. `onDone` is called when all files have been sent.
  constructor(page, known, onDone) {
    this.page = page;
    this.known = known;
    this.uploads = new UploadList(page.source, known.limits, page.links, onDone);
    const { limits } = known;
    this.zone = fileDrop({
      label: "Choose files", folderLabel: "Choose a folder", multiple: true, accept: [...(limits.kinds ?? []), ".zip", ...(limits.tables ?? [])].join(","),
      hint: `or drop files, folders and zips here, also as downloaded from Moodle or Canvas; a table (CSV, XLSX) adds authors and titles. ${kindWordsOf(limits)}`,
      onFiles: (files) => this.onFiles(files),
    });
    this.element = h("div", { class: "collection-drop" }, this.zone, this.uploads.element);
    const pending = page.pendingFiles;
    page.pendingFiles = null;
    if (pending) this.uploads.add(pending);
  }

  async onFiles(files) {
    const name = this.known.can_make ? nameOfAll(files.filter((file) => !this.uploads.isTable(file.name))) : null;
    const choice = name === null ? "here" : await askWhere(name, files.length, this.here, this.known);
    if (choice === "here") this.uploads.add(files);
    else if (choice !== null) await this.addToNew(choice, files);
  }

  get here() {
    return this.page.links.collection ?? this.known.default;
  }

  // The files are sent from the page of the new collection.
  async addToNew(name, files) {
    try {
      const created = await this.page.source.createCollection(name);
      this.page.pendingFiles = withoutFolder(files);
      location.hash = `#/c/${encodeURIComponent(created.name)}/library`;
    } catch (error) {
      problemDialog("The collection was not created", error);
    }
  }
}

// Returns the name of a new collection, "here", or null.
function askWhere(name, count, here, known) {
  return new Promise((resolve) => {
    const problem = h("p", { class: "problem", role: "alert" });
    const input = h("input", { type: "text", autocomplete: "off", maxlength: 64, value: freeName(name, known), autofocus: true });
    const dialog = openDialog("Create a collection for these files?", [
      h("p", { class: "muted" }, `${plural(count, "file")}. Documents are compared within their collection: one per course or year, for example.`),
      h("label", { class: "field" }, h("span", {}, "Name"), input), problem,
    ], [
      h("button", { type: "button", class: "quiet", on: { click: () => dialog.close("") } }, "Cancel"),
      h("button", { type: "button", "data-action": "add-here", on: { click: () => dialog.close("here") } }, "Add to ", h("bdi", {}, here)),
      h("button", { value: "new", class: "primary", "data-action": "confirm" }, "Create collection"),
    ]);
    dialog.querySelector("form").addEventListener("submit", (event) => {
      const typed = input.value.trim();
      const wrong = !typed ? "Enter a name." : isTaken(typed, known) ? "A collection with this name already exists." : null;
      if (!wrong) return;
      event.preventDefault();
      problem.textContent = wrong;
      input.focus();
    });
    dialog.addEventListener("close", () => resolve({ new: input.value.trim(), here: "here" }[dialog.returnValue] ?? null));
  });
}

// The name of the folder that all files are in, or of a single archive; null for anything else. A table may be beside them.
function nameOfAll(files) {
  const folders = new Set(files.map(({ name }) => (name.includes("/") ? name.split("/")[0] : null)));
  const [folder] = folders;
  if (folders.size === 1 && folder !== null) return cleaned(folder);
  return files.length === 1 && /\.zip$/i.test(files[0].name) ? cleaned(files[0].name.replace(/\.zip$/i, "")) : null;
}

function withoutFolder(files) {
  return files.map(({ file, name }) => ({ file, name: name.includes("/") ? name.slice(name.indexOf("/") + 1) : name }));
}

// What the server accepts as a name.
function cleaned(name) {
  const allowed = name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N} ._-]/gu, "-");
  return [...allowed].slice(0, 60).join("").replace(/^[ ._-]+|[ ._-]+$/g, "") || "Documents";
}

function isTaken(name, known) {
  return known.collections.some((one) => one.name.toLowerCase() === name.toLowerCase());
}

function freeName(name, known) {
  let [free, number] = [name, 1];
  while (isTaken(free, known)) free = `${name} ${(number += 1)}`;
  return free;
}

function kindWordsOf(limits) {
  const kinds = (limits.kinds ?? []).map((kind) => kind.replace(".", "")).filter((kind) => /^(txt|md|html|pdf|docx|odt|epub)$/.test(kind));
  return [kinds.length ? `Accepts ${kinds.map((kind) => KIND_NAMES[kind] ?? kind.toUpperCase()).join(", ")} and more.` : "", limits.max_request ? `At most ${bytes(limits.max_request)} per file.` : ""].join(" ");
}
