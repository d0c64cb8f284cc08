"""The table of pairs in a report: sorted, searched, put aside, saved."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.course import FORMULA
from tests.browser.window import Window


def names(window: Window) -> list[tuple[str, str]]:
    """The pairs of the table, from the top."""
    links = window.rows("Pairs").get_by_role("link")
    return [tuple(link.locator("bdi").all_inner_texts()) for link in links.all()]


def search(window: Window, text: str) -> None:
    window.page.get_by_role("searchbox", name="Search the pairs").fill(text)


def save(window: Window) -> list[list[str]]:
    with window.page.expect_download() as caught:
        window.button("CSV").click()
    assert caught.value.suggested_filename == "pairs.csv"
    text = Path(caught.value.path()).read_bytes().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.smoke
def test_columns_sort_both_ways(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs", "Pairs")
    assert names(window)[0] == ("cars-02.txt", "cars-05.txt")
    similarity = window.page.get_by_role("columnheader", name="Similarity")
    similarity.get_by_role("button").click()
    expect(similarity).to_have_attribute("aria-sort", "descending")
    similarity.get_by_role("button").click()
    expect(similarity).to_have_attribute("aria-sort", "ascending")
    assert names(window)[0] == ("press-05.txt", "press-07.txt")
    words = window.page.get_by_role("columnheader", name="Shared words")
    words.get_by_role("button").click()
    assert names(window)[0] == ("tides-02.txt", "tides-05.txt")
    # A link to what is seen now.
    again = open_window(window.page.url, "Pairs")
    assert names(again) == names(window)


FOUND = {
    "containment:>0.5": 6, "jaccard:<0.1": 2, "jaccard:>=0.6 cars": 2, "run:>200": 3,
    "tides -tides-02": 2, '"press-07"': 1, "words:>100 passages:1 -cars": 7, "share:>90% press": 1,
    "id:bees": 2, "similarity > 0.5": 6, "jaccard > 0.5": 6, "Jaccard>50": 6, "jaccard: > 50 %": 6,
    "shared >= 90% press": 1, "longest run > 200": 3, "-jaccard<0.1 jaccard<0.2": 8,
    "a found in b > 0.9 cars": 2, "documents = bees-01.txt": 1, "overlap != 1 tides": 2,
}  # fmt: skip
WRONG = {
    "colour:>0.5": "“colour” is not a column",
    "colour > 5": "“colour” is not a column",
    "constructor:1": "is not a column",
    "> 0.5": "Write a column before",
    "jaccard >": "Add a value after",
    "containment:lots": "needs a number",
    "author:Ada": "Nothing here has a value",
    "words:": "Add a value after",
}


@pytest.mark.smoke
def test_operators_filter(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs", "Pairs")
    told = window.page.get_by_role("status").filter(has_text="pair")
    for query, count in FOUND.items():
        search(window, query)
        expect(told).to_contain_text(re.compile(rf"^{count} pairs?\b"))
        expect(window.rows("Pairs")).to_have_count(count)


def test_a_wrong_operator_is_explained(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs", "Pairs")
    for query, told in WRONG.items():
        search(window, query)
        expect(window.page.get_by_role("alert")).to_contain_text(told)
        search(window, "cars")
        expect(window.page.get_by_role("alert")).to_have_count(0)
        expect(window.rows("Pairs")).to_have_count(5)


def test_nothing_found_is_said(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs?q=elephants", "Pairs")
    expect(window.page.get_by_role("heading", name="No pairs to show")).to_be_visible()
    expect(window.page.get_by_text("No pair matches “elephants”.")).to_be_visible()
    search(window, "share > 20 -cars similarity > 0.999999 words < 3")
    expect(
        window.page.get_by_text(
            "share > 20 % and without “cars” and similarity > 99.9999 % and shared words < 3."
        )
    ).to_be_visible()


def test_metadata_is_searched(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/pairs", "Pairs")
    search(window, "author:ben group:a")
    expect(window.rows("Pairs")).to_have_count(4)
    search(window, "first source")
    expect(window.rows("Pairs")).to_have_count(4)


def test_what_is_seen_is_saved(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs?q=cars&sort=jaccard", "Pairs")
    header, *rows = save(window)
    assert header[:3] == ["a", "b", "jaccard"]
    assert [tuple(row[:2]) for row in rows] == names(window)
    assert [float(row[2]) for row in rows] == pytest.approx(
        [0.159751, 0.161554, 0.171975, 0.868132, 1.0]
    )


def test_no_cell_of_the_file_is_a_formula(open_window: Open, course: str) -> None:
    header, *rows = save(open_window(f"{course}#/pairs", "Pairs"))
    assert {"title_a", "author_a", "group_b", "date_b"} <= set(header)
    cells = [cell for row in rows for cell in row]
    assert f"'{FORMULA}" in cells
    assert {"'@Paper of the year", "'+Ada", "'-formula.txt"} <= set(cells)
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]


def test_a_pair_is_put_aside_and_taken_back(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs", "Pairs")
    window.button("Hide cars-02.txt and cars-05.txt").click()
    expect(window.rows("Pairs")).to_have_count(17)
    assert ["cars-02.txt", "cars-05.txt"] not in [row[:2] for row in save(window)]
    window.link("Overview").click()
    window.link("Pairs", exact=True).click()
    window.settled("Pairs")
    expect(window.page.get_by_text("1 pair hidden")).to_be_visible()
    window.button("Show all").click()
    expect(window.rows("Pairs")).to_have_count(18)


def test_names_are_hidden_everywhere(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/pairs", "Pairs")
    window.button("Hide names").click()
    expect(window.button("Hide names")).to_have_attribute("aria-pressed", "true")
    secrets = ["Paper", "paper.txt", "first source", "first.txt", "Ada", "Ben", "2020"]
    for link in ("Overview", "Pairs", "Clusters"):
        window.page.get_by_role("navigation").get_by_role("link", name=link).click()
        window.settled(link)
        shown = window.page.locator("body").inner_text()
        assert "Document " in shown
        assert not [secret for secret in secrets if secret in shown]
    window.to("#/pairs", "Pairs")
    search(window, "paper")
    expect(window.page.get_by_role("heading", name="No pairs to show")).to_be_visible()
    search(window, "")
    assert not [row for row in save(window) if "paper" in " ".join(row) or "Ada" in " ".join(row)]
    window.rows("Pairs").get_by_role("link").first.click()
    window.settled(re.compile(r"^Document \d and Document \d$"))
    assert "paper" not in window.page.title()
    window.button("Hide names").click()
    window.settled("-formula.txt and =HYPERLINK(1).txt")
