// What the reader excludes, as the link of a page has it.

export const EXCLUDED_PARTS = { quotations: "quotation", bibliography: "bibliography", "common-text": "common text", template: "template", phrases: "phrase" };
const SAME_FIELDS = ["author", "group"];
export const EXCLUSION_LIMITS = { words: 500, phrases: 200, phraseLength: 300, passages: 50 };
const QUERY_KEYS = ["exclude", "phrase", "passage-out"];
export const NOT_EXCLUDED = { parts: [], same: [], minWords: 0, phrases: [], passages: [] };

// What cannot be read is no exclusion.
export function exclusionsFrom(query) {
  const names = (query.get("exclude") ?? "").split(".");
  const minWords = Number(names.map((name) => /^words-(\d{1,4})$/.exec(name)).find(Boolean)?.[1] ?? 0);
  const texts = (key, most) => [...new Set(query.getAll(key))].slice(0, most);
  return {
    parts: Object.keys(EXCLUDED_PARTS).filter((name) => names.includes(name)),
    same: SAME_FIELDS.filter((field) => names.includes(`same-${field}`)),
    minWords: Math.min(minWords, EXCLUSION_LIMITS.words),
    phrases: texts("phrase", EXCLUSION_LIMITS.phrases).filter((phrase) => phrase.length <= EXCLUSION_LIMITS.phraseLength && phrase.trim()),
    passages: texts("passage-out", EXCLUSION_LIMITS.passages).map(passageFrom).filter(Boolean),
  };
}

function passageFrom(text) {
  const found = /^(\d{1,8})-(\d{1,8}) (.+)$/su.exec(text);
  return found && Number(found[1]) < Number(found[2]) ? { id: found[3], first: Number(found[1]), last: Number(found[2]) } : null;
}

// As names and values of a query.
export function queryOfExclusions({ parts, same, minWords, phrases, passages }) {
  const names = [...parts, ...same.map((field) => `same-${field}`), ...(minWords > 1 ? [`words-${minWords}`] : [])];
  return [
    ...(names.length ? [["exclude", names.join(".")]] : []),
    ...phrases.map((phrase) => ["phrase", phrase]),
    ...passages.map(({ id, first, last }) => ["passage-out", `${first}-${last} ${id}`]),
  ];
}

// An address of the page with other exclusions.
export function withExclusions(hash, state) {
  const [path, search = ""] = hash.replace(/^#?/, "#").split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  for (const key of QUERY_KEYS) query.delete(key);
  for (const [name, value] of queryOfExclusions(state)) query.append(name, value);
  const text = query.toString();
  return `${path === "#" ? "#/" : path}${text ? `?${text}` : ""}`;
}
