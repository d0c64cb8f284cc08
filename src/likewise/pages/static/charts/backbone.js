// The links of a cluster that are drawn: all of them, or those that show how its documents are connected.
// A hundred documents may have thousands of links, and a picture of all shows none.

const LINKS_PER_DOCUMENT = 2;
const MAX_MESH = 60;

// The strongest links that join all documents, and in a smaller cluster the strongest two of each.
export function backbone({ members, links }, measure) {
  if (links.length <= LINKS_PER_DOCUMENT * members.length) return links;
  const perDocument = members.length > MAX_MESH ? 0 : LINKS_PER_DOCUMENT;
  const parents = new Map(members.map((index) => [index, index]));
  const root = (index) => {
    let at = index;
    while (parents.get(at) !== at) {
      parents.set(at, parents.get(parents.get(at)));
      at = parents.get(at);
    }
    return at;
  };
  const counts = new Map();
  return strongestFirst(links, measure).filter(({ a, b }) => {
    const [one, other] = [root(a), root(b)];
    const joins = one !== other;
    if (joins) parents.set(one, other);
    else if ((counts.get(a) ?? 0) >= perDocument && (counts.get(b) ?? 0) >= perDocument) return false;
    counts.set(a, (counts.get(a) ?? 0) + 1);
    counts.set(b, (counts.get(b) ?? 0) + 1);
    return true;
  });
}

export function strongestFirst(links, measure) {
  return links.slice().sort((x, y) => measure(y) - measure(x) || x.a - y.a || x.b - y.b);
}
