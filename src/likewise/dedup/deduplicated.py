"""`Deduplicated`: which of several texts are kept, and what the others are similar to."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from likewise.arrays import U64
from likewise.dedup.decision import Decision
from likewise.dedup.kept_texts import KeptTexts
from likewise.dedup.rules import NONE, cluster_name
from likewise.run import Stats
from likewise.text.inputs import GivenIds, id_array
from likewise.types import K

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.dedup.earlier_texts import EarlierMatches


@dataclass(frozen=True, slots=True)
class DuplicateCluster(Generic[K]):
    """Documents that verified pairs connect.

    Attributes:
        name: the smallest digest of its documents, as 32 hexadecimal digits.
        members: the ids of the documents, in the order in which they were given; their row
            numbers, if there were no ids.
        kept: those that are kept.
        rows: the row numbers of the members.
        unique: how many of them have different shingles.
        lowest_inside: the lowest similarity of two of them.
        lowest_inside_exact: whether all pairs were looked at for it, and not the verified only.
        lowest_removed: the lowest similarity of a removed one to the kept one it is most similar
            to; None if all are kept.
    """

    name: str
    members: tuple[K, ...]
    kept: tuple[K, ...]
    rows: tuple[int, ...]
    unique: int
    lowest_inside: float
    lowest_inside_exact: bool
    lowest_removed: float | None

    def __len__(self) -> int:
        return len(self.members)


class Deduplicated(KeptTexts[K]):
    """What was decided on each document.

    Attributes:
        kept: a mask of the documents, in the order in which they were given.
        stats: settings, counts, seconds and notes.
    """

    def __init__(
        self,
        decision: Decision,
        digests: U64,
        ids: GivenIds[K],
        stats: Stats,
        earlier: EarlierMatches | None = None,
    ) -> None:
        super().__init__(decision.kept, ids, stats)
        self._decision = decision
        self._digests = digests
        self._earlier = earlier

    @property
    def report(self) -> Stats:
        """The former name of `stats`."""
        warnings.warn("Deduplicated.report is now stats", DeprecationWarning, stacklevel=2)
        return self.stats

    def annotations(self) -> pa.Table:
        """The former name of `to_arrow`."""
        warnings.warn("annotations() is now to_arrow()", DeprecationWarning, stacklevel=2)
        return self.to_arrow()

    def clusters(self) -> list[DuplicateCluster[K]]:
        """The clusters, the largest first, then by name."""
        table = self._decision.clusters
        involved = np.flatnonzero(self._decision.cluster != NONE)
        labels = self._decision.cluster[involved]
        order = np.argsort(labels, kind="stable")
        members = np.split(involved[order], np.searchsorted(labels[order], table.label[1:]))
        made = [
            DuplicateCluster(
                name=cluster_name(self._digests[table.label[i]]),
                members=tuple(self._ids[row] for row in own.tolist()),
                kept=tuple(self._ids[row] for row in own[self.kept[own]].tolist()),
                rows=tuple(own.tolist()),
                unique=int(table.unique[i]),
                lowest_inside=float(table.inside[i]),
                lowest_inside_exact=bool(table.inside_exact[i]),
                lowest_removed=None if np.isnan(table.removed[i]) else float(table.removed[i]),
            )
            for i, own in enumerate(members[: len(table)])
        ]
        return sorted(made, key=lambda cluster: (-len(cluster), cluster.name))

    def to_arrow(self) -> pa.Table:
        """A row for each document: cluster, kept, similar_to, similarity.

        With `against` also stored (whether it is similar to one of those), similarity_low and
        similarity_high (the interval of an estimate).
        """
        import pyarrow as pa

        decision, earlier = self._decision, self._earlier
        target: list[Any] = [
            None if row == NONE else self._ids[row] for row in decision.similar_to.tolist()
        ]
        similarity = decision.similarity.copy()
        names = [None if c == NONE else cluster_name(self._digests[c]) for c in decision.cluster]
        interval = np.full((len(target), 2), np.nan)
        if earlier is not None:
            similarity[earlier.rows] = earlier.figures[:, 0]
            interval[earlier.rows] = earlier.figures[:, 1:]
            for row, id_ in zip(earlier.rows.tolist(), earlier.ids, strict=True):
                target[row] = id_
        columns: dict[str, Any] = {
            "cluster": pa.array(names, pa.string()),
            "kept": pa.array(decision.kept),
            "similar_to": id_array(target, self._ids),
            "similarity": pa.array(similarity, mask=np.isnan(similarity)),
        }
        if earlier is not None:
            columns["stored"] = pa.array(np.isin(np.arange(len(target)), earlier.rows))
            for place, name in enumerate(("similarity_low", "similarity_high")):
                bound = interval[:, place]
                columns[name] = pa.array(bound, mask=np.isnan(bound))
        return pa.table(columns)

    def __repr__(self) -> str:
        return f"<Deduplicated: {len(self):,} of {len(self.kept):,} documents kept>"
