"""Without a mouse: everything is reached with Tab and used with keys, and is seen when it is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ESSAYS, Open
from tests.browser.window import Window


def tab_to(window: Window, name: str | re.Pattern[str], most: int = 60) -> None:
    """Presses Tab until what has this name has the focus, which must be seen each time."""
    passed = []
    for _ in range(most):
        window.page.keyboard.press("Tab")
        passed.append(window.focused())
        if re.search(name if isinstance(name, re.Pattern) else re.escape(name), passed[-1]):
            assert_focus_is_seen(window)
            return
    pytest.fail(f"{name} is not among {passed}")


def assert_focus_is_seen(window: Window) -> None:
    """What has the focus is in the window and drawn in another way than without it."""
    seen = window.page.evaluate(
        """() => {
            const own = document.activeElement;
            const box = own.getBoundingClientRect();
            const drawn = e => e && ['outlineStyle', 'outlineWidth', 'boxShadow', 'borderColor']
                .map(name => getComputedStyle(e)[name]).join();
            // Boxes that are hidden under a picture of themselves show it there.
            const shown = [own, own.nextElementSibling, own.parentElement];
            const before = shown.map(drawn);
            own.blur();
            const after = shown.map(drawn);
            own.focus({preventScroll: true});
            return {
                marked: before.some((one, at) => one !== after[at]),
                inside: box.bottom > 0 && box.top < innerHeight,
            };
        }"""
    )
    assert seen == {"marked": True, "inside": True}, window.focused()


def press(window: Window, *keys: str) -> None:
    for key in keys:
        window.page.keyboard.press(key)


def test_the_first_stop_leads_to_the_content(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview")
    press(window, "Tab")
    assert window.focused() == "Skip to content"
    assert_focus_is_seen(window)
    press(window, "Enter")
    assert window.page.evaluate("() => document.activeElement.tagName") == "MAIN"
    assert window.page.url == report


@pytest.mark.smoke
def test_each_view_begins_at_its_heading(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview")
    for view in ("Pairs", "Clusters", "Run", "Overview", "Documents"):
        tab_to(window, re.compile(f"^{view}$"))
        press(window, "Enter")
        window.settled(view)
        assert window.page.evaluate("() => document.activeElement.tagName") == "H1"
        assert window.focused() == view
        assert window.page.title().startswith(view)
        # Back to the start of the page, as with a new one.
        window.page.evaluate("() => document.activeElement.blur()")


def test_the_overview(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview")
    tab_to(window, "Similarity threshold")
    slider = window.page.get_by_role("slider", name="Similarity threshold")
    for key, value in {
        "ArrowRight": "0.21", "ArrowUp": "0.22", "ArrowLeft": "0.21", "ArrowDown": "0.20",
        "PageUp": "0.30", "Home": "0.00", "End": "1.00",
    }.items():  # fmt: skip
        press(window, key)
        expect(slider).to_have_attribute("aria-valuenow", value)
    expect(window.page.get_by_text("and 4 documents at or above 1.00")).to_be_visible()
    tab_to(window, re.compile("^cars-02.txt$"))
    press(window, "Enter")
    window.settled("cars-02.txt")


def test_the_pairs(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs", "Pairs")
    search = window.page.get_by_role("searchbox")
    while not search.evaluate("box => box === document.activeElement"):
        press(window, "Tab")
    window.page.keyboard.type("tides")
    expect(window.rows("Pairs")).to_have_count(3)
    tab_to(window, "Similarity")
    press(window, "Enter")
    press(window, "Enter")
    assert window.focused().startswith("Similarity")
    expect(window.page.get_by_role("columnheader", name="Similarity")).to_have_attribute(
        "aria-sort", "ascending"
    )
    tab_to(window, "Hide tides-03.txt and tides-06.txt")
    press(window, "Enter")
    expect(window.rows("Pairs")).to_have_count(2)
    assert window.focused() == "Show all"
    press(window, "Enter")
    expect(window.rows("Pairs")).to_have_count(3)
    tab_to(window, re.compile("^tides-01.txt and tides-04.txt$"))
    press(window, "Enter")
    window.settled("tides-01.txt and tides-04.txt")


def test_a_pair_and_its_document(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/pair/paper.txt/first.txt")
    tab_to(window, "passage 2")
    press(window, "Enter")
    expect(window.page.get_by_text("Passage 2 of 4", exact=True)).to_be_visible()
    tab_to(window, "Next passage")
    press(window, "Space")
    expect(window.page.get_by_text("Passage 3 of 4", exact=True)).to_be_visible()
    tab_to(window, "Text of Ben – A first source")
    before = window.page.evaluate("() => document.activeElement.scrollTop")
    press(window, "PageDown")
    window.until("before => document.activeElement.scrollTop > before", before)
    press(window, "n")
    expect(window.page.get_by_text("Passage 4 of 4", exact=True)).to_be_visible()


def test_a_document_and_its_filters(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    tab_to(window, "Next")
    press(window, "Enter")
    assert window.focused().startswith("Source ")
    press(window, "Enter")
    tab_to(window, "See both side by side")
    press(window, "Escape")
    # The two rankings are one stop, with arrows between them.
    window.page.get_by_role("radio", name="Best match").focus()
    press(window, "ArrowRight")
    expect(window.page.get_by_role("radio", name="All sources")).to_be_checked()
    expect(window.page.get_by_text("all words that each source shares")).to_be_visible()
    tab_to(window, "Count source 1, Ben – A first source")
    press(window, "Space")
    expect(window.page.get_by_text("Filters are on")).to_be_visible()
    tab_to(window, "Filters")
    press(window, "Enter", "Tab")
    window.page.keyboard.type("1")
    expect(window.page.get_by_role("spinbutton", name="Minimum share")).to_have_value("1")
    tab_to(window, "Reset filters")
    press(window, "Enter")
    expect(window.page.get_by_text("Filters are on")).to_have_count(0)


def test_the_clusters(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/clusters", "Clusters")
    tab_to(window, "Threshold")
    press(window, "ArrowLeft", "ArrowLeft")
    expect(window.page.get_by_role("slider", name="Threshold")).to_have_value("0.18")
    window.drawn()  # the table is replaced with the next frame
    # The table has what the picture has; the picture is one stop, its dots are none.
    tab_to(window, "press-02.txt", 24)
    press(window, "Enter")
    window.settled("press-02.txt")


def test_theme_and_names(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview", color_scheme="light")
    tab_to(window, "Hide names")
    press(window, "Space")
    expect(window.page.get_by_text("cars-02.txt")).to_have_count(0)
    assert window.focused() == "Hide names"
    tab_to(window, "Use the dark theme")
    press(window, "Enter")
    assert window.focused() == "Use the light theme"


def test_a_text_is_checked(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/check", "Check a text")
    box = window.page.get_by_label("Text to check")
    while not box.evaluate("box => box === document.activeElement"):
        press(window, "Tab")
    assert_focus_is_seen(window)
    window.page.keyboard.insert_text(ESSAYS["cars-04.txt"])
    expect(window.page.get_by_text("4 sources found")).to_be_visible()
    tab_to(window, "cars-08.txt")


def test_files_are_added_and_removed(open_window: Open, library: str) -> None:
    window = open_window()
    # Listened for from the start: a listener that comes just before the key may come too late.
    given = {"name": "a.txt", "mimeType": "", "buffer": b"A few words."}
    window.page.on("filechooser", lambda chooser: chooser.set_files(given))
    window.go(f"{library}/#/library", "Library")
    files = window.page.get_by_label("Choose files")
    while not files.evaluate("input => input === document.activeElement"):
        press(window, "Tab")
    assert_focus_is_seen(window)
    press(window, "Enter")
    expect(window.rows("Documents")).to_have_count(1)
    tab_to(window, "Choose a.txt")
    press(window, "Space")
    window.page.get_by_role("button", name="Remove 1 document").focus()
    press(window, "Enter")
    expect(window.page.get_by_role("dialog")).to_be_visible()
    assert window.focused() == "Keep"
    tab_to(window, "Remove", 3)
    press(window, "Enter")
    expect(window.page.get_by_role("heading", name="No documents yet")).to_be_visible()
    window.page.get_by_role("button", name="New collection").focus()
    press(window, "Enter")
    window.page.keyboard.type("next")
    press(window, "Enter")
    expect(window.page.get_by_role("combobox", name="Collection")).to_have_value("next")
    press(window, "Shift+Tab")
    assert "body" not in window.focused()
