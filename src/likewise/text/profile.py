"""`Profile`: how text becomes shingles.

Two texts can be compared only under the same profile. Its short form is `word:3` or `char:5`,
followed by the fields that differ from the default: `word:3,case=keep,stop_words=english`. A preset
may come first: `papers,k=8`.
"""

from __future__ import annotations

import atexit
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final

from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise._core import Rules

UNICODE_VERSION: Final = "15.1.0"
HASH_VERSION: Final = 1  # a change of hash is a change of every stored signature
MAX_K: Final = 10_000
DEFAULT_PROFILE: Final = "word:3"

_CHOICES: Final = {
    "unit": ("word", "char"),
    "case": ("fold", "keep"),
    "accents": ("keep", "strip"),
    "punctuation": ("drop", "keep"),
    "spaces": ("one", "drop", "keep"),
    "digits": ("keep", "drop"),
    "greek": ("keep", "drop"),
    "letters": ("displayed", "stored"),
    "count": ("set", "bag"),
}


@dataclass(frozen=True, slots=True)
class Profile:
    """How text becomes shingles.

    Attributes:
        unit: shingles of consecutive words, or of consecutive characters (code points).
        k: how many of them make one shingle. A shorter text is one shingle by itself.
        case: full Unicode case folding, or none.
        accents: strip removes combining diacritical marks (é becomes e, й becomes и).
        punctuation: with words, drop separates at it and keep makes each mark a word; with
            characters, drop puts a space in its place and keep leaves it.
        spaces: only for characters: one space for a run, none at all, or white space as it is.
        digits: drop puts a space in the place of numbers (general category N).
        greek: drop does the same to Greek letters, which in papers are mathematics.
        letters: displayed replaces letters of another script that only look like those of the
            text (the Cyrillic а in a Latin word); stored compares what the file contains.
        stop_words: a language whose most common words are left out, or "none".
        min_word_length: shorter words are left out; in scripts without spaces nothing is.
        count: a set of shingles, or a bag, where a repeated shingle counts each time.
        seed: of the hash; texts hashed under different seeds cannot be compared.
    """

    unit: str = "word"
    k: int = 3
    case: str = "fold"
    accents: str = "keep"
    punctuation: str = "drop"
    spaces: str = "one"
    digits: str = "keep"
    greek: str = "keep"
    stop_words: str = "none"
    min_word_length: int = 1
    count: str = "set"
    seed: int = 0
    letters: str = "displayed"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise UsageError(
                    f"profile: {name}={value!r} is not one of {', '.join(choices)}",
                    hint=f"write for example {name}={choices[0]}",
                )
        _check_whole_number("k", self.k, 1, MAX_K)
        _check_whole_number("min_word_length", self.min_word_length, 1, 1000)
        _check_whole_number("seed", self.seed, 0, 2**64 - 1)
        if self.stop_words != "none":
            from likewise.text.stop_words import check_language

            check_language(self.stop_words)

    @classmethod
    def parse(cls, text: str) -> Profile:
        """The profile that `text` names: a preset or unit:k, then name=value, by commas."""
        head, *changes = [part.strip() for part in text.split(",")]
        if head in PRESETS:
            profile = PRESETS[head]
        else:
            unit, colon, k = head.partition(":")
            if not colon or unit not in _CHOICES["unit"] or not _is_number(k):
                raise UsageError(
                    f"profile {text!r} is neither a preset ({', '.join(PRESETS)}) "
                    "nor of the form word:K or char:K",
                    hint="write for example `profile=word:3` or `profile=char:5,case=keep`",
                )
            profile = cls(unit=unit, k=int(k))
        return replace(profile, **dict(_parse_change(change) for change in changes))

    @classmethod
    def of(cls, profile: Profile | str) -> Profile:
        """A profile as it is, or parsed from its name."""
        return profile if isinstance(profile, cls) else cls.parse(str(profile))

    def __str__(self) -> str:
        changes = [
            f"{field.name}={getattr(self, field.name)}"
            for field in fields(self)
            if field.name not in ("unit", "k") and getattr(self, field.name) != field.default
        ]
        return ",".join([f"{self.unit}:{self.k}", *changes])

    def to_dict(self) -> dict[str, Any]:
        """Every field, and the versions that the hashes depend on: what an index stores."""
        stored = asdict(self)
        stored["unicode"] = UNICODE_VERSION
        stored["hash"] = HASH_VERSION
        if self.stop_words != "none":
            from likewise.text.stop_words import list_version

            stored["stop_words_version"] = list_version()
        return stored

    def rules(self) -> Rules:
        """The profile for the core."""
        return _rules(self)


def _is_number(text: str) -> bool:
    """At most 20 digits, so that conversion is fast."""
    return text.isascii() and text.isdecimal() and len(text) <= 20


def _check_whole_number(name: str, value: object, low: int, high: int) -> None:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not low <= value <= high:  # type: ignore[operator]
        raise UsageError(f"profile: {name} is {value!r}; it must be from {low} to {high}")


def _parse_change(change: str) -> tuple[str, Any]:
    name, equals, value = (part.strip() for part in change.partition("="))
    names = {field.name: field.type for field in fields(Profile)}
    if not equals or name not in names:
        raise UsageError(
            f"profile: {change!r} is not name=value with a name of {', '.join(names)}",
            hint="write for example char:5,case=keep,spaces=drop",
        )
    if names[name] != "int":
        return name, value
    if not _is_number(value):
        raise UsageError(f"profile: {name}={value!r} is not a whole number")
    return name, int(value)


@lru_cache(maxsize=64)
def _rules(profile: Profile) -> Rules:
    from likewise import _core

    stop_words: list[str] = []
    if profile.stop_words != "none":
        from likewise.text.stop_words import prepared_stop_words

        stop_words = prepared_stop_words(profile)
    return _core.Rules(
        unit=profile.unit,
        k=profile.k,
        fold_case=profile.case == "fold",
        strip_accents=profile.accents == "strip",
        keep_punctuation=profile.punctuation == "keep",
        spaces=profile.spaces,
        drop_digits=profile.digits == "drop",
        drop_greek=profile.greek == "drop",
        stop_words=stop_words,
        min_word_length=profile.min_word_length,
        bag=profile.count == "bag",
        seed=profile.seed,
    )


# As in the sources. Every field is given, so that presets do not depend on the defaults.
PRESETS: Final = {
    "tweets": Profile(
        unit="char", k=5, case="fold", accents="keep", punctuation="drop", spaces="drop",
        digits="keep", greek="keep", stop_words="none", min_word_length=1, count="set", seed=0,
        letters="displayed",
    ),
    "gospels": Profile(
        unit="char", k=3, case="keep", accents="keep", punctuation="keep", spaces="drop",
        digits="keep", greek="keep", stop_words="none", min_word_length=3, count="bag", seed=0,
        letters="displayed",
    ),
    "papers": Profile(
        unit="char", k=10, case="fold", accents="keep", punctuation="drop", spaces="one",
        digits="drop", greek="drop", stop_words="english", min_word_length=1, count="set", seed=0,
        letters="displayed",
    ),
}  # fmt: skip


# Some modules survive until the interpreter ends, and core objects that they reach would be
# reported as leaked on stderr.
atexit.register(_rules.cache_clear)
