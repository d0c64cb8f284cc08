// Places come in code points; strings here count UTF-16 units. Characters beyond U+FFFF take two.

const HIGH_HALF = /[\ud800-\udbff]/;

export function unitPlaces(text) {
  if (!HIGH_HALF.test(text)) return (place) => Math.min(place, text.length);
  const doubles = []; // places, in code points, of the characters that take two units
  let place = 0;
  for (let unit = 0; unit < text.length; unit += 1, place += 1) {
    const code = text.charCodeAt(unit);
    if (code >= 0xd800 && code < 0xdc00 && unit + 1 < text.length) {
      const low = text.charCodeAt(unit + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        doubles.push(place);
        unit += 1;
      }
    }
  }
  return (wanted) => Math.min(wanted + countBelow(doubles, wanted), text.length);
}

function countBelow(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
