"""`read_documents`: the documents of one or two DataFrames, numbered in the order of their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import functions as fn

from likewise.documents.document import FIELDS
from likewise.documents.texts import sound_array, text_digest
from likewise.errors import UsageError
from likewise.passages.common_text import CommonText, sampled
from likewise.passages.document_set import FIRST, SECOND
from likewise.passages.matching_text import find_common_text, matching_texts
from likewise.passages.ranges import Range, blanked
from likewise.spark.arrow import Batches, map_arrow, parts_of
from likewise.spark.columns import Columns, check_columns, check_ids, column
from likewise.spark.numbering import numbered, schema_of, with_order
from likewise.statistics.shared_runs import is_unspaced
from likewise.text.words import words_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.passages.settings import Exclusions
    from likewise.spark.tables import Tables


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
        return map_arrow(rows, with_order, schema_of("key binary", rows, "key"))


def read_documents(
    sources: Sources, exclude: Exclusions, tables: Tables
) -> tuple[DataFrame, list[str]]:
    """The documents as they are aligned, and sentences on common text that is excluded.

    Columns: number, side, id, text (as displayed), excluded (starts and ends of its ranges), words
    (all of them), size (without excluded ones), digest, unspaced, and the fields of the metadata.
    """
    rows = numbered(sources.rows().orderBy("side", "key"), tables, "rows")
    check_ids(rows, sources.columns.id, "side")
    common = _common_text(rows, exclude) if exclude.common_text == "exclude" else None
    documents = map_arrow(
        rows, _Match(exclude, common),
        schema_of(
            "excluded array<int>, words int, size int, digest string, unspaced boolean", rows, "key"
        ),
    )  # fmt: skip
    documents = tables.keep(documents, "documents")
    return documents, common.described("excluded") if common is not None else []


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
