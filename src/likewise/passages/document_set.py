"""`DocumentSet`: the documents of a search for passages, two collections one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likewise.errors import UsageError
from likewise.text.inputs import column_of

FIRST, SECOND = 1, 2  # the sides, as the core knows them
_MAX_TEXTS = 8192
_MAX_CHARACTERS = 8_000_000


@dataclass(frozen=True, eq=False)
class DocumentSet:
    """Texts, their ids, and the collection of each (FIRST or SECOND); None where there is one.

    A search replaces the texts by what is matched of them.
    """

    texts: list[str]
    ids: list[str]
    sides: NDArray[np.uint8] | None

    @classmethod
    def of(
        cls,
        texts: object,
        ids: Iterable[object] | None,
        against: object | None,
        against_ids: Iterable[object] | None,
    ) -> DocumentSet:
        """Raises `UsageError` for invalid texts or ids."""
        own, names = checked_texts(texts, ids)
        if against is None:
            return cls(own, names, None)
        others, other_names = checked_texts(against, against_ids)
        sides = np.repeat(np.array([FIRST, SECOND], np.uint8), [len(own), len(others)])
        return cls(own + others, names + other_names, sides)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def first_count(self) -> int:
        """Documents of the first collection."""
        return len(self) if self.sides is None else int((self.sides == FIRST).sum())

    def batches(self) -> Iterator[tuple[int, int]]:
        """Ranges of documents whose texts are not too long together."""
        begin = characters = 0
        for end, text in enumerate(self.texts):
            if end > begin and (
                end - begin == _MAX_TEXTS or characters + len(text) > _MAX_CHARACTERS
            ):
                yield begin, end
                begin, characters = end, 0
            characters += len(text)
        if begin < len(self.texts):
            yield begin, len(self.texts)

    def key(self, number: int) -> str:
        """The id, marked for the second collection: both may use the same ids."""
        return self.ids[number] if number < self.first_count else f"against {self.ids[number]}"

    def by_id(self, side: int) -> dict[str, str]:
        """The texts of one collection, by id."""
        chosen = slice(self.first_count) if side == FIRST else slice(self.first_count, None)
        return dict(zip(self.ids[chosen], self.texts[chosen], strict=True))


def checked_texts(texts: object, ids: Iterable[object] | None) -> tuple[list[str], list[str]]:
    """Texts and their ids, which are numbers from 0 if not given; raises if they are invalid."""
    column = column_of(texts)
    strings = list(column if isinstance(column, list) else column.to_pylist())
    for text in strings:
        if not isinstance(text, str):
            raise UsageError(f"a text is not a str but {type(text).__name__}")
    names = [str(i) for i in range(len(strings))] if ids is None else [str(id_) for id_ in ids]
    if len(names) != len(strings):
        raise UsageError(f"there are {len(names)} ids for {len(strings)} texts")
    if len(set(names)) < len(names):
        repeated, _ = Counter(names).most_common(1)[0]
        raise UsageError(f"duplicate id {repeated!r}")
    return strings, names
