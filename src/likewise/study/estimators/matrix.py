"""`Matrix`: the representation matrix of two texts, a row for each element of their union."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import Ints
from likewise.study.shingled import Shingled


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Which rows each text has.

    The papers leave the order of the rows open. Here it is that of the elements' hashes: scattered
    over the text, and the same in every trial, as when the matrix is written down once.

    Attributes:
        count: how many rows there are.
        rows_a, rows_b: the rows of each text, from 0 on.
    """

    count: int
    rows_a: Ints
    rows_b: Ints

    @classmethod
    def of(cls, a: Shingled, b: Shingled) -> Matrix:
        """The matrix of two texts."""
        union = np.union1d(a.elements, b.elements)
        return cls(
            len(union), np.searchsorted(union, a.elements), np.searchsorted(union, b.elements)
        )

    def columns(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """A mark for each row, in the column of each text."""
        in_a, in_b = np.zeros((2, self.count), dtype=np.bool_)
        in_a[self.rows_a] = True
        in_b[self.rows_b] = True
        return in_a, in_b
