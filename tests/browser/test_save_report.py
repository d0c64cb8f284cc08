"""A report that is saved from the app opens without it, with the same figures."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from likewise.index.index import Index
from tests.browser.conftest import Open, folder_index
from tests.browser.window import Window
from tests.server.conftest import Live
from tests.survey.anonymity import PEOPLE, data_of, found_in, named_documents
from tests.survey.made_texts import some


@pytest.fixture
def named(live: Callable[..., Live], tmp_path: Path) -> str:
    """A server with texts that have names in them."""
    path = folder_index(tmp_path)
    documents = named_documents()
    with Index(path) as index:
        index.add([one.text for one in documents], [one.id for one in documents],
                  metadata=[one.known for one in documents])  # fmt: skip
    return live(path, "--quiet").url


def save(window: Window, button: str, path: Path) -> bytes:
    with window.page.expect_download() as download:
        window.button(button, exact=True).click()
    download.value.save_as(path)
    return path.read_bytes()


def tiles(window: Window) -> list[str]:
    return window.texts(window.page.locator("dl.tiles dd"))


@pytest.mark.smoke
def test_a_report_is_saved_and_opened(open_window: Open, app: str, tmp_path: Path) -> None:
    window = open_window(app, "Overview")
    figures = tiles(window)
    window.button("Save report…").click()
    expect(window.page.get_by_role("dialog")).to_contain_text("treat it as confidentially")
    page = save(window, "Save report", tmp_path / "saved.html")
    expect(window.page.get_by_role("dialog")).to_contain_text("The report was saved.")
    assert found_in(page, ["bees-01.txt"])
    report = open_window((tmp_path / "saved.html").as_uri(), "Overview")
    assert tiles(report) == figures
    expect(report.button("Save report…")).to_have_count(0)


def test_a_report_without_names_has_a_key(open_window: Open, named: str, tmp_path: Path) -> None:
    window = open_window(named, "Overview")
    figures = tiles(window)
    window.button("Save report…").click()
    window.page.get_by_label("Without names").check()
    page = save(window, "Save report", tmp_path / "saved.html")
    key = save(window, "Save key", tmp_path / "key.csv")
    expect(window.page.get_by_role("dialog")).to_contain_text("Keep it apart")
    assert found_in(page, PEOPLE) == []
    rows = list(csv.DictReader(io.StringIO(key.decode("utf-8-sig"))))
    assert {row["author"] for row in rows} == set(PEOPLE)
    report = open_window((tmp_path / "saved.html").as_uri(), "Overview")
    assert tiles(report) == figures
    expect(report.page).to_have_title("Overview · Anonymous report · likewise")
    pair = data_of(page)["survey"]["pairs"]["columns"]
    a, b = (rows[pair[side][0]]["document"] for side in "ab")
    report.to(f"#/pair/{a}/{b}".replace(" ", "%20"))
    expect(report.page.get_by_role("heading", level=1)).to_have_text(f"{a} and {b}")
    expect(report.page.locator(".text").first).to_contain_text("[name]")
    for view in ("documents", "pairs", "clusters", "run", f"document/{a.replace(' ', '%20')}"):
        report.to(f"#/{view}")
        text = report.page.locator("body").inner_text()
        assert not [name for name in PEOPLE if name in text]


def test_a_saved_report_has_the_exclusions_of_the_page(
    open_window: Open, named: str, tmp_path: Path
) -> None:
    window = open_window(f"{named}#/?exclude=phrases.words-35", "Overview")
    phrase = " ".join(some(60, "shared")[20:30])
    window.page.evaluate(
        """phrase => fetch('api/exclusions/phrases', {method: 'PUT',
            headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({phrases: [phrase]})})""",
        phrase,
    )
    everything = tiles(window)
    window.page.reload()
    window.settled("Overview")
    without = tiles(window)
    assert without != everything
    for choice, kept in (("With names", True), ("Without names", False)):
        window.button("Save report…").click()
        dialog = window.page.get_by_role("dialog")
        window.page.get_by_label("Without names").set_checked(not kept)
        expect(window.page.get_by_label("With the exclusions of this page")).to_be_checked()
        expect(dialog.get_by_text("Not excluded there: phrases.")).to_have_count(0 if kept else 1)
        page = save(window, "Save report", tmp_path / f"{choice}.html")
        assert found_in(page, PEOPLE) == (PEOPLE if kept else [])
        report = open_window((tmp_path / f"{choice}.html").as_uri(), "Overview")
        assert "words-35" in report.page.url
        assert tiles(report) == (without if kept else everything)
        window.page.keyboard.press("Escape")
    window.button("Save report…").click()
    window.page.get_by_label("With the exclusions of this page").uncheck()
    save(window, "Save report", tmp_path / "saved.html")
    report = open_window((tmp_path / "saved.html").as_uri(), "Overview")
    assert tiles(report) == everything
    assert "exclude" not in report.page.url


def test_a_collection_without_texts_says_why_it_cannot_be_saved(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    texts = {"a.txt": "one two three", "b.txt": "one two three four"}
    server = live(folder_index(tmp_path, texts, keep_text=False), "--quiet")
    window = open_window(server.url, "Overview", expected="422")
    window.button("Save report…").click()
    window.button("Save report", exact=True).click()
    expect(window.page.get_by_role("alert")).to_contain_text("stores no texts")
