"""What is excluded on one page is excluded on all: in report and app, in links, files and print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from likewise.documents.document import Document
from likewise.passages.settings import Exclusions
from likewise.survey.settings import SurveySettings
from likewise.survey.survey import Survey
from likewise.text.words import words_of
from tests.browser.conftest import ESSAYS, Open, folder_index, write_report
from tests.browser.course import write_lines, write_metadata
from tests.browser.expected import percent
from tests.browser.window import Window, said
from tests.server.conftest import Live
from tests.survey.made_texts import essays, some

WHERE = pytest.mark.parametrize("where", ["report", "app"])
TEXTS = essays(50)
TASK = " ".join(some(60, "task 50"))


def survey_of(texts: dict[str, str], **exclude: object) -> Survey:
    settings = SurveySettings(exclude=Exclusions(**exclude))  # type: ignore[arg-type]
    return Survey([Document(text, id=id_) for id_, text in texts.items()], settings)


def open_panel(window: Window) -> None:
    window.button("Exclusions").first.click()
    expect(window.page.get_by_role("region", name="Exclusions", exact=True)).to_be_visible()


def turn_on(window: Window, name: str) -> None:
    open_panel(window)
    panel = window.page.get_by_role("region", name="Exclusions", exact=True)
    panel.get_by_role("switch", name=name).check()
    window.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def bar(window: Window) -> str:
    return said(window.page.get_by_role("region", name="What is excluded"))


def shows_document(window: Window, survey: Survey, id_: str) -> None:
    at = [text.document.id for text in survey.texts].index(id_)
    matched, size = int(survey.scores.matched[at]), int(survey.pairs.sizes[at])
    score = window.page.get_by_role("region", name="Shared words")
    expect(score).to_contain_text(f"{matched:,} of {size:,} words")
    expect(score).to_contain_text(re.compile(percent(matched / size).replace(" ", r"\s")))


def coloured(window: Window, side: int = 0) -> int:
    told: str = window.page.evaluate(
        """side => [...document.querySelectorAll('.text')[side].querySelectorAll('.piece')]
            .map(e => (e.previousSibling?.classList?.contains('piece') ? '' : '|')
                + (e.classList.contains('hit') ? e.textContent : '|')).join('')""",
        side,
    )
    return sum(len(words_of(part)) for part in told.split("|"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("made")
    known = {
        id_: {"author": f"Author {at % 4}", "group": f"G{at % 2}"} for at, id_ in enumerate(TEXTS)
    }
    return write_report(
        folder, write_lines(folder / "texts.jsonl", TEXTS),
        "--metadata", write_metadata(folder / "known.jsonl", known),
    )  # fmt: skip


@pytest.mark.smoke
@WHERE
def test_an_exclusion_is_that_of_all_pages_and_of_the_link(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    survey = survey_of(ESSAYS, quotations=True)
    window = open_window(request.getfixturevalue(where), "Overview")
    expect(window.fact("Pairs found")).to_contain_text("18")
    turn_on(window, "Quotations")
    expect(window.fact("Pairs found")).to_contain_text(str(len(survey.pairs)))
    assert "quotations" in bar(window)
    window.page.get_by_role("navigation").get_by_role("link", name="Pairs").click()
    window.settled("Pairs")
    expect(window.page.locator("[data-value=row-count]")).to_have_text("16 pairs")
    assert "exclude=quotations" in window.page.url
    window.page.reload()
    window.settled("Pairs")
    expect(window.page.locator("[data-value=row-count]")).to_have_text("16 pairs")
    for id_ in ("bees-04.txt", "tides-03.txt"):
        window.to(f"#/document/{id_}?exclude=quotations", id_)
        shows_document(window, survey, id_)
    window.button("Reset", exact=True).click()
    shows_document(window, survey_of(ESSAYS), "tides-03.txt")
    assert "exclude" not in window.page.url


def test_every_document_and_pair_has_the_figures_of_python(open_window: Open, made: str) -> None:
    exclude = {"quotations": True, "bibliography": True, "min_passage": 15}
    survey = survey_of(TEXTS, **exclude)
    query = "exclude=quotations.bibliography.words-15"
    window = open_window(f"{made}#/?{query}", "Overview")
    expect(window.fact("Pairs found")).to_contain_text(str(len(survey.pairs)))
    for id_ in TEXTS:
        window.to(f"#/document/{id_}?{query}")
        window.settled(re.compile("."))
        shows_document(window, survey, id_)
        at = list(TEXTS).index(id_)
        assert coloured(window) == survey.scores.matched[at]
    for (a, b), pair in list(survey.pairs.passages.items())[:20]:
        ids = [survey.texts[one].document.id for one in (a, b)]
        window.to(f"#/pair/{ids[0]}/{ids[1]}?{query}")
        expect(window.fact("Shared words")).to_contain_text(f"in {len(pair.passages)} passage")
        assert (coloured(window, 0), coloured(window, 1)) == (pair.words_a, pair.words_b)
        assert percent(pair.share_a).split()[0] in said(window.fact("Shared words"))


def test_pairs_of_an_author_and_of_a_group_are_excluded(open_window: Open, made: str) -> None:
    window = open_window(f"{made}#/pairs", "Pairs")
    count = window.page.locator("[data-value=row-count]")
    before = said(count)
    turn_on(window, "Pairs of the same author")
    expect(count).not_to_have_text(before)
    for row in window.texts(window.rows("Pairs").locator("[data-column=documents]")):
        first, second = (int(number) % 4 for number in re.findall(r"(\d\d)\.txt", row))
        assert first != second  # the authors
    turn_on(window, "Pairs of the same group")
    expect(window.page.get_by_role("region", name="What is excluded")).to_contain_text("group")
    window.to("#/pair/00.txt/04.txt?exclude=same-author")
    expect(window.page.locator("main")).to_contain_text("because they have the same author")


def test_a_template_and_a_phrase_in_a_report(open_window: Open, made: str, tmp_path: Path) -> None:
    file = tmp_path / "task <b>.txt"
    file.write_text(TASK, encoding="utf-8")
    window = open_window(made, "Overview")
    open_panel(window)
    panel = window.page.get_by_role("region", name="Exclusions", exact=True)
    panel.get_by_label("Template file").set_input_files(file)
    expect(panel.get_by_role("list", name="Templates")).to_contain_text("task <b>.txt 60 words")
    survey = survey_of(TEXTS, templates=(TASK,))
    expect(window.fact("Pairs found")).to_contain_text(str(len(survey.pairs)))
    phrase = " ".join(some(400, "source 50 1")[100:103])
    panel.get_by_label("Phrases to exclude").fill(f"{phrase.upper()}\nchanged words")
    panel.get_by_label("Phrases to exclude").blur()
    expect(window.page.get_by_role("region", name="What is excluded")).to_contain_text(
        "“changed words”"
    )
    both = survey_of(TEXTS, templates=(TASK,), phrases=(phrase, "changed words"))
    for id_ in ("00.txt", "03.txt", "07.txt"):
        window.page.evaluate(
            "id => { location.hash = location.hash.replace(/^#[^?]*/, `#/document/${id}`) }", id_
        )
        window.settled(re.compile("."))
        shows_document(window, both, id_)
    # A template is not in the link: somebody else is told so.
    other = open_window(f"{made}#/?exclude=template", "Overview")
    expect(other.page.get_by_role("region", name="What is excluded")).to_contain_text(
        "choose its file again"
    )


def test_what_is_no_template_is_refused(open_window: Open, report: str, tmp_path: Path) -> None:
    file = tmp_path / "picture.txt"
    file.write_bytes(b"\x00\xff\xfe\x89PNG")
    window = open_window(report, "Overview")
    open_panel(window)
    panel = window.page.get_by_role("region", name="Exclusions", exact=True)
    panel.get_by_label("Template file").set_input_files(file)
    expect(panel.get_by_role("alert")).to_contain_text("not plain text")


@WHERE
def test_a_passage_is_excluded_everywhere_by_a_click(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    address = request.getfixturevalue(where)
    window = open_window(f"{address}#/pair/cars-01.txt/cars-04.txt", "cars-01.txt and cars-04.txt")
    window.page.keyboard.press("n")
    words = coloured(window)
    window.button("Exclude everywhere").click()
    expect(window.page.locator(".pair-tools")).to_contain_text("No shared passages")
    expect(window.page.get_by_role("region", name="What is excluded")).to_contain_text(
        re.compile(rf"a passage of {words} words in cars-01.txt")
    )
    assert coloured(window) == 0
    assert window.page.locator(".text").nth(1).locator(".out").count() > 0
    window.link("cars-04.txt").first.click()
    window.settled("cars-04.txt")
    expect(window.page.get_by_role("region", name="Sources")).not_to_contain_text("cars-01.txt")
    window.page.locator("[data-passage]").first.click()
    window.button("Exclude everywhere").click()
    expect(window.page.get_by_role("region", name="Sources").get_by_role("listitem")).to_have_count(
        1
    )
    window.page.reload()
    window.settled("cars-04.txt")
    expect(window.page.get_by_role("region", name="What is excluded").get_by_role("listitem")
           ).to_have_count(2)  # fmt: skip


def test_the_app_stores_phrases_and_templates(
    open_window: Open, library: str, tmp_path: Path
) -> None:
    file = tmp_path / "task.html"
    file.write_text(f"<html><body><p>{TASK}</p></body></html>", encoding="utf-8")
    window = open_window(f"{library}/", "No documents yet")
    expect(window.button("Exclusions")).to_be_hidden()
    window.page.evaluate(
        """async texts => { for (const [id, text] of Object.entries(texts)) await fetch(
            'api/documents', {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({documents: [{id, text}]})}); }""",
        TEXTS,
    )
    window.page.reload()
    window.settled("Overview")
    open_panel(window)
    panel = window.page.get_by_role("region", name="Exclusions", exact=True)
    panel.get_by_label("Template file").set_input_files(file)
    survey = survey_of(TEXTS, templates=(TASK,))
    expect(window.fact("Pairs found")).to_contain_text(str(len(survey.pairs)))
    window.to("#/document/02.txt?exclude=template", "02.txt")
    shows_document(window, survey, "02.txt")
    panel.get_by_label("Phrases to exclude").fill("changed words")
    panel.get_by_label("Phrases to exclude").blur()
    both = survey_of(TEXTS, templates=(TASK,), phrases=("changed words",))
    shows_document(window, both, "02.txt")
    window.page.reload()
    window.settled("02.txt")
    shows_document(window, both, "02.txt")
    window.to("#/?exclude=phrases.template", "Overview")
    expect(window.fact("Pairs found")).to_contain_text(str(len(both.pairs)))


def test_a_document_that_is_checked_is_shown_without_quotations(
    open_window: Open, app: str
) -> None:
    window = open_window(f"{app}/#/check?exclude=quotations", "Check a text")
    text = ESSAYS["bees-01.txt"]
    paragraphs = sorted(text.split("\n\n"), key=len)
    quoted = f"{paragraphs[-1]}\n\nShe writes: “{paragraphs[-2].strip()}”"
    window.page.get_by_label("Text to check").fill(quoted)
    expect(window.page.locator("[data-value=check-status]")).to_contain_text("found")
    expect(window.page.locator(".text .out").first).to_be_visible()
    assert "“" not in "".join(window.texts(window.page.locator(".text .hit")))


def test_the_file_and_the_print_name_what_is_excluded(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pairs?exclude=quotations.words-40", "Pairs")
    with window.page.expect_download() as saved:
        window.button("CSV").click()
    assert saved.value.suggested_filename == "pairs-without-quotations-short-passages-40.csv"
    lines = Path(saved.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 1 + len(survey_of(ESSAYS, quotations=True, min_passage=40).pairs)
    window.page.emulate_media(media="print")
    expect(window.page.get_by_text("passages of fewer than 40 words")).to_be_visible()
    expect(window.button("Reset", exact=True)).to_be_hidden()
    expect(window.button("Exclusions").first).to_be_hidden()


def test_it_all_works_by_keyboard_and_on_a_phone(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview", viewport={"width": 390, "height": 800})
    window.button("Exclusions").first.focus()
    window.page.keyboard.press("Enter")
    assert not window.is_wider_than_screen()
    window.page.keyboard.press("Tab")
    window.page.keyboard.press("Tab")
    assert "Quotations" in window.page.evaluate(
        "() => document.activeElement.closest('label').innerText"
    )
    window.page.keyboard.press("Space")
    expect(window.fact("Pairs found")).to_contain_text("16")
    window.until("() => document.activeElement.dataset.exclusion === 'quotations'")
    assert not window.axe()
    window.page.keyboard.press("Escape")
    assert window.focused().startswith("Exclusions")
    assert not window.is_wider_than_screen()
    assert not window.axe()
    window.button("Stop excluding quotations").press("Enter")
    expect(window.fact("Pairs found")).to_contain_text("18")
    window.until("() => document.activeElement.dataset.action === 'exclusions'")
    part = window.part("Exclusions").filter(has=window.page.get_by_role("switch"))
    part.get_by_role("switch", name="Quotations").last.press("Space")
    expect(window.fact("Pairs found")).to_contain_text("16")
    window.until("() => document.activeElement.dataset.exclusion === 'quotations'")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_views_with_exclusions_are_accessible(open_window: Open, made: str, scheme: str) -> None:
    phrase = "<img src=x onerror=alert(1)> \u202eevil"
    window = open_window(made, "Overview", color_scheme=scheme)
    window.page.evaluate(
        "phrase => { location.hash = `#/?${new URLSearchParams([['exclude', "
        "'quotations.bibliography.common-text.same-author.words-20'], ['phrase', phrase]])}` }",
        phrase,
    )
    expect(window.page.get_by_role("region", name="What is excluded")).to_contain_text("<img src=x")
    open_panel(window)
    assert not window.axe()
    for view in ("documents", "pairs", "clusters", "document/01.txt", "pair/01.txt/02.txt"):
        window.page.evaluate(
            "view => { location.hash = location.hash.replace(/^#[^?]*/, `#/${view}`) }", view
        )
        window.settled(re.compile("."))
        assert not window.axe()


@pytest.mark.parametrize(
    "query",
    [
        "exclude=nonsense.words-99999999.quotations%00", "exclude=words--1", "passage-out=9-2+x",
        "passage-out=0-50+nobody.txt", "passage-out=0-99999999+cars-01.txt", "phrase=%F0%9F%98%80",
        "phrase=" + "a" * 4000, "exclude=__proto__.constructor.same-id",
        "&".join(f"passage-out=0-{n}+cars-01.txt" for n in range(1, 80)),
    ],
)  # fmt: skip
def test_links_with_nonsense_show_the_report(open_window: Open, report: str, query: str) -> None:
    window = open_window(f"{report}#/?{query}", "Overview")
    expect(window.fact("Documents")).to_contain_text("35")
    window.to(f"#/pair/cars-02.txt/cars-05.txt?{query}", "cars-02.txt and cars-05.txt")


def test_without_texts_figures_follow_too(open_window: Open, tmp_path: Path) -> None:
    address = write_report(tmp_path, write_lines(tmp_path / "texts.jsonl", TEXTS), "--no-texts")
    survey = survey_of(TEXTS, quotations=True, bibliography=True)
    query = "exclude=quotations.bibliography"
    window = open_window(f"{address}#/?{query}", "Overview")
    expect(window.fact("Pairs found")).to_contain_text(str(len(survey.pairs)))
    for (a, b), pair in list(survey.pairs.passages.items())[:6]:
        ids = [survey.texts[one].document.id for one in (a, b)]
        window.to(f"#/pair/{ids[0]}/{ids[1]}?{query}")
        window.settled(f"{ids[0]} and {ids[1]}")
        expect(window.fact("Shared words")).to_contain_text(
            f"{max(pair.words_a, pair.words_b)}" if pair.passages else "No shared passages"
        )
    window.to(f"#/document/05.txt?{query}", "05.txt")
    at = list(TEXTS).index("05.txt")
    expect(window.page.get_by_role("region", name="Shared words")).to_contain_text(
        f"{survey.scores.matched[at]} of {survey.pairs.sizes[at]} words"
    )


def test_a_collection_without_texts_excludes_pairs_only(open_window: Open, tmp_path: Path) -> None:
    server = Live(folder_index(tmp_path, ESSAYS, keep_text=False), "--quiet")
    try:
        window = open_window(f"{server.url}/#/?exclude=quotations", "Overview")
        expect(window.page.get_by_role("region", name="What is excluded")).to_contain_text(
            "No texts are stored here"
        )
        window.to("#/document/cars-04.txt?exclude=quotations", "cars-04.txt")
    finally:
        server.kill()
