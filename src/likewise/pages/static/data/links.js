// Addresses within the page: everything follows the #, so that they work from disk as well.

export class Links {
  constructor(collection = null) {
    this.collection = collection;
    this.kept = () => []; // names and values that every link has
    this.called = (id) => id; // what links call a document
  }

  to(parts, query = {}) {
    const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
    const prefix = this.collection === null ? [] : ["c", this.collection];
    const path = [...prefix, ...parts].map(encodeURIComponent).join("/");
    const all = [...given, ...this.kept()];
    const search = all.length ? `?${new URLSearchParams(all)}` : "";
    return `#/${path}${search}`;
  }

  overview() { return this.to([]); }
  pairs(q = "", sort = "") { return this.to(["pairs"], { q, sort }); }
  documents(q = "", sort = "") { return this.to(["documents"], { q, sort }); }
  marks(q = "", sort = "") { return this.to(["review"], { q, sort }); }
  document(id) { return this.to(["document", this.called(id)]); }
  pair(a, b, passage = null) { return this.to(["pair", this.called(a), this.called(b)], { passage }); }
  clusters(t = null, by = "", shown = {}) { return this.to(["clusters"], { t, by: by === "jaccard" ? "" : by, ...shown }); }
  families(q = "", sort = "", { all = [], none = [], ...shown } = {}) { return this.to(["families"], { q, sort, all: this.calledAll(all), none: this.calledAll(none), ...shown }); }
  family(id, first) { return this.to(["family", this.called(id), String(first)]); }
  documentAt(id, first, stop) { return this.to(["document", this.called(id)], { words: `${first}-${stop}` }); }
  calledAll(ids) { return ids.map((id) => this.called(id)).join("\n"); }
  cluster(id, t, by = "") { return this.to(["cluster", this.called(id)], { t, by: by === "jaccard" ? "" : by }); }
}

export function parseAddress(hash) {
  const [path, search = ""] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  let parts;
  try {
    parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    parts = [path]; // not ours: leads to "no such page"
  }
  let collection = null;
  if (parts[0] === "c" && parts.length > 1) {
    collection = parts[1];
    parts = parts.slice(2);
  }
  return { collection, view: parts[0] ?? "", ids: parts.slice(1), query: new URLSearchParams(search) };
}

function splitOnce(text, at) {
  const place = text.indexOf(at);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}

export function replaceAddress(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // the address stays; the page is right all the same
  }
}
