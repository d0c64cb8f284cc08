"""The groups of unique documents, and by them the pairs that are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise.arrays import U32, U64, Bools
from likewise.dedup.rules import NONE
from likewise.search.packed_pairs import unpack

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likewise.types import GroupRule

SEVERAL = np.uint64(0)  # in place of the group of a text that is in several


@dataclass(frozen=True, slots=True, eq=False)
class UniqueGroups:
    """The group of each unique document, or SEVERAL.

    Within groups, digests are salted with the group: there, none has several.
    """

    rule: GroupRule
    group: U64

    @classmethod
    def of(cls, rule: GroupRule, unique: int, parts: Iterable[tuple[U32, U64]]) -> UniqueGroups:
        """From the numbers of documents and the hashes of their groups, some at a time."""
        group = np.zeros(unique, np.uint64)
        seen = np.zeros(unique, np.bool_)
        several = np.zeros(unique, np.bool_)
        for numbers, hashes in parts:
            present = numbers != NONE
            own, hashes = numbers[present], np.maximum(hashes[present], np.uint64(1))
            new = ~seen[own]
            group[own[new]] = hashes[new]
            seen[own] = True
            several[own[group[own] != hashes]] = True
        group[several] = SEVERAL
        return cls(rule, group)

    def are_several(self) -> Bools:
        """Which unique documents have copies in several groups."""
        several: Bools = self.group == SEVERAL
        return several

    def admit(self, pairs: U64) -> U64:
        """Of packed pairs of unique documents those that are to be compared."""
        a, b = (self.group[side] for side in unpack(pairs))
        same = (a == b) & (a != SEVERAL)
        admitted: U64 = pairs[same if self.rule == "within" else ~same]
        return admitted
