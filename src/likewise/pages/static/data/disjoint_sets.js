// Disjoint sets of documents, for connected components: each is known by its root.

export class DisjointSets {
  constructor(members = []) {
    this.parents = new Map(members.map((member) => [member, member]));
  }

  has(member) {
    return this.parents.has(member);
  }

  members() {
    return this.parents.keys();
  }

  root(member) {
    let at = member;
    while (this.parents.get(at) !== at) {
      this.parents.set(at, this.parents.get(this.parents.get(at)));
      at = this.parents.get(at);
    }
    return at;
  }

  // Joins the sets of two documents; false if they were in one set already.
  join(a, b) {
    for (const member of [a, b]) if (!this.parents.has(member)) this.parents.set(member, member);
    const [one, other] = [this.root(a), this.root(b)];
    if (one !== other) this.parents.set(Math.max(one, other), Math.min(one, other));
    return one !== other;
  }
}
