// A few options side by side, of which one is taken: radio buttons in other clothes.

import { freshId, h } from "./dom.js";

export function choiceGroup(label, options, chosen, onChange) {
  const name = freshId("choice");
  return h(
    "fieldset",
    { class: "choices" },
    h("legend", { class: "unseen" }, label),
    options.map(([value, text]) =>
      h(
        "label",
        { class: "choice" },
        h("input", {
          type: "radio", name, value, checked: value === chosen,
          on: { change: () => onChange(value) },
        }),
        h("span", {}, text),
      ),
    ),
  );
}
