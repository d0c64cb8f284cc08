"""The page of a synopsis, and the view of the app."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MILLISECONDS, Open, folder_index, likewise
from tests.browser.paper import Paper
from tests.browser.test_looks import DARK, LIGHT, PHONE, expect_ground
from tests.browser.window import Window
from tests.server.conftest import Live
from tests.survey.made_texts import some

ALL, FIRST_TWO, MOVED = (some(24, name) for name in ("all", "first two", "moved"))
TEXTS = {
    "Adams": [some(30, "a"), ALL, FIRST_TWO, MOVED],
    "Brook": [MOVED, ALL, some(12, "b"), FIRST_TWO],
    "Clark": [some(150, "c"), ALL, some(20, "c again")],
}
HOSTILE = "<img src=x onerror=window.likewiseWasFooled=1></script><script>window.x=1</script>"


def text_of(sentences: list[list[str]]) -> str:
    return "\n".join(" ".join(one).capitalize() + "." for one in sentences)


def write(folder: Path, texts: dict[str, str], *options: object) -> str:
    """The address of a synopsis of these texts."""
    paths = []
    for name, text in texts.items():
        paths.append(folder / f"{name}.txt")
        paths[-1].write_text(text, encoding="utf-8")
    page = folder / "synopsis.html"
    likewise("synopsis", *paths, *options, "-o", page, "--quiet")
    return page.as_uri()


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write(tmp_path_factory.mktemp("three"), {k: text_of(v) for k, v in TEXTS.items()})


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> str:
    texts = {name: text_of([ALL, some(9, name)]) for name in "vwxyz"}
    return write(tmp_path_factory.mktemp("five"), texts)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the same texts."""
    texts = {name: text_of(sentences) for name, sentences in TEXTS.items()}
    server = Live(folder_index(tmp_path_factory.mktemp("app"), texts), "--quiet")
    yield server.url
    server.kill()


def row(window: Window, number: int) -> Any:
    return window.page.locator(f"#row-{number}")


def cell(window: Window, number: int, text: int) -> Any:
    return row(window, number).locator(f".synopsis-cell[data-text='{text}']")


@pytest.mark.smoke
def test_texts_stand_in_parallel_with_their_counts(open_window: Open, three: str) -> None:
    window = open_window(three, "Synopsis")
    counts = window.page.get_by_role("region", name="Table of traditions")
    expect(counts.locator("[data-tradition=ABC] td")).to_have_text(
        [re.compile(r"^24\d\d?\s%$"), re.compile(r"^24"), re.compile(r"^24")]
    )
    expect(counts.locator("[data-tradition=AB] td").first).to_have_text(re.compile(r"^48"))
    expect(counts.locator("tfoot td")).to_have_text(["102", "84", "194"])
    table = window.page.get_by_role("table", name="Texts in parallel")
    shared = table.get_by_role("row").filter(has_text=" ".join(ALL[1:]))
    expect(shared).to_have_count(1)
    expect(shared.locator(".agree")).to_have_count(3)
    for letter, words in enumerate(TEXTS.values()):
        cells = table.locator(f".synopsis-cell[data-text='{letter}'] > .text")
        shown = " ".join(" ".join(cells.all_text_contents()).replace(".", " ").lower().split())
        assert shown == " ".join(word for one in words for word in one)


@pytest.mark.smoke
def test_what_is_elsewhere_is_shown_framed_and_leads_there_and_back(
    open_window: Open, three: str
) -> None:
    window = open_window(three, "Synopsis")
    framed = window.page.locator(".elsewhere", has_text=" ".join(MOVED[1:]))
    expect(framed).to_have_count(2)
    link = framed.first.get_by_role("button")
    expect(link).to_have_accessible_name(re.compile(r"^Go to A, line 4, row \d+$"))
    link.click()
    target = window.page.locator(".synopsis-row.current")
    expect(target.locator(".synopsis-cell[data-text='0'] > .text")).to_contain_text(MOVED[5])
    expect(target.locator(".row-number")).to_be_focused()
    window.button(re.compile("^Back to row")).click()
    expect(target.locator(".synopsis-cell[data-text='1'] > .text")).to_contain_text(MOVED[5])
    expect(window.button(re.compile("^Back to row"))).to_be_hidden()


def test_rows_of_one_kind_are_shown_alone(open_window: Open, three: str) -> None:
    window = open_window(three, "Synopsis")
    rows = window.page.locator(".synopsis-body .synopsis-row:visible")
    everything = rows.count()
    choice = window.page.get_by_label("Rows shown")
    choice.select_option("every")
    expect(rows).to_have_count(1)
    choice.select_option("moved")
    expect(rows).to_have_count(2)
    choice.select_option("alone")
    assert 0 < rows.count() < everything
    choice.select_option("all")
    expect(rows).to_have_count(everything)


def test_words_and_places_are_found_in_all_columns(open_window: Open, three: str) -> None:
    window = open_window(three, "Synopsis")
    window.page.keyboard.press("/")
    box = window.page.get_by_label("Search all texts")
    expect(box).to_be_focused()
    box.fill(" ".join(ALL[3:6]).upper())
    status = window.page.locator("[data-value=hits]")
    expect(status).to_have_text(re.compile(r"^1 of 3, in A, row \d+$"))
    window.page.keyboard.press("Enter")
    expect(status).to_have_text(re.compile(r"^2 of 3, in B"))
    window.page.keyboard.press("Shift+Enter")
    expect(status).to_have_text(re.compile(r"^1 of 3, in A"))
    marked = window.page.evaluate("() => [...CSS.highlights.get('found-here')].map(String)")
    assert [words.lower() for words in marked] == [" ".join(ALL[3:6])]
    box.fill("line 3")
    expect(status).to_have_text(re.compile(r"^1 of 3"))
    box.fill("nowhere at all (")
    expect(status).to_have_text("Not found")
    window.page.keyboard.press("Escape")
    expect(status).to_have_text("")
    assert window.page.evaluate("() => CSS.highlights.has('found')") is False


def test_keys_go_from_parallel_to_parallel(open_window: Open, three: str) -> None:
    window = open_window(three, "Synopsis")
    current = window.page.locator(".synopsis-row.current")
    numbers = []
    for key in "nnnp":
        window.page.keyboard.press(key)
        expect(current.locator(".row-number")).to_be_focused()
        numbers.append(int(current.get_attribute("data-row") or -1))
    assert numbers[0] < numbers[1] < numbers[2]
    assert numbers[3] == numbers[1]
    window.page.keyboard.press("?")
    expect(window.page.get_by_role("dialog")).to_contain_text("next parallel")
    window.page.keyboard.press("Escape")


def test_colours_are_switched_and_a_word_shows_its_twins(open_window: Open, three: str) -> None:
    window = open_window(three, "Synopsis")
    mark = window.page.locator(".synopsis .agree", has_text=ALL[4]).first
    mark.hover()
    expect(window.page.locator(".synopsis .twin")).to_have_count(3)

    def line() -> str:
        return str(mark.evaluate("mark => getComputedStyle(mark).textDecorationLine"))

    assert line() == "underline"
    window.page.get_by_role("checkbox", name=re.compile("ABC all texts")).uncheck()
    assert line() == "none"
    window.page.get_by_role("checkbox", name=re.compile("ABC all texts")).check()
    assert line() == "underline"


def test_the_coloured_words_are_as_many_as_the_table_says(open_window: Open, three: str) -> None:
    window = open_window(three, "Synopsis")
    coloured: dict[str, int] = window.page.evaluate(
        """() => {
            const found = {};
            for (const mark of document.querySelectorAll('.synopsis-cell > .text .agree')) {
                const key = `${mark.dataset.bits} ${mark.closest('.synopsis-cell').dataset.text}`;
                found[key] = (found[key] ?? 0) + mark.textContent.split(/\\s+/).length;
            }
            return found;
        }"""
    )
    table = window.page.get_by_role("region", name="Table of traditions")
    for bits, letters in ((7, "ABC"), (3, "AB")):
        cells = table.locator(f"[data-tradition={letters}] td").all_text_contents()
        for text in range(len(letters)):
            assert cells[text].startswith(str(coloured[f"{bits} {text}"]))
    assert len(coloured) == 5


@pytest.mark.parametrize("width", [1280, 800])
def test_names_of_columns_are_below_the_tools_and_a_row_is_below_both(
    open_window: Open, three: str, width: int
) -> None:
    window = open_window(three, "Synopsis", viewport={"width": width, "height": 420})
    colours = window.page.get_by_role("list", name="Colours").get_by_role("listitem")
    expect(colours).to_have_text(["ABC", "AB"])
    window.page.keyboard.press("n")
    window.page.keyboard.press("n")
    window.drawn()
    places = [".synopsis-tools", ".synopsis-head", ".synopsis-row.current"]
    boxes = [window.page.locator(place).bounding_box() for place in places]
    for above, below in pairwise(boxes):
        assert above is not None
        assert below is not None
        assert 0 <= below["y"] + 1 - above["y"] - above["height"] < 30


def test_each_group_of_three_texts_has_a_line_of_its_own(open_window: Open, three: str) -> None:
    window = open_window(three, "Synopsis")
    samples = window.page.locator(".traditions .agree")
    styles = samples.evaluate_all("all => all.map(e => getComputedStyle(e).textDecorationStyle)")
    assert sorted(styles) == ["dashed", "dotted", "double", "solid"]


@pytest.mark.smoke
def test_with_many_texts_letters_say_which_agree(open_window: Open, five: str) -> None:
    window = open_window(five, "Synopsis")
    expect(window.page.get_by_label("Letters")).to_be_checked()
    letters = window.page.locator(".synopsis .agree").first.evaluate(
        "mark => getComputedStyle(mark, '::before').content"
    )
    assert letters == '"ABCDE"'


@pytest.mark.parametrize("where", ["three", "five"])
def test_axe_finds_nothing_wrong(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    window = open_window(request.getfixturevalue(where), "Synopsis", **LIGHT)
    window.page.keyboard.press("n")
    found = {"light": window.axe()}
    window.page.emulate_media(color_scheme="dark")
    expect_ground(window, dark=True)
    found["dark"] = window.axe("color-contrast")
    window.page.keyboard.press("?")
    found["keys"] = window.axe()
    assert found == {"light": [], "dark": [], "keys": []}


@pytest.mark.parametrize("where", ["three", "five"])
def test_a_phone_shows_the_texts_below_each_other(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    window = open_window(request.getfixturevalue(where), "Synopsis", **PHONE)
    assert window.is_wider_than_screen() == []
    assert window.axe() == []
    shared = window.page.get_by_role("row").filter(has_text=" ".join(ALL[1:])).first
    tops = shared.locator(".synopsis-cell").evaluate_all(
        "all => all.map(cell => cell.getBoundingClientRect().top)"
    )
    assert tops == sorted(set(tops))


def test_on_paper_rows_are_whole_and_names_are_on_every_sheet(
    open_window: Open, tmp_path: Path
) -> None:
    sentences = [some(40, at) for at in range(60)]
    texts = {name: text_of(sentences) for name in ("Left", "Right")}
    window = open_window(write(tmp_path, texts, "--title", "Two editions"), "Synopsis")
    paper = Paper(window)
    assert len(paper.pages) > 4
    assert "Agreement in words" in paper.pages[0]
    assert paper.cut == []
    for page in paper.pages[1:]:
        assert "Left.txt" in page
        assert "Right.txt" in page
        assert "Two editions" in page
    for sentence in sentences:
        # Both columns of a row are on one sheet, from the first word to the last.
        on = [number for number, page in enumerate(paper.pages)
              if sentence[0].capitalize() in page and sentence[-1] in page]  # fmt: skip
        assert len(on) >= 1


def test_hostile_texts_and_names_are_words(open_window: Open, tmp_path: Path) -> None:
    texts = {"a": f"{HOSTILE} {' '.join(ALL)}", "b": f"{' '.join(ALL)} {HOSTILE}"}
    table = tmp_path / "names.csv"
    quoted = HOSTILE.replace('"', '""')
    table.write_text(f'file,title\na.txt,"{quoted}"\nb.txt,"{quoted} b"\n', encoding="utf-8")
    page = write(tmp_path, texts, "--metadata", table, "--title", HOSTILE)
    window = open_window(page, "Synopsis")
    expect(window.page.locator(".synopsis-name").first).to_contain_text(HOSTILE)
    expect(window.page.locator("main img, main script")).to_have_count(0)


def test_texts_with_nothing_in_common_are_shown_and_said_to_be(
    open_window: Open, tmp_path: Path
) -> None:
    texts = {"a": text_of([some(200, 1)]), "b": text_of([some(200, 2)])}
    window = open_window(write(tmp_path, texts), "Synopsis")
    expect(window.page.get_by_text("The texts share no passages")).to_be_visible()
    window.page.get_by_label("Rows shown").select_option("parallel")
    expect(window.page.get_by_text("No row is of this kind.")).to_be_visible()


def test_forced_colours_keep_the_lines(open_window: Open, three: str) -> None:
    window = open_window(three, "Synopsis", forced_colors="active")
    line = window.page.locator(".synopsis .agree").first.evaluate(
        "mark => getComputedStyle(mark).textDecorationLine"
    )
    assert line == "underline"


# --- the app


@pytest.mark.smoke
def test_the_app_shows_the_documents_that_are_chosen(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/synopsis", "Synopsis")
    show = window.page.locator("[data-action=show-synopsis]")
    window.page.get_by_role("checkbox", name=re.compile("Clark")).check()
    expect(show).to_have_count(0)
    window.page.get_by_label("Search documents").fill("ada")
    window.page.get_by_role("checkbox", name=re.compile("Adams")).check()
    window.button("Move Adams to the left").click()
    expect(window.page.get_by_role("list", name="Chosen texts").locator(".name")).to_have_text(
        ["Adams", "Clark"]
    )
    show.click()
    window.settled("Synopsis")
    expect(window.page.locator(".synopsis-name .name")).to_have_text(["Adams", "Clark"])
    assert window.page.url.endswith("#/synopsis/Adams/Clark")
    window.link("Choose texts").click()
    expect(window.page.get_by_role("checkbox", name=re.compile("Clark"))).to_be_checked()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("size", [{}, PHONE], ids=["screen", "phone"])
def test_the_view_of_the_app_is_for_everybody(
    open_window: Open, app: str, theme: dict[str, Any], size: dict[str, Any]
) -> None:
    window = open_window(f"{app}/#/synopsis", "Synopsis", **theme, **size)
    assert window.axe() == []
    assert window.is_wider_than_screen() == []
    window.to("#/synopsis/Adams/Brook/Clark", "Synopsis")
    expect(window.page.get_by_role("table", name="Texts in parallel")).to_be_visible()
    assert window.axe() == []
    assert window.is_wider_than_screen() == []
    window.page.keyboard.press("n")
    window.drawn()
    header = window.page.locator("header.top").bounding_box()
    row = window.page.locator(".synopsis-row.current").bounding_box()
    assert header is not None
    assert row is not None
    assert row["y"] >= header["height"]  # not below the menu


def test_names_are_hidden_in_the_app(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/synopsis/Adams/Brook", "Synopsis")
    window.button("Hide names").click()
    expect(window.page.locator(".synopsis-name .name").first).to_have_text(re.compile("Document"))
    assert "Adams" not in window.page.url
    assert "Adams" not in window.page.locator("main").inner_text()


def test_exclusions_of_the_app_apply_as_far_as_they_can(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/synopsis/Adams/Brook?exclude=quotations", "Synopsis")
    expect(window.page.get_by_text("other exclusions do not apply")).to_have_count(0)
    window.to("#/synopsis/Adams/Brook?exclude=words-20", "Synopsis")
    expect(window.page.get_by_text("other exclusions do not apply")).to_be_visible()


def test_a_text_that_is_not_there_is_an_error(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/synopsis/Adams/None", expected="404")
    expect(window.page.locator("[data-state=error]")).to_be_visible(timeout=MILLISECONDS)
