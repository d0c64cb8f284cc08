// Round numbers along an axis.

export function linearTicks(highest, wanted = 4) {
  if (highest <= 0) return [0, 1];
  const rough = highest / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough));
  const ticks = [];
  for (let value = 0; value < highest + step; value += step) ticks.push(value);
  return ticks;
}

export function logTicks(highest) {
  const ticks = [1];
  while (ticks[ticks.length - 1] < highest) ticks.push(ticks[ticks.length - 1] * 10);
  return ticks;
}

// The height of a count, from 0 to 1; on the logarithmic axis one document is still seen.
export function heightOf(count, top, log) {
  if (count <= 0) return 0;
  return log ? (Math.log10(count) + 0.35) / (Math.log10(Math.max(top, 10)) + 0.35) : count / top;
}
