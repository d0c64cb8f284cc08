"""`Groups`: which documents may be in a pair, by a value of each, such as its author."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from hashlib import blake2b
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

    def hashes(self) -> NDArray[np.uint64]:
        """The same numbers as `group_hashes` gives for the values as strings."""
        own = [_hash(_as_string(value)) for value in self._known]
        codes = self.codes()
        known = np.array([*own, 0], np.uint64)[np.maximum(codes, 0)]
        return np.where(codes < 0, hashes_of_missing(-1 - codes), known)

    def admit(self, a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of these pairs of documents are to be compared."""
        codes = self.codes()
        same: NDArray[np.bool_] = codes[a] == codes[b]
        return same if self.rule == "within" else ~same

    def notes(self) -> list[str]:
        """What one should know about documents without a group."""
        return missing_notes(self.missing, self.rule)


def missing_notes(missing: int, rule: GroupRule) -> list[str]:
    """One sentence on documents without a group; nothing, if there are none."""
    if not missing:
        return []
    documents = "1 document has" if missing == 1 else f"{missing:,} documents have"
    it = "it is" if missing == 1 else "they are"
    effect = "in no pair" if rule == "within" else "compared with all others"
    return [f"{documents} no group; {it} {effect}"]


def group_hashes(groups: Sequence[str | None], numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A number for each document that depends on nothing but its group, if it has one.

    Args:
        groups: of each document, None where it has none.
        numbers: of the documents.
    """
    known: dict[str, int] = {}
    missing = np.array([group is None for group in groups], np.bool_)
    found = [
        0 if group is None else known.get(group) or known.setdefault(group, _hash(group))
        for group in groups
    ]
    return np.where(missing, hashes_of_missing(numbers), np.array(found, np.uint64))


def hashes_of_missing(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The same for documents without a group, each of which is one of its own."""
    return (numbers + 1).astype(np.uint64) * _GOLDEN


def _hash(group: str) -> int:
    data = group.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def _as_string(value: object) -> str:
    """As the columns of tables are read: 2020.0 is 2020."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


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
