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
        """The table as a pandas frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The table as a polars frame."""
        import polars as pl

        return cast("pl.DataFrame", pl.from_arrow(self.to_arrow()))
