"""`Family`: wording that several documents share; `Witness`: one of them, and where it has it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal

from likewise.types import K

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from likewise.arrays import Ints
    from likewise.passages.passage import Kind

Side = Literal["a", "b"]


@dataclass(frozen=True, slots=True)
class Witness(Generic[K]):
    """A document, and the stretch of it that belongs to a family.

    Attributes:
        id: of the document, as it was given; its row number, if none was.
        side: "a", or "b" for a document of the second of two collections.
        number: of the document among all that were searched.
        start, end: the stretch, in code points of the text.
        first, stop: the same as word numbers: from `first` up to, not including, `stop`.
        matched: its words that at least one other witness has too.
        metadata: title, author, date and group, as far as they are known.
    """

    id: K
    side: Side
    number: int
    start: int
    end: int
    first: int
    stop: int
    matched: int
    metadata: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def words(self) -> int:
        """All words of the stretch, matched or not."""
        return self.stop - self.first

    @property
    def document(self) -> Hashable:
        """What tells documents of two collections apart."""
        return self.side, self.number


@dataclass(frozen=True, slots=True)
class Family(Generic[K]):
    """A stretch of wording that the same documents share, all of them and no others.

    Attributes:
        witnesses: in the order of the documents; a document that has the wording in two places is
            two witnesses.
        common: words that all of the documents have, aligned one to one.
        run: the longest run of such words without another word between in any document.
        kind: verbatim, edited or reordered, as of passages: the greatest change between the
            witness with the most matched words and any other.
        p: an upper bound for the probability that texts of these lengths, all of them unrelated,
            share a run as long as `run`; 1e-6 means that or less. None without such a run.
        columns: for each word that two or more witnesses have, its number in each witness's
            document, or -1; [columns, witnesses].
        earliest: the witnesses with the earliest date of the metadata, by position; empty if fewer
            than two witnesses have a date.
    """

    witnesses: tuple[Witness[K], ...]
    common: int
    run: int
    kind: Kind
    p: float | None
    columns: NDArray[np.int32] = field(repr=False, compare=False)
    earliest: tuple[int, ...] = ()

    @property
    def base(self) -> int:
        """The witness that others are compared with, by position: an earliest one, or the first."""
        return self.earliest[0] if self.earliest else 0

    @property
    def documents(self) -> int:
        """How many documents have it."""
        return len({witness.document for witness in self.witnesses})

    @property
    def words(self) -> int:
        """Words of the longest witness."""
        return max(witness.words for witness in self.witnesses)

    @property
    def similarity(self) -> float:
        """Matched words of all witnesses, of all their words; for two of them Dice's measure."""
        matched = sum(witness.matched for witness in self.witnesses)
        return matched / sum(witness.words for witness in self.witnesses)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that the witnesses belong to, by the metadata, each once."""
        known = (witness.metadata.get("group") for witness in self.witnesses)
        return tuple(sorted({str(group) for group in known if group is not None}))

    def column_witnesses(self) -> Ints:
        """How many witnesses each column has."""
        counts: Ints = (self.columns >= 0).sum(axis=1)
        return counts
