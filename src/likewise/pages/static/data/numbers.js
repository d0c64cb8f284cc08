// Numbers as people read them.

const WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

export function whole(value) {
  return WHOLE.format(value);
}

export function plural(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
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

// The same words as P_MEANING and Q_MEANING of likewise.statistics.chance, wherever p and q are shown.
export const P_MEANING = "probability that unrelated documents of this collection are at least this similar";
export const Q_MEANING = "among the pairs at least this similar, the expected share that is there by chance";

// What the chance of a passage is about, in the same line as the number.
export const RUN_CHANCE = "so long a match in unrelated texts of these lengths";
export const RUN_CHANCE_HELP = "The probability that two unrelated texts of these lengths share a run of words at least this long, in ordinary prose. It is not the probability that nothing was copied. Texts on one subject, quotations and formulaic texts (laws, recipes, reports, references) share longer runs than unrelated prose without any copying. Passages that are recognised by rare words and not by runs have no such number.";

const SMALLEST_TOLD = 1e-6;

// The same rules as chance_text of likewise.output.chance.
export function chanceText(p) {
  if (p <= SMALLEST_TOLD) return "less than 1 in a million";
  if (p >= 0.95) return "more than 9 in 10";
  if (p > 0.15) return `${roundHalfEven(10 * p)} in 10`;
  const oneIn = Math.floor(Number((1 / p).toFixed(6)));
  const step = 10 ** Math.max(0, String(oneIn).length - 2);
  return `1 in ${whole(Math.floor(oneIn / step) * step)}`;
}

function roundHalfEven(value) {
  const below = Math.floor(value);
  return value - below === 0.5 ? below + (below % 2) : Math.round(value);
}

// `bounded`: no smaller p could have come out of as many pairs, so it may be less.
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
