// Where the dots of a graph go. Nothing is drawn by lot: the same clusters give the same picture.

const MAX_PUSHES = 16_000_000; // pairs of dots in all steps: about a fifth of a second
const IDEAL = 64; // how long a link would like to be
const HEAD = 36; // room for the name of a cluster, above it
const FOOT = 34; // and for the names of its lowest documents
const GAP = 10;
// Names are below the dots and wider than they are. In a large picture only few fit anyway.
const ROOMY = { side: 60, apart: 116, base: 64 };
const TIGHT = { side: 36, apart: 64, base: 46 };
const MAX_ROOMY = 80;
const MIN_STRETCHED = 30;

// Each cluster gets its own area; areas are set in rows, the largest first. `clusters` have `members`
// and the `links` that are drawn, or are hubs with a `radius`. `width` and `height` give the shape of
// the page: where not all fits on it, the picture is larger, and of the same shape.
export function layOut(clusters, width, height) {
  const total = clusters.reduce((sum, { radius, members }) => sum + (radius ? 1 : members.length), 0);
  const room = total > MAX_ROOMY ? TIGHT : ROOMY;
  const spread = clusters.map((cluster) => (cluster.radius ? hubArea(cluster, room) : spreadOut(cluster, width - 2 * room.side, room)));
  for (let times = 1; ; times *= 1.15) {
    const placed = inRows(spread, width * times, room.side);
    if (placed.height <= height * times || times > 12) return placed;
  }
}

function hubArea({ radius, members }, { side }) {
  const wide = Math.max(84, 2 * radius + 20);
  return { nodes: [{ index: members[0], x: wide / 2 - side, y: radius }], width: wide - 2 * side, height: 2 * radius - FOOT / 2 };
}

function inRows(spread, width, side) {
  const [nodes, areas] = [[], []];
  let [x, y, rowHeight, right] = [0, 0, 0, 0];
  spread.forEach((picture, cluster) => {
    const [wide, high] = [picture.width + 2 * side, picture.height + HEAD + FOOT];
    if (x > 0 && x + wide > width) [x, y, rowHeight] = [0, y + rowHeight + GAP, 0];
    areas.push({ cluster, x, y, width: wide, height: high });
    rowHeight = Math.max(rowHeight, high);
    for (const node of picture.nodes) nodes.push({ index: node.index, cluster, x: x + side + node.x, y: y + HEAD + node.y });
    right = Math.max(right, x + wide);
    x += wide + GAP;
  });
  for (const area of areas) area.height = Math.max(...areas.filter((other) => other.y === area.y).map((other) => other.height));
  return { nodes, areas, width: right, height: y + rowHeight };
}

function spreadOut({ members, links }, room, { apart, base }) {
  const count = members.length;
  const nodes = count > 3 ? treePlaces(members, links) : members.map((index, at) => ({ index, x: apart * at * (count === 3 ? 0.6 : 1), y: at === 1 && count === 3 ? 0 : (count - 2) * base }));
  if (count > 3) push(nodes, links);
  return shifted(nodes, count > 3 ? [Math.max(room, 95 * Math.sqrt(count)), 66 * Math.sqrt(count)] : [room, room]);
}

// A tree of the links around the document with the most: a start from which little has to untangle.
function treePlaces(members, links) {
  const near = new Map(members.map((index) => [index, []]));
  for (const { a, b } of links) {
    near.get(a).push(b);
    near.get(b).push(a);
  }
  const root = members.reduce((best, index) => (near.get(index).length > near.get(best).length ? index : best), members[0]);
  const children = new Map([[root, []]]);
  const order = [root];
  for (const index of order) {
    for (const other of near.get(index)) {
      if (children.has(other)) continue;
      children.set(other, []);
      children.get(index).push(other);
      order.push(other);
    }
  }
  const leaves = new Map();
  for (const index of order.slice().reverse()) leaves.set(index, Math.max(1, children.get(index).reduce((sum, child) => sum + leaves.get(child), 0)));
  const places = new Map([[root, { index: root, x: 0, y: 0, from: 0, wide: 2 * Math.PI, ring: 0 }]]);
  for (const index of order) {
    const parent = places.get(index);
    let { from } = parent;
    for (const child of children.get(index)) {
      const wide = (parent.wide * leaves.get(child)) / leaves.get(index);
      const [angle, ring] = [from + wide / 2, parent.ring + 1];
      places.set(child, { index: child, x: ring * IDEAL * Math.cos(angle), y: ring * IDEAL * Math.sin(angle), from, wide, ring });
      from += wide;
    }
  }
  return members.map((index) => places.get(index));
}

// Dots push each other away and links pull; steps grow smaller until all is at rest.
function push(nodes, links) {
  const count = nodes.length;
  const place = new Map(nodes.map((node, at) => [node.index, at]));
  const ends = links.map(({ a, b }) => [place.get(a), place.get(b)]);
  const [xs, ys] = [Float64Array.from(nodes, (node) => node.x), Float64Array.from(nodes, (node) => node.y)];
  const [moveX, moveY] = [new Float64Array(count), new Float64Array(count)];
  const steps = Math.max(12, Math.min(200, Math.ceil(MAX_PUSHES / count ** 2)));
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

// To the corner, and squeezed where it would take too much of the page; a large one may be wider than
// high, as the page is.
function shifted(nodes, [mostWide, mostHigh]) {
  const ends = (values) => [Math.min(...values), Math.max(...values)];
  const [left, right] = ends(nodes.map((node) => node.x));
  const [top, bottom] = ends(nodes.map((node) => node.y));
  const high = Math.min(bottom - top, mostHigh);
  const wide = Math.min(Math.max(right - left, nodes.length > MIN_STRETCHED ? 1.5 * high : 0), mostWide);
  for (const node of nodes) {
    node.x = right > left ? ((node.x - left) / (right - left)) * wide : 0;
    node.y = bottom > top ? ((node.y - top) / (bottom - top)) * high : 0;
  }
  return { nodes, width: wide, height: high };
}
