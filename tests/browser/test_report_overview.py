"""The overview of a report that is opened from disk."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open


@pytest.mark.smoke
def test_it_shows_the_collection_and_loads_nothing(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview")
    told = {
        "Documents": "35", "Pairs found": "18", "Highest": "1.00", "Mean": "0.39",
        "Median": "0.20",
    }  # fmt: skip
    for term, value in told.items():
        expect(window.fact(term)).to_contain_text(value)
    pairs = window.part("Most similar pairs")
    assert window.texts(pairs.get_by_role("link"))[0] == "cars-02.txt and cars-05.txt"
    documents = window.part("Most shared text").get_by_role("listitem")
    expect(documents.first).to_contain_text("100 %")
    expect(window.part("Distribution of similarity")).to_contain_text("unrelated pairs")
    expect(window.part("Distribution of similarity")).to_contain_text("chance reaches 0.012")
    window.page.get_by_text("How to read this page").click()
    expect(window.page.get_by_text("does not say why").first).to_be_visible()
    assert window.page.title() == "Overview · essays · likewise"
    assert window.requests == [report]


def test_the_switches_of_exclusions_say_what_there_is(open_window: Open, report: str) -> None:
    part = open_window(report).part("Exclusions")
    expect(
        part.get_by_role("switch", name="Quotations 6 places in 5 documents")
    ).not_to_be_checked()
    expect(part.get_by_role("switch", name="Bibliographies none found")).to_be_disabled()


def test_the_threshold_is_dragged_and_the_scale_turned(open_window: Open, report: str) -> None:
    window = open_window(report)
    spread = window.part("Distribution of similarity")
    expect(spread).to_contain_text("and 16 documents at or above 0.20")
    slider = window.page.get_by_role("slider", name="Similarity threshold")
    handle, box = slider.bounding_box(), spread.bounding_box()
    assert handle is not None
    assert box is not None
    # The slider is a line; what is dragged is the grip on it.
    window.page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + 20)
    window.page.mouse.down()
    window.page.mouse.move(box["x"] + box["width"] * 0.9, handle["y"] + 20, steps=4)
    window.page.mouse.up()
    assert float(slider.get_attribute("aria-valuenow") or 0) > 0.8
    expect(spread.get_by_role("link", name=re.compile("^[34] pairs$"))).to_be_visible()
    ticks = spread.locator("svg text")
    linear = window.texts(ticks)
    spread.get_by_label("Log").check()
    assert window.texts(ticks) != linear
    spread.get_by_label("Documents", exact=True).check()
    expect(ticks.filter(has_text="highest similarity of a document")).to_have_count(1)


def test_the_counts_lead_to_the_pairs_behind_them(open_window: Open, report: str) -> None:
    window = open_window(report)
    slider = window.page.get_by_role("slider", name="Similarity threshold")
    slider.focus()
    for _ in range(3):
        slider.press("PageUp")
    expect(slider).to_have_attribute("aria-valuenow", "0.50")
    window.part("Distribution of similarity").get_by_role("link", name="6 pairs").click()
    window.settled("Pairs")
    expect(window.page.get_by_role("searchbox")).to_have_value("jaccard:>=0.50")
    expect(window.rows("Pairs")).to_have_count(6)
