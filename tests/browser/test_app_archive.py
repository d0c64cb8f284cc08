"""The archive of a collection in the app: chosen in the library, marked in the views."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from likewise.index.index import Index
from tests.browser.conftest import ESSAYS, Open
from tests.server.conftest import Live


@pytest.fixture
def years(live: Callable[..., Live], tmp_path: Path) -> str:
    """A server with the essays of two years."""
    for year, own in (("2018", True), ("2019", False)):
        texts = {id_: text for id_, text in ESSAYS.items() if (id_[-5] in "123") is own}
        with Index.create(tmp_path / f"{year}.db") as index:
            index.add(list(texts.values()), list(texts))
    return live(None, "--folder", tmp_path, "--quiet").url


@pytest.mark.smoke
def test_a_collection_is_compared_with_its_archive(open_window: Open, years: str) -> None:
    window = open_window(f"{years}/#/c/2019/library", "Library")
    window.page.get_by_text("Archive", exact=True).click()
    window.page.get_by_label("2018").check()
    expect(window.page.get_by_label("2018")).to_be_enabled()
    window.to("#/c/2019/", "Overview")
    tiles = window.page.locator("dl.tiles")
    expect(tiles).to_contain_text("In the archive15")
    expect(tiles).to_contain_text("Under review20")

    window.to("#/c/2019/pairs?q=archive%3Ayes", "Pairs")
    marks = window.rows("Pairs").locator(".archive-mark")
    expect(marks.first).to_be_visible()
    expect(marks).to_have_count(window.rows("Pairs").count())
    window.to("#/c/2019/document/cars-04.txt", "cars-04.txt")
    source = window.page.locator('[data-list="sources"] [data-source]', has_text="cars-01.txt")
    expect(source).to_contain_text("archive")
    source.get_by_role("link").click()
    window.settled("cars-04.txt and 2018: cars-01.txt archive")
    expect(window.page.locator('[data-pane="b"] h2')).to_contain_text("archive")
    window.page.locator('[data-pane="b"] h2 a').click()
    window.settled("2018: cars-01.txt archive")
    expect(window.page.locator("main")).to_contain_text("This document is in the archive.")

    # It is stored, and affects no other collection.
    again = open_window(f"{years}/#/c/2019/library", "Library")
    expect(again.page.get_by_label("2018")).to_be_checked()
    other = open_window(f"{years}/#/c/2018/", "Overview")
    expect(other.page.locator("dl.tiles")).not_to_contain_text("archive")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_choice_is_for_everybody(open_window: Open, years: str, theme: str) -> None:
    """In both themes, on a phone and by keyboard."""
    window = open_window(
        f"{years}/#/c/2019/library", "Library", color_scheme=theme,
        viewport={"width": 390, "height": 844},
    )  # fmt: skip
    window.page.locator('[data-list="archive"] summary').focus()
    window.page.keyboard.press("Enter")
    window.page.keyboard.press("Tab")
    window.page.keyboard.press("Space")
    expect(window.page.get_by_label("2018")).to_be_checked()
    assert window.axe() == []
    again = open_window(f"{years}/#/c/2019/library", "Library")
    expect(again.page.get_by_label("2018")).to_be_checked()
