"""`deduplicate`: texts in memory, decided on by the same rules as files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from likewise._core import Texts as TextViews
from likewise.arrays import U32, U64
from likewise.dedup.containers import count_shingles
from likewise.dedup.decision import decide
from likewise.dedup.deduplicated import Deduplicated
from likewise.dedup.earlier_texts import find_earlier
from likewise.dedup.groups import UniqueGroups
from likewise.dedup.order import can_order, order_documents
from likewise.dedup.parts.in_memory import column_with_nulls, deduplicate_parts
from likewise.dedup.parts.settings import DOCUMENT, part_settings
from likewise.dedup.rules import NONE, number_unique
from likewise.dedup.settings import (
    DEFAULT_CHAINS,
    FIRST,
    LONGEST,
    DedupOptions,
    DedupSettings,
    group_rule,
)
from likewise.dedup.verified_pairs import VerifiedPairs
from likewise.errors import UsageError
from likewise.run import Progress, Stats, log_notes, silent
from likewise.search.containment import (
    ROOM_IN_MEMORY,
    ContainmentSearch,
    TextBatches,
    boilerplate_notes,
)
from likewise.search.groups import groups_of
from likewise.search.packed_pairs import pack, unpack
from likewise.search.verification import TextsInMemory
from likewise.sketches.candidates import bucket_notes, find_candidates
from likewise.sketches.scan import scan
from likewise.statistics.bands import (
    DEFAULT_MAX_BUCKET,
    DEFAULT_RECALL,
    DEFAULT_THRESHOLD,
    DEFAULT_VALUES,
)
from likewise.text.displayed import LookAlikes, displayed_texts
from likewise.text.inputs import GivenIds, id_text, ids_of, is_missing
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.text.tokens import compared_column

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.earlier_texts import Earlier
    from likewise.dedup.parts.result import DeduplicatedParts
    from likewise.dedup.parts.settings import CutAt, PartSettings, PartUnit
    from likewise.types import Chains, Groups, Ids, K, Measure, Texts, Tokens


@overload
def deduplicate(
    texts: Texts | Tokens,
    *,
    against: Earlier | None = None,
    columns: Mapping[str, Any] | None = None,
    unit: Literal["document"] = "document",
    within: Groups | None = None,
    across: Groups | None = None,
    threads: int | None = None,
    progress: Progress = silent,
    **options: Unpack[DedupOptions],
) -> Deduplicated[int]: ...
@overload
def deduplicate(
    texts: Texts,
    *,
    unit: PartUnit,
    ids: Ids[K] | None = None,
    min_words: int | None = None,
    min_count: int | None = None,
    cut_at: CutAt | None = None,
    columns: Mapping[str, Any] | None = None,
    profile: Profile | str = DEFAULT_PROFILE,
    keep: str = FIRST,
    threads: int | None = None,
    progress: Progress = silent,
) -> DeduplicatedParts[K]: ...
@overload
def deduplicate(
    texts: Texts | Tokens,
    *,
    ids: Ids[K],
    against: Earlier | None = None,
    columns: Mapping[str, Any] | None = None,
    unit: Literal["document"] = "document",
    within: Groups | None = None,
    across: Groups | None = None,
    threads: int | None = None,
    progress: Progress = silent,
    **options: Unpack[DedupOptions],
) -> Deduplicated[K]: ...
def deduplicate(
    texts: Texts | Tokens,
    *,
    ids: Ids[Any] | None = None,
    against: Earlier | None = None,
    columns: Mapping[str, Any] | None = None,
    profile: Profile | str = DEFAULT_PROFILE,
    measure: Measure = "jaccard",
    threshold: float = DEFAULT_THRESHOLD,
    recall: float = DEFAULT_RECALL,
    values: int = DEFAULT_VALUES,
    max_bucket: int = DEFAULT_MAX_BUCKET,
    keep: str = FIRST,
    chains: Chains = DEFAULT_CHAINS,
    unit: str = DOCUMENT,
    min_words: int | None = None,
    min_count: int | None = None,
    cut_at: CutAt | None = None,
    within: Groups | None = None,
    across: Groups | None = None,
    threads: int | None = None,
    progress: Progress = silent,
) -> Deduplicated[Any] | DeduplicatedParts[Any]:
    """Keeps one of each group of similar texts, or of equal paragraphs, lines or passages.

    Args:
        texts: a list of str or any iterable of it, an Arrow, pandas or polars column. A null is no
            text: such a document is kept. Also lists of tokens, as in `find_pairs`.
        ids: decide which is the first, whole numbers by value before other strings; without them
            the place does. They may repeat.
        against: earlier texts, an `Index` or `Signatures`: what is similar to one of them is
            removed first. By signatures, and by an index without texts, that is an estimate.
        columns: by name, a value for each text; for `keep="column:NAME"`.
        profile: how text becomes shingles.
        measure: "jaccard", or "containment": a document is removed if the threshold's share of its
            shingles is in one that is kept, however much longer that is.
        threshold: the minimum similarity of duplicates.
        recall: the share of pairs at the threshold that must be found; containment misses none.
        values: size of a signature.
        max_bucket: a band shared by more documents than this is not compared all with all.
        keep: which of several similar documents is kept: "first", "longest", "column:NAME" (the
            largest value) or "column:-NAME" (the smallest).
        chains: where a is similar to b and b to c, but a not to c: "split" removes only documents
            that are similar to a kept one; "join" keeps exactly one of all that are connected.
        unit: "document", or what is removed of the texts: "paragraph", "line" or "passage", a run
            of words that occurs elsewhere. The result is then a `DeduplicatedParts`; of the other
            arguments, only `ids`, `columns`, `keep` and, but for passages, `profile` and `within`
            apply.
        min_words: of a paragraph (default: 10), a line (5) or a passage (50) that is removed.
        min_count: how often a paragraph or line must occur (default: 2).
        cut_at: where passages may be cut: "word" (default), or "sentence" or "paragraph" to remove
            whole ones only.
        within: the group of each text, such as its site: only texts of one group are compared, so
            that equal texts of different groups stay.
        across: the same, but only texts of different groups are compared, such as those of two
            sources: a text that repeats one of its own source stays. A text with a null is a group
            of its own. Neither applies with `against`, nor `across` to containment.
        threads: how many to use; all processors, if not given.
        progress: called with the name of a stage, how much of it is done, and how much there is.

    `deduplicate_files` does the same with files of any size.
    """
    parts = part_settings(
        unit, {"min_words": min_words, "min_count": min_count, "cut_at": cut_at},
        {"against": against, "threshold": threshold, "recall": recall, "values": values,
         "max_bucket": max_bucket, "chains": chains, "measure": measure, "profile": profile,
          "keep": keep, "within": within, "across": across}, threads,
    )  # fmt: skip
    if parts is not None:
        return _deduplicate_parts(texts, ids, columns, within, parts, progress)
    settings = DedupSettings.checked(
        profile=profile, measure=measure, threshold=threshold, recall=recall, values=values,
        max_bucket=max_bucket, keep=keep, chains=chains, threads=threads,
        groups=group_rule(within, across, {"against": against}),
    )  # fmt: skip
    stats = Stats(settings.to_dict())
    lookalikes = LookAlikes()
    views, lengths = _views(texts, settings, lookalikes)
    given = ids_of(ids, len(views), unique=False)
    groups = groups_of(len(views), 0, within=within, across=across)
    hashes = None if groups is None else groups.hashes()
    decisive = {"length": lengths, "value": _column(columns, settings, len(views))}
    decisive["id"] = None if ids is None else _sortable(given)
    progress("read and sketch", 0, None)
    with stats.timed("scan"):
        scanned = scan(
            views, settings.profile, values=settings.values, layout=settings.layout,
            keep_signatures=against is not None, threads=settings.threads,
        )  # fmt: skip
    with stats.timed("copies"):
        present = np.flatnonzero(scanned.counts > 0).astype(np.uint32)
        keys, all_digests = scanned.keys, scanned.digests
        if hashes is not None and settings.groups == "within":
            all_digests = all_digests ^ hashes[:, None]
            keys = None if keys is None else keys ^ hashes
        digests, own_numbers, first = number_unique(all_digests[present])
        numbers = np.full(len(views), NONE)
        numbers[present] = own_numbers
        first = present[first]
        shingles = count_shingles(scanned.counts, numbers, len(digests))
        unique = TextsInMemory(views.select(first))
    of_groups = None
    if settings.groups is not None and hashes is not None:
        of_groups = UniqueGroups.of(settings.groups, len(first), [(numbers, hashes)])
    compared, earlier = numbers, None
    if against is not None:
        with stats.timed("against"):
            progress("search earlier texts", 0, None)
            matches = find_earlier(against, views.select(first), scanned, first, shingles, settings)
            earlier = matches.of_documents(numbers)
            compared = np.where(np.isin(numbers, matches.rows), NONE, numbers)
    progress("candidates", 0, None)
    others = None if earlier is None else np.unique(compared[compared != NONE])
    boilerplate = None
    with stats.timed("candidates"):
        if settings.measure == "containment":
            candidates, boilerplate = _containment(unique, shingles, others, settings)
            stats.counts |= {"candidates": len(candidates), "boilerplate": len(boilerplate)}
            stats.notes += boilerplate_notes(len(boilerplate), settings.max_bucket)
        else:
            assert keys is not None
            found = find_candidates(
                keys[:, first], others,
                max_bucket=settings.max_bucket, threads=settings.threads,
            )  # fmt: skip
            candidates = pack(found.a, found.b)
            stats.counts |= found.counts()
            stats.notes += bucket_notes(stats.counts, settings.max_bucket)
        if of_groups is not None:
            candidates = of_groups.admit(candidates)
            stats.counts["candidates"] = len(candidates)
    progress("verify", 0, None)
    with stats.timed("verify"):
        pairs = VerifiedPairs.of(candidates, unique, settings)

    def order_of(documents: U32) -> NDArray[np.int64]:
        known = {name: column for name, column in decisive.items() if column is not None}
        chosen = {name: column.take(documents) for name, column in known.items()}
        return order_documents(settings.keep, chosen, len(documents))

    with stats.timed("decide"):
        decision = decide(
            compared, len(digests), pairs, settings, order_of=order_of,
            similarity_of=lambda some: VerifiedPairs.of_any(some, unique, settings),
            boilerplate=boilerplate, groups=hashes if settings.groups == "across" else None,
        )  # fmt: skip
        if earlier is not None:
            decision.kept[earlier.rows] = False
    kept = int(np.count_nonzero(decision.kept))
    stats.counts |= {
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
    if earlier is not None:
        stats.counts["removed_against"] = len(earlier.rows)
    stats.notes += lookalikes.notes()
    if groups is not None:
        stats.notes += groups.notes()
    log_notes(stats.notes)
    return Deduplicated(decision, digests, given, stats, earlier)


def _containment(
    unique: TextsInMemory, shingles: int, chosen: U32 | None, settings: DedupSettings
) -> tuple[U64, U32]:
    """Candidates, container << 32 | contained, among the chosen documents; and those that consist
    of boilerplate."""
    search = ContainmentSearch(
        TextBatches(unique.texts), None, shingles, settings.profile, settings.threshold,
        settings.max_bucket, settings.threads, ROOM_IN_MEMORY,
    )  # fmt: skip
    runs = list(search.runs())
    pairs = np.unique(np.concatenate([np.zeros(0, np.uint64), *(run.pairs for run in runs)]))
    if chosen is not None:
        a, b = unpack(pairs)
        pairs = pairs[np.isin(a, chosen) & np.isin(b, chosen)]
    none = np.zeros(0, np.uint32)
    return pairs, np.concatenate([none, *(run.boilerplate for run in runs)])


def _views(
    texts: Texts | Tokens, settings: DedupSettings, lookalikes: LookAlikes
) -> tuple[TextViews, pa.Array[Any] | None]:
    """The texts, "" for nulls; and their lengths in characters, if wanted."""
    import pyarrow as pa

    column = compared_column(texts, settings.profile)
    views = displayed_texts(column, settings.profile, threads=settings.threads, found=lookalikes)
    if settings.keep.by != LONGEST:
        return views, None
    lengths = [0 if is_missing(text) else len(text) for text in _values(column)]
    return views, pa.array(lengths, pa.uint32())


def _deduplicate_parts(
    texts: Any,
    ids: Any,
    columns: Mapping[str, Any] | None,
    within: Groups | None,
    settings: PartSettings,
    progress: Progress,
) -> DeduplicatedParts[Any]:
    import pyarrow as pa

    column = column_with_nulls(texts)
    given = ids_of(ids, len(column), unique=False)
    decisive: dict[str, Any] = {
        "value": _column(columns, settings, len(column)),
        "id": None if ids is None else _sortable(given),
    }
    if settings.keep.by == LONGEST:
        lengths = [len(text or "") for text in column.to_pylist()]
        decisive["length"] = pa.array(lengths, pa.uint32())
    known = {name: own for name, own in decisive.items() if own is not None}

    def order(documents: U32) -> NDArray[np.int64]:
        return order_documents(settings.keep, known, len(documents))

    return deduplicate_parts(
        column, given, settings, order=order if known else None,
        groups=groups_of(len(column), 0, within=within), progress=progress,
    )  # fmt: skip


def _values(column: Any) -> list[Any]:
    return column if isinstance(column, list) else list(column.to_pylist())


def _sortable(ids: GivenIds[Any]) -> pa.Array[Any]:
    """Ids as strings."""
    import pyarrow as pa

    return pa.array(list(map(id_text, ids)), pa.large_string())


def _column(
    columns: Mapping[str, Any] | None, settings: DedupSettings | PartSettings, count: int
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
    except (pa.ArrowException, TypeError, OverflowError) as error:
        raise UsageError(f"the values of column {name!r} cannot be compared: {error}") from None
    if isinstance(made, pa.DictionaryArray):
        made = made.dictionary_decode()
    kind, others = made.type, (pa.null(), pa.large_string(), pa.binary(), pa.large_binary())
    if not (can_order(kind) or kind in others):
        raise UsageError(
            f"the values of column {name!r} cannot be compared: they are of type {kind}",
            hint="give numbers, strings or dates",
        )
    if len(made) != count:
        raise UsageError(f"there are {len(made)} values of {name!r} for {count} texts")
    return made
