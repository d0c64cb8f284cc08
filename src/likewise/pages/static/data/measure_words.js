// The measures of a pair, said in words.

import { openDialog } from "../parts/dialog.js";
import { h } from "../parts/dom.js";
import { sentence } from "../parts/notice.js";
import { P_MEANING, Q_MEANING, RUN_CHANCE, RUN_CHANCE_HELP, chanceText, chancesOf, decimal, jaccardWithInterval, percent, plural, whole } from "./numbers.js";
import { sharedWordsText } from "./survey_rows.js";

export function measureCards(measures, first, second) {
  return h("dl", { class: "measures" }, [
    card("Similarity", jaccardWithInterval(measures), similarityWords(measures)),
    card("Containment", `${percent(measures.containment_a)} · ${percent(measures.containment_b)}`, [
      `${percent(measures.containment_a)} of the word groups of `, first(), ` are in `, second(), `; ${percent(measures.containment_b)} the other way round.`]),
    typeof measures.words !== "number" ? null : card("Shared words", sharedWordsText(measures), measures.passages
      ? [`in ${plural(measures.passages, "passage")}: ${percent(measures.share_a)} of `, first(), `, ${percent(measures.share_b)} of `, second(), ". Only matched words count."]
      : "No shared passages."),
    measures.run ? card("Longest run", plural(measures.run, "word"), runWords(measures)) : null,
    chanceCard(measures),
  ]);
}

function card(title, value, words) {
  return h("div", { class: "measure" }, h("dt", {}, title), h("dd", {}, h("span", { class: "figure" }, value), h("span", { class: "measure-words" }, words)));
}

function similarityWords(measures) {
  const sentence = typeof measures.low === "number"
    ? `Estimated: the true value lies between ${decimal(measures.low)} and ${decimal(measures.high)} in ${Math.round((measures.level ?? 0.95) * 100)} of 100 such cases.`
    : `Of all different word groups of both texts, ${percent(measures.jaccard)} are in both. Counted, not estimated.`;
  const estimate = measures.estimate;
  return estimate ? `${sentence} The sketch alone would say ${decimal(estimate.value)} (${decimal(estimate.low)}–${decimal(estimate.high)}).` : sentence;
}

function runWords(measures) {
  const help = h("button", { type: "button", class: "link", "data-action": "run-help", on: { click: () => openDialog("Chance of a match", h("p", {}, RUN_CHANCE_HELP), [h("button", { value: "", class: "primary", autofocus: true }, "Close")]) } }, "What this means");
  if (typeof measures.run_p === "number") return [`${sentence(`${RUN_CHANCE}: ${chanceText(measures.run_p)}`)} `, help];
  if (typeof measures.chance_run !== "number") return "in the same order on both sides.";
  return `Unrelated texts of these lengths share a run of up to ${plural(measures.chance_run, "word")} in 19 of 20 cases.`;
}

// Of the overall similarity: by unrelated pairs of the collection, or not at all. The same words in
// random order are a level too, but a low one that says little: p is not taken from it.
function chanceCard(measures) {
  const [level, shuffled] = [measures.chance, measures.chance_of_pair];
  const known = [level, measures.p, measures.q].some((value) => typeof value === "number");
  const words = [];
  if (typeof level === "number") words.push(`Unrelated pairs of this collection have a similarity of ${inWords(level)} on average.`);
  if (typeof measures.p === "number") words.push(`${equation("p", measures.p, measures.bounded)}: ${P_MEANING}.`);
  if (typeof measures.q === "number") words.push(`${equation("q", measures.q)}: ${Q_MEANING}.`);
  if (!known && measures.chance_reason) words.push(sentence(measures.chance_reason));
  if (shuffled) words.push(`With the words of both texts in random order the similarity is ${inWords(shuffled.expected)} on average and ${inWords(shuffled.highest)} at most in ${plural(shuffled.trials, "trial")}.`);
  return words.length ? card("Chance level", decimal(level, 3), words.join(" ")) : null;
}

function equation(name, value, bounded = false) {
  const shown = chancesOf(value, bounded);
  return /^[<≤]/.test(shown) ? `${name} ${shown[0]} ${shown.slice(1)}` : `${name} = ${shown}`;
}

function inWords(value) {
  return decimal(value, 3).replace("<", "less than ");
}
