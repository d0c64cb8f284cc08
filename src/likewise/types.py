"""Types of arguments: what counts as texts, as ids, and the words that options take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

K = TypeVar("K")
"""The type of ids; results have the ids that were given, and row numbers where there were none."""


class Column(Protocol):
    """An Arrow or polars column; those of pandas are iterables of their values."""

    def __len__(self) -> int: ...
    def is_null(self) -> Any: ...


Texts: TypeAlias = Iterable[str | None] | Column
"""A list or another iterable of str, or an Arrow, pandas or polars column. None is no text."""

Ids: TypeAlias = Iterable[K] | Column
"""One id per text, of any type: a list, another iterable or a column. Never null, no duplicates."""

Metadata: TypeAlias = Mapping[str, Any]
Measure: TypeAlias = Literal["jaccard", "containment"]
SearchNull: TypeAlias = Literal["corpus", "words", "letters"]
Chains: TypeAlias = Literal["split", "join"]
