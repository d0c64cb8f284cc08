"""On paper: passages side by side, both texts if wanted, a title and a number on every sheet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import ESSAYS, Open, write_report
from tests.browser.course import documents, write_lines, write_metadata
from tests.browser.expected import Expected
from tests.browser.hostile import metadata as hostile_metadata
from tests.browser.hostile import texts as hostile_texts
from tests.browser.paper import Paper, Row
from tests.browser.scripts import pairs as pairs_of_scripts
from tests.browser.window import Window
from tests.survey.made_texts import some

COURSE = Expected(documents())
PAIR = "#/pair/paper.txt/first.txt"
HEADING = "+Ada – @Paper of the year and Ben – A first source"
FULL = "Passages and full texts"
DATE = r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"


def opened(
    open_window: Open, address: str, heading: str | None = None, **options: object
) -> Window:
    """A window that does not open the dialog of the system."""
    window = open_window(**options)
    window.page.add_init_script("window.print = () => { window.printed = true }")
    return window.go(address, heading)


def dialog(window: Window) -> Locator:
    window.button("Print…").click()
    return window.page.get_by_role("dialog", name="Print")


def confirm(window: Window) -> None:
    window.page.get_by_role("dialog").get_by_role("button", name="Print", exact=True).click()
    window.until("() => window.printed === true")


def estimate(asked: Locator) -> int:
    words = asked.get_by_role("status").inner_text()
    return int(re.findall(r"About ([\d,]+) page", words)[0].replace(",", ""))


def missing(text: str, printed: str) -> list[str]:
    """Words of a text that are not on paper."""
    return [word for word in text.split() if word.strip("“”\"'.,") not in printed]


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


def rows_of(paper: Paper, number: int) -> list[Row]:
    return [row for row in paper.rows if row.number.split(".")[0] == str(number)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_passages_are_side_by_side_row_by_row(open_window: Open, course: str, theme: str) -> None:
    """Printed by the keys of the browser, without a dialog."""
    paper = Paper(open_window(f"{course}{PAIR}", HEADING, color_scheme=theme))
    texts = documents()["paper.txt"], documents()["first.txt"]
    for number, passage in enumerate(COURSE.pair("paper.txt", "first.txt").passages, 1):
        rows = rows_of(paper, number)
        left, right = (" ".join(getattr(row, side) for row in rows) for side in ("left", "right"))
        assert missing(texts[0][passage.a_start : passage.a_end], left) == []
        assert missing(texts[1][passage.b_start : passage.b_end], right) == []
        for row in rows[1:-1]:
            assert row.left == row.right
        assert re.match(r"line \d+, words [\d,]+–[\d,]+ …", left)
        assert "…" in left[-200:]
    assert [row.number for row in paper.rows] == ["1", "2", "3", "4"]
    assert paper.cut == []
    assert "Similarity" in paper.words
    assert "2020-01-02" in paper.words
    assert "minimum words in a run 12; nothing excluded" in paper.words


def test_excluded_text_is_no_passage_on_paper(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/pair/paper.txt/second.txt")
    assert len(rows_of(Paper(window), 3)) == 1
    window.to("#/pair/paper.txt/second.txt?exclude=quotations")
    expect(window.page.locator(".text .out").first).to_be_visible()
    paper = Paper(window)
    assert [row.number for row in paper.rows] == ["1", "2"]
    assert "excluded: quotations." in paper.words
    assert "80 in 2 passages: 6 % of" in paper.words
    assert "neither quotation marks nor citation in both" in paper.words


@pytest.mark.smoke
def test_the_dialog_prints_the_pairs_that_a_search_lists(open_window: Open, report: str) -> None:
    window = opened(open_window, f"{report}#/pairs?q=tides", "Pairs")
    asked = dialog(window)
    expect(asked.get_by_role("radio", name="The 3 pairs listed")).to_be_checked()
    expect(asked.get_by_role("status")).to_contain_text("for 3 pairs")
    confirm(window)
    expect(asked).to_have_count(0)
    expect(window.page.locator(".print-sheet")).to_have_count(4)
    paper = Paper(window)
    expect(window.page.locator(".print-sheets")).to_have_count(0)
    expect(window.page).to_have_title(re.compile("^Pairs · "))
    for number, (a, b) in enumerate((("02", "05"), ("01", "04"), ("03", "06")), 1):
        title = f"Pair {number} of 3: tides-{a}.txt and tides-{b}.txt"
        assert [page for page in paper.pages if page.strip().startswith(title)]
    of_first = [row for row in paper.rows if paper.pages[row.page].strip().startswith("Pair 1 ")]
    assert len(of_first) > 5
    for row in of_first:  # the same but for signs and capital letters
        left, right = (re.findall(r"\w+", side.lower()) for side in (row.left, row.right))
        assert left == right
    assert re.search(r"^1\s+tides-02.txt\s+tides-05.txt\s+1.00\s+292", paper.text, re.MULTILINE)
    assert "It does not show why" in paper.words
    assert re.search(rf"Figures of\s+{DATE}\s+Printed\s+{DATE}", paper.text)


def test_every_sheet_has_a_title_dates_and_its_number(open_window: Open, report: str) -> None:
    window = opened(open_window, f"{report}#/", "Overview")
    asked = dialog(window)
    asked.get_by_role("radio", name=FULL).check()
    confirm(window)
    paper = Paper(window)
    for number, page in enumerate(paper.pages, 1):
        assert f"Page {number} of {len(paper.pages)}" in page
        assert re.search(r"Pair \d+ of 18: [\w-]+\.txt and [\w-]+\.txt|Shared wording: ", page)
        assert re.search(rf"report of {DATE} · printed {DATE}", page)


def test_sheets_are_for_everybody(open_window: Open, course: str) -> None:
    """Also those of a PDF, which has their headings and tables."""
    window = opened(open_window, f"{course}#/pairs", "Pairs")
    dialog(window).get_by_role("radio", name=FULL).check()
    confirm(window)
    window.page.emulate_media(media="print")
    assert window.axe() == []


def test_other_views_have_title_and_number_too(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/document/cars-04.txt", "cars-04.txt")
    for number, page in enumerate((paper := Paper(window)).pages, 1):
        assert "cars-04.txt" in page
        assert f"Page {number} of {len(paper.pages)}" in page


@pytest.mark.parametrize("paper_format", ["A4", "Letter"])
@pytest.mark.parametrize("contents", ["Passages only", FULL])
def test_the_estimate_is_near_what_is_printed(
    open_window: Open, report: str, paper_format: str, contents: str
) -> None:
    window = opened(open_window, f"{report}#/pairs", "Pairs")
    asked = dialog(window)
    asked.get_by_role("radio", name=contents).check()
    expected = estimate(asked)
    confirm(window)
    paper = Paper(window, format=paper_format)
    assert expected / 1.34 < len(paper.pages) < expected * 1.34
    assert paper.cut == []


def test_both_texts_are_printed_in_full_on_demand(open_window: Open, course: str) -> None:
    window = opened(open_window, f"{course}{PAIR}", HEADING)
    asked = dialog(window)
    less = estimate(asked)
    asked.get_by_role("radio", name=FULL).check()
    assert estimate(asked) > less
    confirm(window)
    paper = Paper(window)
    for id_ in ("paper.txt", "first.txt"):
        assert missing(documents()[id_], paper.text) == []
    assert "Full text of Ben – A first source" in paper.words
    # The choice is that of the browser's keys too.
    assert "Full text of Ben" in Paper(window).words


def test_pairs_can_be_chosen_and_limited(open_window: Open, report: str) -> None:
    window = opened(open_window, f"{report}#/pairs", "Pairs")
    asked = dialog(window)
    asked.get_by_label("Only the first").fill("2")
    expect(asked.get_by_role("status")).to_contain_text("for 2 pairs")
    asked.get_by_role("radio", name="Choose pairs").check()
    expect(asked.get_by_role("button", name="Print", exact=True)).to_be_disabled()
    for name in ("tides-03.txt and tides-06.txt", "press-01.txt and press-04.txt"):
        asked.get_by_role("checkbox", name=name).check()
    asked.get_by_role("checkbox", name="Cover").uncheck()
    confirm(window)
    paper = Paper(window)
    assert paper.pages[0].strip().startswith("Pair 1 of 2: press-01.txt and press-04.txt")
    assert paper.pages[-1].strip().startswith("Pair 2 of 2: tides-03.txt and tides-06.txt")


def test_important_pairs_are_printed(open_window: Open, report: str) -> None:
    window = opened(open_window, f"{report}#/pair/tides-03.txt/tides-06.txt")
    window.button("Important").first.click()
    window.to("#/pairs", "Pairs")
    dialog(window).get_by_role("radio", name="1 pair reviewed as important").check()
    confirm(window)
    assert Paper(window).pages[0].strip().startswith("Pair: tides-03.txt and tides-06.txt")


def test_much_paper_is_a_warning(open_window: Open, tmp_path: Path) -> None:
    texts = {f"{number:02}": " ".join(some(150, "same")) for number in range(12)}
    address = write_report(tmp_path, write_lines(tmp_path / "same.jsonl", texts))
    window = opened(open_window, f"{address}#/pairs", "Pairs")
    asked = dialog(window)
    expect(asked.get_by_role("alert")).to_contain_text("more than 50 pages")
    asked.get_by_label("Only the first").fill("3")
    expect(asked.get_by_role("alert")).to_have_count(0)
    asked.get_by_label("Only the first").fill("")
    confirm(window)
    expect(window.page.locator(".print-sheet")).to_have_count(67)


def test_hidden_and_look_alike_characters_are_named(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/pair/paper.txt/tricked.txt")
    assert "Cyrillic letters that look Latin" in Paper(window).words


def test_a_single_pair_has_no_cover_unless_it_is_wanted(open_window: Open, course: str) -> None:
    window = opened(open_window, f"{course}{PAIR}", HEADING)
    cover = dialog(window).get_by_role("checkbox", name="Cover")
    expect(cover).not_to_be_checked()
    window.page.get_by_role("radio", name="All").check()
    expect(cover).to_be_checked()
    cover.uncheck()
    window.page.get_by_role("radio", name="This pair").check()
    window.page.get_by_role("radio", name="All").check()
    expect(cover).not_to_be_checked()


def test_names_can_be_hidden_on_paper_only(open_window: Open, course: str) -> None:
    window = opened(open_window, f"{course}{PAIR}", HEADING)
    dialog(window).get_by_role("checkbox", name="Hide names").check()
    window.page.get_by_role("checkbox", name="Cover").check()
    confirm(window)
    paper = Paper(window)
    for name in ("Ada", "Ben", "A first source", "paper.txt", "first.txt", "2020-01-02"):
        assert name not in paper.words
    assert re.search(r"Document \d+ and Document \d+", paper.words)
    expect(window.page.get_by_role("heading", level=1)).to_have_text(HEADING)


def test_a_document_is_printed_whole_without_buttons(open_window: Open, course: str) -> None:
    window = opened(open_window, f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    asked = dialog(window)
    expect(asked.get_by_role("radio", name="This document, with its sources")).to_be_checked()
    expected = estimate(asked)
    confirm(window)
    paper = Paper(window)
    words = [word.strip("“”") for word in documents()["paper.txt"].split()]
    assert is_in_order(words, paper.text) is None
    assert not re.search(r"\bNext\b", paper.text)
    assert "Skip to content" not in paper.text
    assert "Ben – A first source" in paper.words
    assert expected <= len(paper.pages) <= expected + 2


def test_the_pairs_of_a_document_are_printed(open_window: Open, course: str) -> None:
    window = opened(open_window, f"{course}#/document/third.txt", "third.txt")
    dialog(window).get_by_role("radio", name="pairs of this document").check()
    confirm(window)
    assert "third.txt" in Paper(window).pages[0]


@pytest.mark.smoke
def test_the_pairs_are_printed_as_a_table(open_window: Open, report: str) -> None:
    printed = Paper(open_window(f"{report}#/pairs", "Pairs")).text
    assert "homework-04.txt" in printed
    assert "Search" not in printed


def test_long_passages_keep_their_rows_over_sheets(open_window: Open, tmp_path: Path) -> None:
    """A copy of 10,000 words, and one of 3,000 with every seventh word changed."""
    whole, edited = some(10_000, "long"), some(3000, "long and edited")
    changed = [f"{word}ix" if at % 7 == 3 else word for at, word in enumerate(edited)]
    parts = {"a": (whole, some(40, "own"), edited), "b": (changed, some(60, "other"), whole)}
    texts = {id_: "\n\n".join(map(" ".join, given)) for id_, given in parts.items()}
    address = write_report(tmp_path, write_lines(tmp_path / "long.jsonl", texts))
    paper = Paper(open_window(f"{address}#/pair/a/b", "a and b"))
    assert paper.cut == []
    copied = rows_of(paper, 1)
    assert len({row.page for row in copied}) > 5
    inner = copied[1:-1]
    assert [row.number for row in inner] == [f"1.{at}" for at in range(2, len(inner) + 2)]
    assert all(row.left == row.right for row in inner)
    assert is_in_order(whole[100:9900], " ".join(row.left for row in copied)) is None
    for row in rows_of(paper, 2)[1:-1]:
        left, right = row.left.split(), row.right.split()
        assert [word.removesuffix("ix") for word in right] == left, row


def test_parts_in_another_order_are_told_apart(open_window: Open, tmp_path: Path) -> None:
    one, two, three = (some(60, name) for name in ("one", "two", "three"))
    texts = {"a": " ".join([*some(50, 1), *one, *two, *three, *some(50, 2)]),
             "b": " ".join([*some(50, 3), *three, *one, *two, *some(50, 4)])}  # fmt: skip
    address = write_report(tmp_path, write_lines(tmp_path / "moved.jsonl", texts))
    paper = Paper(open_window(f"{address}#/pair/a/b", "a and b"))
    for part in (one, two, three):
        assert is_in_order(part, " ".join(row.left for row in paper.rows)) is None
        (found, *_) = (row for row in paper.rows if " ".join(part[20:24]) in row.left)
        assert " ".join(part[20:24]) in found.right


def test_any_script_is_aligned(open_window: Open, tmp_path: Path) -> None:
    texts = {f"{name} {side}": text for name, both in pairs_of_scripts().items()
             for side, text in zip("ab", both, strict=True)}  # fmt: skip
    address = write_report(tmp_path, write_lines(tmp_path / "scripts.jsonl", texts))
    window = open_window()
    for name in pairs_of_scripts():
        window.go(f"{address}#/pair/{name} a/{name} b", f"{name} a and {name} b")
        window.page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
        shared = window.page.locator(".print-sheet tbody[data-passage] tr td:nth-of-type(1) u")
        twins = window.page.locator(".print-sheet tbody[data-passage] tr td:nth-of-type(2) u")
        own, other = window.texts(shared), window.texts(twins)
        assert own, name
        letters = [sorted(re.findall(r"\w", "".join(texts))) for texts in (own, other)]
        assert letters[0] == letters[1], name
        window.page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
        assert Paper(window).cut == [], name


def test_without_texts_only_the_measures_are_printed(open_window: Open, tmp_path: Path) -> None:
    texts = {name: ESSAYS[name] for name in ("tides-01.txt", "tides-04.txt")}
    address = write_report(tmp_path, write_lines(tmp_path / "two.jsonl", texts), "--no-texts")
    paper = Paper(open_window(f"{address}#/pair/tides-01.txt/tides-04.txt"))
    assert len(paper.pages) == 1
    assert "only the measures are printed" in paper.words
    assert "Similarity" in paper.words


def test_names_are_only_names(open_window: Open, tmp_path: Path) -> None:
    address = write_report(
        tmp_path, write_lines(tmp_path / "texts.jsonl", hostile_texts()),
        "--metadata", write_metadata(tmp_path / "known.jsonl", hostile_metadata()),
    )  # fmt: skip
    window = opened(open_window, f"{address}#/pairs", "Pairs")
    dialog(window).get_by_label("Only the first").fill("40")
    confirm(window)
    paper = Paper(window)
    assert paper.cut == []
    for number, page in enumerate(paper.pages, 1):
        assert f"Page {number} of {len(paper.pages)}" in page


def test_the_app_prints_what_a_report_prints(open_window: Open, app: str, report: str) -> None:
    found = []
    for address in (report, f"{app}/"):
        window = opened(open_window, f"{address}#/pairs?q=cars-04", "Pairs")
        dialog(window)
        confirm(window)
        found.append(Paper(window).rows)
    assert found[0] == found[1] != []
