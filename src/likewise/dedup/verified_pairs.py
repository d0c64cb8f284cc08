"""`VerifiedPairs`: candidates compared on their full sets of shingles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likewise.arrays import U32, U64, Floats
from likewise.search.packed_pairs import pack, unpack
from likewise.search.verification import DEFAULT_ROOM, verify

if TYPE_CHECKING:
    from likewise.dedup.settings import DedupSettings
    from likewise.search.verification import TextStore


@dataclass(frozen=True, slots=True, eq=False)
class VerifiedPairs:
    """Packed pairs of unique documents, ascending, and their similarity."""

    pairs: U64
    jaccard: Floats

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
        another one. `room`: bytes of memory for texts that are read back from disk."""
        table = verify(
            texts, *unpack(candidates), profile=settings.profile, threads=settings.threads,
            threshold=settings.threshold if threshold is None else threshold, room=room,
        )  # fmt: skip
        return cls(pack(table.a, table.b), table.jaccard())

    @property
    def a(self) -> U32:
        return unpack(self.pairs)[0]

    @property
    def b(self) -> U32:
        return unpack(self.pairs)[1]
