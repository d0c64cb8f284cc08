// Passages that can belong to one family: the rules of Python (`passages/families/component.py`).

import { connected, MAX_GAP } from "./family_stretches.js";

// The passages of each component, in their order. In each document, passages that overlap or are near each
// other are in one place; places that passages connect are a component.
export function findComponents(passages, minWords) {
  const sides = passages.flatMap((passage) => [passage, passage.turned()]);
  const places = placesInDocuments(sides.map((side) => [side.a, ...side.stretch]), Math.max(MAX_GAP, 2 * minWords));
  const links = passages.map((_, at) => [places[2 * at], places[2 * at + 1]]);
  const components = new Map();
  connected(links).forEach((own, number) => own.forEach((place) => components.set(place, number)));
  const found = new Map();
  passages.forEach((passage, at) => {
    const number = components.get(places[2 * at]);
    if (!found.has(number)) found.set(number, []);
    found.get(number).push(passage);
  });
  return [...found.values()];
}

// For each stretch, [row, first, stop], the number of its place.
function placesInDocuments(stretches, gap) {
  const order = stretches.map((_, at) => at).sort((x, y) => stretches[x][0] - stretches[y][0] || stretches[x][1] - stretches[y][1]);
  const places = [];
  let [place, row, reached] = [-1, null, 0];
  for (const at of order) {
    const [own, first, stop] = stretches[at];
    if (own !== row || first - reached >= gap) {
      place += 1;
      reached = 0;
    }
    row = own;
    reached = Math.max(reached, stop);
    places[at] = place;
  }
  return places;
}
