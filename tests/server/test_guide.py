"""The guide shows what a server really answers."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from likewise.cli.main import run
from tests.server.conftest import Live

ROOT = Path(__file__).parent.parent.parent
GUIDE = ROOT / "docs/guide/serve.md"
SHOWN = "http://127.0.0.1:8000"


def blocks() -> list[tuple[str, str]]:
    text = GUIDE.read_text(encoding="utf-8")
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_guide_shows_what_is_answered(
    live: Callable[..., Live], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order, on one server; a text block behind a request is its answer."""
    if shutil.which("curl") is None:
        if os.environ.get("CI"):
            pytest.fail("curl is not installed")
        pytest.skip("curl is not installed")
    monkeypatch.chdir(ROOT)
    db = str(tmp_path / "journal.db")
    found = blocks()
    create = re.search(r"^likewise (index create .*)$", found[0][1], re.MULTILINE)
    assert create
    assert run(create[1].replace("journal.db", db).split()) == 0
    server = live(db)
    assert found[1][1].replace("journal.db", db).replace(SHOWN, server.url) in server.said
    asked = 0
    for (language, code), (_, shown) in pairwise(found):
        code = code.replace(SHOWN, server.url)
        if language == "sh" and code.startswith("curl"):
            # Answers have no line end; the page shows each on a line of its own.
            lines = re.sub(r"^curl -s", r'curl -s -w "\\n"', code, flags=re.MULTILINE)
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", lines],
                capture_output=True,
                text=True,
                check=True,
            )
            assert done.stdout == shown
            asked += 1
        elif language == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code, {})
            assert printed.getvalue() == shown
            asked += 1
    assert asked == 7
