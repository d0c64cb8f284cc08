"""Where a text is stored otherwise than it is displayed, as a reader is told of it.

Words in which something is hidden mostly come in large numbers. Those that are near each other are
one flag, and sentences give their number.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from likewise.arrays import Ints
from likewise.run import counted
from likewise.text.obfuscation.flag import Flag, Kind
from likewise.text.obfuscation.invisible import find_invisible
from likewise.text.obfuscation.tricks import MAX_FLAGS, Tricks
from likewise.text.words import Words

LOOK_ALIKE: Kind = "look-alike"
_MAX_GAP = 20  # words without anything hidden that a flag may go over
_MAX_SHOWN = 80  # characters
_WORDS = {
    "zero-width": "zero-width characters",
    "soft hyphen": "invisible hyphens",
    "bidi": "text direction controls",
    "invisible": "other invisible characters",
    "hidden": "text that is not visible in the file",
}


class ShownFlag(NamedTuple):
    """A stretch of a text.

    Attributes:
        start, end: in code points.
        kind: as of `Flag`; if there are several, all of them, with commas.
        shown: what it looks like, or the code points that are not seen; its beginning, if long.
        number: the words with look-alike letters in it, and the places of invisible characters.
    """

    start: int
    end: int
    kind: str
    shown: str
    number: int


@dataclass(frozen=True)
class HiddenCharacters:
    """Of one text.

    Attributes:
        flags: in order, at most `MAX_FLAGS`.
        places: where letters look like others, in code points.
        letters: what each of them looks like.
        words: how many words have letters of one script that look like those of another.
        invisible: how many places there are with invisible characters or text, by kind.
    """

    flags: Sequence[ShownFlag] = ()
    places: Sequence[int] = ()
    letters: str = ""
    words: Mapping[tuple[str, str], int] = field(default_factory=dict)
    invisible: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def find(cls, text: str, tricks: Tricks, words: Words, hidden: int = 0) -> HiddenCharacters:
        """`words` are those of the text as displayed; `hidden` counts text that is not in it."""
        unseen = Counter({"hidden": hidden} if hidden else {})
        if not tricks:
            return cls(invisible=unseen)
        places = _differing(text, tricks.mended)
        numbers = np.searchsorted(words.begins, places, "right") - 1
        scripts = [(_script(text[at]), _script(tricks.mended[at])) for at in places.tolist()]
        own = np.unique(numbers[numbers >= 0])
        mended = tricks.mended
        found = [
            Flag(LOOK_ALIKE, begin, end, mended[begin:end])
            for begin, end in zip(words.begins[own].tolist(), words.ends[own].tolist(), strict=True)
        ]
        invisible = find_invisible(text)
        found += [_on_word(flag, words) for flag in invisible]
        return cls(
            _merged(sorted(found, key=lambda flag: flag[1:3]), mended, words)[:MAX_FLAGS],
            places.tolist(),
            "".join(mended[at] for at in places.tolist()),
            Counter(pair for _, pair in set(zip(numbers.tolist(), scripts, strict=True))),
            unseen + Counter(flag.kind for flag in invisible),
        )

    def sentences(self) -> list[str]:
        """What was found, without a full stop."""
        return _sentences(self.words, self.invisible)


def collection_sentence(every: Iterable[HiddenCharacters]) -> str | None:
    """What was found in a collection, and in how many documents; None if nothing was."""
    words, invisible = Counter[tuple[str, str]](), Counter[str]()
    documents = 0
    for one in every:
        words.update(one.words)
        invisible.update(one.invisible)
        documents += bool(one.words or one.invisible)
    found = "; ".join(_sentences(words, invisible))
    return f"In {counted(documents, 'document')}: {found}" if found else None


def _sentences(words: Mapping[tuple[str, str], int], invisible: Mapping[str, int]) -> list[str]:
    return [
        *(
            f"{counted(count, 'word')} {'contains' if count == 1 else 'contain'} "
            f"{source} letters that look {target}"
            for (source, target), count in sorted(words.items(), key=lambda one: (-one[1], one[0]))
        ),
        *(
            f"{what} in {counted(invisible[kind], 'place')}"
            for kind, what in _WORDS.items()
            if invisible.get(kind)
        ),
    ]


def _differing(text: str, mended: str) -> Ints:
    """The places of characters that are not the same."""
    if text == mended:
        return np.zeros(0, np.int64)
    one, other = (
        np.frombuffer(side.encode("utf-32-le", "surrogatepass"), np.uint32)
        for side in (text, mended)
    )
    return np.flatnonzero(one != other)


def _script(letter: str) -> str:
    """The script of a letter, which its name begins with: CYRILLIC SMALL LETTER A."""
    return unicodedata.name(letter, "Other").split(" ")[0].capitalize()


def _on_word(flag: Flag, words: Words) -> Flag:
    """A flag on the whole word that it is in, if it is in one."""
    number = int(np.searchsorted(words.begins, flag.start, "right")) - 1
    if number < 0 or words.ends[number] < flag.end:
        return flag
    return flag._replace(start=int(words.begins[number]), end=int(words.ends[number]))


def _merged(found: Sequence[Flag], displayed: str, words: Words) -> list[ShownFlag]:
    """One flag for those that are near each other."""
    if not found:
        return []
    numbers = np.searchsorted(words.begins, [flag.start for flag in found])
    cuts = np.flatnonzero(np.diff(numbers) > _MAX_GAP + 1) + 1
    flags = []
    for first, last in pairwise([0, *cuts.tolist(), len(found)]):
        part = found[first:last]
        start, end = part[0].start, max(flag.end for flag in part)
        kinds = list(dict.fromkeys(str(flag.kind) for flag in part))
        codes = ", ".join(dict.fromkeys(flag.shown for flag in part))
        shown = displayed[start:end] if LOOK_ALIKE in kinds or len(kinds) > 1 else codes
        flags.append(ShownFlag(start, end, ", ".join(kinds), beginning(shown), len(part)))
    return flags


def beginning(text: str) -> str:
    """As much of a text as is shown."""
    joined = " ".join(text.split())
    return joined if len(joined) <= _MAX_SHOWN else f"{joined[: _MAX_SHOWN - 1]}…"
