// What is typed into the search box of pairs: words, "words in quotes", -without, and measures as in
// containment:>0.5.

const NUMBERS = {
  jaccard: "jaccard",
  similarity: "jaccard",
  containment: "containment",
  share: "share",
  words: "sharedWords",
  run: "run",
  passages: "passages",
  p: "p",
  q: "q",
};
const TEXTS = ["author", "group", "title", "date", "id"];
const PIECE = /(-?)(?:([A-Za-z_]+):)?(?:"([^"]*)"|(\S+))/g;
const COMPARISON = /^(>=|<=|>|<|=|≥|≤)?\s*(\d*\.?\d+(?:e-?\d+)?)(%?)$/i;

// `has` says whether the data has such a column. Returns terms, or a problem in plain words.
export function parseQuery(text, has) {
  const terms = [];
  for (const [, minus, name, quoted, bare] of text.matchAll(PIECE)) {
    const value = quoted ?? bare;
    const not = minus === "-";
    if (name === undefined) {
      const known = bare?.endsWith(":") && operatorOf(bare.slice(0, -1).toLowerCase(), has);
      if (known) return { terms: [], problem: `Add a value after ${bare} – as in ${exampleOf(bare.slice(0, -1))}.` };
      terms.push({ not, kind: "word", value: value.toLowerCase() });
      continue;
    }
    const field = name.toLowerCase();
    const operator = operatorOf(field, has);
    if (operator === null) return { terms: [], problem: unknownOperator(name, value, has) };
    if (operator === "text") {
      terms.push({ not, kind: "text", field, value: value.toLowerCase() });
      continue;
    }
    const found = COMPARISON.exec(value);
    if (!found) {
      return { terms: [], problem: `${name}: needs a number, as in ${exampleOf(field)}; “${value}” is not a number.` };
    }
    const number = Number(found[2]) / (found[3] ? 100 : 1);
    terms.push({ not, kind: "number", field: NUMBERS[field], sign: signOf(found[1]), value: number });
  }
  return { terms, problem: null };
}

function signOf(sign) {
  return { "≥": ">=", "≤": "<=" }[sign] ?? sign ?? ">=";
}

function operatorOf(field, has) {
  if (Object.hasOwn(NUMBERS, field)) return NUMBERS[field] === "containment" || NUMBERS[field] === "share" || has(field === "similarity" ? "jaccard" : field) ? "number" : null;
  return TEXTS.includes(field) && (field === "id" || has(field)) ? "text" : null;
}

function unknownOperator(name, value, has) {
  const known = [...Object.keys(NUMBERS), ...TEXTS].filter((field) => operatorOf(field, has) && field !== "similarity");
  const field = name.toLowerCase();
  const why = Object.hasOwn(NUMBERS, field) || TEXTS.includes(field) ? `Nothing here has a value for “${name}”.` : `“${name}:” is not a filter.`;
  return `${why} Filters are ${known.map((one) => `${one}:`).join(" ")}. To search for this text literally, put it in quotes: "${name}:${value}".`;
}

function exampleOf(field) {
  const examples = { words: "words:>100", run: "run:>20", passages: "passages:>=3", q: "q:<0.05", p: "p:<0.05" };
  if (TEXTS.includes(field)) return `${field}:"some words"`;
  return examples[field] ?? `${field}:>0.5`;
}

// `words` is what may be read on the row, in lower case; `texts(field)` the same of one field.
export function matchesQuery(terms, row, words, texts) {
  return terms.every((term) => {
    const found =
      term.kind === "number" ? compares(row[term.field], term.sign, term.value)
      : term.kind === "text" ? texts(term.field).includes(term.value)
      : words.includes(term.value);
    return found !== term.not;
  });
}

function compares(value, sign, bound) {
  if (value === null || value === undefined) return false;
  if (sign === ">") return value > bound;
  if (sign === ">=") return value >= bound;
  if (sign === "<") return value < bound;
  if (sign === "<=") return value <= bound;
  return Math.abs(value - bound) < 0.005 || value === bound;
}
