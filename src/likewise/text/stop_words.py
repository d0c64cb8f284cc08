"""Stop words: the lists of the `stop-words` package, whose version is stored with a profile."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.text.profile import Profile


def list_version() -> str:
    """Version of the lists; another version may drop other words."""
    from importlib.metadata import version

    return version("stop-words")


@cache
def _languages() -> dict[str, str]:
    from stop_words import LANGUAGE_MAPPING

    known = {code: code for code in LANGUAGE_MAPPING}
    known |= {name: code for code, name in LANGUAGE_MAPPING.items()}
    return known


def check_language(language: str) -> None:
    """Raises unless there is a list for the language (a name, or a code of two letters)."""
    if language not in _languages():
        names = sorted(name for name in _languages() if len(name) > 2)
        raise UsageError(
            f"profile: there is no list of stop words for {language!r}",
            hint=f"use one of none, {', '.join(names)}",
        )


def prepared_stop_words(profile: Profile) -> list[str]:
    """The words to leave out, as they look in text prepared under the profile, sorted.

    A listed word that is cut in two ("don't") is replaced by its parts.
    """
    # As words, each whole, and without the stop words themselves: those are being made.
    plain = replace(
        profile, unit="word", k=1, stop_words="none", min_word_length=1, count="set", seed=0
    )
    return list(_prepared(profile.stop_words, plain))


@lru_cache(maxsize=64)
def _prepared(language: str, plain: Profile) -> tuple[str, ...]:
    """Once for all profiles that prepare words alike; trials change the seed many times."""
    from stop_words import get_stop_words

    from likewise._core import Texts, prepared_text

    listed = " ".join(get_stop_words(_languages()[language]))
    return tuple(sorted(set(prepared_text(Texts.from_strings([listed]), plain.rules()).split())))
