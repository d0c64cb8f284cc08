// The first page of the app: the overview, or the way to it where there are no documents yet.

import { CollectionDrop } from "../parts/collection_drop.js";
import { h } from "../parts/dom.js";
import { problemDialog } from "../parts/notice.js";
import { showOverview } from "./overview_view.js";

export async function showStart(page) {
  if ((await page.rows()) !== null) return showOverview(page);
  const known = await page.source.collections();
  return known.can_change ? emptyStart(page, known) : page.nothingYet();
}

function emptyStart(page, known) {
  const drop = new CollectionDrop(page, known, () => page.forget());
  const samples = h("button", { type: "button", "data-action": "samples", on: { click: () => openSamples(page, samples) } }, "Try the sample essays");
  const node = [
    h("div", { class: "heading" }, h("div", {}, h("h1", { tabindex: "-1" }, "No documents yet"),
      h("p", { class: "muted" }, "Add a folder of documents to see which of them share text. Nothing leaves this machine."))),
    drop.element,
    h("p", { class: "actions" }, known.can_make ? samples : null, h("a", { class: "button", href: page.links.to(["library"]) }, "Library"), h("a", { class: "button", href: page.links.to(["check"]) }, "Check a text"), page.unreadLink()),
  ];
  return { title: "No documents", node };
}

async function openSamples(page, button) {
  button.disabled = true;
  try {
    const { name } = await page.source.addSamples();
    location.hash = `#/c/${encodeURIComponent(name)}`;
  } catch (error) {
    problemDialog("The samples were not added", error);
  } finally {
    button.disabled = false;
  }
}
