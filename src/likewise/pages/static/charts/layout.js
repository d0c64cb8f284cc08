// Where the dots of a graph go. Nothing is drawn by lot: the same clusters give the same picture.

const MAX_PUSHES = 8_000_000; // pairs of dots in all steps: about a tenth of a second
const IDEAL = 64; // how long a link would like to be
const GAP = 36;
const EDGE_LEFT = 56; // names are below the dots and wider than they are

// Each cluster gets its own little picture; the pictures are set in rows, the largest first.
export function layOut(clusters, width) {
  const placed = clusters.map((cluster) => spreadOut(cluster, width - 2 * GAP));
  const nodes = [];
  const labels = [];
  let x = EDGE_LEFT;
  let y = GAP;
  let rowHeight = 0;
  placed.forEach((picture, index) => {
    if (x + picture.width > width - GAP && x > EDGE_LEFT) {
      x = EDGE_LEFT;
      y += rowHeight + GAP * 1.6;
      rowHeight = 0;
    }
    labels.push({ cluster: index, x: x - 20, y: y + (picture.height ? 0 : 4) });
    for (const node of picture.nodes) nodes.push({ index: node.index, cluster: index, x: x + node.x, y: y + node.y });
    x += picture.width + GAP * 3;
    rowHeight = Math.max(rowHeight, picture.height);
  });
  return { nodes, labels, width, height: y + rowHeight + GAP };
}

function spreadOut(cluster, room) {
  const count = cluster.members.length;
  const ring = 40 + 9 * Math.sqrt(count) * (count > 3 ? 1.6 : 1);
  const turnBy = count === 2 ? Math.PI : -Math.PI / 2; // two are side by side, more rest on their base
  const nodes = cluster.members.map((index, at) => ({
    index,
    x: (count === 2 ? 46 : ring) * Math.cos(turnBy + (2 * Math.PI * at) / count),
    y: count === 2 ? 0 : ring * Math.sin(turnBy + (2 * Math.PI * at) / count) * 0.85,
  }));
  if (count > 3) push(nodes, cluster.links);
  return shifted(nodes, count > 3 ? [Math.min(room, 95 * Math.sqrt(count)), Math.min(520, 62 * Math.sqrt(count))] : [room, room]);
}

// Dots push each other away and links pull; steps grow smaller until all is at rest.
function push(nodes, links) {
  const count = nodes.length;
  const place = new Map(nodes.map((node, at) => [node.index, at]));
  const ends = links.map(({ a, b }) => [place.get(a), place.get(b)]);
  const [xs, ys] = [Float64Array.from(nodes, (node) => node.x), Float64Array.from(nodes, (node) => node.y)];
  const [moveX, moveY] = [new Float64Array(count), new Float64Array(count)];
  const steps = Math.min(200, Math.ceil(MAX_PUSHES / count ** 2));
  for (let step = 0; step < steps; step += 1) {
    const reach = 16 * (1 - step / steps) + 0.2;
    moveX.fill(0);
    moveY.fill(0);
    for (let one = 0; one < count; one += 1) {
      for (let other = one + 1; other < count; other += 1) {
        const dx = xs[one] - xs[other] || 0.01;
        const dy = ys[one] - ys[other] || 0.01;
        const force = (IDEAL * IDEAL) / Math.max(1, dx * dx + dy * dy);
        moveX[one] += dx * force;
        moveY[one] += dy * force;
        moveX[other] -= dx * force;
        moveY[other] -= dy * force;
      }
    }
    for (const [one, other] of ends) {
      const [dx, dy] = [xs[one] - xs[other], ys[one] - ys[other]];
      const force = Math.sqrt(dx * dx + dy * dy) / IDEAL;
      moveX[one] -= dx * force;
      moveY[one] -= dy * force;
      moveX[other] += dx * force;
      moveY[other] += dy * force;
    }
    for (let at = 0; at < count; at += 1) {
      const long = Math.sqrt(moveX[at] ** 2 + moveY[at] ** 2) || 1;
      xs[at] += (moveX[at] / long) * Math.min(long, reach);
      ys[at] += (moveY[at] / long) * Math.min(long, reach);
    }
  }
  nodes.forEach((node, at) => Object.assign(node, { x: xs[at], y: ys[at] }));
}

// To the corner, and squeezed where it would take too much of the page.
function shifted(nodes, [mostWide, mostHigh]) {
  const ends = (values) => [Math.min(...values), Math.max(...values)];
  const [left, right] = ends(nodes.map((node) => node.x));
  const [top, bottom] = ends(nodes.map((node) => node.y));
  const [wide, high] = [Math.min(right - left, mostWide), Math.min(bottom - top, mostHigh)];
  for (const node of nodes) {
    node.x = right > left ? ((node.x - left) / (right - left)) * wide : 0;
    node.y = bottom > top ? ((node.y - top) / (bottom - top)) * high : 0;
  }
  return { nodes, width: wide, height: high };
}
