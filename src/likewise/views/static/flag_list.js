// Places where a text is other than it looks.

import { h } from "./dom.js";
import { plural } from "./numbers.js";

const FLAGS_SHOWN = 50;
const FLAG_WORDS = {
  "look-alike": "letters of another script that look alike; meant is probably",
  "zero-width": "characters without width",
  "soft hyphen": "hyphens that are not seen",
  bidi: "controls of the direction of writing",
  invisible: "characters that are not seen",
  hidden: "text that the page of the file does not show",
};

export function flagList(flags, onGo) {
  if (!flags.length) return null;
  return h("details", { class: "card flags", open: true, "data-list": "flags" },
    h("summary", {}, h("h2", {}, `${plural(flags.length, "flag")} in the text`)),
    h("p", { class: "muted small" }, "Places where what is stored is not what is seen. They were undone before the comparison; there are harmless reasons for most."),
    h("ul", { class: "flag-entries" }, flags.slice(0, FLAGS_SHOWN).map(([, , kind, shown], index) =>
      h("li", {}, h("button", { type: "button", class: "link", on: { click: () => onGo(index) } }, kind), h("span", { class: "muted wrap" }, ` ${FLAG_WORDS[kind] ?? ""} `, shown ? h("bdi", {}, shown) : null)))),
    flags.length > FLAGS_SHOWN ? h("p", { class: "muted small" }, `and ${plural(flags.length - FLAGS_SHOWN, "more", "more")}, marked in the text`) : null);
}
