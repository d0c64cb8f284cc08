"""`VerifiedPairs`: candidates compared on their full sets of shingles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise.arrays import U32, U64, Bools, Floats
from likewise.search.packed_pairs import pack, unpack
from likewise.search.verification import DEFAULT_ROOM, verify

if TYPE_CHECKING:
    from likewise.dedup.settings import DedupSettings
    from likewise.search.pairs import PairTable
    from likewise.search.verification import TextStore


@dataclass(frozen=True, slots=True, eq=False)
class VerifiedPairs:
    """Packed pairs of unique documents, ascending.

    Attributes:
        of_a, of_b: how much of each of the two is in the other; both are the Jaccard similarity
            where that is the measure.
    """

    pairs: U64
    of_a: Floats
    of_b: Floats

    @classmethod
    def of(
        cls,
        candidates: U64,
        texts: TextStore,
        settings: DedupSettings,
        *,
        threshold: float | None = None,
        room: int = DEFAULT_ROOM,
    ) -> VerifiedPairs:
        """Those of the candidates, which ascend, that reach the threshold of the settings, or
        another one. `room`: bytes of memory for texts that are read back from disk.

        Where containment is the measure, candidates are container << 32 | contained.
        """
        least = settings.threshold if threshold is None else threshold
        table = verify(
            texts, *unpack(candidates), profile=settings.profile, threads=settings.threads,
            measure=settings.measure, threshold=least, room=room,
        )  # fmt: skip
        if settings.measure == "jaccard":
            jaccard = table.jaccard()
            return cls(pack(table.a, table.b), jaccard, jaccard)
        return cls.joined([_of_containment(table)])

    @classmethod
    def of_any(
        cls, pairs: U64, texts: TextStore, settings: DedupSettings, *, room: int = DEFAULT_ROOM
    ) -> VerifiedPairs:
        """All of some pairs a << 32 | b, a < b, which ascend, however similar."""
        if settings.measure == "containment":
            # A long document may be in very many pairs: it is read once if it comes first.
            a, b = unpack(pairs)
            often = np.bincount(np.concatenate([a, b]))
            pairs = np.sort(np.where(often[a] < often[b], pack(b, a), pairs))
        return cls.of(pairs, texts, settings, threshold=0.0, room=room)

    @classmethod
    def joined(cls, parts: list[VerifiedPairs]) -> VerifiedPairs:
        """Several as one."""
        pairs = np.concatenate([part.pairs for part in parts])
        order = np.argsort(pairs, kind="stable")
        of_a, of_b = (np.concatenate([getattr(p, of) for p in parts]) for of in ("of_a", "of_b"))
        return cls(pairs[order], of_a[order], of_b[order])

    def take(self, chosen: Bools) -> VerifiedPairs:
        """Some of them, by a mask."""
        return VerifiedPairs(self.pairs[chosen], self.of_a[chosen], self.of_b[chosen])

    @property
    def a(self) -> U32:
        return unpack(self.pairs)[0]

    @property
    def b(self) -> U32:
        return unpack(self.pairs)[1]

    @property
    def similarity(self) -> Floats:
        """Jaccard, or the containment of the smaller document in the larger one."""
        return np.maximum(self.of_a, self.of_b)


def _of_containment(table: PairTable) -> VerifiedPairs:
    of_a, of_b = table.shared / table.size_a, table.shared / table.size_b
    turned = table.a > table.b
    pairs = np.where(turned, pack(table.b, table.a), pack(table.a, table.b))
    return VerifiedPairs(pairs, np.where(turned, of_b, of_a), np.where(turned, of_a, of_b))
