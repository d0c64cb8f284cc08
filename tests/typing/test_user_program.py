"""Strict type checkers accept a program of a user, and refuse its marked mistakes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("user_program.py")
ROOT = Path(__file__).parents[2]


def marked() -> set[int]:
    lines = PROGRAM.read_text("utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("  # error")}


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_mypy(tmp_path: Path) -> None:
    # No cache: that of the project may belong to other sources.
    told = run("mypy", "--strict", "--cache-dir", str(tmp_path), str(PROGRAM), folder=ROOT)
    assert {int(line) for line in re.findall(r"user_program\.py:(\d+): error", told)} == marked()


@pytest.mark.slow
def test_pyright(tmp_path: Path) -> None:
    settings = {"include": [PROGRAM.name], "typeCheckingMode": "strict", "pythonVersion": "3.11",
                "extraPaths": [str(ROOT / "src")], "reportMissingTypeStubs": False}  # fmt: skip
    shutil.copy(PROGRAM, tmp_path)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    project = ("--project", str(tmp_path), "--pythonpath", sys.executable)
    told = json.loads(run("pyright", "--outputjson", *project, folder=tmp_path))
    errors = [one for one in told["generalDiagnostics"] if one["severity"] == "error"]
    assert {one["range"]["start"]["line"] + 1 for one in errors} == marked()
