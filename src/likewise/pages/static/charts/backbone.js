// The links of a cluster that are drawn: all of them, or those that show how its documents are connected.
// A hundred documents may have thousands of links, and a picture of all shows none.

import { DisjointSets } from "../data/disjoint_sets.js";

const LINKS_PER_DOCUMENT = 2;
const MAX_MESH = 60;

// The strongest links that join all documents, and in a smaller cluster the strongest two of each.
export function backbone({ members, links }, measure) {
  if (links.length <= LINKS_PER_DOCUMENT * members.length) return links;
  const perDocument = members.length > MAX_MESH ? 0 : LINKS_PER_DOCUMENT;
  const joined = new DisjointSets(members);
  const counts = new Map();
  return strongestFirst(links, measure).filter(({ a, b }) => {
    if (!joined.join(a, b) && (counts.get(a) ?? 0) >= perDocument && (counts.get(b) ?? 0) >= perDocument) return false;
    counts.set(a, (counts.get(a) ?? 0) + 1);
    counts.set(b, (counts.get(b) ?? 0) + 1);
    return true;
  });
}

export function strongestFirst(links, measure) {
  return links.slice().sort((x, y) => measure(y) - measure(x) || x.a - y.a || x.b - y.b);
}
