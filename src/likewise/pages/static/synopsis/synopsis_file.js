// The page around a synopsis that is a single file: header, theme, printing.

import { utcTime } from "../data/dates.js";
import { embedded } from "../data/embedded_data.js";
import { Names } from "../data/names.js";
import { h, refill } from "../parts/dom.js";
import { brandMark, icon } from "../parts/icons.js";
import { errorState, PlainError } from "../parts/notice.js";
import { applyTheme, themeButton } from "../parts/theme.js";
import { PageMargins } from "../paper/page_margins.js";
import { SynopsisBoard, synopsisHeading, synopsisTitle } from "./synopsis_board.js";

export class SynopsisFile {
  start() {
    applyTheme();
    this.live = h("p", { class: "unseen", role: "status", "aria-live": "polite", id: "live" });
    this.main = h("main", { id: "main", tabindex: "-1", "data-view": "synopsis" });
    const skip = h("a", { class: "skip", href: "#main", on: { click: (event) => { event.preventDefault(); this.main.focus(); } } }, "Skip to content");
    this.note = h("p", { class: "muted" });
    refill(document.getElementById("app"), skip,
      h("header", { class: "top" }, h("span", { class: "brand" }, brandMark(), h("span", {}, "likewise")), h("div", { class: "tools" }, themeButton())),
      this.main,
      h("footer", { class: "foot" }, h("p", {}, "Agreement says that texts have words in common; it does not say why, or who had them first. Everything stays on this machine."), this.note),
      this.live);
    try {
      this.show(embedded("synopsis"));
    } catch (error) {
      if (!(error instanceof PlainError)) console.error(error);
      refill(this.main, h("h1", { class: "unseen" }, "Not shown"), errorState(error));
    }
  }

  show(view) {
    if (view === null) throw new PlainError("This page contains no data.", "The file may be incomplete.");
    const names = new Names();
    names.anonymous = false;
    names.learn(view.texts);
    const print = h("button", { type: "button", class: "quiet", "data-action": "print", on: { click: () => window.print() } }, icon("print"), "Print");
    const board = new SynopsisBoard(view, { names, announce: (text) => this.announce(text) });
    refill(this.main, synopsisHeading(view, names, print), board.element);
    const title = view.title || synopsisTitle(view, names);
    document.title = `${title} · likewise`;
    this.note.textContent = [`likewise ${view.version}`, view.made ? utcTime(view.made) : null].filter(Boolean).join(" · ");
    setMargins(title, view);
  }

  announce(text) {
    this.live.textContent = "";
    requestAnimationFrame(() => (this.live.textContent = text));
  }
}

function setMargins(title, view) {
  const margins = new PageMargins();
  window.addEventListener("beforeprint", () => margins.set({ left: title, right: "Synopsis", note: `likewise${view.made ? ` · synopsis of ${utcTime(view.made)}` : ""} · printed ${utcTime(new Date().toISOString())}` }));
  window.addEventListener("afterprint", () => margins.clear());
}
