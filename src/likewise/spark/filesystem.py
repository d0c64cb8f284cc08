"""Files and folders wherever Spark can write: on disk, in HDFS, in an object store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likewise.errors import UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What can rename a folder in one step. Elsewhere Spark's committers see to it that a folder without
# its file _SUCCESS is known as not complete.
_RENAMING = ("file", "hdfs", "viewfs")


def exists(spark: SparkSession, path: str) -> bool:
    """Whether there is such a file or folder."""
    system, there = _find(spark, path)
    return bool(system.exists(there))


def scheme(spark: SparkSession, path: str) -> str:
    """Which kind of file system a path is on: "file" for this machine's disks."""
    system, _ = _find(spark, path)
    return str(system.getUri().getScheme())


def qualified(spark: SparkSession, path: str) -> str:
    """A path or pattern in full, as Spark lists files: file:/home/me/pages."""
    system, there = _find(spark, path)
    return str(system.makeQualified(there).toString())


def can_rename(spark: SparkSession, path: str) -> bool:
    """Whether a folder can be given its name at the end."""
    return scheme(spark, path) in _RENAMING


def rename(spark: SparkSession, path: str, name: str) -> None:
    """Gives a folder another name, which nothing has."""
    system, there = _find(spark, path)
    if not system.rename(there, _find(spark, name)[1]):
        raise UsageError(f"{path} could not be renamed to {name}")


def rename_parts(spark: SparkSession, folder: str, old: str, new: str) -> None:
    """Gives the files in a folder and below another extension: old, or old.gz, becomes new.gz."""
    system, there = _find(spark, folder)
    files = system.listFiles(there, True)
    found = []
    while files.hasNext():
        found.append(str(files.next().getPath().toString()))
    for path in found:
        stem, dot, packed = path.rpartition("/")[2].partition(f".{old}")
        if dot:
            rename(spark, path, f"{path.rpartition('/')[0]}/{stem}.{new}{packed}")


def delete(spark: SparkSession, path: str) -> None:
    """Removes a file or folder, if it is there."""
    system, there = _find(spark, path)
    system.delete(there, True)


def _find(spark: SparkSession, path: str) -> tuple[Any, Any]:
    session: Any = spark
    if not hasattr(session, "_jsparkSession"):
        raise UsageError("Spark Connect cannot access files directly")
    there = session._jvm.org.apache.hadoop.fs.Path(path)
    options = session._jsparkSession.sessionState().newHadoopConf()
    return there.getFileSystem(options), there
