// Where the dots of a graph go. Nothing is drawn by lot: the same clusters give the same picture.

const STEPS = 160;
const GAP = 34;

// Each cluster gets its own little picture; the pictures are set in rows, the largest first.
export function layOut(clusters, width) {
  const placed = clusters.map((cluster) => spreadOut(cluster));
  const nodes = [];
  let x = GAP;
  let y = GAP;
  let rowHeight = 0;
  placed.forEach((picture, index) => {
    if (x + picture.width > width - GAP && x > GAP) {
      x = GAP;
      y += rowHeight + GAP * 1.6;
      rowHeight = 0;
    }
    for (const node of picture.nodes) nodes.push({ index: node.index, cluster: index, x: x + node.x, y: y + node.y });
    x += picture.width + GAP * 2.2;
    rowHeight = Math.max(rowHeight, picture.height);
  });
  return { nodes, width, height: y + rowHeight + GAP };
}

function spreadOut(cluster) {
  const count = cluster.members.length;
  const ring = 22 + 9 * Math.sqrt(count) * (count > 3 ? 1.6 : 1);
  const nodes = cluster.members.map((index, at) => ({
    index,
    x: ring * Math.cos((2 * Math.PI * at) / count),
    y: ring * Math.sin((2 * Math.PI * at) / count) * 0.8,
  }));
  if (count > 3) push(nodes, cluster.links);
  return shifted(nodes);
}

// Dots push each other away and links pull; steps grow smaller until all is at rest.
function push(nodes, links) {
  const place = new Map(nodes.map((node, at) => [node.index, at]));
  const ideal = 52;
  for (let step = 0; step < STEPS; step += 1) {
    const reach = 14 * (1 - step / STEPS) + 0.2;
    const moves = nodes.map(() => [0, 0]);
    for (let one = 0; one < nodes.length; one += 1) {
      for (let other = one + 1; other < nodes.length; other += 1) {
        const [dx, dy, far] = between(nodes[one], nodes[other]);
        add(moves, one, other, dx, dy, (ideal * ideal) / (far * far));
      }
    }
    for (const { a, b } of links) {
      const [one, other] = [place.get(a), place.get(b)];
      const [dx, dy, far] = between(nodes[one], nodes[other]);
      add(moves, one, other, dx, dy, -far / ideal);
    }
    nodes.forEach((node, at) => {
      const long = Math.hypot(...moves[at]) || 1;
      node.x += (moves[at][0] / long) * Math.min(long, reach);
      node.y += (moves[at][1] / long) * Math.min(long, reach);
    });
  }
}

function between(one, other) {
  const dx = one.x - other.x || 0.01;
  const dy = one.y - other.y || 0.01;
  return [dx, dy, Math.max(1, Math.hypot(dx, dy))];
}

function add(moves, one, other, dx, dy, force) {
  moves[one][0] += dx * force;
  moves[one][1] += dy * force;
  moves[other][0] -= dx * force;
  moves[other][1] -= dy * force;
}

function shifted(nodes) {
  const left = Math.min(...nodes.map((node) => node.x));
  const top = Math.min(...nodes.map((node) => node.y));
  for (const node of nodes) {
    node.x -= left;
    node.y -= top;
  }
  return {
    nodes,
    width: Math.max(...nodes.map((node) => node.x)),
    height: Math.max(...nodes.map((node) => node.y)),
  };
}
