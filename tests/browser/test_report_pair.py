"""Two documents side by side in a report."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from likewise.passages.passage import Passage
from tests.browser.conftest import ESSAYS, Open
from tests.browser.course import documents
from tests.browser.expected import Expected
from tests.browser.window import Window

COURSE = Expected(documents())
PAIR = "#/pair/paper.txt/first.txt"
HEADING = "+Ada – @Paper of the year and Ben – A first source"


def passages() -> tuple[Passage, ...]:
    return COURSE.pair("paper.txt", "first.txt").passages


def chips(window: Window) -> list[str]:
    return window.texts(window.page.get_by_role("group", name="Passages").get_by_role("button"))


def is_seen(window: Window, side: str, number: int) -> bool:
    """Whether a passage is within the part of a text that is seen."""
    badge = window.page.get_by_role("region", name=f"Text of {side}").get_by_role(
        "button", name=f"Passage {number}:"
    )
    seen: bool = badge.evaluate(
        """badge => {
            const [own, box] = [badge, badge.closest('[role=region]')]
                .map(e => e.getBoundingClientRect());
            return own.top >= box.top && own.bottom <= box.bottom;
        }"""
    )
    return seen


def both_seen(window: Window, number: int) -> bool:
    return is_seen(window, "+Ada – @Paper of the year", number) and is_seen(
        window, "Ben – A first source", number
    )


@pytest.mark.smoke
def test_a_pair_is_opened_from_the_table(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs", "Pairs")
    window.link("tides-03.txt and tides-06.txt").click()
    window.settled("tides-03.txt and tides-06.txt")
    assert (window.text(0), window.text(1)) == (ESSAYS["tides-03.txt"], ESSAYS["tides-06.txt"])
    expect(window.fact("Similarity")).to_contain_text("0.29")
    expect(window.fact("Similarity")).to_contain_text("Counted, not estimated")
    expect(window.fact("Containment")).to_contain_text("44 % · 45 %")
    expect(window.fact("Longest run")).to_contain_text(
        "So long a match in unrelated texts of these lengths: less than 1 in a million."
    )
    expect(window.fact("Chance level")).to_contain_text("p ≤ 0.002: probability that unrelated")
    expect(window.fact("Chance level")).to_contain_text("q = 0.002: among the pairs")
    assert window.requests == [report]


def test_each_passage_has_a_number_a_colour_and_a_chip(open_window: Open, course: str) -> None:
    window = open_window(f"{course}{PAIR}", HEADING)
    assert len(chips(window)) == len(passages()) == 4
    texts = documents()["paper.txt"], documents()["first.txt"]
    for number, passage in enumerate(passages(), 1):
        own = window.marked(number, 0)
        twin = window.marked(number, 1)
        assert own.words == texts[0][passage.a_start : passage.a_end]
        assert twin.words == texts[1][passage.b_start : passage.b_end]
        assert own.colours == twin.colours
        assert len(own.colours) == 1
    assert len({*map(tuple, (window.marked(number, 0).colours for number in range(1, 5)))}) == 4


def test_keys_and_chips_bring_both_sides_to_a_passage(open_window: Open, course: str) -> None:
    window = open_window(f"{course}{PAIR}", HEADING)
    told = window.page.get_by_text(re.compile(r"^Passage \d of 4$"))
    for number in (1, 2, 3, 4, 1):
        window.page.keyboard.press("n")
        expect(told).to_have_text(f"Passage {number} of 4")
        assert both_seen(window, number)
    window.page.keyboard.press("p")
    expect(told).to_have_text("Passage 4 of 4")
    window.button("Next passage").click()
    expect(told).to_have_text("Passage 1 of 4")
    window.button("Previous passage").click()
    expect(told).to_have_text("Passage 4 of 4")
    window.page.get_by_role("group", name="Passages").get_by_role("button").nth(1).click()
    expect(told).to_have_text("Passage 2 of 4")
    assert both_seen(window, 2)


def test_a_click_on_a_passage_scrolls_its_twin(open_window: Open, course: str) -> None:
    window = open_window(f"{course}{PAIR}", HEADING)
    assert not is_seen(window, "Ben – A first source", 2)
    own = window.page.get_by_role("region", name="Text of +Ada – @Paper of the year")
    own.get_by_role("button", name="Passage 2:").evaluate("badge => badge.click()")
    assert both_seen(window, 2)


def test_sides_scroll_together_until_told_otherwise(open_window: Open, course: str) -> None:
    window = open_window(
        f"{course}#/pair/paper.txt/second.txt", "+Ada – @Paper of the year and second.txt"
    )
    left = window.page.get_by_role("region", name="Text of +Ada – @Paper of the year")
    right = window.page.get_by_role("region", name="Text of second.txt")
    left.hover()
    window.page.mouse.wheel(0, 1500)
    window.until("() => document.querySelectorAll('[role=region] .text').length === 2")
    expect_scrolled = "e => e.scrollTop"
    window.until("() => document.querySelectorAll('.pane-scroll')[1].scrollTop > 50")
    window.page.get_by_label("Scroll together").uncheck()
    before = right.evaluate(expect_scrolled)
    left.hover()
    window.page.mouse.wheel(0, -1500)
    window.until("() => document.querySelectorAll('.pane-scroll')[0].scrollTop < 10")
    assert right.evaluate(expect_scrolled) == before


@pytest.mark.smoke
def test_words_that_differ_are_marked_inside_a_passage(open_window: Open, course: str) -> None:
    window = open_window(
        f"{course}#/pair/third.txt/paper.txt", "third.txt and +Ada – @Paper of the year"
    )
    changed = window.page.get_by_role("region", name="Text of third.txt").locator(".unmatched")
    words = [word for text in window.texts(changed) for word in text.split()]
    assert len(words) == 10
    assert all(word.endswith("ix") for word in words)


def test_a_link_leads_to_one_passage(open_window: Open, course: str) -> None:
    window = open_window(f"{course}{PAIR}?passage=2", HEADING)
    expect(window.page.get_by_text("Passage 3 of 4", exact=True)).to_be_visible()
    assert both_seen(window, 3)


def test_the_pair_can_be_seen_from_the_other_side(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/pair/first.txt/paper.txt")
    window.settled("Ben – A first source and +Ada – @Paper of the year")
    turned = COURSE.pair("first.txt", "paper.txt").passages
    text = documents()["first.txt"]
    for number, passage in enumerate(turned, 1):
        assert window.marked(number, 0).words == text[passage.a_start : passage.a_end]


def test_two_that_are_no_pair(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/pair/paper.txt/alone.txt", "Not shown")
    expect(window.page.get_by_role("alert")).to_contain_text("not among the pairs")
    window.page.get_by_role("navigation").get_by_role("link", name="Pairs").click()
    window.settled("Pairs")


def test_the_keys_are_listed(open_window: Open, course: str) -> None:
    window = open_window(f"{course}{PAIR}", HEADING)
    window.page.keyboard.press("?")
    dialog = window.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("next passage")
    window.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
