"""Documents under review and an archive, in a report: what is marked, counted and searched."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ESSAYS, Open, write_report
from tests.browser.window import said


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The first essays on each subject are those of last year."""
    folder = tmp_path_factory.mktemp("archived")
    for name, text in ESSAYS.items():
        part = folder / ("last" if name.endswith(("-01.txt", "-02.txt", "-03.txt")) else "this")
        part.mkdir(exist_ok=True)
        (part / name).write_text(text, encoding="utf-8")
    return write_report(folder, folder / "this", "--against", folder / "last")


@pytest.mark.smoke
def test_what_is_archive_is_marked_in_every_view(
    open_window: Open, archived: str, tmp_path: Path
) -> None:
    window = open_window(archived, "Overview")
    tiles = window.page.locator("dl.tiles")
    expect(tiles).to_contain_text("Under review")
    expect(tiles).to_contain_text("In the archive15")
    # The documents to read are those under review.
    expect(window.page.locator('[data-list="documents"] .archive-mark')).to_have_count(0)

    window = open_window(f"{archived}#/documents", "Documents")
    status = window.rows("Documents").locator('[data-column="status"]')
    words = window.texts(status)
    assert set(words) == {"under review", "archive"}
    assert words.count("under review") == 20
    named = window.rows("Documents").locator('[data-column="name"] .archive-mark')
    expect(named).to_have_count(words.count("archive"))
    note = window.page.locator('[data-value="archive-note"]')
    expect(note).to_have_text(
        f"20 documents under review, and {words.count('archive')} of 15 in the archive, "
        "which share text with them."
    )

    window = open_window(f"{archived}#/pairs", "Pairs")
    every = window.rows("Pairs").count()
    window.page.get_by_label("With the archive").check()
    with_archive = window.rows("Pairs").count()
    assert 0 < with_archive < every
    expect(window.rows("Pairs").locator(".archive-mark")).to_have_count(with_archive)
    assert "archive%3Ayes" in window.page.url
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="CSV").click()
    saved = tmp_path / "pairs.csv"
    download.value.save_as(saved)
    rows = list(csv.DictReader(io.StringIO(saved.read_text("utf-8-sig"))))
    assert {(row["archive_a"], row["archive_b"]) for row in rows} == {("", "archive")}
    window.page.get_by_label("Under review").check()
    expect(window.rows("Pairs")).to_have_count(every - with_archive)
    expect(window.rows("Pairs").locator(".archive-mark")).to_have_count(0)

    window = open_window(f"{archived}#/clusters?t=0.05", "Clusters")
    graph = window.page.get_by_role("application", name="Graph of the clusters")
    dots = graph.locator(".in-archive")
    assert dots.count() > 0
    expect(window.rows("Clusters").locator(".archive-mark")).to_have_count(dots.count())


@pytest.mark.smoke
def test_a_document_of_the_archive_and_its_pair_say_so(open_window: Open, archived: str) -> None:
    window = open_window(f"{archived}#/document/cars-04.txt", "cars-04.txt")
    sources = window.page.locator('[data-list="sources"]')
    expect(sources.locator("[data-source]", has_text="cars-01.txt")).to_contain_text("archive")
    window = open_window(f"{archived}#/document/cars-01.txt", "cars-01.txt archive")
    assert "not with others of the archive" in said(window.page.locator("main"))
    pair = "cars-04.txt and cars-01.txt archive"
    window = open_window(f"{archived}#/pair/cars-04.txt/cars-01.txt", pair)
    expect(window.page.locator('[data-pane="b"] h2')).to_contain_text("archive")
    expect(window.page.locator('[data-pane="a"] h2')).not_to_contain_text("archive")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_are_for_everybody(open_window: Open, archived: str, theme: str) -> None:
    """In both themes, and on a phone, which must not scroll sideways."""
    window = open_window(
        archived, "Overview", color_scheme=theme, viewport={"width": 390, "height": 844}
    )
    for hash_ in ("#/", "#/documents", "#/pairs", "#/clusters?t=0.05", "#/document/cars-04.txt",
                  "#/document/cars-01.txt", "#/pair/cars-04.txt/cars-01.txt"):  # fmt: skip
        window.to(hash_)
        window.settled()
        assert window.axe() == [], hash_
        assert not window.is_wider_than_screen(), hash_


def test_marks_are_on_paper(open_window: Open, archived: str) -> None:
    window = open_window(f"{archived}#/pairs?q=archive%3Ayes", "Pairs")
    window.page.emulate_media(media="print")
    expect(window.rows("Pairs").locator(".archive-mark").first).to_be_visible()
