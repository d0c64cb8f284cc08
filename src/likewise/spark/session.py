"""A Spark session for a command, and Spark's failures in plain words."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from likewise.errors import LikewiseError, SourceError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_MIN_JAVA = 17
_JAVA_HINT = (
    f"install Java {_MIN_JAVA} or later (Debian: openjdk-{_MIN_JAVA}-jre-headless), "
    "or set JAVA_HOME to its folder"
)
_PYTHON_HINT = (
    "set PYSPARK_PYTHON to a Python on the executors in which likewise is installed, and "
    "PYSPARK_DRIVER_PYTHON to that of the driver; both must be of the same version"
)
# What is found in Spark's messages, what it means, and what to do.
_KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        r"No module named '(likewise|pyarrow|numpy|pandas)",
        "{0} is not installed in the Python of the workers",
        _PYTHON_HINT,
    ),
    (
        r"PYTHON_VERSION_MISMATCH|Python in worker has different version",
        "the workers run another version of Python than the driver",
        _PYTHON_HINT,
    ),
    (
        r'Cannot run program "([^"]*)"',
        "the Python of the workers cannot be started: {0}",
        _PYTHON_HINT,
    ),
    (
        r"OutOfMemoryError|MemoryError|exceeded memory limits|Container killed",
        "Spark ran out of memory",
        "raise spark.driver.memory and spark.executor.memory, for example with "
        "PYSPARK_SUBMIT_ARGS='--driver-memory 8g pyspark-shell'",
    ),
    (
        r"Python worker (exited|failed)|crashed",
        "a Python worker ended without a message, probably for lack of memory",
        "raise spark.executor.memoryOverhead, or use fewer cores per executor",
    ),
    (
        r"MALFORMED_CSV_RECORD\] Malformed CSV record: (.*?) SQLSTATE",
        "a row of CSV does not have the fields of its header: {0}",
        "correct the row; --engine local keeps such rows unchanged",
    ),
    (r"PATH_NOT_FOUND\] Path does not exist: (\S*)", "{0}: no such file or folder", ""),
    (
        r"FAILED_READ_FILE\.FILE_NOT_EXIST|FileNotFoundException: (?:File )?(\S*)",
        "{0}: no longer exists, or not on every machine",
        "do not change the files during the run, and use a folder that all machines can access",
    ),
    (
        r"No FileSystem for scheme \"?(\w+)|(\w+FileSystem) not found",
        "Spark cannot read this kind of address: {0}",
        "add Hadoop's connector, such as --packages org.apache.hadoop:hadoop-aws:VERSION in "
        "PYSPARK_SUBMIT_ARGS",
    ),
)


@contextmanager
def open_session(master: str | None) -> Iterator[SparkSession]:
    """A session of its own, or the one that runs already.

    Raises `UsageError` where Spark, Java or the cluster is missing.
    """
    import likewise.spark

    _ = likewise.spark.deduplicate  # says what is missing, if pyspark is
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    check_java()
    builder = SparkSession.builder.appName("likewise dedup")
    chosen = master or (None if SparkConf().contains("spark.master") else "local[*]")
    if chosen is not None:
        builder = builder.master(chosen)
    if (chosen or "").startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.ui.enabled", "false")
        if not SparkConf().contains("spark.sql.shuffle.partitions"):
            # 200, the default, is meant for clusters.
            parts = str(4 * (os.cpu_count() or 1))
            builder = builder.config("spark.sql.shuffle.partitions", parts)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
    with explained("Spark could not be started: "):
        spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    # What goes wrong is said once, by `explained`, and not in every task's log as well.
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        spark.stop()


def check_java() -> None:
    """Raise `UsageError` unless Java is there and recent enough; Spark would show a stack."""
    home = os.environ.get("JAVA_HOME")
    program = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if program is None or not os.path.exists(program):
        where = f" in JAVA_HOME ({home})" if home else ""
        raise UsageError(f"Spark could not be started: no Java{where}", hint=_JAVA_HINT)
    try:
        told = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(
            f"Spark could not be started: {program}: {error}", hint=_JAVA_HINT
        ) from error
    found = re.search(r'version "(?:1\.)?(\d+)', told.stderr + told.stdout)
    if found is not None and int(found[1]) < _MIN_JAVA:
        raise UsageError(
            f"Spark could not be started: {program} is Java {found[1]}", hint=_JAVA_HINT
        )


def use_this_python(spark: SparkSession) -> None:
    """On this machine, workers run the Python that is running, unless another one is chosen.

    Spark would take `python3` from the search path, in which likewise need not be installed.
    """
    context: Any = getattr(spark, "_sc", None)
    if context is None or not context.master.startswith("local"):
        return
    if "PYSPARK_PYTHON" not in os.environ and not context.getConf().contains(
        "spark.pyspark.python"
    ):
        context.pythonExec = sys.executable


@contextmanager
def explained(what: str = "Spark: ") -> Iterator[None]:
    """Raise what Spark raises as an error in one line, with what to do where that is known."""
    from py4j.protocol import Py4JError, Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        yield
    except LikewiseError:
        raise
    except Py4JJavaError as error:
        raise _plain(what, _causes(error.java_exception)) from error
    except (PySparkException, Py4JError) as error:
        java = getattr(error, "_origin", None)
        raise _plain(what, [str(error)] if java is None else _causes(java)) from error


def _plain(what: str, causes: list[str]) -> LikewiseError:
    everything = "\n".join(causes)
    for pattern, meaning, hint in _KNOWN:
        if found := re.search(pattern, everything):
            groups = [group for group in found.groups() if group] or [_line(causes[-1])]
            return UsageError(meaning.format(*groups), hint=hint or None)
    lines = [_line(cause) for cause in causes]
    files = [line for line in lines if "reading file" in line or "file:" in line]
    return SourceError(f"{what}{'; '.join(dict.fromkeys([*files[-1:], lines[-1]]))}")


def _causes(error: Any) -> list[str]:
    """The messages of a Java exception and of its causes, the innermost last."""
    causes = []
    while error is not None:
        causes.append(str(error.toString()))
        error = error.getCause()
    return causes


def _line(message: str) -> str:
    """The first line, and that of an error inside it."""
    lines = [line.strip() for line in message.splitlines() if line.strip()] or ["?"]
    inner = [line for line in lines[1:] if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return " ".join([lines[0], *inner[-1:]])
