// What is typed into the search box of a table: words, "words in quotes", -without, and comparisons
// with columns, as in `similarity > 0.5`, shared>=20%, words:>100 or author:Ada.

const SIGNS = ">=|<=|!=|>|<|=|≥|≤|≠";
const SAME_SIGNS = { "≥": ">=", "≤": "<=", "≠": "!=" };
const COMPARED = /^(\d*\.?\d+(?:e-?\d+)?)\s*(%?)$/i;
const WORD_TERM = /(-?)(?:"([^"]*)"|(\S+))/y;
const LONE_COMPARISON = new RegExp(`^(?:${SIGNS})+\\.?\\d|^(?:${SIGNS})+$`);

// `fields`: {names, label, number?, share?, value(row)}, where `value` is a number or one or more texts,
// and null where it is not known; `names` are lower case, the first is shown. `absent` are names that
// this data has no values for. Returns terms, or a problem in plain words.
export function parseQuery(text, fields, absent = []) {
  const byName = new Map(fields.flatMap((field) => field.names.map((name) => [name, field])));
  const known = comparisonOf([...byName.keys(), ...absent].sort((one, other) => other.length - one.length).map(escaped).join("|"));
  const other = comparisonOf("[\\p{L}_%][\\p{L}\\p{N}_]*", true);
  const terms = [];
  for (let at = 0; at < text.length; ) {
    const rest = matchAt(/\s+/y, text, at);
    if (rest) {
      at += rest[0].length;
      continue;
    }
    const found = matchAt(known, text, at) ?? matchAt(other, text, at);
    if (found) {
      const { term, problem } = comparisonTerm(found, byName, absent, fields);
      if (problem) return { terms: [], problem };
      terms.push(term);
      at += found[0].length;
      continue;
    }
    const [whole, minus, quoted, bare] = matchAt(WORD_TERM, text, at);
    if (bare !== undefined && LONE_COMPARISON.test(bare)) return { terms: [], problem: `Write a column before “${bare}”, as in ${exampleOf(fields.find((field) => field.number) ?? fields[0])}. Columns are ${listOf(fields)}.` };
    terms.push({ not: minus === "-", value: (quoted ?? bare).toLowerCase() });
    at += whole.length;
  }
  return { terms, problem: null };
}

// A name, a colon or a sign or both, and a value; spaces may be around signs, and before a value that
// follows a colon only if the name is known.
function comparisonOf(names, strict = false) {
  const space = strict ? "" : "\\s*";
  return new RegExp(`(-?)(${names})(?:${space}:${space}(${SIGNS})?|\\s*(${SIGNS}))\\s*(?:"([^"]*)"|([^\\s"]\\S*(?:\\s+%(?=\\s|$))?))?`, "iuy");
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function comparisonTerm([whole, minus, name, afterColon, alone, quoted, bare], byName, absent, fields) {
  const field = byName.get(name.toLowerCase());
  const value = quoted ?? bare;
  const given = afterColon ?? alone;
  if (!field) return { problem: unknownColumn(name, whole.trim(), absent, fields) };
  if (value === undefined || value === "") return { problem: `Add a value after ${whole.trim()} – as in ${exampleOf(field)}.` };
  let sign = SAME_SIGNS[given] ?? given ?? (field.number ? ">=" : ":");
  const not = (minus === "-") !== (sign === "!=");
  if (sign === "!=") sign = "=";
  if (!field.number) return { term: { not, field, sign, value: value.toLowerCase() } };
  const compared = COMPARED.exec(value);
  if (!compared) return { problem: `${name} needs a number, as in ${exampleOf(field)}; “${value}” is not a number.` };
  const number = Number(compared[1]);
  // 20 of a share can only mean 20 %.
  const isPercent = compared[2] || (field.share && number > 1);
  return { term: { not, field, sign, value: isPercent ? number / 100 : number } };
}

function unknownColumn(name, whole, absent, fields) {
  const why = absent.includes(name.toLowerCase()) ? `Nothing here has a value for “${name}”.` : `“${name}” is not a column.`;
  return `${why} Columns are ${listOf(fields)}. To search for this text literally, put it in quotes: "${whole.replaceAll('"', "")}".`;
}

function listOf(fields) {
  return fields.map((field) => field.names[0]).join(", ");
}

function exampleOf({ names: [name], number, share, example }) {
  if (!number) return `${name}:"some words"`;
  return `${name} ${example ?? (share ? "> 0.5" : "> 100")}`;
}

function escaped(name) {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+");
}

// `words` is what may be read on the row, in lower case.
export function matchesQuery(terms, row, words) {
  return terms.every((term) => {
    const found = !term.field ? words.includes(term.value) : term.field.number ? compares(term.field.value(row), term.sign, term.value) : textCompares(term.field.value(row), term.sign, term.value);
    return found !== term.not;
  });
}

// What was understood, for a search that finds nothing.
export function queryWords(terms) {
  return terms.map(({ field, not, sign, value }) => {
    if (!field) return `${not ? "without " : ""}“${value}”`;
    if (!field.number) return `${field.label} ${sign === ":" ? (not ? "without" : "with") : not ? "not " + sign : sign} “${value}”`;
    return `${field.label} ${not ? "not " : ""}${sign} ${field.share ? `${Number((value * 100).toFixed(6))} %` : value}`;
  }).join(" and ");
}

function textCompares(values, sign, wanted) {
  return [values ?? []].flat().filter((one) => one !== null && one !== undefined).some((one) => {
    const text = String(one).toLowerCase();
    if (sign === ":") return text.includes(wanted);
    return sign === "=" ? text === wanted : compares(text, sign, wanted);
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
