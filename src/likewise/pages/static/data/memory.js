// What the page keeps between visits. A page opened from disk may have no such store: then nothing is kept.

const PREFIX = "likewise.";

export function recall(key, area = "local") {
  try {
    return storeOf(area).getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function remember(key, value, area = "local") {
  try {
    if (value === null) storeOf(area).removeItem(PREFIX + key);
    else storeOf(area).setItem(PREFIX + key, value);
  } catch {
    // not stored: the caller keeps it for this page
  }
}

function storeOf(area) {
  return area === "session" ? window.sessionStorage : window.localStorage;
}
