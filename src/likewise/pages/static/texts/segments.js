// A text cut at every place where something begins or ends, so that each piece is of one kind.

// `layers` are lists of [start, end); `cuts` are single places. Each segment says for every layer
// which of its ranges cover it. Segments without any are there as well: together they are the text.
export function cutSegments(length, layers, cuts = []) {
  const events = [];
  layers.forEach((ranges, layer) => {
    ranges.forEach(([start, end], index) => {
      if (start < end) events.push([start, 1, layer, index], [end, 0, layer, index]);
    });
  });
  for (const cut of cuts) events.push([cut, 2, 0, 0]);
  events.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const active = layers.map(() => []);
  const segments = [];
  let start = 0;
  let at = 0;
  while (start < length) {
    for (; at < events.length && events[at][0] <= start; at += 1) turn(active, events[at]);
    const end = at < events.length ? Math.min(events[at][0], length) : length;
    segments.push({ start, end, on: active.slice() });
    start = end;
  }
  return segments;
}

// Lists of what is active are replaced, never changed: segments keep references to them.
function turn(active, [, what, layer, index]) {
  if (what === 1) active[layer] = [...active[layer], index];
  else if (what === 0) active[layer] = active[layer].filter((other) => other !== index);
}

// Where a long text may be cut into blocks: after the end of a line, every few thousand characters.
export function blockStarts(text, minLength = 3000) {
  const starts = [];
  for (let from = minLength; from < text.length; ) {
    const line = text.indexOf("\n", from);
    if (line < 0 || line + 1 >= text.length) break;
    starts.push(line + 1);
    from = line + 1 + minLength;
  }
  return starts;
}
