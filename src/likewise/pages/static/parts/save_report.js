// The collection as a report in one file, with or without names.

import { EXCLUDED_PARTS, queryOfExclusions } from "../data/exclusion_state.js";
import { linkedId } from "../data/names.js";
import { openDialog } from "./dialog.js";
import { h, refill } from "./dom.js";
import { icon } from "./icons.js";
import { PlainError, progressState, sentence } from "./notice.js";
import { saveBlob } from "../tables/csv.js";

const REPORT_PAUSE_MS = 500;
const REPORT_TAG = '<html lang="en" data-mode="report"';

// In the app only: a report is saved already.
export function saveReportButton(page) {
  if (page.source.mode !== "app") return null;
  return h("button", { type: "button", class: "quiet", "data-action": "save-report", on: { click: () => new SaveReportDialog(page) } }, icon("download"), "Save report…");
}

class SaveReportDialog {
  constructor(page) {
    this.source = page.source;
    this.exclusions = page.exclusions;
    this.isClosed = false;
    this.hidden = this.check("Without names", page.names.anonymous, "without-names");
    this.dates = this.check("Keep dates", false, "keep-dates");
    this.excluded = this.check("With the exclusions of this page", true, "with-exclusions");
    this.excluded.element.hidden = !page.exclusions.active;
    this.about = h("p", { class: "muted small", id: "save-report-about" });
    this.state = h("div", { class: "save-state", "aria-live": "polite", "data-value": "save-state" });
    this.action = h("button", { type: "button", class: "primary", autofocus: true, "data-action": "save-report-now", on: { click: () => this.save() } }, "Save report");
    this.key = h("button", { type: "button", "data-action": "save-key", hidden: true, on: { click: () => this.attempt(() => this.saveKey()) } }, icon("key"), "Save key");
    this.dialog = openDialog("Save report", [
      h("p", {}, "One HTML file with all documents, pairs and texts. It opens in any browser, without this app."),
      this.hidden.element, this.dates.element, this.excluded.element, this.about, this.state,
    ], [h("button", { value: "", class: "quiet" }, "Close"), this.key, this.action]);
    this.dialog.addEventListener("close", () => (this.isClosed = true));
    this.draw();
  }

  check(label, checked, name) {
    const input = h("input", { type: "checkbox", checked, "data-control": name, on: { change: () => this.draw() } });
    return { input, element: h("label", { class: "check" }, input, h("span", {}, label)) };
  }

  get options() {
    const anonymous = this.hidden.input.checked;
    return { anonymous, keep_dates: anonymous && this.dates.input.checked };
  }

  draw() {
    const { anonymous } = this.options;
    this.dates.element.hidden = !anonymous;
    this.key.hidden = true;
    refill(this.state);
    const about = anonymous
      ? "Documents and groups have numbers, and names of authors are replaced in the texts. The key, a second file, says what the numbers stand for. Read the texts before you hand the report on: other names, style or content may still identify somebody."
      : "The file contains the names and the texts; treat it as confidentially as these.";
    this.about.textContent = [about, this.lostWords(anonymous)].filter(Boolean).join(" ");
  }

  // What of the exclusions the file cannot have.
  lostWords(anonymous) {
    const { parts, phrases, passages } = this.exclusions.state;
    if (!this.exclusions.active || !this.excluded.input.checked) return "";
    const lost = [...(parts.includes("template") ? ["templates"] : []), ...(anonymous && (phrases.length || parts.includes("phrases")) ? ["phrases"] : []), ...(anonymous && passages.length ? ["single passages"] : [])];
    return lost.length ? `Not excluded there: ${lost.join(", ")}.` : "";
  }

  // The report, which opens with the exclusions of this page. Phrases and passages may have names in them.
  async withExclusions(report, anonymous) {
    if (!this.exclusions.active || !this.excluded.input.checked) return report;
    const { state } = this.exclusions;
    const stored = state.parts.includes("phrases") ? (await this.source.exclusionTexts()).phrases : [];
    const parts = Object.keys(EXCLUDED_PARTS).filter((name) => state.parts.includes(name) && name !== "template" && name !== "phrases");
    const given = anonymous ? { phrases: [], passages: [] } : { phrases: [...new Set([...state.phrases, ...stored])], passages: state.passages.map((one) => ({ ...one, id: linkedId(one.id) })) };
    const query = new URLSearchParams(queryOfExclusions({ ...state, parts, ...given }));
    const start = await report.slice(0, 1000).text(); // in ASCII
    const at = start.indexOf(REPORT_TAG) + REPORT_TAG.length;
    return new Blob([report.slice(0, at), ` data-exclusions="${String(query).replaceAll("&", "&amp;")}"`, report.slice(at)], { type: report.type });
  }

  save() {
    return this.attempt(async () => {
      const { options } = this;
      const page = await this.made(() => this.source.reportFile(options));
      if (page === null) return;
      saveBlob(options.anonymous ? "anonymous-report.html" : "report.html", await this.withExclusions(page, options.anonymous));
      refill(this.state, h("p", {}, "The report was saved."));
      this.key.hidden = !options.anonymous;
    });
  }

  async saveKey() {
    const key = await this.made(() => this.source.reportKey(this.options));
    if (key === null) return;
    saveBlob("key.csv", key);
    refill(this.state, h("p", {}, "The key was saved. Keep it apart from the report."));
  }

  // A file, as soon as the server has made it; null if the dialog is closed first.
  async made(get) {
    while (!this.isClosed) {
      const answer = await this.source.makeReport(this.options);
      if (answer.state === "empty") throw new PlainError("There are no documents to report on.");
      if (answer.state === "ready") {
        const file = await get();
        if (file !== null) return file;
      } else {
        refill(this.state, progressState(answer));
      }
      await new Promise((resolve) => setTimeout(resolve, REPORT_PAUSE_MS));
    }
    return null;
  }

  async attempt(work) {
    const controls = [this.action, this.key, this.hidden.input, this.dates.input, this.excluded.input];
    for (const control of controls) control.disabled = true;
    try {
      await work();
    } catch (error) {
      refill(this.state, h("p", { class: "problem wrap", role: "alert" }, [error.message, error.hint].filter(Boolean).map(sentence).join(" ")));
    } finally {
      for (const control of controls) control.disabled = false;
    }
  }
}
