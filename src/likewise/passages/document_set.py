"""`Searched`: the documents of a search for passages, two collections one behind the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST, SECOND = 1, 2  # the sides, as the core knows them
_TEXTS_AT_ONCE = 8192
_CHARACTERS_AT_ONCE = 8_000_000


@dataclass(frozen=True, eq=False)
class Searched:
    """Texts, ids, and which collection each is of; None where there is one.

    Texts are given as they are, and replaced by what is matched of them.
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
    ) -> Searched:
        """Raises where texts or ids are wrong."""
        own, names = checked_texts(texts, ids)
        if against is None:
            return cls(own, names, None)
        others, other_names = checked_texts(against, against_ids)
        sides = np.repeat(np.array([FIRST, SECOND], np.uint8), [len(own), len(others)])
        return cls(own + others, names + other_names, sides)

    def __len__(self) -> int:
        return len(self.texts)

    def batches(self) -> Iterator[tuple[int, int]]:
        """Some documents at a time, as far as their texts are not too long."""
        begin = characters = 0
        for end, text in enumerate(self.texts):
            if end > begin and (
                end - begin == _TEXTS_AT_ONCE or characters + len(text) > _CHARACTERS_AT_ONCE
            ):
                yield begin, end
                begin, characters = end, 0
            characters += len(text)
        if begin < len(self.texts):
            yield begin, len(self.texts)

    def keys(self) -> list[str]:
        """Ids, those of the second collection marked: both may use the same ones."""
        if self.sides is None:
            return self.ids
        return [
            id_ if side == FIRST else f"against {id_}"
            for id_, side in zip(self.ids, self.sides.tolist(), strict=True)
        ]

    def by_id(self, side: int) -> dict[str, str]:
        """The texts of one collection; where there is one only, of that."""
        if self.sides is None:
            return dict(zip(self.ids, self.texts, strict=True))
        first = int((self.sides == FIRST).sum())
        chosen = slice(first) if side == FIRST else slice(first, None)
        return dict(zip(self.ids[chosen], self.texts[chosen], strict=True))


def checked_texts(texts: object, ids: Iterable[object] | None) -> tuple[list[str], list[str]]:
    """Texts and their ids, which are numbers from 0 if not given; raises where they are wrong."""
    strings = list_of_strings(texts)
    names = [str(i) for i in range(len(strings))] if ids is None else [str(id_) for id_ in ids]
    if len(names) != len(strings):
        raise UsageError(f"there are {len(names)} ids for {len(strings)} texts")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise UsageError(f"duplicate id {name!r}")
        seen.add(name)
    return strings, names


def list_of_strings(texts: Any) -> list[str]:
    """Texts of any kind that `find_pairs` takes, as a list."""
    if isinstance(texts, (str, bytes)):
        raise UsageError("texts must be a collection of str, not one str")
    if hasattr(texts, "to_pylist"):
        texts = texts.to_pylist()
    elif hasattr(texts, "to_list"):
        texts = texts.to_list()
    if not isinstance(texts, Iterable):
        raise UsageError(f"texts must be a collection of str, not {type(texts).__name__}")
    made = list(texts)
    for text in made:
        if not isinstance(text, str):
            raise UsageError(f"a text is not a str but {type(text).__name__}")
    return made
