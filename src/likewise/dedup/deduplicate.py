"""`deduplicate`: texts in memory, decided on by the same rules as files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise._core import Texts
from likewise.dedup.decision import Decision, decide
from likewise.dedup.order import order_documents
from likewise.dedup.rules import NONE, cluster_name, number_unique
from likewise.dedup.settings import DEFAULT_CHAINS, FIRST, DedupSettings
from likewise.dedup.verified_pairs import VerifiedPairs
from likewise.errors import UsageError
from likewise.run import Stats
from likewise.search.candidates import find_candidates
from likewise.search.order import id_text
from likewise.search.packed_pairs import pack
from likewise.search.settings import DEFAULT_MAX_BUCKET, DEFAULT_THRESHOLD
from likewise.search.verification import TextsInMemory
from likewise.sketches.scan import scan
from likewise.statistics.bands import DEFAULT_RECALL, DEFAULT_VALUES
from likewise.text.displayed import LookAlikes, displayed_texts
from likewise.text.inputs import column_of
from likewise.text.profile import DEFAULT_PROFILE, Profile

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class DuplicateCluster:
    """Documents that verified pairs connect.

    Attributes:
        name: the smallest digest of its documents, as 32 hexadecimal digits.
        members: places of the documents in what was given, ascending.
        kept: those that are kept.
        unique: how many of them have different shingles.
        lowest_inside: the lowest similarity of two of them.
        lowest_inside_exact: whether all pairs were looked at for it, and not the verified only.
        lowest_removed: the lowest similarity of a removed one to the kept one it is most similar
            to; None if all are kept.
    """

    name: str
    members: tuple[int, ...]
    kept: tuple[int, ...]
    unique: int
    lowest_inside: float
    lowest_inside_exact: bool
    lowest_removed: float | None

    def __len__(self) -> int:
        return len(self.members)


class Deduplicated:
    """What was decided on each document.

    Attributes:
        kept: a mask of the documents, in the order in which they were given.
        report: counts, settings and seconds.
    """

    def __init__(
        self, decision: Decision, digests: NDArray[np.uint64], ids: list[Any], stats: Stats
    ) -> None:
        self.kept = decision.kept
        self.report = stats
        self._decision = decision
        self._digests = digests
        self._ids = ids

    def __len__(self) -> int:
        """How many documents are kept."""
        return int(np.count_nonzero(self.kept))

    def __iter__(self) -> Iterator[int]:
        """The places of the documents that are kept."""
        return iter(np.flatnonzero(self.kept).tolist())

    def _name(self, label: int) -> str | None:
        return None if label == NONE else cluster_name(self._digests[label])

    @property
    def clusters(self) -> list[DuplicateCluster]:
        """The clusters, the largest first, then by name."""
        table = self._decision.clusters
        involved = np.flatnonzero(self._decision.cluster != NONE)
        labels = self._decision.cluster[involved]
        order = np.argsort(labels, kind="stable")
        members = np.split(involved[order], np.searchsorted(labels[order], table.label[1:]))
        made = [
            DuplicateCluster(
                name=cluster_name(self._digests[table.label[i]]),
                members=tuple(own.tolist()),
                kept=tuple(own[self.kept[own]].tolist()),
                unique=int(table.unique[i]),
                lowest_inside=float(table.inside[i]),
                lowest_inside_exact=bool(table.inside_exact[i]),
                lowest_removed=None if np.isnan(table.removed[i]) else float(table.removed[i]),
            )
            for i, own in enumerate(members[: len(table)])
        ]
        return sorted(made, key=lambda cluster: (-len(cluster), cluster.name))

    def annotations(self) -> pa.Table:
        """An Arrow table with a row for each document: cluster, kept, similar_to, similarity."""
        import pyarrow as pa

        decision = self._decision
        gone = decision.similar_to != NONE
        targets = [self._ids[i] if has else None for i, has in zip(
            decision.similar_to.tolist(), gone.tolist(), strict=True
        )]  # fmt: skip
        return pa.table(
            {
                "cluster": pa.array(list(map(self._name, decision.cluster.tolist())), pa.string()),
                "kept": pa.array(decision.kept),
                "similar_to": pa.array(targets, pa.string()),
                "similarity": pa.array(decision.similarity, mask=~gone),
            }
        )

    def to_pandas(self) -> pd.DataFrame:
        """The annotations as a pandas frame."""
        return self.annotations().to_pandas()

    def __repr__(self) -> str:
        return f"<Deduplicated: {len(self):,} of {len(self.kept):,} documents kept>"


def deduplicate(
    texts: object,
    *,
    ids: Iterable[object] | None = None,
    columns: Mapping[str, object] | None = None,
    profile: Profile | str = DEFAULT_PROFILE,
    threshold: float = DEFAULT_THRESHOLD,
    recall: float = DEFAULT_RECALL,
    values: int = DEFAULT_VALUES,
    max_bucket: int = DEFAULT_MAX_BUCKET,
    keep: str = FIRST,
    chains: str = DEFAULT_CHAINS,
    threads: int | None = None,
) -> Deduplicated:
    """Keeps one of each group of similar texts.

    Args:
        texts: a list of str or any iterable of it, an Arrow, pandas or polars column. None is no
            text: such a document is kept.
        ids: decide which is the first, whole numbers by value before other strings; without them
            the place does. They may repeat.
        columns: by name, a value for each text; for `keep="column:NAME"`.
        profile: how text becomes shingles.
        threshold: the minimum Jaccard similarity of duplicates.
        recall: the share of pairs at the threshold that must be found.
        values: size of a signature.
        max_bucket: a band shared by more documents than this is not compared all with all.
        keep: which of several similar documents is kept: "first", "longest", "column:NAME" (the
            largest value) or "column:-NAME" (the smallest).
        chains: where a is similar to b and b to c, but a not to c: "split" removes only documents
            that are similar to a kept one; "join" keeps exactly one of all that are connected.
        threads: how many to use; all processors, if not given.

    `likewise dedup` does the same with files of any size, as does `likewise.dedup.files.run`.
    """
    settings = DedupSettings.checked(
        profile=profile, threshold=threshold, recall=recall, values=values,
        max_bucket=max_bucket, keep=keep, chains=chains, threads=threads,
    )  # fmt: skip
    stats = Stats(settings.to_dict())
    lookalikes = LookAlikes()
    views, lengths = _views(texts, settings, lookalikes)
    names = _ids(ids, len(views))
    decisive = {"length": lengths, "value": _column(columns, settings, len(views)), "id": names}
    with stats.timed("scan"):
        scanned = scan(
            views, settings.profile, values=settings.values, layout=settings.layout,
            threads=settings.threads,
        )  # fmt: skip
    with stats.timed("copies"):
        present = np.flatnonzero(scanned.counts > 0).astype(np.uint32)
        digests, own_numbers, first = number_unique(scanned.digests[present])
        numbers = np.full(len(views), NONE)
        numbers[present] = own_numbers
        unique = TextsInMemory(views.select(present[first]))
    with stats.timed("candidates"):
        candidates = find_candidates(
            scanned.band_keys[:, present[first]],
            max_bucket=settings.max_bucket, threads=settings.threads,
        )  # fmt: skip
    with stats.timed("verify"):
        pairs = VerifiedPairs.of(pack(candidates.a, candidates.b), unique, settings)

    def order_of(documents: NDArray[np.uint32]) -> NDArray[np.int64]:
        given = {name: column for name, column in decisive.items() if column is not None}
        chosen = {name: column.take(documents) for name, column in given.items()}
        return order_documents(settings.keep, chosen, len(documents))

    with stats.timed("decide"):
        decision = decide(
            numbers, len(digests), pairs, settings, order_of=order_of,
            similarity_of=lambda some: VerifiedPairs.of(
                some, unique, settings, threshold=0.0
            ).jaccard,
        )  # fmt: skip
    kept = int(np.count_nonzero(decision.kept))
    stats.counts |= {
        **candidates.counts(),
        "verified": len(pairs.pairs),
        "documents": len(views),
        "empty": int(np.count_nonzero(numbers == NONE)),
        "unique": len(digests),
        "clusters": len(decision.clusters),
        "kept": kept,
        "removed": len(views) - kept,
        "lookalike_words": lookalikes.words,
        "lookalike_documents": lookalikes.documents,
    }
    stats.notes += lookalikes.notes()
    shown = list(map(str, range(len(views)))) if names is None else names.to_pylist()
    return Deduplicated(decision, digests, shown, stats)


def _views(
    texts: object, settings: DedupSettings, lookalikes: LookAlikes
) -> tuple[Texts, pa.Array[Any] | None]:
    """The texts, "" for those that are None; and their lengths in characters, if wanted."""
    import pyarrow as pa

    column: Any = column_of(texts)
    if isinstance(column, list):
        column = ["" if _is_missing(text) else text for text in column]
    elif column.null_count:
        column = column.fill_null("")
    views = displayed_texts(column, settings.profile, threads=settings.threads, found=lookalikes)
    if settings.keep.by != "longest":
        return views, None
    strings = column if isinstance(column, list) else column.to_pylist()
    return views, pa.array(list(map(len, strings)), pa.uint32())


def _is_missing(text: object) -> bool:
    """None, or the NaN that pandas has in its place."""
    return text is None or (isinstance(text, float) and text != text)


def _ids(ids: Iterable[object] | None, count: int) -> pa.LargeStringArray | None:
    import pyarrow as pa

    if ids is None:
        return None
    if isinstance(ids, str):
        raise UsageError("ids must be a collection of ids, not one str")
    if isinstance(ids, pa.Array | pa.ChunkedArray):
        ids = ids.to_pylist()
    names = [None if _is_missing(id_) else id_text(id_) for id_ in ids]
    if len(names) != count:
        raise UsageError(f"there are {len(names)} ids for {count} texts")
    return pa.array(names, pa.large_string())


def _column(
    columns: Mapping[str, object] | None, settings: DedupSettings, count: int
) -> pa.Array[Any] | None:
    import pyarrow as pa

    name = settings.keep.column
    if name is None:
        return None
    if columns is None or name not in columns:
        raise UsageError(
            f"keep refers to column {name!r}, which does not exist",
            hint=f"give its values: columns={{{name!r}: [...]}}",
        )
    given: Any = columns[name]
    if hasattr(given, "to_arrow"):
        given = given.to_arrow()
    if isinstance(given, pa.ChunkedArray):
        given = given.combine_chunks()
    try:
        made = given if isinstance(given, pa.Array) else pa.array(given, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError) as error:
        raise UsageError(f"the values of column {name!r} cannot be compared: {error}") from None
    if len(made) != count:
        raise UsageError(f"there are {len(made)} values of {name!r} for {count} texts")
    return made
