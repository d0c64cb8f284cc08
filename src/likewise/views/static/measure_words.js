// The measures of a pair, said in words.

import { h } from "./dom.js";
import { chancesOf, decimal, jaccardWithInterval, percent, plural, whole } from "./numbers.js";
import { isSmallest } from "./survey_rows.js";

export function measureCards(measures, first, second) {
  return h("dl", { class: "measures" }, [
    card("Similarity", jaccardWithInterval(measures), similarityWords(measures)),
    card("Containment", `${percent(measures.containment_a)} · ${percent(measures.containment_b)}`, [
      `${percent(measures.containment_a)} of the word groups of `, first(), ` are in `, second(), `; ${percent(measures.containment_b)} the other way round.`]),
    typeof measures.words !== "number" ? null : card("Shared words", whole(measures.words), measures.passages
      ? [`in ${plural(measures.passages, "passage")}: ${percent(measures.share_a)} of `, first(), `, ${percent(measures.share_b)} of `, second(), "."]
      : "No passage is long enough to be shown."),
    measures.run ? card("Longest run", plural(measures.run, "word"), runWords(measures)) : null,
    chanceCard(measures),
  ]);
}

function card(title, value, words) {
  return h("div", { class: "measure" }, h("dt", {}, title), h("dd", {}, h("span", { class: "figure" }, value), h("span", { class: "measure-words" }, words)));
}

function similarityWords(measures) {
  const told = typeof measures.low === "number"
    ? `Estimated: the true value lies between ${decimal(measures.low)} and ${decimal(measures.high)} in ${Math.round((measures.level ?? 0.95) * 100)} of 100 such cases.`
    : `Of all different word groups of both texts, ${percent(measures.jaccard)} are in both. Counted, not estimated.`;
  const estimate = measures.estimate;
  return estimate ? `${told} The sketch alone would say ${decimal(estimate.value)} (${decimal(estimate.low)}–${decimal(estimate.high)}).` : told;
}

function runWords(measures) {
  if (typeof measures.chance_run !== "number") return "in the same order on both sides.";
  const above = measures.run > measures.chance_run;
  return `in the same order on both sides. Unrelated texts of this length reach ${whole(measures.chance_run)} by chance${above ? "" : ": this run may be chance as well"}.`;
}

function chanceCard(measures) {
  const pair = measures.chance_of_pair;
  const level = pair?.expected ?? measures.chance;
  if (typeof level !== "number" && typeof measures.p !== "number" && typeof measures.q !== "number") return null;
  const words = [];
  if (pair) words.push(`Texts made by chance (${pair.null}) are ${inWords(pair.expected)} similar on average, ${inWords(pair.highest)} at most, in ${whole(pair.trials)} trials.`);
  else if (typeof level === "number") words.push(`Unrelated texts like these are ${inWords(level)} similar.`);
  const p = pair?.p_value ?? measures.p;
  const bounded = pair ? isSmallest(pair.p_value, pair.trials) : measures.bounded;
  if (typeof p === "number") words.push(`As much by chance alone: ${equation("p", p, bounded)}${typeof measures.q === "number" ? `, ${equation("q", measures.q, bounded)}` : ""}.`);
  else if (typeof measures.q === "number") words.push(`As much by chance alone, with all pairs in mind: ${equation("q", measures.q, bounded)}.`);
  return card("Chance level", typeof level === "number" ? decimal(level, 3) : `p ${chancesOf(p ?? measures.q)}`, words.join(" "));
}

function equation(name, value, bounded) {
  const shown = chancesOf(value, bounded);
  return /^[<≤]/.test(shown) ? `${name} ${shown[0]} ${shown.slice(1)}` : `${name} = ${shown}`;
}

function inWords(value) {
  return decimal(value, 3).replace("<", "less than ");
}
