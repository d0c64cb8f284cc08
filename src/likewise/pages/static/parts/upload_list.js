// Files on their way into a collection, each with its progress and what became of its documents.

import { h, isolated, refill } from "./dom.js";
import { sentence } from "./notice.js";
import { bytes, plural, whole } from "../data/numbers.js";

const LINES_SHOWN = 100;
const TRIES = 5;

export class UploadList {
  constructor(source, limits, links, onDone) {
    this.source = source;
    this.links = links;
    this.collection = source.collection; // uploads continue to it when another one is shown
    this.limits = limits;
    this.onDone = onDone;
    this.queue = [];
    this.tables = []; // after the documents that they describe
    this.described = [];
    this.busy = false;
    this.totals = { added: 0, replaced: 0, unchanged: 0, skipped: 0 };
    this.summary = h("p", { class: "upload-summary", role: "status", "data-value": "upload-summary" });
    this.list = h("ul", { class: "uploads" });
    this.results = h("a", { class: "button primary", hidden: true, href: links.overview() }, "See the results");
    this.element = h("section", { class: "card", hidden: true, "aria-label": "Uploads", "data-list": "uploads" }, h("div", { class: "upload-head" }, this.summary, this.results), this.list);
  }

  add(files) {
    this.element.hidden = false;
    const refused = [];
    for (const { file, name } of files) {
      const entry = new UploadEntry(file, name);
      if (this.isTable(name)) this.list.prepend(entry.element); // it is about all the others
      else this.list.append(entry.element);
      const problem = this.problemOf(file, name);
      if (problem) {
        entry.fail(problem);
        this.totals.skipped += 1;
        refused.push({ name, reason: problem });
      } else if (this.isTable(name)) this.tables.push(entry);
      else this.queue.push(entry);
    }
    if (refused.length) this.noteUnread(refused);
    this.showTotals();
    this.work();
  }

  isTable(name) {
    return Boolean(this.limits.tables?.includes(endingOf(name)));
  }

  // The collection keeps a list of what could not be read; uploads that were read themselves add to it.
  noteUnread(files) {
    this.noted = Promise.allSettled([this.noted, this.source.noteUnread(files, this.collection)]);
  }

  // What would be refused is not sent.
  problemOf(file, name) {
    const { max_request: maxBytes, kinds, unsupported } = this.limits;
    if (maxBytes && file.size > maxBytes) return `${bytes(file.size)} is more than the server accepts (${bytes(maxBytes)}).`;
    if (file.size === 0) return "This file is empty.";
    const ending = endingOf(name);
    if (ending && kinds?.length && !kinds.includes(ending) && ending !== ".zip" && !this.isTable(name)) return sentence(unsupported?.[ending] ?? "unsupported file type");
    return null;
  }

  async work() {
    if (this.busy) return;
    this.busy = true;
    while (this.queue.length || this.tables.length) {
      const isTable = !this.queue.length;
      const entry = (isTable ? this.tables : this.queue).shift();
      await (isTable ? this.describe(entry) : this.send(entry));
      this.showTotals();
    }
    this.busy = false;
    this.results.hidden = this.totals.added + this.totals.replaced + this.totals.unchanged + this.described.length === 0;
    this.showTotals();
    await this.noted;
    this.onDone(this.totals);
  }

  async describe(entry) {
    try {
      const answer = await this.source.describe(entry.file, entry.name.split("/").pop(), this.collection);
      this.described.push(answer);
      entry.describe(answer);
    } catch (error) {
      this.totals.skipped += 1;
      entry.fail([error.message, error.hint].filter(Boolean).map(sentence).join(" "));
    }
  }

  async send(entry) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const counts = await this.source.upload(entry.file, entry.name, this.collection, (sent, total) => entry.progress(sent, total), (line) => entry.line(line));
        for (const key of Object.keys(this.totals)) this.totals[key] += counts[key] ?? 0;
        entry.done(counts);
        return;
      } catch (error) {
        if (error.status === 401) {
          try {
            await this.source.askForToken();
            continue;
          } catch (refused) {
            error = refused;
          }
        } else if ((error.status === 429 || error.status === 503) && attempt < TRIES) {
          entry.wait();
          await new Promise((resolve) => setTimeout(resolve, Math.min(30, error.wait ?? 2) * 1000));
          continue;
        }
        this.totals.skipped += 1;
        const reason = [error.message, error.hint].filter(Boolean).map(sentence).join(" ");
        entry.fail(reason);
        this.noteUnread([{ name: entry.name, reason }]);
        return;
      }
    }
  }

  showTotals() {
    const { added, replaced, unchanged, skipped } = this.totals;
    const counts = [`${whole(added)} added`, replaced ? `${whole(replaced)} replaced` : null, unchanged ? `${whole(unchanged)} already there` : null, skipped ? `${whole(skipped)} skipped` : null].filter(Boolean).join(", ");
    const waiting = this.queue.length + this.tables.length;
    const described = this.described.map((one) => `${whole(one.described)} of ${plural(one.documents, "document")} described`);
    const all = [added || replaced || unchanged || skipped || !described.length ? counts : null, ...described].filter(Boolean).join("; ");
    this.summary.textContent = this.busy || waiting ? `${plural(waiting + (this.busy ? 1 : 0), "file")} to go; ${all}` : all;
  }
}

class UploadEntry {
  constructor(file, name) {
    this.file = file;
    this.name = name;
    this.lines = 0;
    this.bar = h("progress", { class: "bar", max: 1, value: 0, "aria-label": "Progress" });
    this.state = h("span", { class: "upload-state muted small" }, "waiting");
    this.results = h("ul", { class: "upload-lines" });
    this.element = h("li", { class: "upload", "data-upload": "waiting" },
      isolated(name, "upload-name"), h("span", { class: "muted small" }, bytes(file.size)), this.state, this.bar, this.results);
  }

  progress(sent, total) {
    this.element.dataset.upload = "sending";
    if (sent >= total) this.bar.removeAttribute("value");
    else this.bar.value = sent / total;
    this.state.textContent = sent < total ? `sending, ${Math.floor((sent / total) * 100)} %` : "reading";
  }

  wait() {
    this.state.textContent = "the server is busy; waiting";
  }

  line(line) {
    this.lines += 1;
    this.state.textContent = `${plural(this.lines, "document")} read`;
    const notable = line.status === "skipped" || line.notes?.length;
    if (!notable && this.lines > LINES_SHOWN) return;
    if (this.results.childElementCount >= LINES_SHOWN * 5) return;
    this.results.append(h("li", { "data-status": line.status }, isolated(line.name), " ", h("span", { class: `status-word ${line.status}` }, STATUS_WORDS[line.status] ?? line.status),
      h("span", { class: "muted small wrap", dir: "auto" }, [line.reason, typeof line.words === "number" ? plural(line.words, "word") : null, ...(line.notes ?? [])].filter(Boolean).map((detail) => ` · ${detail}`).join(""))));
  }

  done(counts) {
    this.bar.remove();
    const skipped = counts.skipped ?? 0;
    this.element.dataset.upload = !skipped ? "done" : skipped < this.lines ? "partly" : "failed";
    this.state.textContent = this.lines === 1 ? (skipped ? "not added" : "done") : `done: ${plural(this.lines, "document")}${skipped ? `, ${whole(skipped)} skipped` : ""}`;
  }

  describe({ summary, described }) {
    this.bar.remove();
    this.element.dataset.upload = described ? "done" : "partly";
    this.state.textContent = "metadata";
    refill(this.results, h("li", { class: "wrap", dir: "auto" }, summary));
  }

  fail(reason) {
    this.bar.remove();
    this.element.dataset.upload = "failed";
    this.state.textContent = "not added";
    refill(this.results, h("li", { "data-status": "skipped", class: "wrap", dir: "auto" }, reason));
  }
}

const STATUS_WORDS = { added: "added", replaced: "replaced", unchanged: "already there", skipped: "skipped" };

function endingOf(name) {
  return /\.[^./\\]+$/.exec(name.toLowerCase())?.[0];
}
