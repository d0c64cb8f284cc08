"""Tables between the steps: computed once, and not again when they are used again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pyspark import StorageLevel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Tables:
    """Holds the tables of a run: in Spark's cache, or as Parquet in a folder.

    What an executor had in its cache is computed again if it is lost, from as far back as need be.
    What lies in a folder that all machines see is safe.
    """

    def __init__(self, spark: SparkSession, folder: str | None = None) -> None:
        self._spark = spark
        self._folder = None if folder is None else f"{folder.rstrip('/')}/likewise-{uuid4().hex}"
        self._cached: dict[str, DataFrame] = {}
        self._written: set[str] = set()

    def keep(self, df: DataFrame, name: str) -> DataFrame:
        """The same table, computed at most once; at once, where there is a folder."""
        if self._folder is None:
            kept = self._without_plan(df).persist(StorageLevel.MEMORY_AND_DISK)
            self._cached[name] = kept
            return kept
        df.write.parquet(self._path(name))
        self._written.add(name)
        return self._spark.read.schema(df.schema).parquet(self._path(name))

    def _without_plan(self, df: DataFrame) -> DataFrame:
        """The same rows, which Spark still knows how to compute, but planned for good.

        Otherwise every step plans all steps before it again, and the rounds of `stars` twice those
        of the round before. A local checkpoint would forget how to compute them: what an executor
        had would be lost with it.
        """
        session: Any = self._spark
        table: Any = df
        rows = table._jdf.queryExecution().toRdd()
        made = session._jsparkSession.internalCreateDataFrame(rows, table._jdf.schema(), False)
        return type(df)(made, self._spark)

    def drop(self, *names: str) -> None:
        """Gives up tables that nothing will be computed from again."""
        for name in names:
            if name in self._cached:
                self._cached.pop(name).unpersist()
            if name in self._written:
                self._written.remove(name)
                self._delete(self._path(name))

    def drop_all_but(self, *names: str) -> None:
        """Gives up all other tables."""
        self.drop(*({*self._cached, *self._written} - set(names)))

    def release(self) -> None:
        """Gives up all of them."""
        self.drop(*self._cached, *self._written)
        if self._folder is not None:
            self._delete(self._folder)

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def _delete(self, path: str) -> None:
        # By way of Hadoop's file systems, which know every place that Spark can write to.
        session: Any = self._spark
        there = session._jvm.org.apache.hadoop.fs.Path(path)
        there.getFileSystem(session._jsparkSession.sessionState().newHadoopConf()).delete(
            there, True
        )
