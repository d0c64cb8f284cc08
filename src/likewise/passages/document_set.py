"""`DocumentSet`: the documents of a search for passages, two collections one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import UsageError
from likewise.text.inputs import ids_of, same_length, strings_of

if TYPE_CHECKING:
    from likewise.types import Ids, Metadata, Texts

FIRST, SECOND, BOTH = 1, 2, 3  # the sides, as the core knows them
_MAX_TEXTS = 8192
_MAX_CHARACTERS = 8_000_000


def checked_metadata(
    name: str, given: Iterable[Metadata | None] | None, count: int, *, required: bool
) -> list[Metadata | None]:
    """The metadata of each text; None for all, if there are none and none are required."""
    if given is None:
        if required:
            raise UsageError("excluding documents of the same author or group requires metadata")
        return [None] * count
    known = same_length(name, given, count)
    if not all(one is None or isinstance(one, Mapping) for one in known):
        raise UsageError(f"{name} must be a mapping for each text, or None")
    return known


@dataclass(frozen=True, eq=False)
class DocumentSet:
    """Texts, their ids, and the collection of each (FIRST or SECOND); None where there is one.

    Documents that are in both (BOTH) are compared with each other and with the second collection.

    A search replaces the texts by what is displayed of them.
    """

    texts: list[str]
    ids: Sequence[Any]
    sides: NDArray[np.uint8] | None

    @classmethod
    def of(
        cls,
        texts: Texts,
        ids: Ids[Any] | None,
        against: Texts | None,
        against_ids: Ids[Any] | None,
    ) -> DocumentSet:
        """Raises `UsageError` for invalid texts or ids."""
        own = list(strings_of(texts))
        names = ids_of(ids, len(own))
        if against is None:
            return cls(own, names, None)
        others = strings_of(against)
        sides = np.repeat(np.array([FIRST, SECOND], np.uint8), [len(own), len(others)])
        return cls([*own, *others], [*names, *ids_of(against_ids, len(others))], sides)

    @classmethod
    def with_archive(cls, texts: Sequence[str], under_review: int) -> DocumentSet:
        """Texts with their numbers as ids; all after the first `under_review` are an archive."""
        sides = np.full(len(texts), SECOND, np.uint8)
        sides[:under_review] = BOTH
        archived = under_review < len(texts)
        return cls(list(texts), range(len(texts)), sides if archived else None)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def first_count(self) -> int:
        """Documents of the first collection."""
        return len(self) if self.sides is None else int((self.sides != SECOND).sum())

    @cached_property
    def compares_first(self) -> bool:
        """Whether documents of the first collection are compared with each other."""
        return self.sides is None or bool((self.sides == BOTH).any())

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

    def key(self, number: int) -> Any:
        """The id, marked for the second collection: both may use the same ids."""
        return self.ids[number] if number < self.first_count else f"against {self.ids[number]}"

    def by_id(self, side: int) -> dict[Any, str]:
        """The texts of one collection, by id."""
        chosen = slice(self.first_count) if side == FIRST else slice(self.first_count, None)
        return dict(zip(self.ids[chosen], self.texts[chosen], strict=True))
