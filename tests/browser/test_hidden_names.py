"""While names are hidden, no view, address, title, tooltip or file has one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from likewise.index.index import Index
from tests.browser.conftest import Open, folder_index, write_report
from tests.browser.course import write_lines, write_metadata
from tests.browser.window import Window
from tests.survey.anonymity import PEOPLE, named_documents

SINGLE = {word for author in PEOPLE for word in re.findall(r"[^\W\d_]{4,}", author)}
EVERYTHING = """() => [
    location.href, document.title, document.documentElement.outerHTML,
    ...[...document.querySelectorAll('input, textarea, select')].map(e => e.value),
].join('\\n')"""


def names_in(window: Window) -> set[str]:
    """Names in all that the page has but its data."""
    whole = window.page.evaluate(EVERYTHING)
    whole = re.sub(r"<script type=\"application/json\".*?</script>", "", whole, flags=re.DOTALL)
    whole = re.sub(r"<script type=\"module\">.*?</script>", "", whole, flags=re.DOTALL)
    whole = re.sub(r"<style>.*?</style>", "", whole, flags=re.DOTALL)
    found = {name for name in (*PEOPLE, "assignsubmission") if name in whole}
    return found | (SINGLE & set(re.findall(r"\w+", whole)))


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report on texts with names."""
    folder = tmp_path_factory.mktemp("named")
    documents = named_documents()
    lines = write_lines(folder / "Lovelace.jsonl", {one.id: one.text for one in documents})
    known = write_metadata(folder / "Turing.jsonl", {one.id: one.known for one in documents})
    (folder / "Plato.pdf").write_bytes(b"no PDF")
    return write_report(
        folder, lines, folder / "Plato.pdf", "--metadata", known, "--no-cache",
        "--title", "Essays of Ada Lovelace",
    )  # fmt: skip


def hide(window: Window) -> None:
    window.button("Hide names").click()
    expect(window.button("Hide names")).to_have_attribute("aria-pressed", "true")
    window.settled()


VIEWS = (
    "", "documents", "pairs", "clusters", "clusters?picture=heat", "families", "families?show=grid",
    "run",
)  # fmt: skip


@pytest.mark.smoke
def test_nothing_on_the_screen_has_a_name(open_window: Open, named: str) -> None:
    window = open_window(named, "Overview")
    assert names_in(window)
    hide(window)
    for view in VIEWS:
        window.to(f"#/{view}")
        assert names_in(window) == set(), view
    window.to("#/documents")
    window.page.locator("[data-document] a").first.click()
    expect(window.page.locator(".text")).to_contain_text("xxx")
    assert names_in(window) == set()
    assert re.search(r"#/document/~\d+$", window.page.url)
    window.to("#/pairs")
    window.page.locator("a.pair-name").first.click()
    expect(window.page.locator(".text")).to_have_count(2)
    assert re.search(r"#/pair/~\d+/~\d+$", window.page.url)
    assert names_in(window) == set()
    heading = window.page.get_by_role("heading", level=1).inner_text()
    window.page.reload()
    window.settled(heading)
    assert names_in(window) == set()
    window.button("Hide names").click()
    expect(window.page.get_by_role("heading", level=1)).not_to_contain_text("Document")
    assert "~" not in window.page.url
    assert names_in(window)


def test_an_address_with_names_becomes_one_with_numbers(open_window: Open, named: str) -> None:
    window = open_window(f"{named}#/pairs?q=Lovelace", "Pairs")
    hide(window)
    assert "Lovelace" not in window.page.url
    id_ = named_documents()[0].id
    window.to("#/document/" + id_.replace("/", "%2F").replace(" ", "%20"))
    expect(window.page.get_by_role("heading", level=1)).to_contain_text("Document")
    assert names_in(window) == set()


def test_a_saved_table_has_no_names(open_window: Open, named: str, tmp_path: Path) -> None:
    window = open_window(f"{named}#/documents", "Documents")
    hide(window)
    with window.page.expect_download() as download:
        window.button(re.compile("CSV")).click()
    download.value.save_as(tmp_path / "documents.csv")
    saved = (tmp_path / "documents.csv").read_text("utf-8-sig")
    assert "Document 1" in saved
    assert not [name for name in (*PEOPLE, *SINGLE, "Plato.pdf") if name in saved]


def test_nothing_in_the_app_has_a_name(open_window: Open, live, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = folder_index(tmp_path)
    documents = named_documents()
    with Index(path) as index:
        index.add([one.text for one in documents], [one.id for one in documents],
                  metadata=[one.known for one in documents])  # fmt: skip
    window = open_window(live(path, "--quiet").url, "Overview")
    hide(window)
    for view in (*VIEWS, "library", "document/~3", "pair/~1/~2"):
        window.to(f"#/{view}")
        assert names_in(window) == set(), view
    window.page.reload()
    window.settled()
    assert names_in(window) == set()
    window.to("#/check")
    window.page.locator("textarea").fill(documents[0].text)
    expect(window.page.locator(".board .text")).to_contain_text("xxx")
    assert not [name for name in PEOPLE if name in window.page.locator(".board").inner_text()]
