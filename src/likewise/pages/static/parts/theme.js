// Light or dark: as the system says, until the reader chooses.

import { h, refill } from "./dom.js";
import { icon } from "./icons.js";
import { recall, remember } from "../data/memory.js";

export function applyTheme() {
  const chosen = recall("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function themeButton() {
  const button = h("button", { type: "button", class: "quiet icon-button", "data-action": "theme" });
  const draw = () => {
    const label = isDark() ? "Use the light theme" : "Use the dark theme";
    button.setAttribute("aria-label", label);
    button.title = label;
    refill(button, icon(isDark() ? "sun" : "moon"));
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember("theme", theme);
    draw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
  return button;
}
