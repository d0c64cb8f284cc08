"""Texts without what is removed of them, as `likewise.dedup.parts.cuts` leaves them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as fn
from pyspark.sql.pandas.functions import pandas_udf

from likewise.dedup.parts.cuts import without

if TYPE_CHECKING:
    from pyspark.sql import Column


def cut_texts(texts: Column, removed: Column) -> Column:
    """Texts without ranges, which are lists of [start, end]; a null says that there are none."""
    import pandas as pd

    def left(texts: Any, removed: Any) -> Any:
        shortened = [
            text if ranges is None else without(text, [tuple(one) for one in ranges])
            for text, ranges in zip(texts, removed, strict=True)
        ]
        return pd.Series(shortened, dtype="object")

    left.__annotations__ = {"texts": pd.Series, "removed": pd.Series, "return": pd.Series}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        make: Any = pandas_udf
        cut = make(left, "string")
    shorter: Column = fn.coalesce(fn.when(removed.isNotNull(), cut(texts, removed)), texts)
    return shorter
