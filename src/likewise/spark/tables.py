"""Tables between the steps: computed once, and not again when they are used again."""

from __future__ import annotations

from itertools import count
from typing import Any
from uuid import uuid4

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

from likewise.errors import UsageError
from likewise.spark import filesystem


class Tables:
    """The tables of a run: in Spark's cache, or as Parquet in a folder.

    What an executor had in its cache is computed again if it is lost, from as far back as need be.
    A folder that all machines see is safe.
    """

    def __init__(self, spark: SparkSession, folder: str | None = None) -> None:
        self._spark = spark
        self._folder = None if folder is None else f"{folder.rstrip('/')}/likewise-{uuid4().hex}"
        self._tables: list[tuple[str, DataFrame | str]] = []  # a name, and a cached table or a path
        self._numbers = count()
        if folder is None and not hasattr(spark, "_jsparkSession"):
            raise UsageError(
                "Spark Connect requires a folder for intermediate tables",
                hint="set checkpoint= to a folder that all machines can access",
            )

    def keep(self, df: DataFrame, name: str) -> DataFrame:
        """The same table, computed at most once; at once, where there is a folder."""
        if self._folder is None:
            kept = self._without_plan(df).persist(StorageLevel.MEMORY_AND_DISK)
            self._tables.append((name, kept))
            return kept
        path = f"{self._folder}/{next(self._numbers)}-{name}"
        self._tables.append((name, path))
        df.write.parquet(path)
        return self._spark.read.schema(df.schema).parquet(path)

    def _without_plan(self, df: DataFrame) -> DataFrame:
        """The same rows, which Spark still knows how to compute, but planned for good.

        Otherwise every step plans all steps before it again, and each round of connected components
        twice those of the round before. A local checkpoint would forget how to compute them: what
        an executor had would be lost with it.
        """
        session: Any = self._spark
        table: Any = df
        rows = table._jdf.queryExecution().toRdd()
        made = session._jsparkSession.internalCreateDataFrame(rows, table._jdf.schema(), False)
        return type(df)(made, session)

    def drop(self, *names: str) -> None:
        """Gives up tables that nothing will be computed from again."""
        for name, table in self._tables:
            if name not in names:
                continue
            if isinstance(table, str):
                filesystem.delete(self._spark, table)
            else:
                table.unpersist()
        self._tables = [(name, table) for name, table in self._tables if name not in names]

    def drop_all_but(self, *names: str) -> None:
        """Gives up all other tables."""
        self.drop(*({name for name, _ in self._tables} - set(names)))

    def release(self) -> None:
        """Gives up all of them."""
        self.drop_all_but()
        if self._folder is not None:
            filesystem.delete(self._spark, self._folder)
