"""`find_pairs`: the whole search, from texts to verified pairs; `search` is the flow of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np

from likewise import _core
from likewise.errors import UsageError
from likewise.run import Progress, Stats, counted, log_notes, silent
from likewise.search.chance import chances_of
from likewise.search.collection import Collection
from likewise.search.copies import Copies
from likewise.search.groups import groups_of
from likewise.search.pairs import Pairs, PairTable
from likewise.search.settings import (
    DEFAULT_MAX_COPIES,
    DEFAULT_NULL_PAIRS,
    PairOptions,
    Settings,
)
from likewise.search.verification import verify
from likewise.sketches.candidates import bucket_notes, find_candidates
from likewise.statistics.bands import (
    DEFAULT_MAX_BUCKET,
    DEFAULT_RECALL,
    DEFAULT_VALUES,
    Layout,
)
from likewise.text.inputs import ids_of
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.text.tokens import compared_texts
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.types import Groups, Ids, K, Measure, SearchNull, Texts, Tokens


@overload
def find_pairs(
    texts: Texts | Tokens,
    *,
    against: Texts | Tokens | None = None,
    **options: Unpack[PairOptions],
) -> Pairs[int]: ...
@overload
def find_pairs(
    texts: Texts | Tokens, *, ids: Ids[K], **options: Unpack[PairOptions]
) -> Pairs[K]: ...
@overload
def find_pairs(
    texts: Texts | Tokens,
    *,
    against: Texts | Tokens | None,
    ids: Ids[K] | None = None,
    against_ids: Ids[K] | None = None,
    **options: Unpack[PairOptions],
) -> Pairs[K]: ...
def find_pairs(
    texts: Texts | Tokens,
    *,
    against: Texts | Tokens | None = None,
    ids: Ids[Any] | None = None,
    against_ids: Ids[Any] | None = None,
    profile: Profile | str = DEFAULT_PROFILE,
    threshold: float | None = None,
    recall: float = DEFAULT_RECALL,
    exact: bool = False,
    measure: Measure = "jaccard",
    top: int | None = None,
    bands: int | None = None,
    rows: int | None = None,
    values: int = DEFAULT_VALUES,
    max_bucket: int = DEFAULT_MAX_BUCKET,
    max_copies: int = DEFAULT_MAX_COPIES,
    chance: SearchNull | None = None,
    null_pairs: int = DEFAULT_NULL_PAIRS,
    trials: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    within: Groups | None = None,
    across: Groups | None = None,
    against_groups: Groups | None = None,
    progress: Progress = silent,
) -> Pairs[Any]:
    """Similar pairs inside a collection, or between two.

    Args:
        texts: a list of str or any iterable of it, an Arrow, pandas or polars column. A null is no
            text, and in no pair. Also lists of tokens, compared as they are: of the profile, only
            `k` and `count` apply to them.
        against: a second collection; pairs have a from `texts` and b from `against`.
        ids, against_ids: ids of the texts, of any type; their numbers from 0, if not given.
        profile: how text becomes shingles.
        threshold: the least similarity of a pair: 0.8, or with `top` as low as need be.
        recall: the share of the pairs at the threshold that must be found.
        exact: search without sketches, so that nothing is missed.
        measure: "jaccard", or "containment" of the smaller text in the larger (always exact).
        top: at most so many pairs, the most similar ones.
        bands, rows: of the signature, by hand instead of by recall.
        values: size of a signature.
        max_bucket: a band shared by more documents than this is not compared all with all.
        max_copies: more exact copies than this are paired with the first of them only.
        chance: adds the chance level, p- and q-value of each pair: by unrelated pairs of the
            "corpus", or by shuffling the "words" or "letters" of the pair.
        null_pairs: how many random pairs "corpus" looks at.
        trials: how often to shuffle; 19 to 999 times, as the length allows, if not given.
        seed: of the random pairs and the shuffles.
        threads: how many to use; all processors, if not given.
        within: the group of each text, such as its site: only pairs of one group are compared.
        across: the same, but only pairs of two groups are compared, such as those of different
            authors. A text with a null is a group of its own.
        against_groups: the groups of `against`.
        progress: called with the name of a stage, how much of it is done, and how much there is.

    Returns verified pairs, the most similar first; the same whatever the number of threads.
    """
    settings = Settings(
        profile=Profile.of(profile),
        threshold=threshold,
        recall=recall,
        exact=exact,
        measure=measure,
        top=top,
        bands=bands,
        rows=rows,
        values=values,
        max_bucket=max_bucket,
        max_copies=max_copies,
        chance=chance,
        null_pairs=null_pairs,
        trials=trials,
        seed=seed,
        threads=thread_count(threads),
    )
    if against is None and against_ids is not None:
        raise UsageError("against_ids is given without against")
    collection = new_collection(settings)
    stats = Stats(settings.to_dict())
    progress("sketch", 0, None)
    with stats.timed("sketch"):
        _add(collection, texts, ids)
        if against is not None:
            collection.begin_second()
            _add(collection, against, against_ids)
    collection.groups = groups_of(
        collection.left, len(collection) - collection.left,
        within=within, across=across, against_groups=against_groups,
    )  # fmt: skip
    found = search(collection, settings, stats, progress)
    log_notes(found.notes)
    return found


def new_collection(settings: Settings, **options: Any) -> Collection:
    """An empty collection that scans what is added as the settings need it."""
    layout = settings.layout_at(settings.thresholds()[0])
    return Collection(
        settings.profile, layout, values=settings.values, threads=settings.threads, **options
    )


def search(
    collection: Collection, settings: Settings, stats: Stats, progress: Progress = silent
) -> Pairs[Any]:
    """Pairs of a collection that is complete."""
    with stats.timed("copies"):
        copies = Copies.of(collection)
    table = PairTable.empty()
    layout: Layout | None = None
    for threshold in settings.thresholds():
        layout = settings.layout_at(threshold)
        stats.settings |= {"threshold": threshold, "search": _describe(layout, threshold)}
        # Notes and counts are of the last threshold only.
        stats.notes.clear()
        stats.counts.clear()
        join = _join_exactly if layout is None else _join_by_bands
        table = join(collection, copies, settings, threshold, stats, progress)
        with stats.timed("copies"):
            table = copies.expand(table, collection, settings)
        if settings.top is not None and len(table) >= settings.top:
            break
    _count_documents(collection, copies, settings, stats)
    if layout is None and not settings.exact:
        stats.notes.append(
            f"no bands of {settings.values} values find {settings.recall:.3g} of the pairs at "
            f"{stats.settings['threshold']:g}: searched exactly instead"
        )
    with stats.timed("order"):
        two_sided = collection.sides() is not None
        table = table.ordered(collection.ids, settings.measure, two_sided=two_sided)
        if settings.top is not None:
            table = table.take(slice(settings.top))
    stats.counts["pairs"] = len(table)
    chances = None
    if settings.chance is not None:
        chances = chances_of(table, collection, settings, stats, progress)
    return Pairs(table, collection.ids, stats, two_sided=two_sided, chances=chances)


def _join_exactly(
    collection: Collection,
    copies: Copies,
    settings: Settings,
    threshold: float,
    stats: Stats,
    progress: Progress,
) -> PairTable:
    progress("exact search", 0, None)
    with stats.timed("exact join"):
        table = PairTable(
            *_core.exact_join(
                collection.texts(), settings.profile.rules(), copies.unique, copies.sides,
                measure=settings.measure, threshold=threshold, threads=settings.threads,
            )
        )  # fmt: skip
    if collection.groups is None:
        return table
    return table.take(collection.groups.admit(table.a, table.b))


def _join_by_bands(
    collection: Collection,
    copies: Copies,
    settings: Settings,
    threshold: float,
    stats: Stats,
    progress: Progress,
) -> PairTable:
    layout = settings.layout_at(threshold)
    if layout != collection.layout:
        with stats.timed("sketch"):
            collection.rescan(layout)
    progress("candidates", 0, None)
    with stats.timed("candidates"):
        candidates = find_candidates(
            collection.keys(), copies.unique, copies.sides,
            max_bucket=settings.max_bucket, threads=settings.threads,
        )  # fmt: skip
    stats.counts |= candidates.counts()
    stats.notes += bucket_notes(stats.counts, settings.max_bucket)
    a, b = candidates.a, candidates.b
    if collection.groups is not None:
        admitted = collection.groups.admit(a, b)
        a, b = a[admitted], b[admitted]
        stats.counts["candidates"] = len(a)
    with stats.timed("verify"):
        return verify(
            collection, a, b, profile=settings.profile,
            threshold=threshold, threads=settings.threads, progress=progress,
        )  # fmt: skip


def _count_documents(
    collection: Collection, copies: Copies, settings: Settings, stats: Stats
) -> None:
    present = int(np.count_nonzero(copies.present))
    empty = len(collection) - present
    collapsed = copies.collapsed(collection, settings.max_copies)
    stats.counts |= {
        "documents": len(collection),
        "bytes": collection.text_bytes,
        "empty": empty,
        "copies": present - len(copies.unique),
        "collapsed_groups": len(collapsed),
        "lookalike_words": collection.lookalikes.words,
        "lookalike_documents": collection.lookalikes.documents,
    }
    stats.notes += collection.lookalikes.notes()
    if len(collapsed):
        stats.notes.append(
            f"in {counted(len(collapsed), 'group')} of more than {settings.max_copies} exact "
            f"copies ({int(collapsed.sum()):,} documents), each copy is paired with the first one "
            "only (max_copies)"
        )
    if collection.groups is not None:
        stats.settings["groups"] = collection.groups.rule
        stats.notes += collection.groups.notes()
    if empty:
        are = "is" if empty == 1 else "are"
        stats.notes.append(f"{counted(empty, 'document')} {are} empty or too short to compare")


def _describe(layout: Layout | None, threshold: float) -> str:
    if layout is None:
        return "exact"
    return layout.described(threshold)


def _add(collection: Collection, texts: Texts | Tokens, ids: Ids[Any] | None) -> None:
    views = compared_texts(
        texts, collection.profile, threads=collection.threads, found=collection.lookalikes
    )
    collection.add_texts(ids_of(ids, len(views)), views)
