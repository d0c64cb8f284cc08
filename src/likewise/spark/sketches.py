"""`sketch`: signatures of the texts of a DataFrame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from likewise.sketches.scan import scan
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.spark.arrow import Batches, map_arrow
from likewise.spark.columns import ID, TEXT, check_columns
from likewise.spark.scan import compared_texts, lists, only
from likewise.statistics.bands import check_values
from likewise.text.inputs import from_arrow
from likewise.text.profile import DEFAULT_PROFILE, Profile


def sketch(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    profile: Profile | str = DEFAULT_PROFILE,
    values: int = DEFAULT_VALUES,
) -> DataFrame:
    """For each row its id, the digest of its shingles, how many there are, and its signature.

    Digests are 32 hexadecimal digits: equal for texts with the same shingles. Signatures are lists
    of `values` whole numbers below 2^32, as `likewise.sketch` gives them. A text without a shingle,
    or null, has neither, and 0 shingles. Nothing is computed before the result is used.
    """
    check_values(values)
    columns = check_columns(df, text, id)
    rows = columns.rows(df).select(ID, TEXT)
    made = Profile.of(profile)
    return map_arrow(
        rows,
        _Sketch(made, values),
        f"id {columns.id_type.simpleString()}, digest string, shingles long, signature array<long>",
    )


@dataclass(frozen=True)
class _Sketch:
    profile: Profile
    values: int

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            texts, _ = compared_texts(batch.column(TEXT), self.profile)
            found = scan(
                from_arrow(texts), self.profile, values=self.values, keep_signatures=True, threads=1
            )
            some = pa.array(found.counts > 0)
            names = [bytes(row).hex() for row in found.digests.astype(">u8")]
            yield pa.record_batch(
                {
                    "id": batch.column(ID),
                    "digest": only(some, pa.array(names, pa.string())),
                    "shingles": pa.array(found.counts.astype(np.int64)),
                    "signature": only(some, lists(found.signatures.astype(np.int64))),
                }
            )
