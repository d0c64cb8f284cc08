// Groups of documents, from their metadata. The largest have a number, by which they get a colour and
// a shape; the others share one.

const MAX_GROUPS = 12;
const groupsOfRows = new WeakMap();

export class Groups {
  constructor(documents) {
    const counts = new Map();
    for (const { group } of documents) if (group) counts.set(group, (counts.get(group) ?? 0) + 1);
    const order = new Intl.Collator("en", { numeric: true });
    this.names = [...counts.keys()]
      .sort((x, y) => counts.get(y) - counts.get(x) || order.compare(x, y))
      .slice(0, MAX_GROUPS)
      .sort(order.compare);
    this.numbers = new Map(this.names.map((name, at) => [name, at + 1]));
    this.hasOthers = counts.size > this.names.length;
  }

  // 0 for a document of another group, or of none.
  numberOf(document) {
    return this.numbers.get(document.group) ?? 0;
  }
}

export function groupsOf(rows) {
  if (!groupsOfRows.has(rows)) groupsOfRows.set(rows, new Groups(rows.documents));
  return groupsOfRows.get(rows);
}
