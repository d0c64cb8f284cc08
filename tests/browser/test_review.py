"""Review marks: set where something is looked at, kept, found, counted, saved and opened again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from likewise.index.index import Index
from tests.browser.conftest import ESSAYS, Open, folder_index, write_report
from tests.browser.test_looks import DARK, LIGHT, PHONE
from tests.browser.window import RAN, Window
from tests.server.conftest import Live

PAIR = "#/pair/tides-01.txt/tides-04.txt"
BOTH = "tides-01.txt and tides-04.txt"
NOTE = "Same opening.\nAsk both of them."
BAD = f"<img src=x onerror=\"window.{RAN}='note'\">\u202e=1+1"


def bar(window: Window, what: str = "pair") -> Locator:
    return window.page.locator(f'[data-review="{what}"]')


def choose(window: Window, status: str, what: str = "pair") -> None:
    button = bar(window, what).get_by_role("button", name=status, exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def write_note(window: Window, note: str) -> None:
    bar(window).get_by_role("button", name="note").click()
    window.page.get_by_role("textbox", name="Note").fill(note)
    window.button("Save note").click()
    expect(window.page.get_by_role("dialog")).to_have_count(0)


def saved(window: Window, button: str) -> str:
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name=button, exact=True).click()
    return Path(download.value.path()).read_text(encoding="utf-8-sig")


def open_marks(window: Window, content: object) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    window.page.get_by_label("Choose a file of marks").set_input_files(
        {"name": "review.json", "mimeType": "application/json", "buffer": text.encode()}
    )


def marks_of(window: Window) -> list[list[str]]:
    """Status, documents and what is marked, of every mark in the list."""
    rows = window.rows("Review marks")
    cells = ("status", "documents", "what")
    return [
        [" ".join(row.locator(f'[data-column="{cell}"]').inner_text().split()) for cell in cells]
        for row in rows.all()
    ]


@pytest.mark.smoke
def test_a_report_keeps_marks_shows_and_finds_them(open_window: Open, report: str) -> None:
    window = open_window(f"{report}{PAIR}?passage=0", BOTH)
    choose(window, "important")
    write_note(window, NOTE)
    expect(bar(window).locator(".review-note")).to_have_text(NOTE)
    window.page.keyboard.press("c")
    expect(bar(window, "passage").get_by_role("button", name="cleared")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(window.page.locator("[data-chip='0']")).to_contain_text("cleared")
    window.page.reload()
    window.settled(BOTH)
    expect(bar(window).locator(".review-note")).to_have_text(NOTE)
    expect(bar(window).get_by_role("button", name="important")).to_have_attribute(
        "aria-pressed", "true"
    )
    window.to("#/", "Overview")
    expect(window.page.locator("[data-value=review-count]")).to_contain_text(
        "1 of 18 pairs reviewed; 1 passage marked"
    )
    window.page.locator("[data-list=review]").get_by_role("link", name="1 important").click()
    window.settled("Pairs")
    expect(window.rows("Pairs")).to_have_count(1)
    expect(window.rows("Pairs").locator("[data-column=review]")).to_contain_text("important")
    window.page.get_by_role("radio", name="Not reviewed").check()
    expect(window.rows("Pairs")).to_have_count(17)
    search = window.page.get_by_role("searchbox")
    for text, count in (('note:"ask both"', 1), ("review:cleared", 1), ("-review:none", 1)):
        search.fill(text)
        expect(window.rows("Pairs")).to_have_count(count)
    header, line = csv.reader(io.StringIO(saved(window, "CSV")))
    found = dict(zip(header, line, strict=True))
    assert (found["review"], found["review_note"]) == ("important", NOTE)
    assert found["review_of_passages"] == "1 cleared"
    window.to("#/documents?q=review:important", "Documents")
    cells = window.rows("Documents").locator("[data-column=review]")
    expect(cells).to_have_text(["1 important, 1 cleared"] * 2)
    window.to("#/review", "Review")
    expect(window.rows("Review marks")).to_have_count(2)
    assert marks_of(window) == [
        ["important", "tides-01.txt and tides-04.txt", "pair"],
        ["cleared", "tides-01.txt and tides-04.txt", "passage"],
    ]


def test_marks_change_no_figure(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/document/cars-04.txt", "cars-04.txt")
    score = window.page.locator("[data-value=score]")
    before = score.inner_text()
    for _ in range(3):
        window.page.keyboard.press("n")
        window.page.keyboard.press("c")
        expect(bar(window, "passage").get_by_role("button", name="cleared")).to_have_attribute(
            "aria-pressed", "true"
        )
    expect(score).to_have_text(before)
    window.to("#/review", "Review")
    expect(window.rows("Review marks")).to_have_count(3)
    expect(window.page.locator("main")).to_contain_text("They change no percentage.")


def test_a_mark_is_taken_back_and_a_note_only_after_a_question(
    open_window: Open, report: str
) -> None:
    window = open_window(f"{report}{PAIR}", BOTH)
    choose(window, "cleared")
    choose(window, "reviewed")
    reviewed = bar(window).get_by_role("button", name="reviewed")
    reviewed.click()
    expect(reviewed).to_have_attribute("aria-pressed", "false")
    write_note(window, "one")
    expect(reviewed).to_have_attribute("aria-pressed", "true")
    window.page.keyboard.press("r")
    window.button("Keep").click()
    expect(bar(window)).to_contain_text("one")
    window.to("#/review", "Review")
    window.button("Remove the mark of").click()
    window.button("Remove", exact=True).last.click()
    expect(window.page.locator("main")).to_contain_text("No marks to show")


def test_the_same_passage_is_marked_from_all_its_sides(open_window: Open, report: str) -> None:
    """In the document, in its source, and side by side in both orders."""
    window = open_window(f"{report}#/document/tides-04.txt", "tides-04.txt")
    window.page.locator(".badge[data-passage='0']").click()
    choose(window, "important", "passage")
    for view in ("tides-01.txt/tides-04.txt", "tides-04.txt/tides-01.txt"):
        window.to(f"#/pair/{view}?passage=0", view.replace("/", " and "))
        expect(bar(window, "passage").get_by_role("button", name="important")).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(window.page.locator("[data-chip='0'] .review-sign")).to_have_count(1)
    window.to("#/document/tides-01.txt", "tides-01.txt")
    window.page.locator(".badge[data-passage='0']").click()
    choose_again = bar(window, "passage").get_by_role("button", name="important")
    expect(choose_again).to_have_attribute("aria-pressed", "true")


def test_marks_are_taken_along_as_a_file(
    open_window: Open, report: str, course: str, tmp_path: Path
) -> None:
    """To another browser, and to a report of the same texts with other settings and more texts."""
    window = open_window(f"{report}{PAIR}?passage=0", BOTH)
    choose(window, "important")
    write_note(window, BAD)
    window.page.keyboard.press("c")
    expect(window.page.locator("[data-chip='0']")).to_contain_text("cleared")
    window.to("#/review", "Review")
    text = saved(window, "Save as JSON")
    assert [mark["note"] for mark in json.loads(text)["marks"]] == [BAD, ""]
    assert "'=" not in saved(window, "CSV").replace(BAD, "")
    other = open_window(f"{report}#/review", "Review")
    expect(other.page.locator("main")).to_contain_text("No marks to show")
    for told in ("2 marks added", "0 marks added; 2 older or the same"):
        open_marks(other, text)
        expect(other.page.locator("[data-value=review-message]")).to_have_text(told)
    expect(other.rows("Review marks")).to_have_count(2)
    # An older mark does not replace a later one.
    old = json.loads(text)
    old["marks"][0] |= {"status": "cleared", "time": "2020-01-01T00:00:00Z"}
    open_marks(other, old)
    expect(other.page.locator("[data-value=review-message]")).to_contain_text("2 older")
    assert marks_of(other)[0][0] == "important"
    # Other settings, and one essay that has changed.
    texts = tmp_path / "texts"
    texts.mkdir()
    for name, essay in ESSAYS.items():
        (texts / name).write_text(essay + (" More." if name == "cars-02.txt" else ""), "utf-8")
    again = write_report(tmp_path, texts, "--no-quotations", "--min-words", 8, "--threshold", 0.1)
    later = open_window(f"{again}#/review", "Review")
    foreign = json.loads(text)
    foreign["marks"].append(foreign["marks"][0] | {"a": "cars-01.txt", "b": "nobody.txt"})
    open_marks(later, foreign)
    told = later.page.locator("[data-value=review-message]")
    expect(told).to_have_text("2 marks added; 1 of other documents or texts left out")
    later.to(f"{PAIR}?passage=0", BOTH)
    expect(bar(later)).to_contain_text("<img src=x")
    expect(bar(later, "passage").get_by_role("button", name="cleared")).to_have_attribute(
        "aria-pressed", "true"
    )
    wrong = open_window(f"{course}#/review", "Review")
    open_marks(wrong, text)
    dialog = wrong.page.get_by_role("dialog")
    expect(dialog).to_contain_text("None of the marks in this file belongs here. It was saved from")


WHOLE = {
    "a": "tides-01.txt", "b": "tides-04.txt", "status": "cleared", "note": "", "passage": None,
    "time": "2026-01-01T00:00:00Z", "digest_a": None, "digest_b": None,
}  # fmt: skip


def review_file(*marks: object) -> dict[str, Any]:
    return {"format": "likewise review marks 1", "title": "", "identity": None, "marks": marks}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "not a file of review marks"), ("[]", "not a file of"), ('{"marks":[]}', "not a file"),
        ("[" * 50_000, "not a file"), (review_file(None), "mark 1 is not a mark"),
        (review_file(WHOLE, WHOLE | {"status": "guilty"}), "mark 2 is not important"),
        (review_file(WHOLE | {"note": "x" * 2001}), "mark 1 has a note that is too long"),
        (review_file(WHOLE | {"note": {"__proto__": 1}}), "mark 1 has a note"),
        (review_file(WHOLE | {"time": "<b>"}), "mark 1 has no time"),
        (review_file(WHOLE | {"a": "tides-04.txt"}), "does not name two documents"),
        (review_file(WHOLE | {"passage": [0, 1, 5, 1e300]}), "impossible passage"),
        (review_file(WHOLE | {"digest_a": 5}), "damaged digest"),
        (review_file(WHOLE | {"digest_a": "of another text"}), "has other documents or other"),
    ],
)  # fmt: skip
def test_files_that_are_none_are_refused(
    open_window: Open, report: str, content: object, told: str
) -> None:
    window = open_window(f"{report}#/review", "Review")
    open_marks(window, content)
    expect(window.page.get_by_role("dialog")).to_contain_text(told)
    window.button("Close").click()
    expect(window.page.locator("main")).to_contain_text("No marks to show")


def test_what_other_pages_leave_in_the_storage_is_checked(open_window: Open, report: str) -> None:
    window = open_window(f"{report}{PAIR}", BOTH)
    choose(window, "important")
    stored = "Object.keys(localStorage).find(key => key.startsWith('likewise.review.'))"
    for value in ("{", "{}", json.dumps([5, WHOLE | {"status": BAD}, WHOLE])):
        window.page.evaluate(f"value => localStorage.setItem({stored}, value)", value)
        window.to("#/review", "Review")
        window.page.reload()
        window.settled("Review")
        count = 1 if value.startswith("[") else 0
        expect(window.rows("Review marks")).to_have_count(count)


def test_a_browser_that_keeps_nothing_says_so(open_window: Open, report: str) -> None:
    window = open_window()
    window.page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceeded') }"
    )
    window.go(f"{report}{PAIR}", BOTH)
    choose(window, "important")
    window.to("#/review", "Review")
    expect(window.page.get_by_role("alert").first).to_contain_text("does not keep marks")
    assert len(json.loads(saved(window, "Save as JSON"))["marks"]) == 1


def test_hidden_names_hide_notes(open_window: Open, report: str) -> None:
    window = open_window(f"{report}{PAIR}", BOTH)
    choose(window, "important")
    write_note(window, "Ada wrote this")
    window.button("Hide names").click()
    for hash_ in (PAIR, "#/pairs", "#/review", "#/documents"):
        window.to(hash_)
        expect(window.page.locator("main")).not_to_contain_text("Ada")
        expect(window.page.locator("main")).to_contain_text("important")
    window.to("#/review", "Review")
    expect(window.page.locator("main")).to_contain_text("A note, hidden with the names")
    window.to("#/pairs", "Pairs")
    assert "Ada" not in saved(window, "CSV")


def test_a_mark_whose_text_has_changed_is_listed_and_does_not_apply(
    open_window: Open, library: str, tmp_path: Path
) -> None:
    path = tmp_path / "secret place" / "essays.db"
    names = ("tides-01.txt", "tides-04.txt", "bees-01.txt", "bees-05.txt")
    with Index(path) as index:
        index.add([ESSAYS[name] for name in names], list(names))
    window = open_window(f"{library}/#/pair/tides-01.txt/tides-04.txt?passage=0", BOTH)
    choose(window, "cleared")
    choose(window, "cleared", "passage")
    window.to("#/pair/bees-01.txt/bees-05.txt", "bees-01.txt and bees-05.txt")
    choose(window, "important")
    with Index(path) as index:
        index.add(["Another beginning. " + ESSAYS["tides-04.txt"]], ["tides-04.txt"])
    window.to(f"{PAIR}?passage=0", BOTH)
    expect(window.page.locator("[data-list=other-marks] li")).to_have_count(2)
    others = window.page.locator("[data-list=other-marks]")
    expect(others).to_contain_text("cleared the pair")
    expect(others).to_contain_text("The text has changed since.")
    for what in ("pair", "passage"):
        cleared = bar(window, what).get_by_role("button", name="cleared")
        expect(cleared).to_have_attribute("aria-pressed", "false")
    window.to("#/review?q=state:changed", "Review")
    window.page.reload()  # the survey is that of the visit
    window.settled("Review")
    expect(window.rows("Review marks")).to_have_count(2)
    window.to("#/pairs?q=review:changed", "Pairs")
    expect(window.rows("Pairs")).to_have_count(1)
    window.to(PAIR, BOTH)
    window.page.locator("[data-list=other-marks]").get_by_role("button").first.click()
    expect(window.page.locator("[data-list=other-marks] li")).to_have_count(1)
    # What is removed takes its marks along.
    with Index(path) as index:
        index.remove("tides-04.txt")
    window.to("#/review", "Review")
    expect(window.rows("Review marks")).to_have_count(1)


@pytest.mark.smoke
def test_two_reviewers_see_each_others_marks(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    names = ("tides-01.txt", "tides-04.txt", "bees-01.txt", "bees-05.txt")
    index = folder_index(tmp_path, {name: ESSAYS[name] for name in names})
    server = live(index, "--quiet").url
    one, other = (open_window(f"{server}/{PAIR}?passage=0", BOTH) for _ in range(2))
    choose(one, "important")
    choose(other, "cleared", "passage")
    other.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(bar(other).get_by_role("button", name="important")).to_have_attribute(
        "aria-pressed", "true"
    )
    choose(other, "reviewed")
    one.to("#/review", "Review")
    expect(one.rows("Review marks")).to_have_count(2)
    assert [mark[0] for mark in marks_of(one)] == ["reviewed", "cleared"]
    again = open_window(f"{server}/#/", "Overview")
    expect(again.page.locator("[data-value=review-count]")).to_contain_text("1 of 2 pairs reviewed")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("size", [{}, PHONE], ids=["screen", "phone"])
def test_marks_are_for_everybody(
    open_window: Open, report: str, theme: dict[str, Any], size: dict[str, Any]
) -> None:
    window = open_window(f"{report}{PAIR}?passage=0", BOTH, **theme, **size)
    choose(window, "important")
    write_note(window, NOTE + " " + "longword" * 30)
    for key, status in (("i", "important"), ("r", "reviewed"), ("c", "cleared")):
        window.page.keyboard.press(key)
        expect(bar(window, "passage").get_by_role("button", name=status)).to_have_attribute(
            "aria-pressed", "true"
        )
    for hash_ in (f"{PAIR}?passage=0", "#/review", "#/pairs", "#/documents", "#/"):
        window.to(hash_)
        assert window.axe() == [], hash_
        assert window.is_wider_than_screen() == [], hash_
    window.to("#/document/tides-01.txt", "tides-01.txt")
    window.page.keyboard.press("n")
    window.page.keyboard.press("m")
    expect(window.page.get_by_role("textbox", name="Note")).to_be_focused()
    assert window.axe() == []
    window.page.get_by_role("textbox", name="Note").fill("by keyboard")
    window.page.keyboard.press("Tab")
    window.page.keyboard.press("Tab")
    window.page.keyboard.press("Enter")
    expect(bar(window, "passage")).to_contain_text("by keyboard")
    assert window.axe() == []
    assert window.is_wider_than_screen() == []
