// Which part of a long list is shown, and the way to the other parts.

import { h } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { whole } from "../data/numbers.js";

export function pager({ page, size, count, what, onPage }) {
  const pages = Math.max(1, Math.ceil(count / size));
  const from = count ? page * size + 1 : 0;
  const to = Math.min(count, (page + 1) * size);
  const step = (label, name, target, off) =>
    h("button", { type: "button", class: "quiet icon-button", "aria-label": label, "data-action": name, disabled: off, on: { click: () => onPage(target) } }, icon(name));
  return h(
    "nav",
    { class: "pager", "aria-label": `Pages of ${what}` },
    h("span", { class: "muted", "data-value": "range" }, count ? `${whole(from)}–${whole(to)} of ${whole(count)} ${what}` : `No ${what}`),
    pages > 1 ? step("Previous page", "previous", page - 1, page === 0) : null,
    pages > 1 ? h("span", { class: "muted" }, `${whole(page + 1)} / ${whole(pages)}`) : null,
    pages > 1 ? step("Next page", "next", page + 1, page >= pages - 1) : null,
  );
}

// The list is drawn anew: whoever pressed a button with the keyboard finds it under the finger again.
export function keepFocus(list, way) {
  const buttons = [...list.querySelectorAll(".pager button")];
  const wanted = buttons.find((button) => button.dataset.action === way && !button.disabled) ?? buttons.find((button) => !button.disabled);
  wanted?.focus({ preventScroll: true });
}
