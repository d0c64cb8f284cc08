// Possibly reworded passages, apart from the others: no colour, no part in any percentage.

import { h, refill } from "../parts/dom.js";
import { plural, whole } from "../data/numbers.js";

const REWORDED_SHOWN = 20;

// `entries`: {passage, name?, link?}. `onOutline(index)` outlines a stretch in the text, or null.
export function rewordedList(entries, onOutline) {
  if (!entries.length) return null;
  const list = h("ul", { class: "plain" });
  let current = null;
  let buttons = [];
  const choose = (index) => {
    current = current === index ? null : index;
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === current)));
    onOutline(current);
  };
  const draw = (count) => {
    buttons = [];
    refill(list, entries.slice(0, count).map((entry, index) => {
      const button = onOutline ? h("button", { type: "button", class: "link", "aria-pressed": String(index === current), "data-action": "outline", on: { click: () => choose(index) } }, "Outline in the text") : null;
      buttons.push(button);
      return h("li", {}, entry.name ? [entry.link ? h("a", { href: entry.link }, entry.name) : entry.name, ": "] : null, `${rewordedWords(entry.passage)} `, button);
    }));
    if (entries.length > count) list.append(h("li", {}, h("button", { type: "button", class: "link", on: { click: () => draw(entries.length) } }, `Show all ${whole(entries.length)}`)));
  };
  draw(REWORDED_SHOWN);
  return h("section", { class: "card reworded", "aria-label": "Possibly reworded", "data-list": "reworded" }, h("h2", {}, "Possibly reworded"),
    h("p", { class: "muted small" }, "Single rare words in common; not part of any percentage. Read both stretches before you conclude anything."), list);
}

function rewordedWords(passage) {
  const sizes = [passage.last - passage.first, passage.other_last - passage.other_first];
  return `${plural(passage.words, "rare word")} in common, in ${plural(sizes[0], "word")} here and ${plural(sizes[1], "word")} there`;
}
