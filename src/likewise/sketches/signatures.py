"""`Signatures`: texts as k numbers each, from which similarities are estimated."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

import numpy as np

from likewise.arrays import U32, U64
from likewise.errors import UsageError
from likewise.files import check_no_index, check_output, open_output
from likewise.sketches.estimated_pairs import EstimatedPairs, estimate_pairs
from likewise.sketches.scan import scan
from likewise.sketches.signature_file import (
    ROW_GROUP,
    SignatureBatch,
    SignatureFile,
    signature_schema,
    write_signatures,
)
from likewise.statistics.bands import (
    DEFAULT_MAX_BUCKET,
    DEFAULT_RECALL,
    DEFAULT_THRESHOLD,
    check_values,
)
from likewise.statistics.bands import DEFAULT_VALUES as DEFAULT_VALUES
from likewise.statistics.estimate import Estimate, binomial_estimate
from likewise.text.inputs import GivenIds, id_array, ids_of
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.text.tokens import compared_texts
from likewise.threads import thread_count
from likewise.types import K
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.types import Ids, Texts, Tokens

Id = TypeVar("Id")  # of no instance
_EMPTY = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Signatures(Generic[K]):
    """Signatures of some texts.

    Attributes:
        values: uint32 array, a row for each text; all 0xFFFFFFFF for one without shingles.
        profile: what the texts were cut by; signatures of different profiles cannot be compared.
        ids: of the texts; row numbers, if none were given.
        digests: two uint64 for each text, equal for texts with the same shingles; None if unknown.
    """

    values: U32
    profile: Profile
    ids: Sequence[K] = ()
    digests: U64 | None = None

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.values):
            if len(self.ids):
                raise UsageError(f"there are {len(self.ids)} ids for {len(self.values)} signatures")
            object.__setattr__(self, "ids", GivenIds(range(len(self.values))))

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<Signatures: {len(self):,} of {self.values.shape[1]} values, {self.profile}>"

    def estimate(self, a: int, b: int, level: float = 0.95) -> Estimate:
        """The Jaccard similarity of the texts in rows a and b, with its interval."""
        return self.estimate_with(self, a, b, level)

    def estimate_with(
        self, other: Signatures[Any], a: int, b: int, level: float = 0.95
    ) -> Estimate:
        """The Jaccard similarity of row a here and row b of others, with its interval."""
        self._check_comparable(other)
        check_whole("a", a, -len(self), len(self) - 1)
        check_whole("b", b, -len(other), len(other) - 1)
        first, second = self.values[a], other.values[b]
        agreeing = int(np.count_nonzero((first == second) & (first != _EMPTY)))
        return binomial_estimate(agreeing, self.values.shape[1], level)

    def find_pairs(
        self,
        against: Signatures[K] | None = None,
        *,
        threshold: float = DEFAULT_THRESHOLD,
        recall: float = DEFAULT_RECALL,
        max_bucket: int = DEFAULT_MAX_BUCKET,
        level: float = 0.95,
        threads: int | None = None,
    ) -> EstimatedPairs[K]:
        """Pairs whose estimated similarity reaches the threshold, the most similar first.

        Args:
            against: other signatures; pairs have a from here and b from there.
            recall: the share of pairs at the threshold that are compared.
            max_bucket: a band shared by more texts than this is not compared all with all.
            level: of the intervals.
        """
        both = self
        if against is not None:
            self._check_comparable(against)
            both = replace(
                self,
                values=np.concatenate([self.values, against.values]),
                ids=[*self.ids, *against.ids],
                digests=None,
            )
        return estimate_pairs(
            both.values, both.ids, first=None if against is None else len(self),
            threshold=threshold, recall=recall, max_bucket=max_bucket, level=level,
            threads=thread_count(threads),
        )  # fmt: skip

    def merge(self, members: Iterable[int] | None = None) -> Signatures[int]:
        """One signature: that of the union of the chosen texts' shingles, or of all of them.

        A text cut in parts loses the shingles that span a cut.
        """
        chosen = self.values if members is None else self.values[list(members)]
        if len(chosen) == 0:
            raise UsageError("there is nothing to merge")
        return Signatures(chosen.min(axis=0, keepdims=True), self.profile)

    @staticmethod
    def concat(parts: Iterable[Signatures[Id]]) -> Signatures[Id]:
        """The signatures of several collections as one; their ids must be different.

        Row numbers are counted on.
        """
        every = list(parts)
        if not every:
            raise UsageError("there is nothing to concatenate")
        for part in every[1:]:
            every[0]._check_comparable(part)
        values = np.concatenate([part.values for part in every])
        ids: Sequence[Any] = ()
        if not all(isinstance(p.ids, GivenIds) and p.ids.are_row_numbers for p in every):
            ids = ids_of([id_ for part in every for id_ in part.ids], len(values))
        digests = [part.digests for part in every if part.digests is not None]
        known = len(digests) == len(every)
        return Signatures(values, every[0].profile, ids, np.concatenate(digests) if known else None)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes a file for `load`, and for `likewise dedup --against`."""
        path = os.fspath(path)
        check_output(path, binary=True)
        check_no_index(path)
        if not overwrite and os.path.exists(path):
            raise UsageError(
                f"{path}: already exists", hint="choose another name, or use `overwrite=True`"
            )
        if self.digests is None:
            raise UsageError(
                "these signatures have no digests", hint="save those that sketch() returned"
            )
        ids = id_array(list(self.ids), self.ids)
        if len(set(map(str, ids))) < len(set(map(repr, self.ids))):
            raise UsageError(
                "different ids are the same as strings, which is how ids of these types are saved",
                hint="give the texts ids of one type",
            )
        schema = signature_schema(self.profile, self.values.shape[1], ids.type)
        with open_output(path) as stream:
            write_signatures(stream, schema, self._batches(ids))

    def _batches(self, ids: pa.Array[Any]) -> Iterator[SignatureBatch]:
        assert self.digests is not None
        every = np.ones(ROW_GROUP, np.bool_)
        for begin in range(0, len(self), ROW_GROUP):
            rows = slice(begin, begin + ROW_GROUP)
            own = self.values[rows]
            yield SignatureBatch(self.digests[rows], ids[rows], every[: len(own)], own)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """The signatures in a file of `save`, or of `likewise dedup --save-signatures`."""
        import pyarrow as pa

        file = SignatureFile(os.fspath(path))
        batches = list(file.batches())
        if not batches:
            return cls(np.zeros((0, file.values), np.uint32), file.profile)
        ids = pa.chunked_array([batch.ids.filter(pa.array(batch.kept)) for batch in batches])
        return cls(
            np.concatenate([batch.signatures for batch in batches]),
            file.profile,
            ids_of(ids, len(ids), unique=False),
            np.concatenate([batch.digests[batch.kept] for batch in batches]),
        )

    def _check_comparable(self, other: Signatures[Any]) -> None:
        own, its = self.values.shape[1], other.values.shape[1]
        if self.profile != other.profile or own != its:
            raise UsageError(
                f"signatures of {own} values by {self.profile} cannot be compared with signatures "
                f"of {its} values by {other.profile}",
                hint="sketch the texts with the same profile and the same number of values",
            )


@overload
def sketch(
    texts: Texts | Tokens,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    values: int = DEFAULT_VALUES,
    threads: int | None = None,
) -> Signatures[int]: ...
@overload
def sketch(
    texts: Texts | Tokens,
    *,
    ids: Ids[K],
    profile: Profile | str = DEFAULT_PROFILE,
    values: int = DEFAULT_VALUES,
    threads: int | None = None,
) -> Signatures[K]: ...
def sketch(
    texts: Texts | Tokens,
    *,
    ids: Ids[Any] | None = None,
    profile: Profile | str = DEFAULT_PROFILE,
    values: int = DEFAULT_VALUES,
    threads: int | None = None,
) -> Signatures[Any]:
    """Signatures of texts: fast similarity sketches of `values` numbers.

    The share of agreeing values estimates the Jaccard similarity without bias. Texts, ids and
    profile are as in `find_pairs`.
    """
    check_values(values)
    made, count = Profile.of(profile), thread_count(threads)
    shown = compared_texts(texts, made, threads=count)
    found = scan(shown, made, values=values, keep_signatures=True, threads=count)
    return Signatures(found.signatures, made, ids_of(ids, len(shown)), found.digests)
