"""Passages to families: each component of passages that are connected is searched in one task.

Passages that are near each other in a document are in one place; places that passages connect are a
component (`likewise.passages.families.component`). The places are nodes of a graph whose components
are found as those of similar documents are. Texts are needed only to say where the words of a
family are, and in how many documents its wording is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as fn

from likewise.passages.families.component import families_of_component, place_gap
from likewise.passages.families.described import DocumentFacts
from likewise.passages.families.occurrences import RUN, run_place, shingles
from likewise.passages.families.results import COLUMNS
from likewise.passages.families.runs import PassageRuns, Run
from likewise.passages.ranges import word_range
from likewise.spark import digests
from likewise.spark.arrow import Batches, map_arrow, parts_of, whole_groups
from likewise.spark.bloom_filter import bloom_filter
from likewise.spark.connected_components import components
from likewise.spark.numbering import numbered
from likewise.spark.passages.alignment import runs_of
from likewise.text.words import Words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame

    from likewise.passages.families.family import Family
    from likewise.spark.tables import Tables

_KEY = ("cluster", "at")  # of a family: its component, and its place among those of it
_FAMILY = {
    "cluster": ("binary", pa.binary()),
    "at": ("int", pa.int32()),
    "documents": ("long", pa.int64()),
    "witnesses": ("long", pa.int64()),
    "common": ("long", pa.int64()),
    "run": ("long", pa.int64()),
    "similarity": ("double", pa.float64()),
    "kind": ("string", pa.string()),
    "p": ("double", pa.float64()),
}
_WITNESS = {
    "position": ("int", pa.int32()),
    "number": ("long", pa.int64()),
    "side": ("string", pa.string()),
    "first": ("int", pa.int32()),
    "stop": ("int", pa.int32()),
    "words": ("long", pa.int64()),
    "matched": ("long", pa.int64()),
    "earliest": ("boolean", pa.bool_()),
    "run_first": ("int", pa.int32()),  # of one witness, the middle of the longest common run
}
_COLUMNS = _FAMILY | _WITNESS
_SCHEMA = ", ".join(f"{name} {kind}" for name, (kind, _) in _COLUMNS.items())


class PairRuns(NamedTuple):
    """What is known about two documents."""

    short_runs: int | None
    equal_share: float


@dataclass(frozen=True)
class FamilySearch:
    """The families of passages.

    Attributes:
        documents: as `read_documents` gives them.
        passages: as `Aligner.passages` gives them.
        min_words: as in `find_families`.
        in_one_task: up to this many connected places are numbered in one task.
    """

    documents: DataFrame
    passages: DataFrame
    min_words: int
    tables: Tables
    in_one_task: int

    def witnesses(self) -> DataFrame:
        """The witnesses of all families, one a row, without their places in the texts."""
        passages = self.passages.where("runs IS NOT NULL")
        placed = self.tables.keep(self._placed(passages), "placed")
        edges = self.tables.keep(
            placed.select(fn.col("place_a").alias("a"), fn.col("place_b").alias("b")).distinct(),
            "edges",
        )
        clusters, _ = components(edges, edges.count(), self.tables, in_one_task=self.in_one_task)
        of_passage = placed.join(clusters, fn.col("place_a") == fn.col("digest"))
        ordered = of_passage.select("cluster", "a", "b", "place")
        rows = passages.select(
            "a", "b", "place", "runs", "in_order", "short_runs", "equal_share"
        ).join(ordered, ["a", "b", "place"])
        for side in ("a", "b"):
            rows = rows.join(self._facts(side), side)
        # In the order of the passages, which changes nothing but is always the same.
        rows = rows.repartition("cluster").sortWithinPartitions("cluster", "a", "b", "place")
        return map_arrow(rows, _Families(self.min_words), _SCHEMA)

    def _placed(self, passages: DataFrame) -> DataFrame:
        """For each passage its places in both documents, as 16 bytes: document and first word."""
        stretches = map_arrow(
            passages.select("a", "b", "place", "runs"), _stretches,
            "a long, b long, place int, side int, number long, first long, stop long",
        )  # fmt: skip
        before = Window.partitionBy("number").orderBy("first", "a", "b", "place")
        reached = fn.max("stop").over(before.rowsBetween(Window.unboundedPreceding, -1))
        begins = fn.coalesce(fn.col("first") - reached >= place_gap(self.min_words), fn.lit(True))
        own = fn.max(fn.when(begins, fn.col("first"))).over(
            before.rowsBetween(Window.unboundedPreceding, Window.currentRow)
        )
        code = fn.unhex(fn.concat(*(fn.lpad(fn.hex(name), 16, "0") for name in ("number", "own"))))
        nodes = stretches.withColumn("own", own).withColumn("node", code)

        def of(side: int) -> Any:
            return fn.max(fn.when(fn.col("side") == side, fn.col("node")))

        return nodes.groupBy("a", "b", "place").agg(of(0).alias("place_a"), of(1).alias("place_b"))

    def _facts(self, side: str) -> DataFrame:
        date = fn.col("date") if "date" in self.documents.columns else fn.lit(None).cast("string")
        facts = {"side": fn.col("side"), "date": date} | {
            name: fn.col(name) for name in ("digest", "words", "unspaced")
        }
        return self.documents.select(
            fn.col("number").alias(side),
            *(value.alias(f"{name}_{side}") for name, value in facts.items()),
        )

    def located(self, witnesses: DataFrame) -> DataFrame:
        """Witnesses with id, start and end, and the hash of their family's longest run."""
        texts = self.documents.select("number", "id", "text")
        joined = witnesses.join(texts, "number").select(*_COLUMNS, "id", "text")
        kind = dict(joined.dtypes)["id"]
        return map_arrow(joined, _locate, f"{_SCHEMA}, id {kind}, start long, end long, hash long")

    def common(self, located: DataFrame, max_documents: int) -> DataFrame:
        """Families (cluster, at) of wording that more documents have, compared or not."""
        runs = located.where("hash IS NOT NULL").select(*_KEY, "hash")
        runs = self.tables.keep(runs, "runs")
        wanted = runs.select("hash").distinct()
        found = map_arrow(self.documents.select("text"), _shingles, "hash long")
        may_be_wanted = bloom_filter(wanted, runs.count(), fn.col("hash"))
        if may_be_wanted is not None:
            found = found.where(may_be_wanted(fn.col("hash")))
        counts = found.groupBy("hash").count().where(fn.col("count") > max_documents)
        return self.tables.keep(runs.join(counts, "hash", "left_semi").select(*_KEY), "common")

    def rows(self, located: DataFrame) -> DataFrame:
        """The rows of `Families`: families numbered from 1, one witness a row."""
        first = located.where("position = 0").select(
            *_KEY, "documents", "common", "number", "first"
        )
        ordered = first.orderBy(
            fn.desc("documents"), fn.desc("common"), "number", "first", *_KEY
        ).select(*_KEY)
        numbers = numbered(ordered, self.tables, "families").select(
            *_KEY, (fn.col("number") + 1).alias("family")
        )
        named = located.withColumnRenamed("id", "document")
        return named.join(numbers, list(_KEY)).select(*COLUMNS)


def _stretches(batches: Batches) -> Batches:
    """Passages (a, b, place, runs) to their stretches, one for each side."""
    for batch in batches:
        runs = [np.array(own).reshape(-1, 3) for own in batch.column("runs").to_pylist()]
        for side, name in enumerate(("a", "b")):
            firsts = [int(own[:, side].min()) for own in runs]
            stops = [int((own[:, side] + own[:, 2]).max()) for own in runs]
            columns: dict[str, Any] = {
                **{key: batch.column(key) for key in ("a", "b", "place")},
                "side": pa.array(np.full(len(runs), side, np.int32)),
                "number": batch.column(name),
                "first": pa.array(firsts, pa.int64()),
                "stop": pa.array(stops, pa.int64()),
            }
            yield pa.record_batch(columns)


@dataclass(frozen=True)
class _Families:
    """Passages with what is known about their documents, by component, to families."""

    min_words: int

    def __call__(self, batches: Batches) -> Batches:
        for table in whole_groups(batches, "cluster"):
            clusters = digests.to_numbers(table.column("cluster").combine_chunks())
            changes = (clusters[1:] != clusters[:-1]).any(axis=1)
            edges = [0, *(np.flatnonzero(changes) + 1).tolist(), len(clusters)]
            for begin, end in pairwise(edges):
                yield self._component(table.slice(begin, end - begin).to_pylist())

    def _component(self, rows: list[dict[str, Any]]) -> pa.RecordBatch:
        passages: list[PassageRuns] = []
        documents: dict[int, DocumentFacts] = {}
        pairs: dict[tuple[int, int], PairRuns] = {}
        for row in rows:
            a, b = row["a"], row["b"]
            runs = tuple(Run(*run) for run in runs_of(row["runs"]))
            passages.append(PassageRuns(a, b, runs, row["in_order"]))
            pairs[a, b] = PairRuns(row["short_runs"], row["equal_share"])
            for side in ("a", "b"):
                documents.setdefault(row[side], _facts_of(row, side))
        columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
        found = families_of_component(passages, documents, pairs, self.min_words)
        for at, family in enumerate(found):
            for values_of in _rows_of(family):
                values = (rows[0]["cluster"], at, *values_of)
                for name, value in zip(_COLUMNS, values, strict=True):
                    columns[name].append(value)
        arrays = {name: pa.array(own, _COLUMNS[name][1]) for name, own in columns.items()}
        return pa.record_batch(cast("Any", arrays))


def _facts_of(row: dict[str, Any], side: str) -> DocumentFacts:
    date = row[f"date_{side}"]
    return DocumentFacts(
        id=None,
        side="a" if row[f"side_{side}"] == 1 else "b",
        digest=row[f"digest_{side}"],
        words=row[f"words_{side}"],
        unspaced=row[f"unspaced_{side}"],
        metadata={} if date is None else {"date": date},
        range=lambda first, stop: (first, stop),  # where they are is known from the text later
    )


def _rows_of(family: Family[Any]) -> Iterator[tuple[Any, ...]]:
    run = run_place(family)
    for position, one in enumerate(family.witnesses):
        is_run = run is not None and run[0] == one.number
        yield (
            family.documents, len(family.witnesses), family.common, family.run, family.similarity,
            family.kind, family.p, position, one.number, one.side, one.first, one.stop, one.words,
            one.matched, position in family.earliest if family.earliest else None,
            run[1] if is_run and run is not None else None,
        )  # fmt: skip
        if is_run:
            run = None  # the run of one witness is enough


def _locate(batches: Batches) -> Batches:
    """Witnesses with the texts of their documents to witnesses with their places in these."""
    for batch in batches:
        words = lru_cache(maxsize=16)(words_of)  # rows of one document mostly follow each other
        starts, ends, hashes = [], [], []
        names = ("text", "first", "stop", "run_first")
        columns = (batch.column(name).to_pylist() for name in names)
        for text, first, stop, run in zip(*columns, strict=True):
            own: Words = words(text)
            start, end = word_range(own, first, stop)
            starts.append(start)
            ends.append(end)
            hashes.append(None if run is None else _run_hash(text, own, run))
        added: dict[str, Any] = {name: batch.column(name) for name in (*_COLUMNS, "id")}
        added |= {
            "start": pa.array(starts, pa.int64()),
            "end": pa.array(ends, pa.int64()),
            "hash": pa.array(hashes, pa.int64()),
        }
        yield pa.record_batch(added)


def _run_hash(text: str, words: Words, first: int) -> int | None:
    """The hash of the words from `first` on; None if they are fewer by the rules of shingles."""
    start, end = word_range(words, first, first + RUN)
    found, _ = shingles([text[start:end]], 1)
    return int(found[:1].view(np.int64)[0]) if len(found) else None


def _shingles(batches: Batches) -> Batches:
    for batch in batches:
        for part in parts_of(batch):
            texts: list[Any] = part.column("text").to_pylist()
            found, _ = shingles(texts, 1)
            columns: dict[str, Any] = {"hash": pa.array(found.view(np.int64))}
            yield pa.record_batch(columns)
