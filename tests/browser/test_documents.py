"""The list of documents in report and app, with the files that could not be read."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ESSAYS, Open, write_report
from tests.browser.course import FORMULA, METADATA, documents, write_metadata
from tests.browser.test_app_library import choose, named, summary
from tests.browser.window import Window, said

NOT_READ = 'status:"not read"'


def search(window: Window, text: str) -> None:
    window.page.get_by_role("searchbox", name="Search the documents").fill(text)


def names(window: Window) -> list[str]:
    return window.texts(window.page.locator("td[data-column=name] .name"))


def column(window: Window, key: str) -> list[str]:
    cells = window.page.locator(f"td[data-column={key}]").all()
    return [said(cell).strip() for cell in cells]


def save(window: Window) -> list[dict[str, str]]:
    with window.page.expect_download() as caught:
        window.button("CSV").click()
    assert caught.value.suggested_filename == "documents.csv"
    data = Path(caught.value.path()).read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with two files that cannot be read."""
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "texts").mkdir()
    for name in ("cars-02.txt", "cars-05.txt", "bees-01.txt"):
        (folder / "texts" / name).write_text(ESSAYS[name], encoding="utf-8")
    (folder / "texts" / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    (folder / "texts" / "=cmd.pdf").write_bytes(b"%PDF-1.7 and no more")
    (folder / "texts" / "empty.txt").write_text("")
    return write_report(folder, folder / "texts")


@pytest.mark.smoke
def test_every_document_is_listed_with_its_figures(open_window: Open, course: str) -> None:
    window = open_window(course, "Overview")
    window.link("Documents", exact=True).click()
    window.settled("Documents")
    expect(window.rows("Documents")).to_have_count(len(documents()))
    row = window.rows("Documents").filter(has_text="tricked.txt").first
    cells = {
        key: said(row.locator(f"[data-column={key}]")).strip()
        for key in ("words", "share", "run", "flags", "status")
    }
    assert cells == {
        "words": "300",
        "share": "20 %",
        "run": "40",
        "flags": "1",
        "status": "compared",
    }
    head = window.texts(window.page.get_by_role("columnheader"))
    assert {"Author", "Group", "Date"} <= set(head)
    shares = [int(share.strip(" %<\u00a0")) for share in column(window, "share")]
    assert shares == sorted(shares, reverse=True)
    window.button("Words", exact=True).click()
    words = [int(count.replace(",", "")) for count in column(window, "words")]
    assert words == sorted(words, reverse=True)
    again = open_window(window.page.url, "Documents")
    assert names(again) == names(window)
    row.get_by_role("link", name="@Paper of the year").click()
    window.settled("tricked.txt and +Ada – @Paper of the year")


def test_no_column_is_empty(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/documents", "Documents")
    expect(window.rows("Documents")).to_have_count(35)
    head = window.texts(window.page.get_by_role("columnheader"))
    assert not {"Author", "Group", "Date"} & set(head)


FOUND = {
    "shared >= 90 %": 9, "shared>90": 9, "% shared > 0.9": 9, "longest run > 200": 6, "cars": 8,
    "cars -cars-04": 7, "source:cars-02": 1, "words < 400 shared > 50%": 21, "flags > 0": 0,
    "status = compared": 35, "status: compared": 35, "sources >= 2": 3, "name:tides": 7,
}  # fmt: skip


def test_documents_are_searched_by_every_column(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/documents", "Documents")
    told = window.page.get_by_role("status").filter(has_text="document")
    for query, count in FOUND.items():
        search(window, query)
        expect(window.page.get_by_role("alert")).to_have_count(0)
        expect(told).to_contain_text(re.compile(rf"^{count} documents?\b"))
    search(window, "flags > 0")
    expect(window.page.get_by_text("No document matches flags > 0.")).to_be_visible()
    search(window, "colour > 5")
    expect(window.page.get_by_role("alert")).to_contain_text("“colour” is not a column")
    expect(window.page.get_by_role("alert")).to_contain_text("longest run")


def test_dates_are_compared(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/documents?q=date >= 2020", "Documents")
    assert names(window) == ["Ben – A first source"]
    search(window, "date < 2020")
    expect(window.page.get_by_role("heading", name="No documents to show")).to_be_visible()
    search(window, 'author = "+ada" group:b')
    assert names(window) == ["+Ada – @Paper of the year"]


@pytest.mark.smoke
def test_what_could_not_be_read_is_counted_and_listed(open_window: Open, mixed: str) -> None:
    window = open_window(mixed, "Overview")
    expect(window.fact("Documents")).to_contain_text("2 could not be read")
    window.link("2 could not be read").click()
    window.settled("Documents")
    expect(window.rows("Documents")).to_have_count(2)
    expect(window.rows("Documents").filter(has_text="broken.pdf")).to_contain_text("not read")
    expect(window.rows("Documents").filter(has_text="broken.pdf")).to_contain_text("damaged")
    search(window, "")
    expect(window.rows("Documents")).to_have_count(6)
    assert column(window, "status")[-3] == "empty"
    expect(
        window.page.get_by_text("2 files could not be read and are not compared")
    ).to_be_visible()
    rows = {row["document"].split("/")[-1]: row for row in save(window)}
    assert rows["cars-02.txt"]["best_source"].endswith("cars-05.txt")
    assert float(rows["cars-02.txt"]["share"]) == pytest.approx(1, abs=0.02)
    assert (rows["broken.pdf"]["status"], rows["broken.pdf"]["words"]) == ("not read", "")
    assert "damaged" in rows["broken.pdf"]["reason"]


def test_no_cell_of_the_file_is_a_formula(open_window: Open, course: str) -> None:
    rows = save(open_window(f"{course}#/documents", "Documents"))
    cells = [cell for row in rows for cell in row.values()]
    assert {f"'{FORMULA}", "'@Paper of the year", "'+Ada", "'-formula.txt"} <= set(cells)
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]


def test_hidden_names_are_hidden_here_too(open_window: Open, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in documents().items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "secret.pdf").write_bytes(b"%PDF-1.7 and no more")
    known = write_metadata(tmp_path / "known.jsonl", METADATA)
    address = write_report(tmp_path, folder, "--metadata", known)
    window = open_window(f"{address}#/documents", "Documents")
    window.button("Hide names").click()
    expect(window.button("Hide names")).to_have_attribute("aria-pressed", "true")
    shown = window.page.locator("main").inner_text() + str(save(window))
    assert "Document 1" in shown
    for secret in ("Paper", "paper.txt", "first.txt", "Ada", "Ben", "2020", "secret.pdf"):
        assert secret not in shown


def test_skipped_uploads_stay_known_until_they_are_read_or_dismissed(
    open_window: Open, library: str
) -> None:
    window = open_window(f"{library}/#/library", "Library")
    unread = {"broken.pdf": b"%PDF-1.7 and no more", "film.mp4": b"\0\1", "empty.txt": b""}
    choose(window, *(named(name, data) for name, data in unread.items()))
    expect(summary(window)).to_have_text("0 added, 3 skipped")
    window.to("#/documents", "Documents")
    assert sorted(names(window)) == sorted(unread)
    window.to("#/library", "Library")
    choose(
        window, named("bees.txt", ESSAYS["bees-01.txt"]), named("bees-2.txt", ESSAYS["bees-05.txt"])
    )
    expect(summary(window)).to_have_text("2 added")
    again = open_window(f"{library}/", "Overview")
    expect(again.fact("Documents")).to_contain_text("3 could not be read")
    again.to("#/run", "Run")
    expect(again.link("3 files could not be read")).to_be_visible()
    again.to("#/library", "Library")
    choose(again, named("empty.txt", ESSAYS["cars-01.txt"]))
    expect(summary(again)).to_have_text("1 added")
    again.to(f"#/documents?q={NOT_READ}", "Documents")
    assert sorted(names(again)) == ["broken.pdf", "film.mp4"]
    again.button("Dismiss film.mp4").click()
    expect(again.page.get_by_text("1 file could not be read")).to_be_visible()
    assert names(again) == ["broken.pdf"]
    assert again.axe() == []
    again.button("Dismiss all").click()
    expect(again.page.get_by_text("could not be read")).to_have_count(0)
    again.to("#/", "Overview")
    expect(again.fact("Documents")).to_have_text("3")
