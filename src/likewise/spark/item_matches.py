"""Items of benchmarks in texts, inside Spark: what each task finds, and what is decided on it.

A row for each document that shares something with an item has all of its matches; what is not in
such a document leaves no row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pyarrow as pa

from likewise.decontamination.contamination import (
    HIT_COLUMNS,
    ItemHit,
    has_words,
    merged_places,
    without_places,
)
from likewise.decontamination.detector import excerpt_of
from likewise.decontamination.item_search import ItemSearch, Match, MatchedPassage, prepared
from likewise.decontamination.judgement import Judge, count_holders
from likewise.decontamination.recall import SAMPLE, sample_keys
from likewise.decontamination.row_verdicts import RowNote
from likewise.documents.texts import sound_array
from likewise.spark.arrow import Batches, parts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import SparkSession

    from likewise.decontamination.items import Items
    from likewise.decontamination.settings import DecontaminationSettings

_RUNS = pa.list_(pa.int32())
_PASSAGE: Any = pa.struct(
    [("start", pa.int32()), ("end", pa.int32()), ("runs", _RUNS), ("score", pa.int32()),
     ("kind", pa.string()), ("p", pa.float64())]
)  # fmt: skip
_MATCHES: Any = pa.list_(
    pa.struct([("item", pa.int32()), ("passages", pa.list_(_PASSAGE)), ("excerpt", pa.string())])
)
_KINDS: dict[type, Any] = {str: pa.string(), int: pa.int64(), float: pa.float64()}
# The columns of a hit but for the document, which is that of the row.
HIT_FIELDS = tuple(name for name in HIT_COLUMNS if name != "document")
_HITS: Any = pa.list_(
    pa.struct([("number", pa.int32()), *((n, _KINDS[HIT_COLUMNS[n]]) for n in HIT_FIELDS)])
)
_SQL = {"string": "string", "int32": "int", "int64": "long", "double": "double"}


def _sql(kind: pa.DataType) -> str:
    """A type as Spark writes it."""
    if isinstance(kind, pa.ListType):
        return f"array<{_sql(kind.value_type)}>"
    if isinstance(kind, pa.StructType):
        return f"struct<{', '.join(f'{one.name}: {_sql(one.type)}' for one in kind)}>"
    return _SQL[str(kind)]


def matches_schema(id_type: str) -> str:
    """The rows of `SearchRows`."""
    return (
        f"id {id_type}, text_hash long, words int, matches {_sql(_MATCHES)}, length long, "
        "documents long"
    )


def hits_schema(id_type: str) -> str:
    """The rows of `JudgeRows`."""
    return (
        f"id {id_type}, text_hash long, hits {_sql(_HITS)}, places array<int>, benchmarks string, "
        "benchmark_items long, benchmark_share double, benchmark_run long"
    )


# The last search of this process, which one task after another needs.
_searches: dict[str, ItemSearch] = {}


@dataclass(frozen=True)
class Benchmarks:
    """The items and the settings, which each machine gets once."""

    key: str
    shared: Any

    @classmethod
    def sent(
        cls, session: SparkSession, items: Items, settings: DecontaminationSettings
    ) -> Benchmarks:
        context = getattr(session, "_sc", None)
        both = items, settings
        # Without a context, as in Spark Connect, they go with the function.
        shared = _Plain(both) if context is None else context.broadcast(both)
        return cls(uuid4().hex, shared)

    @property
    def items(self) -> Items:
        items: Items = self.shared.value[0]
        return items

    @property
    def settings(self) -> DecontaminationSettings:
        settings: DecontaminationSettings = self.shared.value[1]
        return settings

    def search(self) -> ItemSearch:
        if self.key not in _searches:
            _searches.clear()
            _searches[self.key] = ItemSearch(self.items, self.settings.max_p, 1)
        return _searches[self.key]


@dataclass(frozen=True)
class _Plain:
    value: Any


@dataclass(frozen=True)
class SearchRows:
    """Rows (id, text_hash, text) to those with matches; and for each number of words, in a row
    without them, how many documents of the task have it."""

    benchmarks: Benchmarks

    def __call__(self, batches: Batches) -> Batches:
        search = self.benchmarks.search()
        lengths: Counter[int] = Counter()
        kind: Any = None
        for batch in batches:
            kind = batch.column("id").type
            for part in parts_of(batch):
                texts: Any = sound_array(part.column("text"))[0]
                found, sizes = search.search(prepared(texts, 1))
                lengths.update(sizes.tolist())
                yield _matched_rows(part, texts, found)
        if lengths:
            yield _lengths(lengths, kind)


def _matched_rows(part: pa.RecordBatch, texts: Any, found: list[Match]) -> pa.RecordBatch:
    of_row: dict[int, list[Match]] = {}
    for match in found:
        of_row.setdefault(match.row, []).append(match)
    matches = [
        [
            {
                "item": match.item,
                "passages": [_to_values(one) for one in match.passages],
                "excerpt": excerpt_of(match, texts[row].as_py()),
            }
            for match in own
        ]
        for row, own in of_row.items()
    ]
    rows = pa.array(list(of_row), pa.int64())
    columns: dict[str, Any] = {
        "id": part.column("id").take(rows),
        "text_hash": part.column("text_hash").take(rows),
        "words": pa.array([own[0].words for own in of_row.values()], pa.int32()),
        "matches": pa.array(matches, _MATCHES),
        "length": pa.nulls(len(rows), pa.int64()),
        "documents": pa.nulls(len(rows), pa.int64()),
    }
    return pa.record_batch(columns)


def _lengths(lengths: Counter[int], id_type: Any) -> pa.RecordBatch:
    count = len(lengths)
    columns: dict[str, Any] = {
        "id": pa.nulls(count, id_type),
        "text_hash": pa.nulls(count, pa.int64()),
        "words": pa.nulls(count, pa.int32()),
        "matches": pa.nulls(count, _MATCHES),
        "length": pa.array(list(lengths), pa.int64()),
        "documents": pa.array(list(lengths.values()), pa.int64()),
    }
    return pa.record_batch(columns)


def _to_values(passage: MatchedPassage) -> dict[str, Any]:
    return {
        "start": passage.start, "end": passage.end, "score": passage.score, "kind": passage.kind,
        "p": passage.p, "runs": [number for run in passage.runs for number in run],
    }  # fmt: skip


def _matches(batch: pa.RecordBatch) -> Iterable[tuple[Match, str]]:
    """The matches of rows and their excerpts, row by row."""
    columns: Any = batch.column("words").to_pylist(), batch.column("matches").to_pylist()
    for row, (words, own) in enumerate(zip(*columns, strict=True)):
        for one in own:
            passages = (_passage(**values) for values in one["passages"])
            yield Match(row, one["item"], words, tuple(passages)), one["excerpt"]


def _passage(runs: list[int], **values: Any) -> MatchedPassage:
    return MatchedPassage(runs=tuple(zip(runs[::3], runs[1::3], runs[2::3], strict=True)), **values)


@dataclass(frozen=True)
class WordHolders:
    """Matches to how many documents of the task have each word of the wanted items."""

    benchmarks: Benchmarks
    wanted: frozenset[int]

    def __call__(self, batches: Batches) -> Batches:
        matches = (match for batch in batches for match, _ in _matches(batch))
        for item, own in count_holders(self.benchmarks.items, matches, self.wanted).items():
            words = np.flatnonzero(own)
            columns: dict[str, Any] = {
                "item": pa.array(np.full(len(words), item, np.int32)),
                "word": pa.array(words.astype(np.int32)),
                "own": pa.array(own[words]),
            }
            yield pa.record_batch(columns)

    @staticmethod
    def collected(
        items: Items, wanted: Iterable[int], rows: Iterable[tuple[int, int, int]]
    ) -> dict[int, NDArray[np.int64]]:
        """The same for all tasks, from rows (item, word, documents)."""
        holders = {item: np.zeros(len(items.own[item]), np.int64) for item in wanted}
        for item, word, documents in rows:
            holders[item][word] = documents
        return holders


@dataclass(frozen=True)
class JudgeRows:
    """Rows with matches to those with hits or templates; `places` and what follows is null in a row
    that has templates only."""

    benchmarks: Benchmarks
    holders: Mapping[int, NDArray[np.int64]]

    def __call__(self, batches: Batches) -> Batches:
        items = self.benchmarks.items
        judge = Judge(items, self.benchmarks.settings, self.holders)
        for batch in batches:
            of_row: dict[int, list[tuple[int, ItemHit]]] = {}
            for match, excerpt in _matches(batch):
                for hit in judge.hits([match]):
                    known = ItemHit.of(hit, items, None, excerpt)
                    of_row.setdefault(match.row, []).append((hit.item, known))
            yield _judged(batch, of_row)


def _judged(batch: pa.RecordBatch, of_row: dict[int, list[tuple[int, ItemHit]]]) -> pa.RecordBatch:
    rows = pa.array(list(of_row), pa.int64())
    real = [[hit for _, hit in own if hit.verdict == "hit"] for own in of_row.values()]
    notes = [RowNote.of(own) if own else None for own in real]
    places = [
        [edge for place in merged_places([p for hit in own for p in hit.places]) for edge in place]
        if own else None
        for own in real
    ]  # fmt: skip
    hits = [
        [
            {"number": number, **dict(zip(HIT_COLUMNS, hit.values(), strict=True))}
            for number, hit in own
        ]
        for own in of_row.values()
    ]
    for values in (values for own in hits for values in own):
        del values["document"]
    columns: dict[str, Any] = {
        "id": batch.column("id").take(rows),
        "text_hash": batch.column("text_hash").take(rows),
        "hits": pa.array(hits, _HITS),
        "places": pa.array(places, pa.list_(pa.int32())),
        "benchmarks": pa.array([note and note.benchmarks for note in notes], pa.string()),
        "benchmark_items": pa.array([note and note.items for note in notes], pa.int64()),
        "benchmark_share": pa.array([note and note.share for note in notes], pa.float64()),
        "benchmark_run": pa.array([note and note.run for note in notes], pa.int64()),
    }
    return pa.record_batch(columns)


class SampleKeys:
    """Numbered rows (id, text_hash, number) to the few of each task that may be in the sample,
    with the key by which it is chosen."""

    def __call__(self, batches: Batches) -> Batches:
        kept: list[pa.RecordBatch] = []
        for batch in batches:
            keys = sample_keys(np.asarray(batch.column("number")).astype(np.uint64))
            # As a signed number in the same order.
            signed = (keys ^ np.uint64(1 << 63)).view(np.int64)
            columns: dict[str, Any] = {
                "id": batch.column("id"), "text_hash": batch.column("text_hash"),
                "sample": pa.array(signed),
            }  # fmt: skip
            kept.append(pa.record_batch(columns))
            table = pa.Table.from_batches(kept).sort_by("sample").slice(0, SAMPLE)
            kept = table.combine_chunks().to_batches()
        yield from kept


class CutTexts:
    """Rows (id, text_hash, text, places) to what is left of each text; null if that is nothing."""

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            both: Any = (batch.column(name).to_pylist() for name in ("text", "places"))
            left = [
                without_places(text, list(zip(own[::2], own[1::2], strict=True)))
                for text, own in zip(*both, strict=True)
            ]
            columns: dict[str, Any] = {
                "id": batch.column("id"),
                "text_hash": batch.column("text_hash"),
                "left": pa.array([text if has_words(text) else None for text in left], pa.string()),
            }
            yield pa.record_batch(columns)
