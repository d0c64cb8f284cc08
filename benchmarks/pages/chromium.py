"""`chromium`: the browser of the system, for benchmarks that need one."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.harness import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Browser | None]:
    """Chromium; None where it or Playwright is not installed, which CI must have."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        message = "needs Chromium and the package playwright"
        if os.environ.get("CI"):
            raise SystemExit(message)
        settings.say(message)
        yield None
        return
    with sync_playwright() as playwright:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"] if root else []
        )
        yield browser
        browser.close()
