"""Passages by citation: the groups on the pages are those of Python, and can be switched off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from likewise import find_passages
from likewise.passages.pair_passages import matched_words
from likewise.text.words import words_of
from tests.browser.conftest import Open, write_report
from tests.browser.expected import percent
from tests.browser.test_exclusion_figures import check, described
from tests.browser.window import Window, said
from tools.citing.essays import cases

QUOTED = (
    "Smith (2019) is clear about that: “every town that lives by the sea learns sooner or later "
    "that the water has a longer memory than its engineers”. That was long ago.\n"
)
CITED = (
    "A market is not a place where goods are sold but a promise that tomorrow somebody will come, "
    "and that is all there is to it (Jones 2011).\n"
)
NEITHER = (
    "\nThe bridge of the old town has been rebuilt three times in two hundred years, each time "
    "with less stone and more iron, and each time the river has taken a part of it away.\n"
)
TEXTS = {
    "essay.txt": QUOTED + CITED + NEITHER,
    "harbour.txt": QUOTED.replace("“", "").replace("”", "").replace("Smith (2019)", "He"),
    "market.txt": f"Long ago somebody wrote this. {CITED.replace(' (Jones 2011)', '')}",
    "bridge.txt": NEITHER,
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("cited") / "texts"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    return write_report(Path(folder.parent), folder)


def words_of_group(name: str, group: str) -> int:
    found = find_passages(list(TEXTS.values()), ids=list(TEXTS))
    pairs = [
        pair if pair.a == name else pair.turned() for pair in found if name in (pair.a, pair.b)
    ]
    passages = [one for pair in pairs for one in pair.passages if one.a_attribution == group]
    return int(matched_words(words_of(TEXTS[name]), passages).sum())


def figures(window: Window, column: str) -> str:
    return said(window.page.locator(f'[data-value="attribution-{column}"]'))


@pytest.mark.smoke
def test_a_document_shows_its_passages_by_group(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/document/essay.txt", "essay.txt")
    size = len(words_of(TEXTS["essay.txt"]))
    for column, group in (("quoted_and_cited", "quoted and cited"), ("cited", "cited")):
        words = words_of_group("essay.txt", group)
        assert words
        assert figures(window, column) == f"1 passage, {words} words, {percent(words / size)}"
    assert figures(window, "quoted") == "none"
    score = window.page.locator("[data-value=score]")
    before = int(said(score).split()[0])
    box = window.page.locator("[data-filter=attribution-neither]")
    box.uncheck()
    expect(window.page.locator("[data-filter=attribution-cited]")).to_be_checked()
    rest = sum(words_of_group("essay.txt", group) for group in ("quoted and cited", "cited"))
    expect(score).to_have_text(re.compile(rf"^{percent(rest / size)[:-2]}\s%$"))
    assert int(said(score).split()[0]) < before
    box.check()
    expect(score).to_have_text(re.compile(rf"^{before}\s%$"))


def test_a_pair_says_the_group_of_both_sides(open_window: Open, report: str) -> None:
    window = open_window(
        f"{report}#/pair/essay.txt/harbour.txt?passage=0", "essay.txt and harbour.txt"
    )
    facts = window.page.locator('[data-value="passage-facts"]')
    expect(facts).to_contain_text(
        "left: quoted and cited; right: neither quotation marks nor citation"
    )


def test_the_overview_leads_to_the_documents_of_a_group(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/", "Overview")
    row = window.page.locator('[data-list="attributions"] [data-attribution="quoted_and_cited"]')
    expect(row).to_contain_text(f"{words_of_group('essay.txt', 'quoted and cited')} words")
    row.get_by_role("link").click()
    expect(window.page.locator("tr[data-document]")).to_have_count(1)
    expect(window.page.locator('tr[data-document="essay.txt"]')).to_be_visible()


def test_documents_are_searched_by_what_is_neither(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/documents?q=neither+%3E+90+%25", "Documents")
    names = window.page.locator("tr[data-document]")
    expect(names).to_have_count(2)
    expect(window.page.locator('tr[data-document="bridge.txt"]')).to_be_visible()
    expect(window.page.locator('tr[data-document="harbour.txt"]')).to_be_visible()


def test_exclusions_on_a_page_leave_the_groups_that_python_leaves(browser: Browser) -> None:
    essays = {
        f"{at}.txt": text
        for at, case in enumerate(one for one in cases(3) if one.language in ("en", "zh"))
        for text in (case.essay,)
        if at % 5 == 0
    }
    check(browser, described(essays), ({"quotations": True}, {"bibliography": True}))
