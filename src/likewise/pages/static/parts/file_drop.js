// Files that are dropped or chosen, folders with all that is in them.

import { freshId, h } from "./dom.js";
import { icon } from "./icons.js";

// What systems and word processors leave in folders; hidden files only in a folder that is dropped as a whole.
const SYSTEM_FILE = /(^|\/)(~\$[^/]*|thumbs\.db|ehthumbs\.db|desktop\.ini|\.ds_store|__macosx(\/.*)?)$|\/\./i;

export function fileDrop({ label, folderLabel = null, hint, multiple, accept, onFiles }) {
  const chosen = chooser(label, { multiple, accept: accept || null, "data-control": "files" }, onFiles);
  const folder = folderLabel === null ? null : chooser(folderLabel, { webkitdirectory: "", "data-control": "folder" }, onFiles);
  const zone = h("div", { class: "drop", "data-control": "drop" }, icon("upload"), h("p", { class: "actions" }, chosen, folder), h("p", { class: "muted small" }, hint));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const files = wanted(await droppedFiles(event.dataTransfer));
    if (files.length) onFiles(multiple ? files : files.slice(0, 1));
  });
  return zone;
}

function chooser(label, props, onFiles) {
  const id = freshId("files");
  const input = h("input", { type: "file", id, class: "unseen", ...props, on: {
    change: () => {
      const files = wanted([...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name }))).sort((x, y) => (x.name < y.name ? -1 : 1));
      input.value = "";
      if (files.length) onFiles(files);
    },
  } });
  return [h("label", { for: id, class: "button" }, label), input];
}

function wanted(files) {
  return files.filter(({ name }) => !SYSTEM_FILE.test(name));
}

// Entries must be taken before the event ends; walking through folders may last.
async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, name: file.name }));
  const found = [];
  for (const entry of entries) await walk(entry, found);
  return found.sort((x, y) => (x.name < y.name ? -1 : 1));
}

async function walk(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve) => entry.file(resolve, () => resolve(null)));
    if (file) found.push({ file, name: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const part = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (!part.length) return;
    for (const inner of part) await walk(inner, found);
  }
}
