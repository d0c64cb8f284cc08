// Data inside a page that is a single file.

import { PlainError } from "../parts/notice.js";

// The value of an element; null if there is none.
export function embedded(id) {
  const element = document.getElementById(id);
  if (element === null || element.type !== "application/json") return null;
  try {
    return JSON.parse(element.textContent);
  } catch {
    throw new PlainError("Part of this page cannot be read.", "The file may be incomplete.");
  }
}
