"""Which Python runs on the workers, and what is said when Spark fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from likewise.cli.main import run
from likewise.errors import UsageError

pytest.importorskip("pyspark")
from likewise.spark.session import check_java, explained


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "text": "one two three"}\n' * 2)
    return path


def dedup(source: Path, *options: str) -> int:
    out = source.parent / "out"
    return run(["dedup", str(source), "-o", str(out), "--engine", "spark", "--quiet", *options])


def test_local_workers_run_this_python(
    spark: Any, rows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the environment is not activated, and python3 is another one."""
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "/no/such/python")
    monkeypatch.delenv("PYSPARK_PYTHON")
    assert dedup(rows) == 0


@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("bare/bin/python", "is not installed in the Python of the workers"),
        ("/no/such/python", "the Python of the workers cannot be started: /no/such/python"),
    ],
)
def test_a_wrong_python_is_named(
    spark: Any, rows: Path, monkeypatch: pytest.MonkeyPatch, python: str, message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    if python.startswith("bare"):
        command = [sys.executable, "-m", "venv", "--without-pip", str(rows.parent / "bare")]
        subprocess.run(command, check=True)
    program = str(rows.parent / python)  # PYSPARK_PYTHON is set, so that it is used
    monkeypatch.setattr(spark.sparkContext, "pythonExec", program)
    assert dedup(rows) == 2
    told = capsys.readouterr().err
    assert message in told
    assert "PYSPARK_PYTHON" in told
    assert "PYSPARK_DRIVER_PYTHON" in told
    assert "Traceback" not in told
    assert len(told.splitlines()) == 2


def test_python_says_it_too(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from likewise.spark import deduplicate, find_pairs

    monkeypatch.setattr(spark.sparkContext, "pythonExec", "/no/such/python")
    df = spark.createDataFrame([(1, "a b c")], "id int, text string")
    for function in (deduplicate, find_pairs):
        with pytest.raises(UsageError, match="cannot be started: /no/such/python"):
            function(df)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (None, "no Java in JAVA_HOME"),
        ("#!/bin/sh\necho 'openjdk version \"1.8.0_292\"' >&2\n", "is Java 8"),
        ("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n", "is Java 11"),
    ],
)
def test_java_is_missing_or_too_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str | None, message: str
) -> None:
    (tmp_path / "bin").mkdir()
    if program is not None:
        java = tmp_path / "bin" / "java"
        java.write_text(program)
        java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(UsageError, match=message) as raised:
        check_java()
    assert "Java 17 or later" in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        ("java.lang.OutOfMemoryError: Java heap space", "Spark ran out of memory"),
        (
            "java.io.FileNotFoundException: File file:/a/b.parquet does not exist",
            "/a/b.parquet: no",
        ),
        ("Python worker exited unexpectedly (crashed)", "probably for lack of memory"),
    ],
)
def test_known_failures(spark: Any, cause: str, message: str) -> None:
    with pytest.raises(UsageError, match=message), explained():
        spark.sql(f"SELECT raise_error('{cause}')").collect()


def test_a_missing_file_is_named(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dedup(tmp_path / "none.parquet") == 2
    assert "none.parquet: no such file" in capsys.readouterr().err
    out = str(tmp_path / "out")
    assert run(["dedup", "nowhere://bucket/x", "-o", out, "--engine", "spark"]) == 2
    assert "Spark cannot read this kind of address: nowhere" in capsys.readouterr().err
