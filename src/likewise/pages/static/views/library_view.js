// The documents of a collection: add, search, remove.

import { archiveChoice } from "../parts/archive_choice.js";
import { CollectionDrop } from "../parts/collection_drop.js";
import { confirmDialog } from "../parts/dialog.js";
import { h, refill } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { emptyState, errorState } from "../parts/notice.js";
import { plural, whole } from "../data/numbers.js";
import { sharingSwitch } from "../parts/sharing_switch.js";
import { keepFocus } from "../tables/pager.js";
import { sortableTable } from "../tables/table.js";

export async function showLibrary(page) {
  return new LibraryView(page, await page.source.collections()).shown();
}

class LibraryView {
  constructor(page, known) {
    this.page = page;
    this.known = known;
    this.starts = [0]; // `after` of each page so far
    this.contains = "";
    this.chosen = new Set();
  }

  async shown() {
    const mayChange = this.known.can_change;
    this.factsBox = h("div", { "data-value": "collection-facts" }, this.facts());
    this.list = h("div", { class: "list" });
    this.removeButton = h("button", { type: "button", class: "danger", "data-action": "remove", disabled: true, on: { click: () => this.remove() } }, "Remove");
    const search = h("input", { type: "search", placeholder: "Part of an id or title", autocomplete: "off", "data-control": "search", on: { input: () => this.onSearch(search.value) } });
    const node = [
      h("div", { class: "heading" }, h("div", {}, h("h1", { tabindex: "-1" }, "Library"), this.factsBox)),
      mayChange ? new CollectionDrop(this.page, this.known, () => this.onChanged()).element : h("p", { class: "muted" }, "Your token is for reading: you can look at documents and check texts, but not add or remove any."),
      await archiveChoice(this.page, mayChange),
      await sharingSwitch(this.page, this.known),
      h("div", { class: "toolbar", role: "search" }, h("label", { class: "field grow" }, h("span", { class: "unseen" }, "Search the library"), search), mayChange ? this.removeButton : null),
      this.list,
    ];
    await this.load();
    return { title: "Library", node };
  }

  facts() {
    const name = this.page.links.collection ?? this.known.default;
    const here = this.known.collections.find((one) => one.name === name);
    if (!here) return h("p", { class: "problem" }, "No collection with this name.");
    if (here.error) return h("p", { class: "problem" }, here.error);
    const facts = [
      typeof here.documents === "number" ? plural(here.documents, "document") : null,
      here.keeps_text ? null : "texts are not stored",
      here.min_words ? `passages from ${whole(here.min_words)} words` : null,
      typeof here.threshold === "number" ? `similar from ${here.threshold}` : null,
      here.profile,
    ].filter(Boolean);
    return h("p", { class: "muted wrap" }, facts.join(" · "));
  }

  onSearch(text) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.contains = text.trim();
      this.starts = [0];
      this.load();
    }, 250);
  }

  async load() {
    this.abort?.abort();
    this.abort = new AbortController();
    try {
      const answer = await this.page.source.documents({ after: this.starts[this.starts.length - 1], contains: this.contains, signal: this.abort.signal });
      this.draw(answer);
    } catch (error) {
      if (error.name !== "AbortError") refill(this.list, errorState(error, () => this.load()));
    }
  }

  draw({ documents, next }) {
    this.onPage = documents.map((one) => one.id);
    if (!documents.length && this.starts.length === 1) {
      refill(this.list, this.contains ? emptyState("Nothing found", "No document matches this search.") : emptyState("No documents yet", "Drop files above to start. Nothing leaves this machine."));
      return;
    }
    const rows = documents.map((one) => ({ ...one.metadata, id: one.id, size: one.size }));
    this.page.names.learn(rows);
    refill(this.list, this.table(rows), this.pages(next));
    this.tellChosen();
  }

  table(rows) {
    const { names, links } = this.page;
    const box = (row) => h("input", { type: "checkbox", "aria-label": `Choose ${names.short(row)}`, "data-action": "choose", checked: this.chosen.has(row.id), on: { change: (event) => this.choose(row.id, event.target.checked) } });
    const columns = [
      ...(this.known.can_change ? [{ key: "choose", label: "Choose", hideLabel: true, className: "lead-cell", cell: box }] : []),
      { key: "name", label: "Document", className: "names", cell: (row) => [h("a", { href: links.document(row.id) }, names.node(row)), names.anonymous || names.plain(row) === row.id ? null : h("bdi", { class: "cell-note" }, row.id)] },
      ...["author", "date", "group"].filter((key) => !names.anonymous && rows.some((row) => row[key])).map((key) => ({ key, label: key[0].toUpperCase() + key.slice(1), className: "wrap", cell: (row) => h("bdi", {}, String(row[key] ?? "")) })),
      { key: "size", label: "Word groups", number: true, title: "Number of distinct word groups in the document", cell: (row) => whole(row.size) },
    ];
    this.allBox = h("input", { type: "checkbox", "data-action": "choose-all", on: { change: (event) => this.chooseAll(event.target.checked) } });
    return [this.known.can_change && h("label", { class: "check choose-all" }, this.allBox, h("span", {}, "All on this page")), sortableTable({ label: "Documents", columns, rows, rowProps: (row) => ({ "data-document": links.called(row.id) }) })];
  }

  pages(next) {
    const at = this.starts.length - 1;
    const turnTo = async (way, change) => {
      change();
      await this.load();
      this.list.scrollIntoView({ block: "start" });
      keepFocus(this.list, way);
    };
    if (at === 0 && next === null) return null;
    return h("nav", { class: "pager", "aria-label": "Pages of documents" },
      h("button", { type: "button", class: "quiet icon-button", "aria-label": "Previous page", "data-action": "previous", disabled: at === 0, on: { click: () => turnTo("previous", () => this.starts.pop()) } }, icon("previous")),
      h("span", { class: "muted" }, `Page ${whole(at + 1)}`),
      h("button", { type: "button", class: "quiet icon-button", "aria-label": "Next page", "data-action": "next", disabled: next === null, on: { click: () => turnTo("next", () => this.starts.push(next)) } }, icon("next")));
  }

  choose(id, on) {
    if (on) this.chosen.add(id);
    else this.chosen.delete(id);
    this.tellChosen();
  }

  chooseAll(on) {
    for (const id of this.onPage) this.choose(id, on);
    for (const box of this.list.querySelectorAll("[data-action=choose]")) box.checked = on;
  }

  tellChosen() {
    this.removeButton.disabled = this.chosen.size === 0;
    this.removeButton.textContent = this.chosen.size ? `Remove ${plural(this.chosen.size, "document")}` : "Remove";
    if (this.allBox) this.allBox.checked = this.onPage.length > 0 && this.onPage.every((id) => this.chosen.has(id));
  }

  async remove() {
    const ids = [...this.chosen];
    const what = ids.length === 1 ? `“${this.page.names.short({ id: ids[0] })}”` : plural(ids.length, "document");
    if (!(await confirmDialog(`Remove ${plural(ids.length, "document")}?`, `${what} will be removed from the collection. Your own files are not affected.`, "Remove"))) return;
    const batchSize = this.known.limits.max_documents || 1000;
    try {
      for (let from = 0; from < ids.length; from += batchSize) await this.page.source.remove(ids.slice(from, from + batchSize));
      this.chosen.clear();
      this.page.announce(`${plural(ids.length, "document")} removed`);
    } catch (error) {
      refill(this.list, errorState(error, () => this.load()));
      return;
    }
    this.starts = [0];
    await this.onChanged();
  }

  // The figures have changed, and perhaps the pages.
  async onChanged() {
    this.page.forget();
    await this.load();
    try {
      this.known = await this.page.source.collections();
      refill(this.factsBox, this.facts());
    } catch {
      // the list already shows the error
    }
  }
}
