"""`Groups`: which documents may be in a pair, by a value of each, such as its author."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.errors import UsageError
from likewise.text.inputs import column_values, is_missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.types import GroupRule
    from likewise.types import Groups as GivenGroups

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # an odd number, so that no two codes have one salt


class Groups:
    """The group of each document, and whether pairs are "within" a group or "across" two.

    Documents are added in the order of their numbers. One without a value is a group of its own: it
    is in no pair within a group, and compared with every document across groups.
    """

    def __init__(self, rule: GroupRule) -> None:
        self.rule = rule
        self._codes: list[int] = []
        self._known: dict[Hashable, int] = {}
        self._kind: str | None = None

    def add(self, values: Iterable[Any]) -> None:
        """The next documents. Raises `UsageError` for values that cannot be compared."""
        for value in values:
            if is_missing(value) or value == "":
                self._codes.append(-1 - len(self._codes))
                continue
            self._check(value)
            self._codes.append(self._known.setdefault(value, len(self._known)))

    def _check(self, value: object) -> None:
        if not isinstance(value, Hashable):
            raise UsageError(f"a group must be a string, a number or a date, not {value!r:.100}")
        kind = "string" if isinstance(value, str) else "number or date"
        if self._kind not in (None, kind):
            raise UsageError(
                f"some groups are strings and others are not: {value!r:.100} is a {kind}",
                hint="give the groups of all documents one type",
            )
        self._kind = kind

    def __len__(self) -> int:
        return len(self._codes)

    @property
    def missing(self) -> int:
        """Documents without a value."""
        return sum(code < 0 for code in self._codes)

    def codes(self) -> NDArray[np.int64]:
        """A number for each document, the same for those of one group."""
        return np.array(self._codes, np.int64)

    def salts(self) -> NDArray[np.uint64]:
        """A number for each document that makes equal hashes of different groups different."""
        return self.codes().astype(np.uint64) * _GOLDEN

    def admit(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of these pairs of documents are to be compared."""
        codes = self.codes()
        same: NDArray[np.bool_] = codes[a] == codes[b]
        return same if self.rule == "within" else ~same

    def notes(self) -> list[str]:
        """What one should know about documents without a group."""
        if not (missing := self.missing):
            return []
        documents = "1 document has" if missing == 1 else f"{missing:,} documents have"
        it = "it is" if missing == 1 else "they are"
        effect = "in no pair" if self.rule == "within" else "compared with all others"
        return [f"{documents} no group; {it} {effect}"]


def groups_of(
    count: int,
    against_count: int,
    *,
    within: GivenGroups | None = None,
    across: GivenGroups | None = None,
    against_groups: GivenGroups | None = None,
) -> Groups | None:
    """The groups that a caller gave, one for each of `count` and `against_count` texts."""
    if within is not None and across is not None:
        raise UsageError("within and across are both given; use one of them")
    given = across if within is None else within
    if given is None:
        if against_groups is not None:
            raise UsageError("against_groups is given without within or across")
        return None
    groups = Groups("across" if within is None else "within")
    groups.add(_checked("groups", given, count))
    if against_groups is not None:
        groups.add(_checked("against_groups", against_groups, against_count))
    elif against_count:
        raise UsageError("against_groups is missing: the groups of the second collection")
    return groups


def _checked(name: str, given: GivenGroups, count: int) -> list[Any]:
    values = column_values(given, name)[0]
    if len(values) != count:
        raise UsageError(f"there are {len(values)} {name} for {count} texts")
    return values
