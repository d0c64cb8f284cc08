// Linked documents: connected by pairs at or above a threshold.

import { DisjointSets } from "./disjoint_sets.js";

export function findClusters(pairs, measure, threshold) {
  const sets = new DisjointSets();
  const links = pairs.filter((pair) => measure(pair) >= threshold);
  for (const { a, b } of links) sets.join(a, b);
  const clusters = new Map();
  for (const index of sets.members()) {
    const key = sets.root(index);
    if (!clusters.has(key)) clusters.set(key, { members: [], links: [], lowest: 1, sum: 0, known: 0 });
    clusters.get(key).members.push(index);
  }
  for (const pair of pairs) noteInside(pair, sets, clusters, measure(pair), threshold);
  return [...clusters.values()].map(finished).sort((x, y) => y.members.length - x.members.length || x.members[0] - y.members[0]);
}

// Pairs inside a cluster that are below the threshold count for its lowest and mean as well.
function noteInside(pair, sets, clusters, value, threshold) {
  if (!sets.has(pair.a) || !sets.has(pair.b) || sets.root(pair.a) !== sets.root(pair.b)) return;
  const cluster = clusters.get(sets.root(pair.a));
  cluster.known += 1;
  cluster.sum += value;
  cluster.lowest = Math.min(cluster.lowest, value);
  if (value >= threshold) cluster.links.push(pair);
}

function finished(cluster) {
  const size = cluster.members.length;
  cluster.members.sort((x, y) => x - y);
  return {
    members: cluster.members,
    links: cluster.links,
    lowest: cluster.lowest,
    mean: cluster.sum / cluster.known,
    unlisted: (size * (size - 1)) / 2 - cluster.known,
  };
}

export const MEASURES = {
  jaccard: { label: "similarity (Jaccard)", of: (pair) => pair.jaccard ?? 0 },
  containment: { label: "containment (the larger)", of: (pair) => Math.max(pair.containment_a ?? 0, pair.containment_b ?? 0) },
  share: { label: "share in passages (the larger)", of: (pair) => Math.max(pair.share_a ?? 0, pair.share_b ?? 0) },
};

// A measure as an address names it.
export function measureFrom(name) {
  return Object.hasOwn(MEASURES, name ?? "") ? name : "jaccard";
}

// The number of the cluster that each linked document is in, from 0.
export function clusterOfDocuments(clusters) {
  return new Map(clusters.flatMap(({ members }, at) => members.map((index) => [index, at])));
}
