"""`Steps`: what every run on Spark is: steps that are timed, and tables between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from likewise.run import Stats
from likewise.spark.session import explained
from likewise.spark.tables import Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Steps:
    """A run.

    Attributes:
        stats: settings, counts, seconds of each step, and notes.
        tables: those between the steps.
    """

    def __init__(
        self, session: SparkSession, settings: Mapping[str, Any], checkpoint: str | None
    ) -> None:
        self.stats = Stats(dict(settings))
        self.tables = Tables(session, checkpoint)
        self._context = getattr(session, "_sc", None)

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Gives up the tables if the run fails."""
        try:
            yield
        except BaseException:
            self.tables.release()
            raise

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """A step that is timed, and that Spark's pages name."""
        if self._context is not None:
            self._context.setJobDescription(f"likewise: {name}")
        try:
            with self.stats.timed(name), explained():
                yield
        finally:
            if self._context is not None:
                self._context.setJobDescription(None)


def only_row(df: DataFrame) -> list[Any]:
    """The one row of an aggregate, 0 where there was nothing to add up."""
    row = df.first()
    assert row is not None
    return [value or 0 for value in row]
