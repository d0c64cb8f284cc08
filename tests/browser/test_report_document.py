"""A document in a report: its text, its sources, what counts in its score, its flags."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

import likewise
from likewise.passages.settings import Exclusions
from tests.browser.conftest import ESSAYS, Open, write_report
from tests.browser.course import documents, write_lines
from tests.browser.expected import Expected, percent
from tests.browser.window import Window, said
from tests.survey.made_texts import some

COURSE = Expected(documents())
SAMPLES = Expected(ESSAYS)
TITLES = {"first.txt": "Ben – A first source", "paper.txt": "+Ada – @Paper of the year"}


def sources(window: Window) -> list[tuple[str, str]]:
    """Name and share of each source, in order."""
    items = window.page.get_by_role("region", name="Sources").get_by_role("listitem")
    items = items.filter(has=window.page.get_by_role("link"))
    return [
        (item.locator("bdi").inner_text(), said(item.locator("[data-value=source-share]")))
        for item in items.all()
    ]


def shared(window: Window) -> Locator:
    return window.page.get_by_role("region", name="Shared words")


def score(window: Window) -> str:
    return said(window.page.get_by_role("region", name="Shared words"))


def called(id_: str) -> str:
    return TITLES.get(id_, id_)


@pytest.mark.parametrize("id_", ["cars-04.txt", "homework-02.txt", "press-07.txt", "tides-06.txt"])
def test_its_score_is_that_of_python(open_window: Open, report: str, id_: str) -> None:
    window = open_window(f"{report}#/document/{id_}", id_)
    expected = SAMPLES.score(id_)
    assert percent(expected.share) in score(window)
    assert f"{expected.matched} of {expected.size} words" in score(window)
    by_best = sorted(expected.sources, key=lambda source: source.rank)
    assert sources(window) == [(source.id, percent(source.share)) for source in by_best]


@pytest.mark.smoke
def test_its_whole_text_is_there(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/document/cars-04.txt", "cars-04.txt")
    assert window.text() == ESSAYS["cars-04.txt"]


def test_sources_are_ranked_in_two_ways(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    expected = COURSE.score("paper.txt")
    best = sorted(expected.sources, key=lambda source: source.rank)
    everything = sorted(expected.sources, key=lambda source: source.rank_all)
    assert [one.id for one in best] != [one.id for one in everything]
    assert sources(window) == [(called(one.id), percent(one.share)) for one in best]
    window.page.get_by_role("radio", name="All sources").check()
    assert sources(window) == [(called(one.id), percent(one.share)) for one in everything]


def source_item(window: Window, name: str) -> str:
    items = window.page.get_by_role("region", name="Sources").get_by_role("listitem")
    return said(items.filter(has=window.page.get_by_role("link", name=name)))


def test_a_source_shows_what_it_shares_also_where_others_are_credited(
    open_window: Open, course: str
) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    (third,) = [one for one in COURSE.score("paper.txt").sources if one.id == "third.txt"]
    assert (third.credited, third.words) == (0, 70)
    item = source_item(window, "third.txt")
    assert f"{percent(third.share)}\n70 shared words in 2 passages, longest run 7" in item
    assert (
        "Counted here: 0 %; all of it is counted with Ben – A first source and second.txt." in item
        or "Counted here: 0 %; all of it is counted with second.txt and Ben – A first source."
        in item
    )
    second = source_item(window, "second.txt")
    assert "120 shared words in 3 passages" in second
    assert "Counted here: 5 %; the rest is counted with Ben – A first source." in second
    assert "Counted here" not in source_item(window, "Ben – A first source")
    window.page.get_by_role("radio", name="All sources").check()
    assert "Counted here" not in source_item(window, "third.txt")


def test_what_an_excluded_quotation_leaves_must_be_a_passage_itself(
    open_window: Open, tmp_path: Path
) -> None:
    before, first, second, behind = (some(count, f"shared {count}") for count in (8, 21, 22, 30))
    copied = " ".join([*before, f"“{' '.join(first)}”, “{' '.join(second)}”,", *behind])
    other = f"“{' '.join(some(25, 'quoted'))}” rightly"  # the quotation and a word behind it
    texts = {
        name: f"{' '.join(some(60, name))}. {copied}. {' '.join(some(70, name + 'x'))}. {other}"
        for name in ("one.txt", "two.txt")
    }
    (pair,) = likewise.find_passages(
        list(texts.values()), ids=list(texts), exclude=Exclusions(quotations=True)
    )
    address = write_report(tmp_path, write_lines(tmp_path / "texts.jsonl", texts))
    window = open_window(f"{address}#/document/one.txt", "one.txt")
    assert "107 of 237 words" in score(window)
    window.button("Exclusions").click()
    expect(window.page.get_by_text("if it has a run of at least 12 words")).to_be_visible()
    window.page.get_by_role("switch", name="Quotations").check()
    expect(shared(window)).to_contain_text(f"{pair.words_a} of {pair.size_a} words")
    assert "30 shared words in 1 passage" in source_item(window, "two.txt")
    hits = window.page.get_by_role("region", name="Text").locator(".hit")
    assert [said(hit) for hit in hits.all()] == [f"{' '.join(behind)}."]
    window.button("Reset all").click()
    expect(shared(window)).to_contain_text("107 of 237 words")


@pytest.mark.smoke
def test_filters_change_the_score_at_once(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    window.button("Exclusions").click()
    least = window.page.get_by_role("spinbutton", name="Minimum words per passage")
    for words in (30, 36, 41):
        least.fill(str(words))
        least.press("Enter")
        expected = COURSE.score("paper.txt", words) if words < 41 else None
        told = expected.matched if expected else 0
        expect(shared(window)).to_contain_text(f"{told} of 1,465 words")
        shown = {called(one.id) for one in expected.sources} if expected else set()
        assert {name for name, _ in sources(window)} == shown
    window.button("Reset all").click()
    whole = COURSE.score("paper.txt")
    expect(shared(window)).to_contain_text(f"{whole.matched} of {whole.size:,} words")
    window.page.get_by_role("switch", name="Quotations").check()
    matched, size = COURSE.without_quotations("paper.txt")
    expect(shared(window)).to_contain_text(f"{matched} of {size:,} words")
    assert window.page.get_by_role("region", name="Text").locator(".out").count() > 0
    window.button("Reset all").click()
    window.page.keyboard.press("Escape")
    window.page.get_by_role("heading", name="Filters").click()
    window.page.get_by_role("checkbox", name="verbatim").uncheck()
    edited = COURSE.score("paper.txt", kinds=("edited",))
    assert f"{edited.matched} of {edited.size:,} words" in score(window)
    window.button("Reset filters").click()
    assert f"{whole.matched} of {whole.size:,} words" in score(window)


def test_a_source_can_be_left_out_of_the_score(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    window.page.get_by_role("checkbox", name="Count source 1, Ben – A first source").uncheck()
    # A goes to the second, D to the fourth and B to the third, which has other words for five of
    # its words; F is nobody else's.
    left = COURSE.score("paper.txt", without="first.txt").matched
    assert left == COURSE.score("paper.txt").matched - 45
    assert f"{left} of" in score(window)
    expect(window.page.get_by_text("Filters are on")).to_be_visible()


def test_small_sources_can_be_left_out(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    window.page.get_by_role("heading", name="Filters").click()
    window.page.get_by_role("spinbutton", name="Minimum share per source, %").fill("8")
    expected = COURSE.score("paper.txt")
    large = {called(one.id) for one in expected.sources if one.share >= 0.08}
    assert {name for name, _ in sources(window)} == large


def test_keys_go_from_passage_to_passage(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    window.page.keyboard.press("n")
    first = window.focused()
    assert first.startswith("Source ")
    window.page.keyboard.press("n")
    window.page.keyboard.press("p")
    assert window.focused() == first
    window.page.keyboard.press("Enter")
    panel = window.page.get_by_role("dialog", name="Sources of this passage")
    expect(panel).to_be_visible()
    window.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    assert window.focused() == first
    window.page.keyboard.press("Enter")
    name = panel.locator("bdi").inner_text()
    panel.get_by_role("link", name="See both side by side").click()
    window.settled(f"+Ada – @Paper of the year and {name}")


def test_a_marked_passage_opens_and_leads_on(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    words = documents()["paper.txt"].split("\n\n")[1].split()
    window.page.get_by_role("region", name="Text").locator("mark", has_text=words[5]).first.click()
    panel = window.page.get_by_role("dialog", name="Sources of this passage")
    expect(panel.get_by_role("listitem")).to_have_count(2)
    expect(panel).to_contain_text("40 shared words")


def test_the_strip_beside_the_text_leads_there(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/paper.txt", "+Ada – @Paper of the year")
    strip = window.page.locator(".minimap")
    assert strip.locator("path").count() >= 3
    box = strip.bounding_box()
    assert box is not None
    assert window.page.evaluate("scrollY") == 0
    window.page.mouse.click(box["x"] + 5, 680)
    window.until("() => scrollY > 50")


def test_flags_are_reported_and_found(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/tricked.txt", "tricked.txt")
    flags = window.part("1 flag in the text")
    expect(flags).to_contain_text("look-alike, zero-width: 2 places")
    expect(window.page.get_by_role("region", name="Text", exact=True)).to_contain_text(
        "1 word contains Cyrillic letters that look Latin; zero-width characters in 1 place."
    )
    flags.get_by_role("button", name="look-alike").click()
    expect(window.page.get_by_role("img", name="Flag: look-alike")).to_be_in_viewport()
    # What was put right was matched as if nothing had been there.
    assert "60 of 300 words" in score(window)


def test_a_text_is_shown_as_it_is_stored(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/tricked.txt", "tricked.txt")
    before, text = score(window), window.text()
    assert window.page.locator(".altered-sign, .unseen-sign").count() == 0
    window.page.get_by_role("radio", name="As stored").check()
    (word,) = [word for word in text.split() if {*word} & {*"аео"}]
    altered = window.page.locator(".text .altered-sign")
    assert "".join(altered.all_text_contents()) == "".join(c for c in word if c in "аео")
    expect(altered.first).to_have_attribute(
        "title", re.compile("^U\\+04.., which looks like “[aeo]”$")
    )
    assert window.texts(window.page.locator(".text .unseen-sign")) == ["U+200B\u200b"]
    assert score(window) == before
    window.page.keyboard.press("n")
    expect(window.page.locator(".text .current").first).to_be_in_viewport()
    window.page.get_by_role("radio", name="As displayed").check()
    assert window.text() == text
    window.to("#/document/paper.txt")
    expect(window.page.get_by_role("radio", name="As stored")).to_have_count(0)


def test_one_without_sources_says_so(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/alone.txt", "alone.txt")
    expect(window.page.get_by_role("region", name="Sources")).to_contain_text("No sources found")
    expect(window.page.get_by_text("this document is in none")).to_be_visible()


def test_one_that_is_not_there(open_window: Open, course: str) -> None:
    window = open_window(f"{course}#/document/nothing.txt", "Not shown")
    expect(window.page.get_by_role("alert")).to_contain_text("no document “nothing.txt”")
