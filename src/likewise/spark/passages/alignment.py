"""Candidates to passages: the texts come to the pairs, by shuffle, and the core aligns them there.

Each group is one document `a` of some candidates and the documents `b` it is aligned with. Only
texts of documents in candidates are moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as fn

from likewise.passages.aligned_pairs import aligned_together
from likewise.passages.families.runs import PassageRuns
from likewise.passages.pair_passages import find_pair_passages
from likewise.passages.results import COLUMN_TYPES
from likewise.spark.arrow import Batches, map_arrow, parts_of
from likewise.spark.passages.documents import ranges_of
from likewise.text.cut_words import CutWords

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.passages.alignment import AlignmentSettings
    from likewise.passages.attribution.attributed_text import AttributedText
    from likewise.passages.pair_passages import PairPassages
    from likewise.text.word_frequencies import Frequencies

PART = 1000  # documents that are aligned with one other in a task; its text is sent to each

_TYPES = {str: ("string", pa.string()), int: ("int", pa.int32()), float: ("double", pa.float64())}
FIELDS = {name: _TYPES[kind] for name, kind in list(COLUMN_TYPES.items())[2:]}
"""The columns of a passage, besides its documents."""

# What else is known about a passage and its two documents; `runs` is null for reworded ones.
_OWN: dict[str, tuple[str, Any]] = {
    "a": ("long", pa.int64()),
    "b": ("long", pa.int64()),
    "place": ("int", pa.int32()),
    "runs": ("array<int>", pa.list_(pa.int32())),
    "in_order": ("boolean", pa.bool_()),
    "size_a": ("int", pa.int32()),
    "size_b": ("int", pa.int32()),
    "short_runs": ("long", pa.int64()),
    "equal_share": ("double", pa.float64()),
}
_SCHEMA = ", ".join(f"{name} {kind}" for name, (kind, _) in (_OWN | FIELDS).items())


@dataclass(frozen=True)
class Aligner:
    """Aligns pairs of documents.

    Attributes:
        min_words, rates, settings: as in `find_passages`.
        min_passage: passages of fewer words are excluded.
    """

    min_words: int
    min_passage: int
    rates: Frequencies | None
    settings: AlignmentSettings

    def passages(self, pairs: DataFrame, documents: DataFrame) -> DataFrame:
        """The passages of pairs (a, b): the columns of `Passages`, with the numbers of documents,
        and those by which families are found."""
        order = Window.partitionBy("a").orderBy("b")
        parts = pairs.select(
            "a", "b", fn.floor((fn.row_number().over(order) - 1) / PART).alias("part")
        )
        uses = (
            parts.select("a", "part")
            .distinct()
            .select(fn.col("a").alias("number"), "a", "part", fn.lit(None).cast("long").alias("b"))
            .unionAll(parts.select(fn.col("b").alias("number"), "a", "part", "b"))
        )
        grouped = (
            uses.join(documents.select("number", "text", "excluded", "size"), "number")
            .select("a", "part", "b", "text", "excluded", "size")
            .repartition("a", "part")
            .sortWithinPartitions("a", "part", fn.col("b").asc_nulls_first())
        )
        return map_arrow(grouped, self, _SCHEMA)

    def __call__(self, batches: Batches) -> Batches:
        """Rows (a, part, b, text, excluded, size), the first of each group without b."""
        head: pa.RecordBatch | None = None
        for batch in batches:
            for part in parts_of(batch):
                rows = part if head is None else _joined(head, part)
                is_head = np.asarray(rows.column("b").is_null())
                yield from self._align(rows, is_head)
                head = rows.slice(int(np.flatnonzero(is_head)[-1]), 1)

    def _align(self, rows: pa.RecordBatch, is_head: Any) -> Iterator[pa.RecordBatch]:
        places = np.arange(len(is_head))
        heads = np.maximum.accumulate(np.where(is_head, places, 0))
        pairs = np.stack([heads, places], axis=1)[~is_head].tolist()
        texts: list[Any] = rows.column("text").to_pylist()
        sizes: list[Any] = rows.column("size").to_pylist()
        numbers: list[Any] = [
            a if b is None else b
            for a, b in zip(rows.column("a").to_pylist(), rows.column("b").to_pylist(), strict=True)
        ]
        ranges: list[Any] = rows.column("excluded").to_pylist()
        excluded = {i: ranges_of(own) for i, own in enumerate(ranges) if own}
        words = CutWords(texts, self.settings.stem_letters)
        attributions: dict[int, AttributedText] = {}
        for some in aligned_together(pairs, sizes):
            found = find_pair_passages(
                texts, [(a, b) for a, b in pairs[some]], min_words=self.min_words,
                rates=self.rates, settings=self.settings, threads=1, words=words,
                excluded=excluded, attributions=attributions,
            )  # fmt: skip
            columns: dict[str, list[Any]] = {name: [] for name in (*_OWN, *FIELDS)}
            for (a, b), shared in zip(pairs[some], found, strict=True):
                self._add(columns, shared, (numbers[a], numbers[b]), words, (a, b))
            types = _OWN | FIELDS
            arrays = {name: pa.array(own, types[name][1]) for name, own in columns.items()}
            yield pa.record_batch(cast("Any", arrays))

    def _add(
        self,
        columns: dict[str, list[Any]],
        shared: PairPassages,
        numbers: tuple[int, int],
        words: CutWords,
        at: tuple[int, int],
    ) -> None:
        for place, passage in enumerate(shared.every):
            if passage.words < self.min_passage:
                continue
            runs = None
            if passage.kind != "reworded":
                runs = PassageRuns.of(passage, *numbers, words[at[0]], words[at[1]])
            row = {
                "a": numbers[0],
                "b": numbers[1],
                "place": place,
                "runs": None if runs is None else [value for run in runs.runs for value in run],
                "in_order": None if runs is None else runs.in_order,
                "size_a": shared.size_a,
                "size_b": shared.size_b,
                "short_runs": shared.short_runs,
                "equal_share": shared.equal_share,
                **passage.to_dict(),
            }
            for name, value in row.items():
                columns[name].append(value)


def _joined(head: pa.RecordBatch, batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch after the head of its first group."""
    if batch.column("b")[0].as_py() is None:
        return batch
    arrays = {
        name: pa.concat_arrays([head.column(name), batch.column(name)])
        for name in batch.schema.names
    }
    return pa.record_batch(cast("Any", arrays))


def runs_of(values: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The runs of a passage, as they are stored: word of a, word of b, and length of each."""
    return zip(values[::3], values[1::3], values[2::3], strict=True)
