// Numbers as people read them.

const WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

export function whole(value) {
  return WHOLE.format(value);
}

export function plural(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

// Of a text that is not kept it is not known.
export function wordCount(shown) {
  return typeof shown.words === "number" ? plural(shown.words, "word") : null;
}

// 1 is said only of what is whole: 0.9996 stays 0.999.
export function decimal(value, places = 2) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const shown = value.toFixed(places);
  const edge = 10 ** -places;
  if (value < 1 && Number(shown) >= 1) return (1 - edge).toFixed(places);
  if (value > 0 && Number(shown) === 0) return `<${edge.toFixed(places)}`;
  return shown;
}

export function percent(share) {
  if (share === null || share === undefined || Number.isNaN(share)) return "–";
  const value = share * 100;
  if (value > 0 && value < 1) return "<1\u00a0%";
  if (value < 100 && value > 99) return "99\u00a0%";
  return `${Math.round(value)}\u00a0%`;
}

// `bounded`: no smaller one could have been found by as many trials, so it may be less.
export function chancesOf(value, bounded = false) {
  if (value === null || value === undefined) return "–";
  if (bounded && value >= 0.001) return `≤${value.toFixed(3)}`;
  if (value > 0 && value < 0.001) {
    const power = Math.ceil(Math.log10(value));
    return power < -3 ? `<10${superscript(power)}` : "<0.001";
  }
  return value.toFixed(3);
}

function superscript(power) {
  return [...String(power)].map((digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])).join("");
}

export function jaccardWithInterval(pair) {
  const value = decimal(pair.jaccard);
  if (pair.low === null || pair.low === undefined) return value;
  return `${value} (${decimal(pair.low)}–${decimal(pair.high)})`;
}

export function seconds(value) {
  if (value < 0.0005) return "<1 ms";
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 90) return `${value.toFixed(1)} s`;
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function bytes(count) {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${Math.round(count / 1000)} kB`;
  if (count < 1e9) return `${(count / 1e6).toFixed(1)} MB`;
  return `${(count / 1e9).toFixed(1)} GB`;
}
