"""`Manifest`: segments and common keys in memory, read again only when they have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from likewise.index.damage import DamageError
from likewise.index.postings.common_keys import CommonKeys
from likewise.index.postings.entries import BANDS
from likewise.index.postings.segments import Segment
from likewise.index.stores.transaction import Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class Manifest:
    """Segments and common keys by kind, as of one version of the index."""

    version: str | None = None
    segments: Mapping[int, list[Segment]] = field(default_factory=dict)
    common: Mapping[int, CommonKeys] = field(default_factory=dict)

    def as_of(self, snapshot: Snapshot, kinds: Sequence[int]) -> Manifest:
        """This one, or a newer one if the snapshot is of another version."""
        version = snapshot.fact("version")
        if self.segments and version == self.version:
            return self
        return Manifest(
            version,
            {kind: _segments(snapshot, kind, self.segments.get(kind, [])) for kind in kinds},
            {kind: CommonKeys.of(snapshot, kind) for kind in kinds if kind != BANDS},
        )


def _segments(snapshot: Snapshot, kind: int, known: list[Segment]) -> list[Segment]:
    """All segments; known ones are not read again, since segments never change."""
    by_number = {segment.number: segment for segment in known}
    numbers = [number for number, _ in snapshot.segment_sizes(kind)]
    missing = [number for number in numbers if number not in by_number]
    by_number |= {segment.number: segment for segment in snapshot.segments(kind, missing)}
    if not by_number.keys() >= set(numbers):
        raise DamageError("a segment that is listed cannot be found")
    return [by_number[number] for number in numbers]
