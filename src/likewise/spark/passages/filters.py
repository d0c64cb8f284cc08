"""Excluded pairs and passages: of one author, in too many documents, or a small share of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as fn

from likewise.passages.passage_filters import count_sources
from likewise.spark.arrow import Batches, map_arrow, whole_groups
from likewise.spark.passages.alignment import runs_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KEY = ("a", "b", "place")


def differ_in(pairs: DataFrame, documents: DataFrame, same: Sequence[str]) -> DataFrame:
    """Pairs whose documents differ in all of these fields, or lack them."""
    if not same:
        return pairs
    for side in ("a", "b"):
        own = [fn.col(name).alias(f"{name}_{side}") for name in same]
        pairs = pairs.join(documents.select(fn.col("number").alias(side), *own), side)
    for name in same:
        a, b = fn.col(f"{name}_a"), fn.col(f"{name}_b")
        pairs = pairs.where(fn.coalesce(a != b, fn.lit(True)))
    return pairs.select("a", "b")


def of_few_sources(passages: DataFrame, most: int | None) -> DataFrame:
    """Passages that neither of their documents shares with more than `most` documents."""
    if most is None:
        return passages
    sides = fn.array(
        *(
            fn.struct(
                fn.col(own).alias("number"), fn.col(other).alias("other"),
                fn.col(f"{own}_start").alias("start"), fn.col(f"{own}_end").alias("end"),
            )
            for own, other in (("a", "b"), ("b", "a"))
        )
    )  # fmt: skip
    stretches = (
        passages.select(*_KEY, fn.explode(sides).alias("side"))
        .select(*_KEY, "side.*")
        .repartition("number")
        .sortWithinPartitions("number", *_KEY)
    )
    shared = map_arrow(stretches, _InTooMany(most), "a long, b long, place int")
    return passages.join(shared.distinct(), list(_KEY), "left_anti")


@dataclass(frozen=True)
class _InTooMany:
    """Rows (number, other, start, end) of whole documents to those that too many others share."""

    most: int

    def __call__(self, batches: Batches) -> Batches:
        for table in whole_groups(batches, "number"):
            numbers = np.asarray(table.column("number"))
            columns = (table.column(name).to_pylist() for name in ("start", "end", "other"))
            rows: list[Any] = list(zip(*columns, strict=True))
            edges = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
            kept = np.zeros(len(numbers), bool)
            for begin, end in pairwise(edges):
                own = rows[begin:end]
                for i, (start, stop, _) in enumerate(own, begin):
                    kept[i] = count_sources(own, start, stop) > self.most
            yield from table.select(list(_KEY)).filter(pa.array(kept)).to_batches()


def of_enough_share(passages: DataFrame, least: float) -> DataFrame:
    """Passages of pairs that share at least this of one of their documents."""
    if not least:
        return passages
    ordered = passages.repartition("a", "b").sortWithinPartitions(*_KEY)
    schema = ", ".join(f"{f.name} {f.dataType.simpleString()}" for f in passages.schema.fields)
    return map_arrow(ordered, _EnoughShare(least), schema)


@dataclass(frozen=True)
class _EnoughShare:
    """Whole pairs, sorted."""

    least: float

    def __call__(self, batches: Batches) -> Batches:
        for table in whole_groups(batches, "a"):
            names = ("a", "b", "size_a", "size_b", "runs")
            columns: list[list[Any]] = [table.column(name).to_pylist() for name in names]
            a, b, size_a, size_b, of_passages = columns
            words: dict[tuple[int, int], tuple[set[int], set[int]]] = {}
            for *key, runs in zip(a, b, of_passages, strict=True):
                own, other = words.setdefault((key[0], key[1]), (set(), set()))
                for first, second, length in runs_of(runs or ()):
                    own.update(range(first, first + length))
                    other.update(range(second, second + length))
            kept = [
                max(_share(words[x, y][0], in_a), _share(words[x, y][1], in_b)) >= self.least
                for x, y, in_a, in_b in zip(a, b, size_a, size_b, strict=True)
            ]
            yield from table.filter(pa.array(kept)).to_batches()


def _share(words: set[int], size: int) -> float:
    return len(words) / size if size else 0.0
