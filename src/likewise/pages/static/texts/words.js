// The words of a text, by the rules of the core: a run of letters, marks and numbers after NFKC and case
// folding; in scripts without spaces each letter with its marks. Letters that are newer than the core's
// version of Unicode (15.1) are none.

const UNSPACED_LETTER = /[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\u{16fe3}\u{1aff0}-\u{1b16f}\u{20000}-\u{323af}]/u;
const IGNORED = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;
const NEWER = /[\u088f\u0897\u0c5c\u0cdc\u1acf-\u1add\u1ae0-\u1aeb\u1c89-\u1c8a\ua7cb-\ua7cf\ua7d2\ua7d4\ua7da-\ua7dc\ua7f1\u{105c0}-\u{105f3}\u{10940}-\u{10959}\u{10d40}-\u{10d65}\u{10d69}-\u{10d6d}\u{10d6f}-\u{10d85}\u{10ec2}-\u{10ec7}\u{10efa}-\u{10efc}\u{11380}-\u{11389}\u{1138b}\u{1138e}\u{11390}-\u{113b5}\u{113b7}-\u{113c0}\u{113c2}\u{113c5}\u{113c7}-\u{113ca}\u{113cc}-\u{113d3}\u{113e1}-\u{113e2}\u{116d0}-\u{116e3}\u{11b60}-\u{11b67}\u{11bc0}-\u{11be0}\u{11bf0}-\u{11bf9}\u{11db0}-\u{11ddb}\u{11de0}-\u{11de9}\u{11f5a}\u{13460}-\u{143fa}\u{16100}-\u{16139}\u{16d40}-\u{16d6c}\u{16d70}-\u{16d79}\u{16ea0}-\u{16eb8}\u{16ebb}-\u{16ed3}\u{16ff2}-\u{16ff6}\u{187f8}-\u{187ff}\u{18cff}\u{18d09}-\u{18d1e}\u{18d80}-\u{18df2}\u{1ccd6}-\u{1ccf9}\u{1e5d0}-\u{1e5fa}\u{1e6c0}-\u{1e6de}\u{1e6e0}-\u{1e6f5}\u{1e6fe}-\u{1e6ff}\u{2b73a}-\u{2b73f}\u{2cea2}-\u{2cead}\u{323b0}-\u{33479}]/u;
const SECOND_OF_TWO = /[\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e\u1161-\u1175\u11a8-\u11c2\u1b35\u{11127}\u{1133e}\u{11357}\u{114b0}\u{114ba}\u{114bd}\u{115af}\u{11930}]/u;
const NOT_ASCII = /[^\0-\x7f]/;
// Letters and digits as they are compared; nothing for other characters.
const ASCII = Array.from({ length: 128 }, (_, code) => (/[A-Za-z0-9]/.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase() : ""));
const LETTER = /[\p{L}\p{Nl}]/u;
const WORD_SIGN = /[\p{L}\p{M}\p{N}]/u;
const MARK = /\p{M}/u;
const BETWEEN = 0;
const SPACED = 1;
const ALONE = 2;
const COMBINING = 3;
const knownParts = new Map(); // a character → its folded characters, each with what it is

function partsOf(character) {
  let parts = knownParts.get(character);
  if (parts === undefined) {
    parts = IGNORED.test(character) ? null : { signs: NEWER.test(character) ? [[character, BETWEEN]] : [...folded(character)].map((sign) => [sign, kindOf(sign)]), isCombining: isCombining(character) };
    knownParts.set(character, parts);
  }
  return parts;
}

// Whether it may become one with the character before it. A mark whose combining class is not 0 changes
// places with an acute or with a grave below.
function isCombining(character) {
  if (NEWER.test(character)) return false;
  const [first] = character.normalize("NFKD");
  return SECOND_OF_TWO.test(first) || MARK.test(first) && (!`\u0301${first}`.normalize("NFD").startsWith("\u0301") || `${first}\u0316`.normalize("NFD").startsWith("\u0316"));
}

function kindOf(sign) {
  if (!WORD_SIGN.test(sign)) return BETWEEN;
  if (MARK.test(sign)) return COMBINING;
  return LETTER.test(sign) && UNSPACED_LETTER.test(sign) ? ALONE : SPACED;
}

function folded(character) {
  return caseFolded(character.normalize("NFKC")).normalize("NFKC");
}

// The letters of both cases are equal, but for a dotless i.
function caseFolded(text) {
  return text === "ı" ? text : text.toUpperCase().toLowerCase().replaceAll("ς", "σ").replaceAll("ß", "ss");
}

// Each word as it is compared, with its place in code points: {words, begins, ends}. Marks have the place
// of the character that they combine with; what one character becomes has the place of that character.
export function wordsOfText(text) {
  return NOT_ASCII.test(text) ? wordsOfAnyText(text) : wordsOfAscii(text);
}

function wordsOfAscii(text) {
  const found = { words: [], begins: [], ends: [] };
  for (const { 0: word, index } of text.matchAll(/[A-Za-z0-9]+/g)) {
    found.words.push(word.toLowerCase());
    found.begins.push(index);
    found.ends.push(index + word.length);
  }
  return found;
}

function wordsOfAnyText(text) {
  const found = { words: [], begins: [], ends: [] };
  let [word, kind, begin, end, place, start, isBegun, isAscii] = ["", BETWEEN, 0, 0, 0, 0, false, true];
  const finish = () => {
    if (word) {
      found.words.push(isAscii ? word : word.normalize("NFKC"));
      found.begins.push(begin);
      found.ends.push(end);
    }
    word = "";
    isAscii = true;
  };
  for (const character of text) {
    const plain = ASCII[character.charCodeAt(0)];
    if (plain !== undefined) {
      [start, isBegun] = [place, true];
      if (plain === "" || (word && kind !== SPACED)) finish();
      if (plain !== "" && !word) [kind, begin] = [SPACED, place];
      word += plain;
      end = place += 1;
      continue;
    }
    const parts = partsOf(character);
    if (parts && !(parts.isCombining && isBegun)) [start, isBegun] = [place, true];
    else if (parts) for (let at = found.ends.length - 1; found.ends[at] > start; at -= 1) found.ends[at] = place + 1;
    for (const [sign, now] of parts?.signs ?? []) {
      if (word && (now === COMBINING || (now === SPACED && kind === SPACED))) {
        word += sign;
      } else {
        finish();
        if (now !== BETWEEN) [word, kind, begin] = [sign, now === COMBINING ? SPACED : now, start];
      }
      isAscii = false;
      end = place + 1;
    }
    place += 1;
  }
  finish();
  return found;
}
