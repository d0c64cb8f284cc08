"""Passage families in report and app: the table, a family, the reuse grid, and what excludes."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from likewise.index.index import Index
from likewise.passages.families.find import find_families
from likewise.passages.find import find_passages
from tests.browser.conftest import Open, folder_index, write_report
from tests.browser.course import write_lines, write_metadata
from tests.browser.test_pictures import frame, overlapping_names, tip
from tests.browser.window import Window
from tests.server.conftest import Live
from tests.survey.made_texts import some


def own(name: str) -> list[str]:
    return some(60, f"own {name}")


TRIPLE, DOUBLE, LATE = some(40, "triple"), some(30, "double"), some(25, "late")
EDITED = [*TRIPLE[:10], "instead", *TRIPLE[11:20], *TRIPLE[21:30], "added", *TRIPLE[30:]]
TEXTS = {
    "mark": "\n".join(" ".join(part) for part in (own("1"), TRIPLE, own("2"), LATE)),
    "matthew": "\n".join(" ".join(part) for part in (own("3"), DOUBLE, own("4"), EDITED)),
    "luke": "\n".join(" ".join(part) for part in (TRIPLE, own("5"), DOUBLE, own("6"))),
    "later": "\n".join(" ".join(part) for part in (own("7"), LATE, own("8"))),
}
METADATA = {
    "mark": {"date": "0070", "group": "old"}, "matthew": {"date": "0085", "group": "old"},
    "luke": {"date": "0090", "group": "new"}, "later": {"date": "0120", "group": "new"},
}  # fmt: skip


@pytest.fixture(scope="module")
def gospels(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("gospels")
    return write_report(
        folder, write_lines(folder / "gospels.jsonl", TEXTS),
        "--metadata", write_metadata(folder / "known.jsonl", METADATA),
    )  # fmt: skip


def families(window: Window) -> list[list[str]]:
    """The names of the documents of each family in the table."""
    rows = window.rows("Passage families")
    return [
        sorted(set(window.texts(rows.nth(at).locator("[data-column=names] li"))))
        for at in range(rows.count())
    ]


@pytest.mark.smoke
def test_families_are_listed_and_each_has_a_page(open_window: Open, gospels: str) -> None:
    window = open_window(f"{gospels}#/families", "Families")
    assert families(window) == [
        ["luke", "mark", "matthew"], ["luke", "matthew"], ["later", "mark"],
    ]  # fmt: skip
    first = window.rows("Passage families").first
    expect(first.locator("[data-column=common]")).to_have_text("38")
    expect(first.locator("[data-column=documents]")).to_have_text("3")
    expect(first.locator(".excerpt")).to_have_text(f"{' '.join(TRIPLE[:24])} …")
    first.get_by_role("link").first.click()
    window.settled("Shared by 3 documents")
    rows = window.rows("Documents that have this wording")
    assert window.texts(rows.locator("[data-column=words]")) == ["40", "40", "40"]
    expect(rows.filter(has_text="mark")).to_contain_text("earliest")
    assert window.texts(rows.locator("[data-column=place]")) == ["line 1", "line 2", "line 4"]
    matthew = window.page.get_by_role("article").filter(has_text="matthew")
    expect(matthew).to_contain_text("2 words only here, 2 words only there")
    added = [text.split(": ")[1] for text in window.texts(matthew.locator("ins"))]
    missing = [text.split(": ")[1] for text in window.texts(matthew.locator("del"))]
    assert (added, missing) == (["instead", "added"], [TRIPLE[10], TRIPLE[20]])
    window.link("line 4").click()
    window.settled("matthew")
    outlined = window.page.locator(".outlined")
    assert " ".join("".join(outlined.all_text_contents()).split()) == " ".join(EDITED)
    window.link("In 2 passage families").click()
    window.settled("Families")
    assert families(window) == [["luke", "mark", "matthew"], ["luke", "matthew"]]


def test_families_of_these_documents_and_not_of_those(open_window: Open, gospels: str) -> None:
    window = open_window(f"{gospels}#/families", "Families")
    window.page.get_by_text("Shared by these documents").click()
    window.page.get_by_label("Shared by all of").fill("mar")
    window.page.keyboard.press("Enter")
    assert families(window) == [["luke", "mark", "matthew"], ["later", "mark"]]
    window.page.get_by_label("And by none of").fill("Luke")
    window.page.keyboard.press("Enter")
    assert families(window) == [["later", "mark"]]
    expect(window.page.locator("[data-value=shared-by]")).to_have_text(
        "Shared by mark, not by luke: 1 family."
    )
    window.page.reload()
    window.settled("Families")
    assert families(window) == [["later", "mark"]]
    window.button("Remove mark").click()
    assert families(window) == [["later", "mark"]]
    window.button("Remove luke").click()
    assert len(families(window)) == 3
    window.page.get_by_label("Shared by all of").fill("nobody")
    window.page.keyboard.press("Enter")
    expect(window.page.get_by_role("alert").first).to_have_text("No document is called “nobody”.")


def test_a_search_compares_columns_and_the_file_has_every_witness(
    open_window: Open, gospels: str
) -> None:
    window = open_window(f"{gospels}#/families?q=documents >= 3", "Families")
    assert families(window) == [["luke", "mark", "matthew"]]
    window.page.get_by_role("searchbox").fill("common < 30 group:new")
    assert families(window) == [["later", "mark"]]
    window.page.get_by_role("searchbox").fill("")
    with window.page.expect_download() as caught:
        window.button("CSV").click()
    assert caught.value.suggested_filename == "families.csv"
    text = Path(caught.value.path()).read_text(encoding="utf-8-sig")
    found = list(csv.DictReader(io.StringIO(text)))
    wanted = find_families(
        find_passages(list(TEXTS.values()), ids=list(TEXTS)), metadata=list(METADATA.values())
    )
    expected = {
        (number, one.id, one.first, one.stop, one.matched, family.common, at in family.earliest)
        for number, family in enumerate(wanted, 1)
        for at, one in enumerate(family.witnesses)
    }
    names = "family", "document", "first_word", "end_word", "matched", "common", "earliest"
    assert {
        (int(row[names[0]]), row[names[1]], *(int(row[name]) for name in names[2:6]),
         row["earliest"] == "true")
        for row in found
    } == expected  # fmt: skip


@pytest.mark.smoke
def test_the_grid_shows_each_text_and_opens_a_family(open_window: Open, gospels: str) -> None:
    window = open_window(f"{gospels}#/families?show=grid", "Families")
    picture = frame(window, "Reuse grid")
    assert overlapping_names(window) == []
    assert sorted(window.texts(picture.locator("text"))) == sorted(TEXTS)
    picture.focus()
    window.page.keyboard.press("ArrowRight")
    expect(tip(window)).to_contain_text("in 1 other document")
    expect(tip(window)).to_contain_text("mark")
    window.page.keyboard.press("Enter")
    window.settled("Shared by 2 documents")


def test_a_family_has_a_timeline_and_any_two_side_by_side(open_window: Open, gospels: str) -> None:
    window = open_window(f"{gospels}#/families", "Families")
    window.rows("Passage families").first.get_by_role("link").first.click()
    window.settled("Shared by 3 documents")
    expect(frame(window, "Timeline").locator(".dot")).to_have_count(3)
    window.page.get_by_label("Compared with").select_option(label="luke")
    articles = window.page.get_by_role("article")
    expect(articles.first).to_contain_text("the others are compared with this one")
    expect(articles.first.get_by_role("heading")).to_have_text("luke")
    window.page.get_by_role("combobox", name="with", exact=True).select_option(label="matthew")
    window.link("Side by side").click()
    window.settled("luke and matthew")


def test_what_is_excluded_is_in_no_family(open_window: Open, gospels: str) -> None:
    phrase = " ".join(DOUBLE).replace(" ", "+")
    window = open_window(f"{gospels}#/families?phrase={phrase}", "Families")
    assert families(window) == [["luke", "mark", "matthew"], ["later", "mark"]]
    window.button("Reset", exact=True).click()
    expect(window.rows("Passage families")).to_have_count(3)
    window.to("#/families?exclude=same-group", "Families")
    assert families(window) == [["luke", "mark", "matthew"], ["luke", "matthew"], ["later", "mark"]]
    window.to("#/families?exclude=words-38", "Families")
    assert families(window) == [["luke", "mark", "matthew"]]
    at = len(own("3"))
    window.to(f"#/family/matthew/{at}?phrase={phrase}", "Family")
    expect(window.page.locator("main")).to_contain_text("With these exclusions")


def test_the_app_shows_the_same(open_window: Open, live, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = folder_index(tmp_path)
    with Index(path) as index:
        index.add(list(TEXTS.values()), list(TEXTS), metadata=list(METADATA.values()))
    server: Live = live(path, "--quiet")
    window = open_window(f"{server.url}/#/families", "Families")
    assert families(window) == [
        ["luke", "mark", "matthew"], ["luke", "matthew"], ["later", "mark"],
    ]  # fmt: skip
    first = window.rows("Passage families").first
    expect(first.locator(".excerpt")).to_have_text(f"{' '.join(TRIPLE[:24])} …")
    first.get_by_role("link").first.click()
    window.settled("Shared by 3 documents")
    place = window.rows("Documents that have this wording").locator("[data-column=place]")
    expect(place.last).to_have_text("line 4")
    place.last.get_by_role("link").click()
    window.settled("matthew")
    expect(window.page.locator(".outlined").first).to_be_visible()
    phrase = " ".join(DOUBLE).replace(" ", "+")
    window.to(f"#/families?phrase={phrase}&exclude=phrases", "Families")
    expect(window.rows("Passage families")).to_have_count(3)  # phrases of the app are stored


def test_without_texts_there_are_figures_only(open_window: Open, tmp_path: Path) -> None:
    url = write_report(tmp_path, write_lines(tmp_path / "gospels.jsonl", TEXTS), "--no-texts")
    window = open_window(f"{url}#/families", "Families")
    assert len(families(window)) == 3
    expect(window.page.locator(".excerpt").first).to_have_text("40 words")
    window.page.locator(".wording").first.click()
    window.settled("Shared by 3 documents")
    expect(window.page.get_by_role("article").first).to_contain_text("not on this page")
    assert TRIPLE[3] not in Path(re.sub("^file://", "", url)).read_text(encoding="utf-8")


def test_where_nothing_is_shared_there_are_none(open_window: Open, tmp_path: Path) -> None:
    texts = {"a": " ".join(own("a")), "b": " ".join(own("b"))}
    url = write_report(tmp_path, write_lines(tmp_path / "two.jsonl", texts))
    window = open_window(f"{url}#/families?show=grid", "Families")
    expect(window.page.locator("main")).to_contain_text("No two documents here share a passage.")
