"""`Signatures`: texts as k numbers each, from which similarities are estimated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.errors import UsageError
from likewise.statistics.bands import check_values
from likewise.statistics.estimate import Estimate, binomial_estimate
from likewise.text.inputs import texts_of
from likewise.text.profile import Profile
from likewise.threads import thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEFAULT_VALUES = 128
_EMPTY = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True, slots=True, eq=False)
class Signatures:
    """Signatures of some texts.

    Attributes:
        values: uint32 array, a row for each text; all 0xFFFFFFFF for one without shingles.
        profile: what the texts were cut by; signatures of different profiles cannot be compared.
    """

    values: NDArray[np.uint32]
    profile: Profile

    def __len__(self) -> int:
        return len(self.values)

    def estimate(self, a: int, b: int, level: float = 0.95) -> Estimate:
        """The Jaccard similarity of texts a and b, with its interval."""
        first, second = self.values[a], self.values[b]
        agreeing = int(np.count_nonzero((first == second) & (first != _EMPTY)))
        return binomial_estimate(agreeing, self.values.shape[1], level)

    def merge(self, members: Iterable[int] | None = None) -> Signatures:
        """One signature: that of the union of the chosen texts' shingles, or of all of them.

        A text cut in parts loses the shingles that span a cut.
        """
        chosen = self.values if members is None else self.values[list(members)]
        if len(chosen) == 0:
            raise UsageError("there is nothing to merge")
        return Signatures(chosen.min(axis=0, keepdims=True), self.profile)


def sketch(
    texts: object,
    *,
    profile: Profile | str = "word:3",
    values: int = DEFAULT_VALUES,
    threads: int | None = None,
) -> Signatures:
    """Signatures of texts: fast similarity sketches of `values` numbers.

    The share of agreeing values estimates the Jaccard similarity without bias.
    """
    check_values(values)
    made = Profile.of(profile)
    _, _, signatures, _ = _core.scan(
        texts_of(texts),
        made.rules(),
        values=values,
        bands=0,
        rows=0,
        keep_sketches=True,
        threads=thread_count(threads),
    )
    assert signatures is not None
    return Signatures(signatures, made)
