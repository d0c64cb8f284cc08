// The settings of a run and what it excludes, in words for paper.

import { utcTime } from "../data/dates.js";

const MAIN_SETTINGS = ["profile", "minimum similarity", "recall at that similarity", "minimum words in a run"];

// Excluded text, passages and pairs, each by name; none if nothing is.
export function exclusionsInForce(page) {
  return [...excludedInRun(page.knownRows.survey), ...page.exclusions.words()];
}

function excludedInRun(survey) {
  return survey.exclusions.filter(({ on }) => on).map(({ name, value, left_out: found }) => `${name}${value ? ` (${value})` : ""}${found ? `: ${found}` : ""}`);
}

export function settingsSentence(page) {
  const { survey } = page.knownRows;
  const excluded = exclusionsInForce(page);
  return `${[survey.made ? `Figures of ${utcTime(survey.made)}` : null, `likewise ${survey.version}`, ...mainSettings(survey), excluded.length ? `excluded: ${excluded.join(", ")}` : "nothing excluded"].filter(Boolean).join("; ")}.`;
}

// Those that decide what is found and shown.
export function mainSettings(survey) {
  return survey.run.settings.filter(([name]) => MAIN_SETTINGS.includes(name)).map(([name, value]) => `${name} ${value}`);
}
