"""`Signatures`: texts as k numbers each, from which similarities are estimated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise.errors import UsageError
from likewise.sketches.scan import scan
from likewise.statistics.bands import DEFAULT_VALUES as DEFAULT_VALUES
from likewise.statistics.bands import check_values
from likewise.statistics.estimate import Estimate, binomial_estimate
from likewise.text.displayed import displayed_texts
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count

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
    profile: Profile | str = DEFAULT_PROFILE,
    values: int = DEFAULT_VALUES,
    threads: int | None = None,
) -> Signatures:
    """Signatures of texts: fast similarity sketches of `values` numbers.

    The share of agreeing values estimates the Jaccard similarity without bias.
    """
    check_values(values)
    made, count = Profile.of(profile), thread_count(threads)
    shown = displayed_texts(texts, made, threads=count)
    found = scan(shown, made, values=values, keep_signatures=True, threads=count)
    return Signatures(found.signatures, made)
