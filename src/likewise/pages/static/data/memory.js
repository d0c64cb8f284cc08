// What the page keeps between visits. A page opened from disk may have no such store: then nothing is kept.

const PREFIX = "likewise.";

export function recall(key, area = "local") {
  try {
    return storeOf(area).getItem(PREFIX + key);
  } catch {
    return null;
  }
}

// Whether it was stored; if not, the caller keeps it for this page.
export function remember(key, value, area = "local") {
  try {
    if (value === null) storeOf(area).removeItem(PREFIX + key);
    else storeOf(area).setItem(PREFIX + key, value);
    return true;
  } catch {
    return false;
  }
}

function storeOf(area) {
  return area === "session" ? window.sessionStorage : window.localStorage;
}
