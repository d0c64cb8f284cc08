"""`scan`: one pass over texts for digests, numbers of shingles, signatures and band keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from likewise import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from likewise.statistics.bands import Layout
    from likewise.text.profile import Profile


class Scan(NamedTuple):
    """The results of one pass over texts, with a row for each.

    Attributes:
        digests: two numbers of 64 bits; texts with equal digests have the same shingles.
        counts: shingles, repeated ones counted each time.
        kept_signatures: `values` numbers of 32 bits, if wanted.
        keys: one number of 64 bits for each band, where there is a layout.
    """

    digests: NDArray[np.uint64]
    counts: NDArray[np.uint64]
    kept_signatures: NDArray[np.uint32] | None
    keys: NDArray[np.uint64] | None

    @property
    def signatures(self) -> NDArray[np.uint32]:
        assert self.kept_signatures is not None
        return self.kept_signatures

    @property
    def band_keys(self) -> NDArray[np.uint64]:
        assert self.keys is not None
        return self.keys


def scan(
    texts: _core.Texts,
    profile: Profile,
    *,
    values: int,
    layout: Layout | None = None,
    keep_signatures: bool = False,
    threads: int,
) -> Scan:
    """Shingles, hashes and sketches texts; band keys where a layout is given."""
    return Scan(
        *_core.scan(
            texts,
            profile.rules(),
            values=values,
            bands=layout.bands if layout else 0,
            rows=layout.rows if layout else 0,
            keep_sketches=keep_signatures,
            threads=threads,
        )
    )
