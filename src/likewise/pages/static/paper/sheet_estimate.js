// How many pages pairs take on paper (A4), estimated from their figures before any text is read.

const PAGE_LINES = 58;
const COLUMN_LETTERS = 43; // in a line of one of the two columns of passages, rows being seldom full
const LINE_LETTERS = 106; // in a line of a text in full
const WIDE_LETTER = 2; // letters of Latin that a letter of a script without spaces is as wide as
const AROUND_LINES = 4; // of a passage: its heading, its place and the words around it
const HEAD_LINES = 29; // of a pair: names, facts and figures
const KNOWN_LINES = 1.3; // of each of these
const KNOWN_FIELDS = ["title", "author", "date", "group", "archive"];
const REWORDED_LINES = 10; // of a possibly reworded passage
const COVER_LINES = 62;
const COVER_PAIR_LINES = 2.6;
const USUAL_WORD = 6.2; // letters of a word, with the space behind it
const CHANGED_WORDS = 1.12; // words of a passage for each that is shared

// `entries`: {first, second, words, words_b, passages}, whose documents have words and characters.
export function estimatePages(entries, { fullTexts, cover }) {
  const pairs = entries.reduce((sum, entry) => sum + pairPages(entry, fullTexts), 0);
  return pairs + (cover ? Math.ceil((COVER_LINES + entries.length * COVER_PAIR_LINES) / PAGE_LINES) : 0);
}

export function estimateTextPages(document) {
  return Math.max(1, Math.ceil((lettersOf(document, document.words) / LINE_LETTERS + HEAD_LINES) / PAGE_LINES));
}

function pairPages({ first, second, words, words_b: otherWords, passages, reworded }, fullTexts) {
  if ([first, second].some(({ text }) => text === 0 || text === null)) return 1; // measures only
  const shared = Math.max(lettersOf(first, words), lettersOf(second, otherWords ?? words));
  const known = KNOWN_FIELDS.filter((name) => first[name] || second[name]).length;
  let lines = HEAD_LINES + known * KNOWN_LINES + (passages ?? 0) * AROUND_LINES + (reworded ?? 0) * REWORDED_LINES + (shared * CHANGED_WORDS) / COLUMN_LETTERS;
  if (fullTexts) for (const document of [first, second]) lines += 3 + lettersOf(document, document.words) / LINE_LETTERS;
  return Math.max(1, Math.ceil(lines / PAGE_LINES));
}

// As letters of Latin: how wide so many words of a document are.
function lettersOf({ words: size, characters }, words) {
  const mean = size && characters ? characters / size : USUAL_WORD;
  return (words ?? 0) * (mean < 2 ? mean * WIDE_LETTER : mean);
}
