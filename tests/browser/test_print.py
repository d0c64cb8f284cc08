"""On paper: a pair is whole, however far its texts scroll on a screen."""

from __future__ import annotations

import re

import pypdfium2
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ESSAYS, Open
from tests.browser.course import documents
from tests.browser.window import Window


def words_on_paper(window: Window, **options: object) -> tuple[str, int]:
    """All text of the printed pages, and how many there are."""
    printed = pypdfium2.PdfDocument(window.page.pdf(format="A4", **options))  # type: ignore[arg-type]
    try:
        text = "\n".join(page.get_textpage().get_text_range() for page in printed)
        return text, len(printed)
    finally:
        printed.close()


def is_in_order(words: list[str], text: str) -> str | None:
    """The first of the words that does not follow the others; None if all do.

    Lines may break between any two, and numbers of passages may stand between them.
    """
    place = 0
    for word in words:
        found = text.find(word, place)
        if found < 0:
            return word
        place = found + len(word)
    return None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_texts_of_a_pair_are_printed_whole(open_window: Open, course: str, theme: str) -> None:
    window = open_window(f"{course}#/pair/paper.txt/first.txt", color_scheme=theme)
    printed, pages = words_on_paper(window)
    assert pages > 2
    for id_ in ("paper.txt", "first.txt"):
        words = documents()[id_].split()
        missing = [word for word in words if word.strip("“”") not in printed]
        assert missing == []
    assert "Similarity" in printed
    assert "Ben – A first source" in printed


def test_nothing_reaches_beyond_the_paper(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/pair/paper.txt/first.txt")
    printed = pypdfium2.PdfDocument(window.page.pdf(format="A4"))
    try:
        for page in printed:
            text, (width, height) = page.get_textpage(), page.get_size()
            for number in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(number)
                assert left >= 0
                assert bottom >= 0
                assert right <= width
                assert top <= height
    finally:
        printed.close()


def test_a_document_is_printed_whole_without_buttons(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    printed, _ = words_on_paper(window)
    words = [word.strip("“”") for word in documents()["paper.txt"].split()]
    assert is_in_order(words, printed) is None
    assert not re.search(r"\bNext\b", printed)
    assert "Skip to content" not in printed


@pytest.mark.smoke
def test_the_pairs_are_printed_as_a_table(open_window: Open, report: str) -> None:
    printed, _ = words_on_paper(open_window(f"{report}#/pairs", "Pairs"))
    assert "homework-04.txt" in printed
    assert "Search" not in printed


def test_pairs_are_printed_each_on_sheets_of_its_own(open_window: Open, report: str) -> None:
    window = open_window()
    # What would open the dialog of the system.
    window.page.add_init_script("window.print = () => {}")
    window.go(f"{report}#/pairs?q=tides", "Pairs")
    window.button("Print pairs").click()
    expect(window.page.locator(".print-sheet")).to_have_count(3)
    printed = pypdfium2.PdfDocument(window.page.pdf(format="A4"))
    try:
        pages = [page.get_textpage().get_text_range() for page in printed]
    finally:
        printed.close()
    text = "\n".join(pages)
    for a, b in (("02", "05"), ("01", "04"), ("03", "06")):
        title = rf"^\W*tides-{a}\.txt and tides-{b}\.txt"
        assert len([page for page in pages if re.match(title, page)]) == 1
        for number in (a, b):
            words = ESSAYS[f"tides-{number}.txt"].split()
            assert [word for word in words if word not in text] == []
    expect(window.page.locator(".print-sheet")).to_have_count(0)
