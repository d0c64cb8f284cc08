"""`deduplicate`: the rows of a DataFrame, with one of each group of similar texts or parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from likewise.dedup.parts.settings import DOCUMENT, part_settings
from likewise.errors import UsageError
from likewise.spark.dedup import Deduplication
from likewise.spark.parts.part_deduplication import PartDeduplication

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from likewise.dedup.parts.settings import CutAt, PartUnit
    from likewise.dedup.settings import DedupOptions

OUTPUTS = ("kept", "annotated", "verdicts")


def deduplicate(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    output: str = "kept",
    checkpoint: str | None = None,
    unit: PartUnit | str = DOCUMENT,
    min_words: int | None = None,
    min_count: int | None = None,
    cut_at: CutAt | None = None,
    **options: Unpack[DedupOptions],
) -> DataFrame:
    """The rows of a DataFrame, with one of each group of similar texts, or of equal parts of texts.

    Args:
        df: rows that are the same whenever Spark reads them.
        text: the column of strings; a row whose text is null is kept.
        id: the column that names the rows, of any type that can be compared. Ids may repeat or be
            null, unless parts are removed. Of rows with the same id and the same text any may be
            the one that is kept.
        output: "kept" for the rows that are kept; "annotated" for all rows with the columns
            cluster, kept, similar_to and similarity; "verdicts" for those columns alone, with the
            id, of the rows that are in a cluster. Where parts are removed, the texts of kept rows
            are what is left of them, and the columns are kept and removed.
        checkpoint: a folder that all machines see, for the tables between the steps.
        unit, min_words, min_count, cut_at, options: as in `likewise.deduplicate`.

    All is decided before it returns; the rows themselves are read again when the result is used.
    `Deduplication` and `PartDeduplication` give counts, clusters and pairs, or templates too.
    """
    if output not in OUTPUTS:
        raise UsageError(f"output is {output!r}; it must be one of {', '.join(OUTPUTS)}")
    given = {"min_words": min_words, "min_count": min_count, "cut_at": cut_at}
    parts = part_settings(unit, given, dict(options), threads=1)
    shared: dict[str, Any] = {
        "text": text, "id": id, "checkpoint": checkpoint, "annotate": output == "annotated"
    }  # fmt: skip
    done: Deduplication | PartDeduplication
    if parts is None:
        done = Deduplication(df, **shared, **options)
        done.drop_all_but_verdicts()
    else:
        done = PartDeduplication(df, **shared, settings=parts)
    made: DataFrame = getattr(done, output)()
    return made
