"""`Frames`: a result with an Arrow table as the frames of other libraries."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


class Frames:
    """What has a table; pandas and polars are loaded only for their own frames."""

    __slots__ = ()

    @abstractmethod
    def to_arrow(self) -> pa.Table:
        """The result as an Arrow table."""

    def to_pandas(self) -> pd.DataFrame:
        """The table as a pandas frame; whole numbers stay so where some are null (`Int64`)."""
        import pandas as pd
        import pyarrow as pa

        table = self.to_arrow()
        frame: pd.DataFrame = table.to_pandas()
        for name in table.column_names:
            if table[name].null_count and pa.types.is_integer(table[name].type):
                frame[name] = pd.array(table[name].to_pylist(), "Int64")
        return frame

    def to_polars(self) -> pl.DataFrame:
        """The table as a polars frame."""
        import polars as pl

        return cast("pl.DataFrame", pl.from_arrow(self.to_arrow()))
