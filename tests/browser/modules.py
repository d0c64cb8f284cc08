"""Modules of the pages, called by themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from likewise import pages
from likewise.pages.bundle import bundle

_STATIC = Path(pages.__file__).parent / "static"


def call(browser: Browser, module: str, expression: str, given: Any) -> Any:
    """The value of an expression with what a module exports and `given`."""
    source = bundle(module, lambda name: (_STATIC / name).read_text(encoding="utf-8"))
    page = browser.new_page()
    try:
        return page.evaluate(f"given => {{ {source}\n return {expression}; }}", given)
    finally:
        page.close()
