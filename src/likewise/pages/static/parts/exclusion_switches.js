// The switches of what is excluded on every page: in the panel below the header and on the overview.

import { h } from "./dom.js";
import { EXCLUDED_PARTS, EXCLUSION_LIMITS } from "../data/exclusion_state.js";
import { plural } from "../data/numbers.js";

const PARTS = {
  quotations: ["Quotations", "place"],
  bibliography: ["Bibliographies", "place"],
  "common-text": ["Text common to many documents", "stretch", "stretches"],
};

// `known`: the survey's passages, with nothing excluded.
export function exclusionSwitches(exclusions) {
  const { known, state } = exclusions;
  const { survey, data } = known;
  const columns = survey.documents.columns;
  return [
    data ? Object.entries(PARTS).map(([name, [label, ...nouns]]) => partSwitch(exclusions, name, label, nouns)) : null,
    ["author", "group"].filter((field) => columns[field]).map((field) => switchOf(exclusions, `same-${field}`, `Pairs of the same ${field}`, fixedField(known, field))),
    data ? numberField(exclusions, state.minWords, data.min_passage) : null,
  ];
}

function partSwitch(exclusions, name, label, nouns) {
  const reason = EXCLUDED_PARTS[name];
  const places = [...(exclusions.known.marks.get(reason)?.values() ?? [])];
  const count = places.reduce((sum, ranges) => sum + ranges.length, 0);
  if (isFixed(exclusions.known.survey, name)) return switchOf(exclusions, name, label, "excluded from the comparison");
  return switchOf(exclusions, name, label, null, count ? `${plural(count, ...nouns)} in ${plural(places.length, "document")}` : "none found", !count);
}

// Whether the search itself excluded it.
function isFixed(survey, name) {
  return survey.exclusions.some((one) => one.on && one.name === name.replace("-", " "));
}

function fixedField({ data }, field) {
  return data?.same.includes(field) ? "excluded from the comparison" : null;
}

export function switchOf(exclusions, name, label, fixed, note = null, isEmpty = false) {
  const on = exclusions.has(name);
  const box = h("input", {
    type: "checkbox", role: "switch", checked: on || fixed !== null, disabled: fixed !== null || (isEmpty && !on), "data-exclusion": name,
    on: { change: () => exclusions.toggle(name, box.checked) },
  });
  return h("label", { class: "check exclusion-switch" }, box, h("span", {}, label, fixed ?? note ? h("span", { class: "muted small" }, ` ${fixed ?? note}`) : null));
}

function numberField(exclusions, value, least) {
  const input = h("input", {
    type: "number", min: Math.max(1, least), max: EXCLUSION_LIMITS.words, value: Math.max(1, value, least), inputmode: "numeric", "data-exclusion": "min-words",
    on: { change: () => exclusions.change({ minWords: Math.min(EXCLUSION_LIMITS.words, Math.max(0, Math.round(Number(input.value) || 0))) }) },
  });
  return h("label", { class: "field line" }, h("span", {}, "Minimum words per passage"), input);
}
