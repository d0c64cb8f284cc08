"""`KeptTexts`: a result that says which of several texts are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic

import numpy as np

from likewise.frames import Frames
from likewise.types import K

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.run import Stats
    from likewise.text.inputs import GivenIds


class KeptTexts(Frames, Generic[K]):
    """What results of `deduplicate` have in common.

    Attributes:
        kept: a mask of the texts, in the order in which they were given.
        stats: settings, counts, seconds and notes.
    """

    def __init__(self, kept: NDArray[np.bool_], ids: GivenIds[K], stats: Stats) -> None:
        self.kept = kept
        self.stats = stats
        self._ids = ids

    @property
    def notes(self) -> list[str]:
        return self.stats.notes

    def __len__(self) -> int:
        """How many texts are kept."""
        return int(np.count_nonzero(self.kept))

    def __iter__(self) -> Iterator[int]:
        """The row numbers of the texts that are kept."""
        return iter(np.flatnonzero(self.kept).tolist())

    def ids(self) -> list[K]:
        """The ids of the texts that are kept; their row numbers, if there were no ids."""
        return [self._ids[row] for row in self]
