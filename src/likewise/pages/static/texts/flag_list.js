// Places where a text is other than it looks.

import { h } from "../parts/dom.js";
import { plural } from "../data/numbers.js";

const FLAGS_SHOWN = 50;
const FLAG_WORDS = {
  "look-alike": "displayed as",
  "zero-width": "zero-width characters",
  "soft hyphen": "invisible hyphens",
  bidi: "text direction controls",
  invisible: "invisible characters",
  hidden: "text not visible on the page of the file",
};

export function flagWords(kind, number) {
  return number > 1 ? `${kind}: ${plural(number, kind === "look-alike" ? "word" : "place")}` : kind;
}

export function flagList({ flags }, onGo) {
  if (!flags.length) return null;
  return h("details", { class: "card flags", open: true, "data-list": "flags" },
    h("summary", {}, h("h2", {}, `${plural(flags.length, "flag")} in the text`)),
    h("p", { class: "muted small" }, "The text was compared as displayed. Such characters may have harmless reasons."),
    h("ul", { class: "flag-entries" }, flags.slice(0, FLAGS_SHOWN).map(([, , kind, shown, number = 1], index) =>
      h("li", {}, h("button", { type: "button", class: "link", on: { click: () => onGo(index) } }, flagWords(kind, number)), h("span", { class: "muted wrap" }, ` ${FLAG_WORDS[kind] ?? "displayed as"} `, shown ? h("bdi", {}, shown) : null)))),
    flags.length > FLAGS_SHOWN ? h("p", { class: "muted small" }, `and ${plural(flags.length - FLAGS_SHOWN, "more", "more")}, marked in the text`) : null);
}
