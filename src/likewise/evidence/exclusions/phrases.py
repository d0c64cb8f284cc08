"""Phrases that a user has listed, wherever they stand, by their words.

Words are those of the default profile: case, spacing, punctuation and invisible characters make no
difference, and in scripts without spaces each letter is a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from likewise import _core
from likewise._core import Texts
from likewise.errors import UsageError
from likewise.evidence.exclusions.ranges import Range, merge
from likewise.text.profile import Profile

_Words = tuple[str, ...]
_INVISIBLE = "\u00ad\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_LAST_MARK = 0x1F000


def phrases(text: str, listed: Iterable[str]) -> list[Range]:
    """Return the places of all phrases listed.

    >>> phrases("We thank the ANONYMOUS   reviewers.", ["the anonymous reviewers"])
    [Range(start=9, end=34)]
    """
    if isinstance(listed, str):
        raise UsageError("a list of phrases is expected, not one text")
    wanted = {words for phrase in listed if (words := _phrase(phrase))}
    prepared = f" {_prepared(text)} "
    wanted = {words for words in wanted if f" {' '.join(words)} " in prepared}
    if not wanted:
        return []
    return merge(_places(list(_tokens(text)), wanted))


def _phrase(phrase: str) -> _Words:
    if not isinstance(phrase, str):
        raise UsageError(f"a phrase is a text, not {type(phrase).__name__}")
    words = _prepared(phrase).split()
    if not words:
        raise UsageError(
            f"the phrase {phrase!r} has no word", hint="a phrase needs a letter or a digit"
        )
    return tuple(words)


def _places(
    tokens: Sequence[tuple[str, int, int]], wanted: Iterable[_Words]
) -> Iterator[tuple[int, int]]:
    by_first: dict[str, list[_Words]] = {}
    for words in wanted:
        by_first.setdefault(words[0], []).append(words)
    for at, (word, start, _) in enumerate(tokens):
        for words in by_first.get(word, ()):
            found = tokens[at : at + len(words)]
            if len(found) == len(words) and all(
                one == other[0] for one, other in zip(words, found, strict=True)
            ):
                yield start, found[-1][2]


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each word of a text, prepared, and where it stands."""
    for found in _token_pattern().finditer(text):
        for word in _token_words(found[0]):
            yield word, found.start(), found.end()


@cache
def _token_pattern() -> re.Pattern[str]:
    # A letter of a script without spaces and what belongs to it, or all else that makes a word.
    marks = "".join(
        chr(code) for code in range(0x300, _LAST_MARK) if unicodedata.category(chr(code))[0] == "M"
    )
    inside = f"{marks}{_INVISIBLE}"
    unspaced = (
        "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3021-\u3029\u3031-\u3035"
        "\u3038-\u303c\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff"
        "\uaa60-\uaa7f\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U000323af"
    )
    return re.compile(
        f"(?=[{unspaced}])[^\\W\\d_][{inside}]*|(?:(?![{unspaced}])[^\\W_]|[{inside}]|(?=[{unspaced}])\\d)+"
    )


@lru_cache(maxsize=4096)
def _token_words(token: str) -> _Words:
    return tuple(_prepared(token).split())


def _prepared(text: str) -> str:
    return _core.prepared_text(Texts.from_strings([text]), _rules())


@cache
def _rules() -> _core.Rules:
    return Profile().rules()
