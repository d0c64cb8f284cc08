"""Every view in both themes, on a narrow screen and for assistive technology."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ESSAYS, Open
from tests.browser.window import Window

# Hash and heading.
VIEWS = {
    "#/documents": "Documents",
    "#/documents?q=colour > 1": "Documents",
    "#/pairs": "Pairs",
    "#/pairs?q=colour:1": "Pairs",
    "#/document/cars-04.txt": "cars-04.txt",
    "#/pair/tides-01.txt/tides-04.txt?passage=0": "tides-01.txt and tides-04.txt",
    "#/clusters?t=0.1": "Clusters",
    "#/clusters?t=0.1&show=map": "Clusters",
    "#/clusters?t=0.1&show=time": "Clusters",
    "#/cluster/cars-01.txt?t=0.15": "Cluster 1",
    "#/families?show=grid": "Families",
    "#/family/tides-01.txt/20": "Shared by 2 documents",
    "#/review": "Review",
    "#/run": "Run",
    "#/nowhere": "No such page",
    "#/": "Overview",
}
COURSE_VIEWS = {
    "#/documents": "Documents",
    "#/pairs": "Pairs",
    "#/document/paper.txt": "+Ada – @Paper of the year",
    "#/document/tricked.txt": "tricked.txt",
    "#/pair/third.txt/paper.txt?passage=1": "third.txt and +Ada – @Paper of the year",
    "#/families?all=paper.txt&none=third.txt": "Families",
    "#/clusters?t=0.02&by=share&colour=group": "Clusters",
    "#/clusters?t=0.02&by=share&colour=group&show=time": "Clusters",
    "#/": "Overview",
}
# Those that are the same in the report are looked at there.
APP_VIEWS = {
    "#/documents": "Documents",
    "#/check": "Check a text",
    "#/library": "Library",
    "#/review": "Review",
    "#/pairs": "Pairs",
    "#/document/cars-04.txt": "cars-04.txt",
    "#/pair/tides-01.txt/tides-04.txt?passage=0": "tides-01.txt and tides-04.txt",
    "#/clusters?t=0.1": "Clusters",
    "#/families": "Families",
    "#/": "Overview",
}
ALL_VIEWS = {"report": VIEWS, "course": COURSE_VIEWS, "app": APP_VIEWS}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DARK, LIGHT = {"color_scheme": "dark"}, {"color_scheme": "light"}


def visit(window: Window, hash_: str, heading: str) -> None:
    """A view as it is when all of it is there, with what can be folded out open."""
    window.to(hash_, heading)
    if hash_ == "#/check":
        window.page.get_by_label("Text to check").fill(ESSAYS["cars-04.txt"])
        expect(window.page.get_by_role("region", name="Sources")).to_be_visible()
    window.page.evaluate(
        "() => document.querySelectorAll('details').forEach(each => { each.open = true })"
    )


def expect_ground(window: Window, dark: bool) -> None:
    """The page's ground is dark, or it is light."""
    window.until(
        """dark => {
            const parts = getComputedStyle(document.body).backgroundColor.match(/\\d+/g);
            const sum = parts.slice(0, 3).reduce((all, part) => all + Number(part), 0);
            return dark ? sum < 180 : sum > 600;
        }""",
        dark,
    )


@pytest.mark.smoke
def test_axe_would_find_what_is_wrong(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview", **LIGHT)
    window.page.evaluate(
        """() => {
            const main = document.querySelector('main');
            main.append(document.createElement('input'));
            main.querySelector('h2').style.color = '#eee';
        }"""
    )
    assert {line.split(":")[0] for line in window.axe()} == {"label", "color-contrast"}
    assert {line.split(":")[0] for line in window.axe("color-contrast")} == {"color-contrast"}


@pytest.mark.parametrize("where", ALL_VIEWS)
def test_axe_finds_nothing_wrong(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    window = open_window(request.getfixturevalue(where), "Overview", **LIGHT)
    found = {}
    for hash_, heading in ALL_VIEWS[where].items():
        visit(window, hash_, heading)
        found[hash_] = window.axe()
        window.page.emulate_media(color_scheme="dark")
        expect_ground(window, dark=True)
        found[f"{hash_} in the dark"] = window.axe("color-contrast")
        window.page.emulate_media(color_scheme="light")
        expect_ground(window, dark=False)
    assert {view: wrong for view, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_axe_finds_nothing_wrong_in_what_opens(
    open_window: Open, course: str, library: str, theme: dict[str, str]
) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year", **theme)
    window.page.keyboard.press("n")
    window.page.keyboard.press("Enter")
    expect(window.page.get_by_role("dialog")).to_be_visible()
    assert window.axe() == []
    window.page.keyboard.press("Escape")
    window.page.keyboard.press("?")
    assert window.axe() == []
    window.page.keyboard.press("Escape")
    window.button("Print…").click()
    window.page.get_by_role("radio", name="Choose pairs").check()
    assert window.axe() == []
    app = open_window(f"{library}/#/library", "Library", **theme)
    app.page.get_by_label("Choose files").set_input_files(
        [{"name": name, "mimeType": "", "buffer": text}
         for name, text in (("a.txt", b"A few words."), ("empty.txt", b""))]
    )  # fmt: skip
    expect(app.page.get_by_role("region", name="Uploads")).to_contain_text("1 added, 1 skipped")
    assert app.axe() == []
    app.page.get_by_role("checkbox", name="Choose a.txt").check()
    app.button("Remove 1 document").click()
    expect(app.page.get_by_role("dialog")).to_be_visible()
    assert app.axe() == []
    app.button("Keep").click()
    app.button("New collection").click()
    assert app.axe() == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("size", [{}, PHONE], ids=["screen", "phone"])
def test_the_first_page_and_its_question_are_for_everybody(
    open_window: Open, library: str, tmp_path: Path, theme: dict[str, Any], size: dict[str, Any]
) -> None:
    (tmp_path / "Essays").mkdir()
    (tmp_path / "Essays" / "a.txt").write_text("some words of an essay")
    (tmp_path / "Essays" / "class.csv").write_text("file,author\na.txt,Ann\n")
    app = open_window(library, "No documents yet", **theme, **size)
    assert app.axe() == []
    app.page.get_by_label("Choose a folder").set_input_files(tmp_path / "Essays")
    expect(app.page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
    assert app.axe() == []
    app.page.keyboard.press("Enter")
    app.settled("Library")
    expect(app.page.get_by_role("region", name="Uploads")).to_contain_text("1 of 1 document desc")
    assert app.axe() == []


@pytest.mark.parametrize("where", ALL_VIEWS)
def test_a_phone_scrolls_only_one_way(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    window = open_window(request.getfixturevalue(where), "Overview", **PHONE)
    found = {}
    for hash_, heading in ALL_VIEWS[where].items():
        visit(window, hash_, heading)
        found[hash_] = window.is_wider_than_screen()
    assert {view: wide for view, wide in found.items() if wide} == {}


def test_a_phone_shows_one_side_of_a_pair_at_a_time(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pair/tides-01.txt/tides-04.txt", **PHONE)
    first = window.page.get_by_role("region", name="Text of tides-01.txt")
    second = window.page.get_by_role("region", name="Text of tides-04.txt")
    expect(first).to_be_visible()
    expect(second).to_be_hidden()
    window.page.get_by_role("group", name="Which text is shown").get_by_role(
        "button", name="tides-04.txt"
    ).tap()
    expect(second).to_be_visible()
    expect(first).to_be_hidden()


@pytest.mark.smoke
def test_a_phone_reaches_every_view(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/", "Overview", **PHONE)
    for link in ("Documents", "Check", "Pairs", "Clusters", "Library", "Run", "Overview"):
        window.page.get_by_role("navigation").get_by_role("link", name=link).tap()
        window.settled("Check a text" if link == "Check" else link)


def test_the_theme_is_that_of_the_system_until_it_is_chosen(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview", color_scheme="dark")
    expect_ground(window, dark=True)
    window.button("Use the light theme").click()
    expect_ground(window, dark=False)
    window.page.reload()
    window.settled("Overview")
    expect_ground(window, dark=False)
    window.button("Use the dark theme").click()
    expect_ground(window, dark=True)
    light = open_window(report, "Overview", color_scheme="light")
    expect_ground(light, dark=False)


def test_forced_colours_keep_passages_apart(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/document/cars-04.txt", "cars-04.txt", forced_colors="active")
    line = window.page.locator("mark.hit").first.evaluate(
        "mark => getComputedStyle(mark).outlineStyle"
    )
    assert line == "solid"
