// Whether readers see this collection.

import { h } from "./dom.js";
import { problemDialog } from "./notice.js";

// Only where there are readers, for those who may decide.
export async function sharingSwitch(page, known) {
  if (!known.has_readers || !known.can_change) return null;
  let state;
  try {
    state = await page.source.sharing();
  } catch {
    return null; // the list of documents says what is wrong
  }
  const box = h("input", { type: "checkbox", checked: state.readers, disabled: state.always, "data-action": "share" });
  const now = h("p", { class: "muted small", role: "status", "data-value": "sharing" });
  const tell = () => {
    box.checked = state.readers;
    now.textContent = state.always ? "The server was started so that readers see this collection." : state.readers ? "Readers see the documents, pairs and review marks of this collection, and can check texts against it. Collections of its archive are shown to them only if they are shared too." : "This collection is private: for readers it does not exist.";
  };
  box.addEventListener("change", async () => {
    try {
      state = await page.source.share(box.checked);
      page.announce(state.readers ? "Shared with readers" : "Private");
    } catch (error) {
      problemDialog("The collection is as private as before", error);
    }
    tell();
  });
  tell();
  return h("section", { class: "card sharing", "data-list": "sharing" }, h("label", { class: "check" }, box, h("span", {}, "Share with readers")), now);
}
