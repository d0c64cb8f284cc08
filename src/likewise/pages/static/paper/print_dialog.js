// What is printed: which pairs, how much of them, and about how many pages that takes.

import { choiceGroup } from "../parts/choice.js";
import { openDialog } from "../parts/dialog.js";
import { freshId, h, refill } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { recall, remember } from "../data/memory.js";
import { percent, plural, whole } from "../data/numbers.js";
import { coverSheet } from "./cover.js";
import { pairSheets } from "./pair_sheet.js";
import { estimatePages, estimateTextPages } from "./sheet_estimate.js";

const MANY_PAGES = 50;
const CHOICES_SHOWN = 500;
const AT_ONCE = 4; // requests

// `scopes()` gives what can be printed, the first is chosen: {label, entries} for pairs, where an entry
// is a row of the survey or a `viewEntry`, or {label, asShown: true, document?} for the page itself.
export function printButton(page, scopes) {
  return h("button", { type: "button", class: "quiet", "data-action": "print", on: { click: () => new PrintDialog(page, scopes()) } }, icon("print"), "Print…");
}

// A pair that is loaded already.
export function viewEntry(view) {
  const sized = (shown) => ({ ...shown, characters: shown.text?.length ?? null });
  return { ...view.measures, first: sized(view.a), second: sized(view.b), view };
}

// Pairs marked as important, and all pairs that are listed, if there are more than those offered already.
export function allPairs(page, offered = -1) {
  const pairs = page.knownRows?.pairs ?? [];
  const important = pairs.filter((row) => page.review.ofRow(row)?.pair?.status === "important");
  return [
    ...(important.length ? [{ label: `${plural(important.length, "pair")} reviewed as important`, entries: important }] : []),
    ...(pairs.length && pairs.length !== offered ? [{ label: `All ${plural(pairs.length, "pair")}`, entries: pairs }] : []),
  ];
}

export function printsFullTexts() {
  return recall("print.texts", "session") === "full";
}

class PrintDialog {
  constructor(page, scopes) {
    Object.assign(this, { page, scopes, scope: scopes[0], chosen: new Set() });
    this.fullTexts = printsFullTexts();
    this.limit = null;
    this.isStopped = false;
    this.build();
    this.draw();
  }

  build() {
    const group = freshId("print");
    const most = Math.max(...this.scopes.map(({ entries }) => entries?.length ?? 0));
    this.estimate = h("p", { role: "status", "aria-live": "polite", "data-value": "print-pages" });
    this.warning = h("p", { class: "problem", role: "alert" });
    this.list = h("div", { class: "print-list" });
    this.cover = this.check("Cover page with the overview", false, "cover");
    this.cover.input.addEventListener("input", () => (this.isCoverChosen = true)); // comes before "change"
    this.hideNames = this.check("Hide names", this.page.names.anonymous, "hide-names");
    this.first = h("input", { type: "number", min: 1, max: Math.max(1, most), inputmode: "numeric", "data-control": "first", on: { input: () => this.draw() } });
    this.details = h("div", { class: "print-details" },
      h("label", { class: "field", hidden: most < 2 }, h("span", {}, "Only the first (empty: all)"), this.first),
      choiceGroup("Contents", [["passages", "Passages only"], ["full", "Passages and full texts"]], this.fullTexts ? "full" : "passages", (value) => this.setTexts(value)),
      this.cover.element, this.hideNames.element);
    const scopes = most > 1 ? [...this.scopes, { label: "Choose pairs", isChoice: true }] : this.scopes;
    this.action = h("button", { type: "button", class: "primary", "data-action": "print-now", on: { click: () => this.print() } }, "Print");
    this.dialog = openDialog("Print", [
      h("fieldset", { class: "print-scopes" }, h("legend", { class: "unseen" }, "What to print"), scopes.map((scope, at) =>
        h("label", { class: "check" }, h("input", { type: "radio", name: group, checked: at === 0, autofocus: at === 0, on: { change: () => this.setScope(scope) } }), h("span", {}, scope.label)))),
      this.list, this.details, this.estimate, this.warning,
    ], [h("button", { type: "button", class: "quiet", on: { click: () => this.dialog.close("") } }, "Cancel"), this.action], "print-dialog");
    this.dialog.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault(); // Enter in the number
      this.print();
    });
    this.dialog.addEventListener("close", () => (this.isStopped = true));
  }

  check(label, checked, name) {
    const input = h("input", { type: "checkbox", checked, "data-control": name, on: { change: () => this.draw() } });
    return { input, element: h("label", { class: "check" }, input, h("span", {}, label)) };
  }

  setTexts(value) {
    this.fullTexts = value === "full";
    remember("print.texts", value, "session");
    this.draw();
  }

  setScope(scope) {
    this.scope = scope;
    refill(this.list, scope.isChoice ? this.choices() : null);
    this.draw();
  }

  // The pairs of the widest scope, to be ticked.
  choices() {
    const { names } = this.page;
    const widest = this.scopes.reduce((most, { entries = [] }) => (entries.length > most.length ? entries : most), []);
    const lines = widest.slice(0, CHOICES_SHOWN).map((entry) =>
      h("label", { class: "check" },
        h("input", { type: "checkbox", checked: this.chosen.has(entry), on: { change: (event) => { this.chosen[event.target.checked ? "add" : "delete"](entry); this.draw(); } } }),
        h("span", {}, names.brief(entry.first), " and ", names.brief(entry.second), h("span", { class: "muted" }, ` ${percent(entry.strength)}`))));
    return [h("div", { class: "print-choices", role: "group", "aria-label": "Pairs to print", tabindex: "0" }, lines),
      widest.length > CHOICES_SHOWN ? h("p", { class: "muted small" }, `${plural(widest.length - CHOICES_SHOWN, "more pair")}: search for them on Pairs and print from there.`) : null];
  }

  get entries() {
    const entries = this.scope.isChoice ? [...this.chosen].sort((one, other) => one.row - other.row) : this.scope.entries ?? [];
    const first = Number.parseInt(this.first.value, 10);
    return first >= 1 && !this.scope.isChoice ? entries.slice(0, first) : entries;
  }

  draw() {
    const { scope, entries } = this;
    if (!this.isCoverChosen) this.cover.input.checked = entries.length > 1;
    const hasCover = this.cover.input.checked && this.page.knownRows !== null;
    const pages = scope.asShown ? (scope.document ? estimateTextPages(scope.document) : null) : estimatePages(entries, { fullTexts: this.fullTexts, cover: hasCover });
    this.details.hidden = Boolean(scope.asShown);
    this.cover.element.hidden = this.page.knownRows === null;
    this.first.closest("label").hidden = Boolean(scope.isChoice) || (scope.entries?.length ?? 0) < 2;
    this.action.disabled = !scope.asShown && !entries.length;
    this.estimate.textContent = pages === null ? "The print preview of the browser shows the number of pages." : entries.length || scope.asShown ? `About ${plural(pages, "page")}${scope.asShown ? "" : ` for ${plural(entries.length, "pair")}`}` : "No pairs are chosen.";
    this.warning.textContent = pages > MANY_PAGES ? `That is more than ${MANY_PAGES} pages. Fewer pairs, or passages only, take less paper; you can also save them as PDF.` : "";
  }

  async print() {
    if (this.action.disabled) return;
    const { page, scope, entries } = this;
    if (scope.asShown) {
      this.dialog.close("");
      window.print();
      return;
    }
    const [hasCover, isHidden] = [this.cover.input.checked && page.knownRows !== null, this.hideNames.input.checked];
    this.action.disabled = true;
    let views;
    try {
      views = await this.load(entries);
    } catch (error) {
      this.draw();
      this.warning.textContent = error.message;
      return;
    }
    if (this.isStopped) return;
    this.dialog.close("");
    page.printing.print(namesHidden(page.names, isHidden, () => evidence(page, views, this.fullTexts, hasCover)));
  }

  // Views of all pairs, a few at a time.
  async load(entries) {
    const views = new Array(entries.length);
    let [next, done] = [0, 0];
    const work = async () => {
      while (next < entries.length && !this.isStopped) {
        const at = (next += 1) - 1;
        const { first, second, view } = entries[at];
        views[at] = view ?? (await this.page.source.pair(first.id, second.id));
        done += 1;
        this.estimate.textContent = `Preparing ${whole(done)} of ${plural(entries.length, "pair")}…`;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return views;
  }
}

// The sheets of these pairs, as `Printing` takes them.
export function evidence(page, views, fullTexts, hasCover) {
  for (const view of views) page.names.learn([view.a, view.b]);
  const { nodes, sections } = pairSheets(page, views, fullTexts);
  const title = views.length === 1 ? `${page.names.short(views[0].a, 40)} and ${page.names.short(views[0].b, 40)}` : [page.collectionTitle, `${views.length} pairs`].filter(Boolean).join(", ");
  return { title: `Shared wording: ${title}`, nodes: hasCover ? [coverSheet(page, views), ...nodes] : nodes, sections };
}

function namesHidden(names, isHidden, make) {
  const before = names.anonymous;
  names.anonymous = isHidden;
  try {
    return make();
  } finally {
    names.anonymous = before;
  }
}
