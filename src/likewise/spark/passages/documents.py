"""`read_documents`: the documents of one or two DataFrames, numbered in the order of their ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as fn

from likewise.dedup.order import order_keys
from likewise.dedup.settings import Keep
from likewise.documents.document import FIELDS
from likewise.documents.texts import sound_array, text_digest
from likewise.errors import UsageError
from likewise.passages.common_text import CommonText, sampled
from likewise.passages.document_set import FIRST, SECOND
from likewise.passages.matching_text import find_common_text, matching_texts
from likewise.passages.ranges import Range, blanked
from likewise.spark.arrow import Batches, map_arrow
from likewise.spark.columns import Columns, check_columns, column
from likewise.statistics.shared_runs import is_unspaced
from likewise.text.words import words_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.passages.settings import Exclusions
    from likewise.spark.tables import Tables

_compute: Any = pc

_MAX_TEXTS = 500  # that are prepared together
_MAX_CHARACTERS = 8_000_000
_PART_BITS = 33  # of `monotonically_increasing_id`, below the number of the partition


@dataclass(frozen=True)
class Sources:
    """The columns of one DataFrame, or of two that are compared with each other."""

    columns: Columns
    metadata: Mapping[str, str]
    frames: Sequence[DataFrame]

    @classmethod
    def of(
        cls,
        df: DataFrame,
        against: DataFrame | None,
        *,
        text: str,
        id: str,
        metadata: Mapping[str, str] | None,
        exclude: Exclusions,
    ) -> Sources:
        """Raises `UsageError` for columns that are missing or of the wrong type."""
        known = dict(metadata or {})
        if unknown := sorted(set(known) - set(FIELDS)):
            raise UsageError(
                f"metadata: {unknown[0]!r} is not a field", hint=f"fields are {', '.join(FIELDS)}"
            )
        if set(exclude.same) - set(known):
            raise UsageError("excluding documents of the same author or group requires metadata")
        frames = [df] if against is None else [df, against]
        found = [check_columns(frame, text, id) for frame in frames]
        if len({one.id_type.simpleString() for one in found}) > 1:
            raise UsageError(
                f"id: column {id!r} is of type {found[0].id_type.simpleString()} in one DataFrame "
                f"and of type {found[1].id_type.simpleString()} in the other",
                hint="cast both to the same type",
            )
        for frame in frames:
            for name in known.values():
                if name not in frame.columns:
                    raise UsageError(f"metadata: the DataFrame has no column {name!r}")
        return cls(found[0], known, frames)

    @property
    def two(self) -> bool:
        """Whether there are two collections."""
        return len(self.frames) == 2

    def rows(self) -> DataFrame:
        """All rows: side, id, text, the order of the ids, and the metadata as strings."""
        fields = [column(name).cast("string").alias(own) for own, name in self.metadata.items()]
        parts = [
            frame.select(
                fn.lit(side).alias("side"),
                column(self.columns.id).alias("id"),
                self.columns.id_text.alias("key"),
                column(self.columns.text).alias("text"),
                *fields,
            )
            for side, frame in zip((FIRST, SECOND), self.frames, strict=False)
        ]
        rows = parts[0] if not self.two else parts[0].unionAll(parts[1])
        return map_arrow(rows, _with_order, _schema("key binary", rows, "key"))


def _schema(own: str, rows: DataFrame, *without: str) -> str:
    """The columns of some rows, and others in place of some of them."""
    kept = (
        f"{field.name} {field.dataType.simpleString()}"
        for field in rows.schema.fields
        if field.name not in without
    )
    return ", ".join([*kept, own])


def _with_order(batches: Batches) -> Batches:
    """Ids as bytes that sort as the ids do."""
    for batch in batches:
        keys = order_keys(Keep("first"), {"id": sound_array(batch.column("key"))[0]})
        columns: dict[str, Any] = {
            name: batch.column(name) for name in batch.schema.names if name != "key"
        }
        yield pa.record_batch(columns | {"key": keys.cast(pa.binary())})


def numbered(ordered: DataFrame, tables: Tables, name: str) -> DataFrame:
    """The rows of a sorted table with their `number`, from 0."""
    # The number of a partition and the place in it: final once the table is stored.
    placed = tables.keep(ordered.withColumn("place", fn.monotonically_increasing_id()), name)
    part = fn.shiftright("place", _PART_BITS)
    counts = {row[0]: row[1] for row in placed.groupBy(part).count().collect()}
    begins: dict[int, int] = {}
    total = 0
    for number in sorted(counts):
        begins[number] = total
        total += counts[number]
    return map_arrow(placed, _Number(begins), _schema("number long", placed, "place"))


@dataclass(frozen=True)
class _Number:
    begins: Mapping[int, int]  # the number of the first row of each partition

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            places = np.asarray(batch.column("place"))
            begins = [self.begins[part] for part in (places >> _PART_BITS).tolist()]
            numbers = np.array(begins, np.int64) + (places & ((1 << _PART_BITS) - 1))
            columns: dict[str, Any] = {
                name: batch.column(name) for name in batch.schema.names if name != "place"
            }
            yield pa.record_batch(columns | {"number": pa.array(numbers)})


def read_documents(
    sources: Sources, exclude: Exclusions, tables: Tables
) -> tuple[DataFrame, list[str]]:
    """The documents as they are aligned, and sentences on common text that is excluded.

    Columns: number, side, id, text (as displayed), excluded (starts and ends of its ranges), words
    (all of them), size (without excluded ones), digest, unspaced, and the fields of the metadata.
    """
    rows = numbered(sources.rows().orderBy("side", "key"), tables, "rows")
    _check_ids(rows, sources.columns.id)
    common = _common_text(rows, exclude) if exclude.common_text == "exclude" else None
    documents = map_arrow(
        rows, _Match(exclude, common),
        _schema(
            "excluded array<int>, words int, size int, digest string, unspaced boolean", rows, "key"
        ),
    )  # fmt: skip
    documents = tables.keep(documents, "documents")
    return documents, common.described("excluded") if common is not None else []


def _check_ids(rows: DataFrame, name: str) -> None:
    """As `likewise.find_passages` requires them: an id is all that identifies a document."""
    if rows.where("id IS NULL").limit(1).count():
        raise UsageError(f"an id is null (column {name!r})", hint="give every row an id")
    repeated = rows.groupBy("side", "id").count().where("count > 1").select("id").first()
    if repeated is not None:
        raise UsageError(f"duplicate id {repeated[0]!r} in column {name!r}")


def _common_text(rows: DataFrame, exclude: Exclusions) -> CommonText | None:
    """Text that many of the documents have; judged by a sample of a size that does not grow."""
    count = rows.count()
    chosen = sampled(count)
    sample = rows.where(fn.col("number").isin(chosen)).select("number", "text")
    texts = {row[0]: row[1] for row in sample.collect()}
    return find_common_text([texts[number] or "" for number in chosen], exclude)


@dataclass(frozen=True)
class _Match:
    """Texts as they are aligned, and their excluded parts."""

    exclude: Exclusions
    common: CommonText | None

    def __call__(self, batches: Batches) -> Batches:
        return (self._match(part) for batch in batches for part in parts_of(batch))

    def _match(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        texts = [text or "" for text in sound_array(batch.column("text"))[0].to_pylist()]
        made = matching_texts(texts, self.exclude, self.common)
        words = [words_of(one.text) for one in made]
        sizes = [
            len(words_of(one.remaining_text)) if one.excluded else len(own)
            for one, own in zip(made, words, strict=True)
        ]
        ranges = [[edge for one in own.excluded_ranges for edge in one] for own in made]
        columns: dict[str, Any] = {name: batch.column(name) for name in batch.schema.names}
        del columns["key"]
        columns |= {
            "text": pa.array([one.text for one in made], pa.string()),
            "excluded": pa.array(ranges, pa.list_(pa.int32())),
            "words": pa.array([len(own) for own in words], pa.int32()),
            "size": pa.array(sizes, pa.int32()),
            "digest": pa.array([text_digest(one.text) for one in made], pa.string()),
            "unspaced": pa.array([is_unspaced(own.letters) for own in words], pa.bool_()),
        }
        return pa.record_batch(columns)


def parts_of(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The rows of a batch, in parts whose texts are not too long together."""
    texts = batch.column("text")
    lengths = np.asarray(_compute.fill_null(_compute.binary_length(texts), 0))
    begin = characters = 0
    for end, length in enumerate(lengths.tolist()):
        if end > begin and (end - begin == _MAX_TEXTS or characters + length > _MAX_CHARACTERS):
            yield batch.slice(begin, end - begin)
            begin, characters = end, 0
        characters += length
    if begin < batch.num_rows:
        yield batch.slice(begin)


def remaining_texts(batch: pa.RecordBatch) -> list[str]:
    """The texts of documents without excluded parts, by which candidates are found."""
    texts: list[Any] = batch.column("text").to_pylist()
    ranges: list[Any] = batch.column("excluded").to_pylist()
    return [
        blanked(text, ranges_of(own)) if own else text
        for text, own in zip(texts, ranges, strict=True)
    ]


def ranges_of(excluded: Sequence[int]) -> list[Range]:
    """Starts and ends as ranges."""
    return [Range(*one) for one in zip(excluded[::2], excluded[1::2], strict=True)]
