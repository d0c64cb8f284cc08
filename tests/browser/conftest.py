"""A real browser, the samples as a report on disk, and servers with the app.

There is one browser for all tests here, and a context of its own for each: other cookies, other
storage. It ends with this folder, since it holds the event loop of its thread while it runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from likewise.index.index import Index
from tests.browser.course import METADATA, documents, write_lines, write_metadata
from tests.browser.needed import missing, program
from tests.server.conftest import Live, live

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.window import Window

__all__ = ["live"]

SAMPLES = Path(__file__).parents[2] / "samples"
ESSAYS = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted((SAMPLES / "essays").glob("*.txt"))
}
MILLISECONDS = 20_000  # patience with a busy machine

Open = Callable[..., "Window"]

if missing:
    collect_ignore_glob = ["test_[!n]*.py"]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=MILLISECONDS)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"] if root else []
        )
        yield launched
        launched.close()


@pytest.fixture
def open_window(browser: Browser, live: Callable[..., Live]) -> Iterator[Open]:
    """Opens windows that share nothing; at last nothing may have gone wrong in any of them.

    Servers come from `live`, and are named here so that windows close before their servers do.
    """
    from tests.browser.window import Window

    made: list[Window] = []

    def open_(url: str = "", heading: Any = None, expected: str | None = None,
              **options: Any) -> Window:  # fmt: skip
        context = browser.new_context(**{"reduced_motion": "reduce", **options})
        context.set_default_timeout(MILLISECONDS)
        made.append(Window(context, expected))
        return made[-1].go(url, heading) if url else made[-1]

    yield open_
    try:
        for window in made:
            window.check()
    finally:
        for window in made:
            window.context.close()


def likewise(*arguments: object) -> None:
    """The command, as a user runs it."""
    subprocess.run(
        [sys.executable, "-m", "likewise", *map(str, arguments)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip


def write_report(folder: Path, *arguments: object) -> str:
    """The address of a report on disk."""
    path = folder / "report.html"
    likewise("report", *arguments, "-o", path, "--quiet")
    return path.as_uri()


@pytest.fixture(scope="package")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The essays as a report."""
    return write_report(tmp_path_factory.mktemp("report"), SAMPLES / "essays")


@pytest.fixture(scope="package")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the essays, which no test changes."""
    server = Live(folder_index(tmp_path_factory.mktemp("app"), ESSAYS), "--quiet")
    yield server.url
    server.kill()


@pytest.fixture(scope="package")
def course(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The course as a report."""
    folder = tmp_path_factory.mktemp("course")
    return write_report(
        folder, write_lines(folder / "course.jsonl", documents()),
        "--metadata", write_metadata(folder / "known.jsonl", METADATA), "--title", "A course",
    )  # fmt: skip


@pytest.fixture
def library(live: Callable[..., Live], tmp_path: Path) -> str:
    """A server of a test's own: an empty collection in a folder where more can be made."""
    folder = tmp_path / "secret place"
    folder.mkdir()
    return live(folder_index(folder), "--folder", folder, "--quiet").url


def folder_index(folder: Path, texts: Mapping[str, str] | None = None, **settings: Any) -> str:
    """An index in a folder, with texts."""
    path = str(folder / "essays.db")
    with Index.create(path, **settings) as index:
        if texts:
            index.add(list(texts.values()), list(texts))
    return path
