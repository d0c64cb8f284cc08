"""What all tests share: slow tests, groups for parallel runs, Hypothesis, vector instructions."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from likewise import _core

# A shell lets its background jobs ignore Ctrl-C, and nohup a hangup; so do the programs that they
# start. Tests of these signals send them to programs that do not ignore them.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# No deadlines: a noisy machine must not fail a test.
for _profile, _examples in {"fast": 40, "ci": 150}.items():
    settings.register_profile(
        _profile,
        deadline=None,
        max_examples=int(os.environ.get("LIKEWISE_EXAMPLES", _examples)),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
        derandomize=True,
    )
settings.load_profile("fast")

# Folders whose tests share something that takes long to start. Each runs in one process, those of a
# browser in two, and before the others, so that no process is left alone with it at the end.
FOLDERS = ("spark", "browser")
GROUPS = ("spark", "browser", "browser, report")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slow", action="store_true", help="also run the tests marked slow, with more examples"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--slow") and not config.getoption("--hypothesis-profile", None):
        settings.load_profile("ci")


def _selects_slow(config: pytest.Config) -> bool:
    """Slow tests run with --slow, with -m, or by name (FILE::TEST)."""
    asked = config.getoption("--slow") or config.getoption("-m")
    return bool(asked) or any("::" in argument for argument in config.args)


def _is_slow(item: pytest.Item) -> bool:
    """In a browser, all but those marked smoke; elsewhere, those marked slow."""
    if item.path.parent.name == "browser":
        return item.get_closest_marker("smoke") is None
    return item.get_closest_marker("slow") is not None


def _group(nodeid: str) -> str:
    """The tests of a group run in one process, one after the other: a folder's, or a file's."""
    file = nodeid.partition("::")[0]
    folder = next((name for name in FOLDERS if f"/{name}/" in file), None)
    if folder == "browser" and "/test_report_" in file:
        return "browser, report"
    return folder or file


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not _selects_slow(config):
        slow = [item for item in items if _is_slow(item)]
        items[:] = [item for item in items if not _is_slow(item)]
        config.hook.pytest_deselected(items=slow)
    items.sort(key=lambda item: _group(item.nodeid) not in GROUPS)  # stable


class _Scheduling(LoadFileScheduling):
    """--dist loadfile, by group."""

    def _split_scope(self, nodeid: str) -> str:
        return _group(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _Scheduling | None:
    return _Scheduling(config, log) if config.getoption("--dist") == "loadfile" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not _selects_slow(terminalreporter.config):
        terminalreporter.write_line("slow tests were not run; `pytest --slow` runs all tests")


@pytest.fixture(params=["none", "avx2", "avx512"])
def instructions(request: pytest.FixtureRequest) -> Iterator[str]:
    """Runs a test with each level of vector instructions that the machine has, and without."""
    if request.param not in _core.vector_levels():
        pytest.skip(f"this machine has no {request.param}")
    _core.limit_vectors(request.param)
    yield request.param
    _core.limit_vectors("avx512")
