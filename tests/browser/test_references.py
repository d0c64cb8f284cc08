"""Chapter and verse in report and app, written as Python writes them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser

from likewise.documents import Document, References
from likewise.documents.formats import extract
from likewise.documents.references import Scheme
from likewise.pages.page import write_page
from likewise.survey.reference_marks import reference_marks
from likewise.survey.survey import Survey
from tests.browser.modules import call
from tests.documents.editions import GOSPEL, tei


def random_references(rng: random.Random) -> References:
    """Marks with every form of reference, and places without any."""
    scheme = cast("Scheme", rng.choice(["verses", "lines", "sections"]))
    parts = ["Mt", "Mk", "3", "4", "7-8", "9a", "¶ 1", "¶ 2", "Preface", "p. 12"]
    offsets = sorted(rng.sample(range(40), 10))
    return References(
        scheme,
        tuple(offsets),
        tuple(tuple(rng.choices(parts, k=rng.randint(0, 3))) for _ in offsets),
    )


@pytest.mark.smoke
def test_pages_write_ranges_as_python_does(browser: Browser) -> None:
    rng = random.Random(1)
    given: list[dict[str, Any]] = []
    expected = []
    for _ in range(60):
        found = random_references(rng)
        start = rng.randint(0, 39)
        end = rng.randint(start + 1, 40)
        given.append({"shown": {"references": reference_marks(found)}, "range": [start, end]})
        expected.append(found.between(start, end))
    places = call(
        browser, "texts/references.js", "given.map(g => placeOf(g.shown, ...g.range))", given
    )
    assert places == expected
    assert any("–" in place for place in expected)


@pytest.mark.smoke
def test_a_report_shows_chapter_and_verse(browser: Browser, tmp_path: Path) -> None:
    one = extract("xml", GOSPEL)
    other = extract(
        "xml",
        tei(
            '<body><div type="book" n="Mk"><milestone unit="chapter" n="1"/><p><milestone '
            'unit="verse" n="4"/>In those days a man came to the river, <milestone unit="verse" '
            'n="5"/>and he said, Turn round, for the day is near.</p></div></body>'
        ),
    )
    documents = [
        Document(document.text, id=id_, references=document.references)
        for id_, document in (("mt", one), ("mk", other))
    ]
    file = tmp_path / "report.html"
    with file.open("wb") as stream:
        write_page(Survey(documents), stream)
    page = browser.new_page()
    try:
        page.goto(f"{file.as_uri()}#/pair/mt/mk?passage=0")
        facts = page.locator('[data-value="passage-facts"]')
        facts.wait_for()
        assert "Mt 3,1–2 and Mk 1,4–5" in facts.inner_text()
        numbers = page.locator(".place-number").all_inner_texts()
        assert numbers[:4] == ["Mt 3", "Mt 3,1", "2", "3"]
        page.goto(f"{file.as_uri()}#/document/mk")
        label = page.locator("[data-passage]").first
        label.wait_for()
        assert "Mk 1,4–5" in (label.get_attribute("aria-label") or "")
    finally:
        page.close()
