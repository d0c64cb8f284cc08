// Which other collections are the archive of this one.

import { h } from "./dom.js";
import { problemDialog } from "./notice.js";

// Nothing where there is no other collection.
export async function archiveChoice(page, mayChange) {
  let known;
  try {
    known = await page.source.archive();
  } catch {
    return null; // the list of documents says what is wrong
  }
  if (!known.available.length) return null;
  const boxes = known.available.map((name) => [name, h("input", { type: "checkbox", checked: known.collections.includes(name), disabled: !mayChange, "data-archive": name })]);
  const change = async () => {
    const chosen = boxes.filter(([, box]) => box.checked).map(([name]) => name);
    try {
      known = await page.source.setArchive(chosen);
      page.forget();
      page.announce(chosen.length ? `The archive is ${chosen.join(", ")}` : "There is no archive");
    } catch (error) {
      problemDialog("The archive was not changed", error);
    }
    for (const [name, box] of boxes) box.checked = known.collections.includes(name);
  };
  for (const [, box] of boxes) box.addEventListener("change", change);
  return h("details", { class: "card", open: known.collections.length > 0, "data-list": "archive" },
    h("summary", {}, h("h2", {}, "Archive")),
    h("p", { class: "muted small" }, "The documents of this collection are compared with each other. Choose collections, such as those of earlier years, to compare them with too. Documents of the archive are marked, and not compared with each other."),
    h("fieldset", { class: "checks" }, h("legend", { class: "unseen" }, "Collections in the archive"),
      boxes.map(([name, box]) => h("label", { class: "check" }, box, h("span", {}, h("bdi", {}, name))))));
}
