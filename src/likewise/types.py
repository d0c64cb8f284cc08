"""Types of arguments: what counts as texts, as ids, and the words that options take."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:  # type checkers bring this module along; Python before 3.13 has no defaults
    from typing_extensions import TypeVar

    K = TypeVar("K", default=Any)
else:
    from typing import TypeVar

    K = TypeVar("K")
"""The type of ids; results have the ids that were given, and row numbers where there were none."""


class Column(Protocol):
    """An Arrow or polars column; those of pandas are iterables of their values."""

    def __len__(self) -> int: ...
    def is_null(self) -> Any: ...


Texts: TypeAlias = Iterable[str | None] | Column
"""A list or another iterable of str, or an Arrow, pandas or polars column.

A null (None, NaN, NA) is a document without text: it is in no pair, and `deduplicate` keeps it.
"""

Tokens: TypeAlias = Iterable[Collection[str] | Collection[int] | None]
"""Texts that are cut already: a list of tokens for each, or a set where their order does not count.
"""

Ids: TypeAlias = Iterable[K] | Column
"""One id per text, of any type: a list, another iterable or a column. Never null."""

Metadata: TypeAlias = Mapping[str, Any]
Where: TypeAlias = Mapping[str, object] | Callable[[Metadata], bool]
"""Which documents are meant, by their metadata: the value of each field or a list of those that it
may have, or a function."""

Groups: TypeAlias = Iterable[Any] | Column
"""The group of each text, such as its author: a list, another iterable or a column. A text with a
null or "" is a group of its own."""

Measure: TypeAlias = Literal["jaccard", "containment"]
SearchNull: TypeAlias = Literal["corpus", "words", "letters"]
GroupRule: TypeAlias = Literal["within", "across"]
Chains: TypeAlias = Literal["split", "join"]
