// The page around the views: header, routes, focus, and what all views share.

import { utcTime } from "./data/dates.js";
import { h, isolated, refill } from "./parts/dom.js";
import { brandMark, icon } from "./parts/icons.js";
import { ExclusionBar } from "./parts/exclusion_bar.js";
import { exclusionsFrom, queryOfExclusions, withExclusions } from "./data/exclusion_state.js";
import { Exclusions } from "./data/exclusions.js";
import { Links, parseAddress, replaceAddress } from "./data/links.js";
import { Names } from "./data/names.js";
import { plural } from "./data/numbers.js";
import { Printing } from "./paper/printing.js";
import { emptyState, errorState, loadingState, progressState } from "./parts/notice.js";
import { Review } from "./data/review.js";
import { SurveyRows } from "./data/survey_rows.js";
import { applyTheme, themeButton } from "./parts/theme.js";

const ID_KEYS = ["with", "all", "none"]; // of an address; several ids are on lines of their own
const THIS_MACHINE = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

// Nothing is sent by a report, and by the app to its server alone, which may be another machine.
function whereTextsGo(mode) {
  if (mode === "report" || THIS_MACHINE.test(location.hostname)) return "Everything stays on this machine.";
  return ["Everything stays between this page and ", isolated(location.hostname), "."];
}

export class Page {
  // `views`: name → {label?, show(page, address)}; those with a label are in the navigation. `show`
  // gives {title, node, ready?, leave?, sheets?}, where `sheets()` is what is printed instead.
  constructor(source, views, { home = "", header = null } = {}) {
    this.source = source;
    this.views = views;
    this.home = home;
    this.names = new Names();
    this.review = new Review(source);
    this.links = new Links();
    this.exclusions = source.exclusions = new Exclusions(this);
    this.links.kept = () => this.exclusions.query;
    this.links.called = (id) => this.names.inLink(id);
    this.threshold = null;
    this.surveyRows = null;
    this.isEmpty = false; // whether it is known that there are no documents
    this.turn = 0;
    this.edition = 0;
    this.leave = null;
    this.address = null;
    this.header = header;
    this.shown = { title: "" };
    this.printing = new Printing(this, () => this.shown);
  }

  start() {
    applyTheme();
    this.live = h("p", { class: "unseen", role: "status", "aria-live": "polite", id: "live" });
    this.nav = h("nav", { "aria-label": "Views", class: "views" });
    this.main = h("main", { id: "main", tabindex: "-1" });
    this.exclusionBar = new ExclusionBar(this);
    this.brand = h("a", { class: "brand", href: "#/" }, brandMark(), h("span", {}, "likewise"));
    this.subtitle = h("span", { class: "collection-title" });
    refill(
      document.getElementById("app"),
      h("a", { class: "skip", href: "#main", on: { click: (event) => this.skip(event) } }, "Skip to content"),
      h(
        "header",
        { class: "top" },
        this.brand,
        this.subtitle,
        this.nav,
        h("div", { class: "tools" }, this.header, this.exclusionBar.control, this.anonymousButton(), themeButton()),
      ),
      this.exclusionBar.element,
      this.main,
      h("footer", { class: "foot" }, h("p", {}, "Similarity says that texts have words in common; it does not say why, or who had them first. ", whereTextsGo(this.source.mode)), (this.versionNote = h("p", { class: "muted" }))),
      this.live,
    );
    window.addEventListener("hashchange", () => this.show());
    // Others may have marked something meanwhile; a view that cannot be loaded says so itself.
    for (const moment of ["focus", "storage"]) window.addEventListener(moment, () => this.review.isLoaded && this.review.load().catch(() => {}));
    this.takeSavedExclusions();
    this.show(true);
  }

  // Those that a report was saved with, unless the address has others.
  takeSavedExclusions() {
    const saved = exclusionsFrom(new URLSearchParams(document.documentElement.dataset.exclusions ?? ""));
    if (queryOfExclusions(exclusionsFrom(parseAddress(location.hash).query)).length) return;
    if (queryOfExclusions(saved).length) replaceAddress(withExclusions(location.hash, saved));
  }

  skip(event) {
    event.preventDefault();
    this.main.focus();
  }

  anonymousButton() {
    const button = h("button", { type: "button", class: "quiet icon-button", "data-action": "anonymise" });
    this.maskButton = button;
    const draw = () => {
      const on = this.names.anonymous;
      button.setAttribute("aria-pressed", String(on));
      button.setAttribute("aria-label", "Hide names");
      button.title = on ? "Names are hidden on this screen. Show them again" : "Hide names on this screen. To hand a report on, make one without names";
      refill(button, icon(on ? "masked" : "mask"));
    };
    button.addEventListener("click", () => {
      this.names.setAnonymous(!this.names.anonymous);
      draw();
      this.drawTitle();
      if (this.names.anonymous) this.address.query.delete("q"); // it may have names
      this.writeAddress();
      this.announce(this.names.anonymous ? "Names are hidden on this screen" : "Names are shown");
      this.show(false, true);
    });
    draw();
    return button;
  }

  announce(text) {
    this.live.textContent = "";
    requestAnimationFrame(() => (this.live.textContent = text));
  }

  // The survey with what is excluded; call `forget` after documents were added or removed.
  async rows(options = {}) {
    const rows = await this.rowsOfAll(options);
    return rows === null ? null : this.exclusions.rows(rows);
  }

  // The same without waiting, as far as it is known; null before that.
  get knownRows() {
    return (this.exclusions.active && this.exclusions.cut?.rows) || this.surveyRows;
  }

  // The survey with nothing excluded, loaded once.
  async rowsOfAll({ evenEmpty = false, quiet = false } = {}) {
    if (this.surveyRows === null || this.source.changed) {
      const { turn, edition } = this;
      const survey = await this.source.survey((progress) => turn === this.turn && !quiet && this.showProgress(progress));
      this.isEmpty = survey === null;
      if (survey === null) return null;
      // Of another collection, or older than what was added since.
      if (edition !== this.edition) return turn === this.turn ? this.rowsOfAll({ evenEmpty, quiet }) : null;
      this.surveyRows = new SurveyRows(survey);
      this.names.learn(this.surveyRows.documents);
      this.threshold ??= survey.threshold;
      this.versionNote.textContent = `likewise ${survey.version}${survey.made ? ` · ${utcTime(survey.made)}` : ""}`;
      this.maskButton.hidden = Boolean(survey.anonymous); // there are none
      this.drawTitle();
    }
    return this.surveyRows.documents.length || evenEmpty ? this.surveyRows : null;
  }

  // What the collection is called, which may be the names of its files.
  get collectionTitle() {
    return (!this.names.anonymous && this.surveyRows?.survey.title) || "";
  }

  drawTitle() {
    if (this.source.mode === "report") this.subtitle.textContent = this.collectionTitle;
  }

  // The address as it was parsed, with numbers in place of ids where names are hidden.
  writeAddress() {
    const { view, ids, query } = this.address;
    const kept = new Set(this.exclusions.query.map(([name]) => name));
    const rest = [...query].filter(([name]) => !kept.has(name));
    const given = Object.fromEntries(rest.map(([name, value]) => [name, ID_KEYS.includes(name) ? this.links.calledAll(value.split("\n")) : value]));
    const parts = view === "" ? [] : [view, ...ids.map((id) => this.links.called(id))];
    replaceAddress(this.links.to(parts, given));
  }

  // The ids of documents that an address has as numbers.
  async readIds(address) {
    const { names } = this;
    const isNumbered = /[/=](?:~|%7E)|passage-out=[^&]*(?:~|%7E)/i.test(location.hash);
    if (names.anonymous || isNumbered) await this.rowsOfAll();
    address.ids = address.ids.map((id) => names.fromLink(id));
    for (const name of ID_KEYS) if (address.query.has(name)) address.query.set(name, address.query.get(name).split("\n").map((id) => names.fromLink(id)).join("\n"));
    return names.anonymous || isNumbered;
  }

  forget() {
    this.names.forget();
    this.edition += 1;
    this.surveyRows = null;
    this.exclusions.forget();
    this.threshold = null;
  }

  showProgress(progress) {
    if (progress.stage !== this.stageTold) this.announce(progress.stage ?? "");
    this.stageTold = progress.stage;
    refill(this.main, h("h1", { class: "unseen", tabindex: "-1" }, "At work"), progressState(progress));
  }

  async show(first = false, stay = false) {
    const turn = (this.turn += 1);
    const address = parseAddress(location.hash);
    if (address.view === "" && this.home !== "" && location.hash.replace(/^#\/?/, "") === "") address.view = this.home;
    if (this.address && address.collection !== this.address.collection) this.forget();
    this.address = address;
    this.links.collection = address.collection;
    this.source.collection = address.collection;
    const loading = setTimeout(() => turn === this.turn && refill(this.main, loadingState()), 200);
    let shown;
    try {
      const isNumbered = await this.readIds(address);
      if (turn !== this.turn) return;
      this.exclusions.read(address.query);
      this.drawNav(address.view);
      if (isNumbered) this.writeAddress();
      const view = Object.hasOwn(this.views, address.view) ? this.views[address.view] : null;
      shown = view ? await view.show(this, address) : this.nowhere();
    } catch (error) {
      if (!("hint" in error)) console.error(error);
      shown = { title: "Not shown", node: [h("h1", { tabindex: "-1", class: "unseen" }, "Not shown"), errorState(error, () => this.show())] };
    } finally {
      clearTimeout(loading);
    }
    if (turn !== this.turn) {
      shown.leave?.();
      return;
    }
    this.place(shown, first, stay);
  }

  place(shown, first, stay) {
    this.leave?.();
    this.leave = shown.leave ?? null;
    const kept = stay && this.main.contains(document.activeElement) ? document.activeElement.dataset.exclusion : undefined;
    this.shown = shown;
    this.printing.clear();
    refill(this.main, shown.node);
    if (kept !== undefined) this.main.querySelector(`[data-exclusion="${kept}"]`)?.focus({ preventScroll: true });
    this.exclusionBar.draw();
    this.main.dataset.view = this.address.view || "overview";
    document.title = [shown.title, this.collectionTitle, "likewise"].filter(Boolean).join(" · ");
    if (!first && !stay) {
      window.scrollTo(0, 0);
      this.main.querySelector("h1")?.focus({ preventScroll: true });
    }
    shown.ready?.();
  }

  nothingYet() {
    const app = this.source.mode === "app";
    return {
      title: "No documents",
      node: [
        h("h1", { tabindex: "-1" }, "No documents yet"),
        emptyState("There is nothing to compare", app ? "Add documents to the library, or check a text against this collection." : "No document in the sources could be read.", app ? h("a", { class: "button primary", href: this.links.to(["library"]) }, "Add documents") : h("a", { class: "button", href: this.links.to(["run"]) }, "See the run"), this.unreadLink()),
      ],
    };
  }

  // Where there are no documents: to the files that could not be read.
  unreadLink() {
    const { files, unlisted } = this.source.unread;
    return files.length ? h("a", { class: "button", href: this.links.documents() }, `${plural(files.length + unlisted, "file")} could not be read`) : null;
  }

  // In the app: documents were added or removed since the figures were computed.
  changeNote() {
    if (!this.source.changed) return null;
    return h("p", { class: "change-note", role: "status" }, "Documents were added or removed; new results are being computed. ",
      h("button", { type: "button", class: "link", "data-action": "refresh", on: { click: () => { this.forget(); this.show(false, true); } } }, "Refresh"));
  }

  nowhere() {
    return {
      title: "No such page",
      node: [h("h1", { tabindex: "-1" }, "No such page"), emptyState("Page not found", "The link may be incomplete.", h("a", { class: "button", href: this.links.overview() }, "To the overview"))],
    };
  }

  drawNav(current) {
    this.brand.href = this.links.overview();
    const entries = Object.entries(this.views).filter(([, view]) => view.label);
    refill(
      this.nav,
      h("ul", {}, entries.map(([name, view]) =>
        h("li", {}, h("a", { href: this.links.to(name === "" ? [] : [name]), "aria-current": name === current ? "page" : null }, view.label)),
      )),
    );
    this.nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
