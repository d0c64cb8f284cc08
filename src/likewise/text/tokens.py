"""Texts that are cut already: lists of tokens, each of which becomes a word of letters.

The word is a hash of the token, so that everything that compares words compares tokens as they
are: with their case, their spaces and their punctuation, in every run alike.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from hashlib import blake2b
from numbers import Integral
from typing import TYPE_CHECKING, Any

from likewise._core import Texts as TextViews
from likewise.errors import UsageError
from likewise.text.displayed import displayed_texts
from likewise.text.inputs import column_of, is_missing

if TYPE_CHECKING:
    from likewise.text.displayed import LookAlikes
    from likewise.text.profile import Profile
    from likewise.types import Texts, Tokens

_LETTERS = str.maketrans("0123456789", "ghijklmnop")


def compared_column(texts: Texts | Tokens, profile: Profile) -> Any:
    """Texts as a list or an Arrow column; tokens as texts of words."""
    column = column_of(texts)
    if not _has_tokens(column):
        return column
    _check_profile(profile)
    words = _Words()
    values = column if isinstance(column, list) else column.to_pylist()
    return [_joined(row, tokens, words, profile) for row, tokens in enumerate(values)]


def compared_texts(
    texts: Texts | Tokens | TextViews,
    profile: Profile,
    *,
    threads: int = 1,
    found: LookAlikes | None = None,
) -> TextViews:
    """Texts or tokens as the profile compares them; counts look-alike letters in `found`."""
    if isinstance(texts, TextViews):  # as they are compared
        return texts
    column = compared_column(texts, profile)
    return displayed_texts(column, profile, threads=threads, found=found)


class _Words(dict[Any, str]):
    """The word of each token."""

    def __missing__(self, token: Any) -> str:
        if not isinstance(token, (str, bytes, Integral)):
            raise UsageError(f"a token must be a str, bytes or an int, not {type(token).__name__}")
        data = token if isinstance(token, bytes) else str(token).encode("utf-8", "surrogatepass")
        word = self[token] = blake2b(data, digest_size=8).hexdigest().translate(_LETTERS)
        return word


def _has_tokens(column: Any) -> bool:
    """Whether the first value that is not null is a collection of tokens."""
    if not isinstance(column, list):
        import pyarrow as pa

        kind = column.type
        return pa.types.is_list(kind) or pa.types.is_large_list(kind)
    first = next((value for value in column if not is_missing(value)), "")
    return _is_tokens(first)


def _is_tokens(value: object) -> bool:
    # A record is a collection of the names of its fields, and a mistake.
    return isinstance(value, Collection) and not isinstance(value, (str, bytes, Mapping))


def _joined(row: int, tokens: Any, words: _Words, profile: Profile) -> str:
    if not _is_tokens(tokens):
        if is_missing(tokens):
            return ""
        raise UsageError(
            f"text {row} is not a list of tokens but {type(tokens).__name__}",
            hint="give every text as a str, or every text as a list of tokens",
        )
    if isinstance(tokens, Set) and profile.k > 1:
        raise UsageError(
            f"text {row} is a set of tokens, which has no order for shingles of {profile.k}",
            hint="give lists of tokens, or use `profile=word:1`",
        )
    try:
        return " ".join(map(words.__getitem__, tokens))
    except TypeError:  # it cannot be looked up
        raise UsageError(f"text {row} has a token that is not a str, bytes or an int") from None


def _check_profile(profile: Profile) -> None:
    if (profile.unit, profile.stop_words, profile.min_word_length) != ("word", "none", 1):
        raise UsageError(
            f"profile {profile} does not apply to tokens: they are compared as they are",
            hint=f"use `profile=word:{profile.k if profile.unit == 'word' else 3}`",
        )
