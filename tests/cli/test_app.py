"""`likewise app`: opens the app in a browser, whatever the machine is like."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.server.conftest import until

App = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """Starts the app with a data folder of the test's own."""
    made: list[subprocess.Popen[str]] = []

    def start(*arguments: object, **environment: str) -> subprocess.Popen[str]:
        known = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        made.append(
            subprocess.Popen(
                [sys.executable, "-m", "likewise", "app", *map(str, arguments)],
                cwd=tmp_path, stderr=subprocess.PIPE, text=True,
                env={**known, "XDG_DATA_HOME": str(tmp_path / "data"), **environment},
            )
        )  # fmt: skip
        return made[-1]

    yield start
    for one in made:
        one.kill()
        one.communicate()


def address_of(app: subprocess.Popen[str]) -> str:
    assert app.stderr is not None
    for line in app.stderr:
        if found := re.search(r"the app is at (http://127\.0\.0\.1:\d+/) ", line):
            return found[1]
    raise AssertionError("it ended without an address")


def test_it_opens_the_browser_keeps_documents_and_ends_with_ctrl_c(
    app: App, tmp_path: Path
) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n')
    browser.chmod(0o755)
    started = app("--port", 0, BROWSER=f"{browser} %s")
    address = address_of(started)
    assert until(lambda: opened.exists() and opened.read_text()) == address
    with urllib.request.urlopen(address) as page:
        assert b"<title>likewise" in page.read()
    assert (tmp_path / "data/likewise/index.db").exists()
    started.send_signal(signal.SIGINT)
    assert started.wait(30) in (0, -signal.SIGINT, 130)


def test_without_a_browser_the_address_is_printed(app: App) -> None:
    with urllib.request.urlopen(address_of(app("--port", 0))) as page:
        assert page.status == 200


def test_a_port_that_is_taken_is_no_problem(app: App) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        address = address_of(app("--port", port, "--no-browser"))
        assert str(port) not in address
        with urllib.request.urlopen(address) as page:
            assert page.status == 200


def test_what_cannot_be_served_is_reported(run: Run) -> None:
    for options, message in (
        (["--port", 65536], "port is 65536"),
        (["--folder", "none"], "none: not a folder"),
        (["--index", "none.db"], "none.db: no such index"),
    ):
        result = run("app", *options)
        assert result.status == 2
        assert message in result.err
