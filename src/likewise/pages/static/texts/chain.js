// The longest chain of passages that are in the same order on both sides, and the way from a place
// on one side to its place on the other.

export function longestChain(starts, others) {
  const order = starts.map((_, index) => index).sort((x, y) => starts[x] - starts[y] || others[x] - others[y]);
  const ends = []; // the index whose `others` is smallest among chains of each length
  const before = new Map();
  for (const index of order) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (others[ends[middle]] < others[index]) low = middle + 1;
      else high = middle;
    }
    before.set(index, low > 0 ? ends[low - 1] : null);
    ends[low] = index;
  }
  const chain = [];
  for (let at = ends.length ? ends[ends.length - 1] : null; at !== null; at = before.get(at)) chain.push(at);
  return chain.reverse();
}

// `anchors` are [here, there], both growing; in between the way is straight.
export function placeAcross(anchors, here) {
  let low = 0;
  let high = anchors.length - 1;
  if (here <= anchors[low][0]) return anchors[low][1];
  if (here >= anchors[high][0]) return anchors[high][1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (anchors[middle][0] <= here) low = middle;
    else high = middle;
  }
  const [from, fromThere] = anchors[low];
  const [to, toThere] = anchors[high];
  return to === from ? fromThere : fromThere + ((here - from) / (to - from)) * (toThere - fromThere);
}
