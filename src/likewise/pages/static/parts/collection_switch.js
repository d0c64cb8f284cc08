// Which collection is shown, and the way to a new one.

import { askDialog } from "./dialog.js";
import { h, refill } from "./dom.js";
import { icon } from "./icons.js";
import { problemDialog } from "./notice.js";

export class CollectionSwitch {
  constructor(source) {
    this.source = source;
    this.element = h("div", { class: "collection-switch" });
  }

  async load(page) {
    this.page = page;
    let known;
    try {
      known = await this.source.collections();
    } catch {
      return; // the view says what is wrong
    }
    this.draw(known);
  }

  draw(known) {
    const here = this.page.links.collection ?? known.default;
    if (here === null) { // readers do not see the first collection
      if (known.collections.length) location.replace(`#/c/${encodeURIComponent(known.collections[0].name)}/`);
      else refill(this.element);
      return;
    }
    const select = h("select", { "aria-label": "Collection", "data-control": "collection", on: { change: () => this.go(select.value, known.default) } },
      known.collections.map((one) => h("option", { value: one.name, selected: one.name === here }, one.error ? `${one.name} (not available)` : one.name)));
    const many = known.collections.length > 1 || known.can_make;
    refill(this.element, many ? select : h("span", { class: "collection-title" }, here),
      known.can_make ? h("button", { type: "button", class: "quiet icon-button", "aria-label": "New collection", title: "New collection", "data-action": "new-collection", on: { click: () => this.make(known) } }, icon("plus")) : null);
  }

  go(name, byDefault) {
    location.hash = name === byDefault ? "#/library" : `#/c/${encodeURIComponent(name)}/library`;
  }

  async make(known) {
    const name = await askDialog({
      title: "New collection", text: "A separate collection: its documents are compared with each other, not with those of other collections.", label: "Name", action: "Create",
      check: (text) => (known.collections.some((one) => one.name === text) ? "A collection with this name already exists." : text ? null : "Enter a name."),
    });
    if (name === null) return;
    try {
      const created = await this.source.createCollection(name);
      await this.load(this.page);
      this.go(created.name, known.default);
    } catch (error) {
      problemDialog("The collection was not created", error);
    }
  }
}
