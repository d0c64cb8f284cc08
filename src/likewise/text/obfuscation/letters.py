"""Replaces letters that look like those of another script.

A word of two scripts is mended if each foreign letter has a look-alike in the other script and the
words around are of that script too. A word made of look-alikes alone ("сосо", all Cyrillic, in an
English text) is mended if nothing around is of its own script and the text has other mended words.

The script of a place is determined by its letters without look-alikes in any other script. Mending
never changes these, so mending twice is mending once.

Limitations: Greek small letters are mathematics in most texts of other scripts (hν, TNFα), so they
count as look-alikes only inside words, and more than once. Words of capitals alone are mended only
if they mix two scripts: "XX" and "СССР" are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from likewise.text.obfuscation.flag import Flag
from likewise.text.obfuscation.lookalikes import LETTERS, LOOKALIKES

_SCRIPTS = list(LETTERS)
_TABLES = {script: dict(zip(*pair, strict=True)) for script, pair in LOOKALIKES.items()}
_TRANSLATIONS = {script: str.maketrans(table) for script, table in _TABLES.items()}
EVER_ALIKE = "".join(sorted({c for table in _TABLES.values() for c in table}))

# Accents, and characters that are not seen: of any script.
NEUTRAL = "\u0300-\u036f\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_WORD = "".join(LETTERS.values()) + NEUTRAL
_LETTER = {script: re.compile(f"[{letters}]") for script, letters in LETTERS.items()}
_OTHER = re.compile("[" + "".join(LETTERS[script] for script in LETTERS if script != "Latin") + "]")
# Letters without a look-alike.
_ANCHOR = {
    script: re.compile(f"(?![{EVER_ALIKE}])[{letters}]") for script, letters in LETTERS.items()
}
# Greek letters in a row, as only texts in Greek have them.
_IN_CONTEXT = _ANCHOR | {"Greek": re.compile(_ANCHOR["Greek"].pattern * 2)}
# From the start of a word all that is of one script, and then something else.
_MIXED = re.compile(
    f"(?<![{_WORD}])(?:"
    + "|".join(f"[{letters}{NEUTRAL}]++" for letters in LETTERS.values())
    + f")[{_WORD}]++"
)

_SYMBOLS = re.compile("[\u03ac-\u03ce\u03d0-\u03ff\u1f70-\u1f7d\u1fb0-\u1fe7]")  # but for omicron
_OMICRON = "οόὸό"
_BLOCK = 256  # code points; what is around is this block, the one before and the one behind
_MIN_SHARE = 0.2
_NEAR = 100
_MIN_NEAR = 5  # letters without look-alikes
_MIN_INSIDE = 2
_MIN_WHOLE = 3
_MAX_CACHED = 100  # code points of a word in the cache


_Counts = tuple[int, ...]  # for each script


class _Mended(NamedTuple):
    start: int
    end: int
    word: str
    sources: frozenset[str]  # the scripts that letters were taken from
    target: str


def mend_letters(text: str) -> tuple[str, list[Flag]]:
    """Return the text with look-alikes mended, of the same length, and the words that were."""
    if text.isascii() or _OTHER.search(text) is None:
        return text, []
    present = [script for script in LETTERS if _LETTER[script].search(text)]
    if len(present) < 2:
        return text, []
    around = _Around(text)
    mixed = [word for found in _MIXED.finditer(text) if (word := _mend_word(found, around))]
    proven = _proven_symbols(text, mixed)
    mended = [word for word in mixed if not _symbols(text[word.start : word.end], word) - proven]
    whole = _whole_words(text, around, present, mended, proven)
    # Around invisible characters, a part of a mixed word may look like a whole one.
    mended = _without_overlaps([*mended, *whole])
    parts: list[str] = []
    at = 0
    for word in mended:
        parts += text[at : word.start], word.word
        at = word.end
    parts.append(text[at:])
    flags = [Flag("look-alike", word.start, word.end, word.word) for word in mended]
    return "".join(parts), flags


def _without_overlaps(words: Iterable[_Mended]) -> list[_Mended]:
    """Words in order; of those that overlap, the first, and the longest that begins there."""
    kept: list[_Mended] = []
    for word in sorted(words, key=lambda one: (one.start, -one.end)):
        if not kept or word.start >= kept[-1].end:
            kept.append(word)
    return kept


class _Around:
    """The scripts around a place, by letters without look-alikes."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._count = lru_cache(maxsize=64)(self._count_block)
        self._sum = lru_cache(maxsize=64)(self._sum_blocks)
        blocks = range(0, len(text), _BLOCK)
        chosen = blocks[:: max(1, len(blocks) // 1000)]
        counts = _add(*(_anchors(text[start : start + _BLOCK]) for start in chosen))
        self.main = _SCRIPTS[counts.index(max(counts))] if any(counts) else None

    def _count_block(self, block: int) -> _Counts:
        return _anchors(self._text[block * _BLOCK : (block + 1) * _BLOCK])

    def _sum_blocks(self, first: int, last: int) -> _Counts:
        # The insides of a word of many blocks are left out: they would be subtracted.
        blocks = {max(0, first - 1), first, last, last + 1}
        return _add(*map(self._count, blocks))

    def at(self, start: int, end: int) -> _Counts:
        """Return the number of such letters of each script around a word, without its own."""
        first, last = start // _BLOCK, (end - 1) // _BLOCK
        if last - first < 2:
            own = _known_anchors(self._text[start:end])
        else:
            own = _anchors(self._text[start : (first + 1) * _BLOCK])
            own = _add(own, _anchors(self._text[last * _BLOCK : end]))
        return tuple(all_ - mine for all_, mine in zip(self._sum(first, last), own, strict=True))


def _add(*counts: _Counts) -> _Counts:
    return tuple(map(sum, zip(*counts, strict=True)))


def _anchors(text: str) -> _Counts:
    return tuple(len(pattern.findall(text)) for pattern in _IN_CONTEXT.values())


_known_anchors = lru_cache(maxsize=4096)(_anchors)


def _mend_word(found: re.Match[str], around: _Around) -> _Mended | None:
    word = found[0]
    counts = around.at(found.start(), found.end())
    if any(counts):
        least = _MIN_SHARE * sum(counts)
        used = [script for script, count in zip(_SCRIPTS, counts, strict=True) if count >= least]
        used.sort(key=lambda script: -counts[_SCRIPTS.index(script)])
    elif around.main is not None:
        used = [around.main]
    else:
        used = _by_letters(word)
    for target in used:
        if target == "Latin" != used[0] and _is_inflected(word, used[0]):
            return None
        mend = _mending if len(word) <= _MAX_CACHED else _mending.__wrapped__
        if mending := mend(word, target):
            return _Mended(found.start(), found.end(), *mending, target)
    return None


def _by_letters(word: str) -> list[str]:
    """Return the scripts of a word with nothing around it, most letters first.

    Two letters of which one is Greek are a formula.
    """
    letters = {script: len(_LETTER[script].findall(word)) for script in _TABLES}
    rest = [script for script in _TABLES if letters[script] > 1 and script != "Greek"]
    return sorted(rest, key=lambda script: -letters[script])


@lru_cache(maxsize=4096)
def _mending(word: str, target: str) -> tuple[str, frozenset[str]] | None:
    """Return a word in one script, and those of the letters that were put right."""
    if target not in _TABLES:
        return None
    sources = frozenset(s for s in _SCRIPTS if s != target and _LETTER[s].search(word))
    mended = word.translate(_TRANSLATIONS[target])
    if not sources or any(_LETTER[source].search(mended) for source in sources):
        return None
    return mended, sources


def _is_inflected(word: str, around: str) -> bool:
    """Tell whether a Latin word has an ending of the language around: в facebookе."""
    return re.fullmatch(f"[{LETTERS['Latin']}]+[{LETTERS[around]}]+", word) is not None


def _symbols(original: str, word: _Mended) -> set[str]:
    """Return the letters of a word that may be mathematics and not look-alikes."""
    if "Greek" not in word.sources:
        return set()
    return {c for c in original if _SYMBOLS.match(c) and c not in _OMICRON}


def _proven_symbols(text: str, mixed: list[_Mended]) -> set[str]:
    """Return the Greek small letters that are look-alikes in this text.

    Those that are inside several words, with a small letter on each side, and are not more often
    alone, as in a formula.
    """
    inside: dict[str, set[str]] = {}
    for word in mixed:
        if "Greek" in word.sources and word.end - word.start >= 4:
            original = text[word.start : word.end]
            for at in range(1, len(original) - 1):
                c = original[at]
                between = original[at - 1].islower() and original[at + 1].islower()
                if between and _SYMBOLS.match(c) and c not in _OMICRON:
                    inside.setdefault(c, set()).add(word.word)
    return {
        c
        for c, words in inside.items()
        if len(words) >= max(_MIN_INSIDE, len(re.findall(f"(?<!\\w){c}(?!\\w)", text)))
    }


def _whole_words(
    text: str, around: _Around, present: list[str], mended: list[_Mended], proven: set[str]
) -> Iterator[_Mended]:
    """Yield words of look-alikes alone, all of another script than the text is."""
    target = around.main
    if target not in _TABLES:
        return
    for source in present:
        if source == target:
            continue
        letters = [
            c
            for c in _TABLES[target]
            if _LETTER[source].match(c) and (c in proven or c in _OMICRON or not _SYMBOLS.match(c))
        ]
        if not letters:
            continue
        word = re.compile(f"(?<!\\w)[{''.join(letters)}][{''.join(letters)}{NEUTRAL}]*+(?!\\w)")
        evidence = sum(source in other.sources and other.target == target for other in mended)
        if not evidence and _ANCHOR[source].search(text):
            continue
        found = [match for match in word.finditer(text) if _may_be_whole(match[0], source, target)]
        # Latin in other texts is mostly what it is: units, variables, names.
        least = _MIN_WHOLE if source == "Latin" else 1
        if evidence >= least or (not evidence and len(found) >= _MIN_WHOLE):
            for match in found:
                if _is_alone(text, match, source, target):
                    mending = match[0].translate(_TRANSLATIONS[target])
                    yield _Mended(*match.span(), mending, frozenset((source,)), target)


def _may_be_whole(word: str, source: str, target: str) -> bool:
    if len(word) == 1:
        return source != "Latin" and (target == "Latin" or word.islower())
    return not word.isupper()


def _is_alone(text: str, match: re.Match[str], source: str, target: str) -> bool:
    """Tell whether all that is near is of the other script."""
    before, behind = max(0, match.start() - _NEAR), match.end() + _NEAR
    near = text[before : match.start()] + " " + text[match.end() : behind]
    if _ANCHOR[source].search(near):
        return False
    return next(islice(_ANCHOR[target].finditer(near), _MIN_NEAR - 1, None), None) is not None
