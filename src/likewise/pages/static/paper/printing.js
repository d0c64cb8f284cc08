// Printing: sheets are made when they are printed and removed afterwards; on the screen they are not
// seen. Whatever is printed, also with the keys of the browser, has its title and date on every sheet.

import { h } from "../parts/dom.js";
import { utcTime } from "../data/dates.js";
import { PageMargins } from "./page_margins.js";

export class Printing {
  // `current()` is the view that is open: {title, sheets?}. `sheets()` gives what is printed instead of it.
  constructor(page, current) {
    this.page = page;
    this.current = current;
    this.margins = new PageMargins();
    this.element = null;
    window.addEventListener("beforeprint", () => this.prepare());
    window.addEventListener("afterprint", () => this.clear());
  }

  // `sheets`: {title, nodes, sections}, as `PageMargins` has them.
  print(sheets) {
    this.stage(sheets);
    window.print();
  }

  prepare() {
    if (this.element) return;
    const { title, sheets } = this.current();
    const made = sheets?.();
    if (made) this.stage(made);
    else this.setMargins({ title });
  }

  stage({ title, nodes, sections }) {
    this.clear();
    this.element = h("div", { class: "print-sheets", role: "main" }, nodes);
    document.body.append(this.element);
    document.documentElement.classList.add("printing-sheets");
    this.setMargins({ title, sections });
    this.titleBefore = document.title;
    document.title = title; // also the name of the file, if it is saved as PDF
  }

  setMargins({ title, sections }) {
    const survey = this.page.knownRows?.survey;
    const dates = [survey?.made ? `${this.page.source.mode === "report" ? "report" : "figures"} of ${utcTime(survey.made)}` : null, `printed ${utcTime(new Date().toISOString())}`];
    this.margins.set({ left: title, right: this.page.collectionTitle, note: `likewise · ${dates.filter(Boolean).join(" · ")}`, sections });
  }

  clear() {
    this.margins.clear();
    if (!this.element) return;
    this.element.remove();
    this.element = null;
    document.documentElement.classList.remove("printing-sheets");
    document.title = this.titleBefore;
  }
}
