"""The figures of a page are those of Python, and what it colours is what they count."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from likewise import pages
from likewise.documents.document import Document
from likewise.output.chance import chance_text
from likewise.output.passages import RUN_CHANCE
from likewise.survey.survey import Survey
from likewise.text.words import words_of
from tests.browser.conftest import ESSAYS, SAMPLES, Open, folder_index, write_report
from tests.browser.course import write_lines
from tests.browser.expected import Expected, percent
from tests.browser.window import Window, said
from tests.server.conftest import Live
from tests.survey.made_texts import some

EXPECTED = Expected(ESSAYS)
MATCH_CHANCE = f"{RUN_CHANCE}: "
HELD = r"undefined|NaN|null\b|\b1 unrelated pair"


def coloured_words(window: Window, side: int = 0) -> int:
    """Words of a text that are coloured as shared."""
    told: str = window.page.evaluate(
        """side => [...document.querySelectorAll('.text')[side].querySelectorAll('.piece')]
            .map(e => getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)' ? '|'
                : e.textContent).join('')""",
        side,
    )
    return sum(len(words_of(part)) for part in told.split("|"))


@pytest.mark.parametrize("where", ["report", "app"])
def test_every_document_has_the_figures_of_python(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    survey = Survey([Document(text, id=id_) for id_, text in ESSAYS.items()])
    window = open_window(request.getfixturevalue(where), "Overview")
    for number, id_ in enumerate(ESSAYS):
        window.to(f"#/document/{id_}", id_)
        matched, size = int(survey.scores.matched[number]), int(survey.pairs.sizes[number])
        score = said(window.page.get_by_role("region", name="Shared words"))
        assert f"{matched} of {size} words" in score
        assert score.startswith(percent(matched / size))
        # A report holds the texts of pairs only.
        assert matched == (coloured_words(window) if window.text() else 0)


@pytest.mark.parametrize("where", ["report", "app"])
def test_every_pair_has_the_figures_of_python(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    window = open_window(request.getfixturevalue(where), "Overview")
    pairs = [pair for pair in EXPECTED.pairs if pair.passages]
    assert len(pairs) >= 15
    for pair in pairs:
        window.to(f"#/pair/{pair.a}/{pair.b}", f"{pair.a} and {pair.b}")
        card = said(window.fact("Shared words"))
        assert card.startswith(f"{max(pair.words_a, pair.words_b)}\n")
        assert f": {percent(pair.share_a)} of {pair.a}, {percent(pair.share_b)} of" in card
        assert (coloured_words(window, 0), coloured_words(window, 1)) == (
            pair.words_a,
            pair.words_b,
        )
        run = said(window.fact("Longest run"))
        if pair.p is None:
            assert "unrelated texts of these lengths share a run of up to" in run.lower()
        else:
            assert (MATCH_CHANCE + chance_text(pair.p)).capitalize() in run


def test_report_app_and_command_say_the_same_of_a_pair(
    open_window: Open, report: str, app: str
) -> None:
    a, b = "tides-03.txt", "tides-06.txt"
    paths = [str(SAMPLES / "essays" / id_) for id_ in (a, b)]
    command = [sys.executable, "-m", "likewise", "compare", *paths]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
    (chance,) = re.findall(rf"{MATCH_CHANCE}(.*)", printed)
    (words,) = re.findall(r"(\d+) shared words in", printed)
    assert chance == "less than 1 in a million"
    facts, levels = [], []
    for where in (report, app):
        window = open_window(f"{where}#/pair/{a}/{b}", f"{a} and {b}")
        window.page.keyboard.press("n")
        shown = said(window.page.locator("[data-value=passage-facts]"))
        assert MATCH_CHANCE + chance in shown
        assert f"{words} shared words" in shown
        expect(window.fact("Chance level")).to_contain_text("q = ")
        levels.append(re.findall(r"p ≤ [\d.]+|q = [\d.]+", said(window.fact("Chance level"))))
        facts.append(shown)
    assert facts[0] == facts[1]
    assert levels[0] == levels[1]
    assert len(levels[0]) == 2


@pytest.mark.smoke
def test_chances_are_said_by_the_rules_of_the_command_line(browser: Browser) -> None:
    source = (Path(pages.__file__).parent / "static/data/numbers.js").read_text(encoding="utf-8")
    body = re.sub(r"^export ", "", source, flags=re.MULTILINE)
    chance = random.Random(1)
    given = [0.0, 9.9e-7, 1e-6, 1 / 24_900, 0.15, 0.25, 0.35, 0.45, 0.65, 0.85, 0.949, 0.95, 1.0]
    given += [1 / whole for whole in range(1, 3000)] + [1 / 10**n for n in range(9)]
    given += [10 ** chance.uniform(-8, 0) for _ in range(20_000)]
    page = browser.new_page()
    told = page.evaluate(f"given => {{ {body}\n return given.map(chanceText); }}", given)
    page.close()
    assert told == [chance_text(p) for p in given]


REWORDED = {
    "short.txt": "\n\n".join(
        " ".join(words)
        for words in (
            some(200, "before"),
            random.Random(1).sample(some(500, "long source")[::5] + some(30, "own"), 130),
            some(200, "behind"),
        )
    ),
    "long.txt": " ".join(some(300, "p") + some(500, "long source") + some(300, "q")),
    "third.txt": " ".join(some(300, "nothing to do with it")),
}


@pytest.fixture(scope="module")
def reworded(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("reworded")
    return write_report(folder, write_lines(folder / "texts.jsonl", REWORDED))


@pytest.fixture(scope="module")
def reworded_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Live(folder_index(tmp_path_factory.mktemp("reworded"), REWORDED), "--quiet")
    yield f"{server.url}/"
    server.kill()


@pytest.mark.parametrize("where", ["reworded", "reworded_app"])
def test_possibly_reworded_passages_are_listed_apart_and_count_nowhere(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    ((pair, passage),) = [
        (pair, passage) for pair in Expected(REWORDED).pairs for passage in pair.reworded
    ]
    told = f"{passage.words} rare words in common"
    window = open_window(f"{request.getfixturevalue(where)}#/pair/{pair.a}/{pair.b}")
    window.settled(f"{pair.a} and {pair.b}")
    listed = window.page.get_by_role("region", name="Possibly reworded")
    expect(listed).to_contain_text("not part of any percentage")
    expect(listed).to_contain_text(told)
    expect(window.fact("Shared words")).to_contain_text("No shared passages")
    assert coloured_words(window, 0) == coloured_words(window, 1) == 0
    assert window.page.locator(".outlined").count() == 0
    listed.get_by_role("button", name="Outline in the text").click()
    for side, (start, end) in enumerate(
        ((passage.a_start, passage.a_end), (passage.b_start, passage.b_end))
    ):
        outlined = window.page.locator(".text").nth(side).locator(".outlined")
        assert "".join(outlined.all_text_contents()) == window.text(side)[start:end]
    assert coloured_words(window, 0) == coloured_words(window, 1) == 0
    listed.get_by_role("button", name="Outline in the text").click()
    expect(window.page.locator(".outlined")).to_have_count(0)
    if where == "reworded_app":
        return  # an index is asked by runs and rare words of a document, and may not come upon it
    window.to("#/document/short.txt", "short.txt")
    assert said(window.page.get_by_role("region", name="Shared words")).startswith("0 %")
    expect(window.page.get_by_role("region", name="Sources")).to_contain_text("No sources found")
    listed = window.page.get_by_role("region", name="Possibly reworded")
    expect(listed).to_contain_text(f"long.txt: {told}")
    assert coloured_words(window) == 0


def shared_text(name: str) -> str:
    return " ".join(some(60, name))


EXCLUDED = {
    "one.txt": f"{shared_text('task')}\n\n{' '.join(some(90, 1))}\n\n{shared_text('copied')}",
    "two.txt": f"{shared_text('task')}\n\n{shared_text('copied')}\n\n{' '.join(some(80, 2))}",
}


def test_excluded_text_is_never_coloured_and_counts_nowhere(
    open_window: Open, tmp_path: Path
) -> None:
    template = tmp_path / "task.txt"
    template.write_text(shared_text("task"), encoding="utf-8")
    address = write_report(
        tmp_path, write_lines(tmp_path / "texts.jsonl", EXCLUDED), "--template", template
    )
    window = open_window()
    window.page.add_init_script("window.print = () => {}")
    window.go(f"{address}#/pair/one.txt/two.txt", "one.txt and two.txt")
    for side in (0, 1):
        assert coloured_words(window, side) == 60
    expect(window.fact("Shared words")).to_contain_text("60in 1 passage: 40 % of")
    expect(window.page.locator(".pane header").first).to_contain_text(
        "210 words, 60 excluded · 40 % shared"
    )
    out = window.page.locator(".text .out").first
    expect(out).to_have_text(shared_text("task"))
    expect(out).to_have_attribute("title", "excluded: template")
    window.to("#/document/two.txt", "two.txt")
    assert coloured_words(window) == 60
    expect(window.page.get_by_role("region", name="Shared words")).to_contain_text(
        "60 of 140 words"
    )
    window.to("#/pairs", "Pairs")
    window.button("Print…").click()
    window.page.get_by_role("radio", name="Passages and full texts").check()
    window.page.get_by_role("checkbox", name="Cover").uncheck()
    window.page.get_by_role("dialog").get_by_role("button", name="Print", exact=True).click()
    expect(window.page.locator(".print-sheet")).to_have_count(1)
    window.page.emulate_media(media="print")
    assert coloured_words(window) == 60
    underlined = window.page.locator(".sheet-passages td:nth-of-type(1) u")
    assert len(" ".join(window.texts(underlined)).split()) == 60


def test_text_that_is_excluded_within_a_passage_is_not_coloured(
    open_window: Open, app: str
) -> None:
    """Whatever the server gives: the page does not trust that passages end where it begins."""
    window = open_window(f"{app}/", "Overview")

    def with_template(route: object) -> None:
        answer = route.fetch()  # type: ignore[attr-defined]
        view = answer.json()
        (passage,) = view["passages"]
        middle = (passage["start"] + 40, passage["start"] + 80)
        view["a"]["marks"].append([*middle, "template", 0, 0])
        view["a"]["left_out"] = ["template"]
        route.fulfill(response=answer, json=view)  # type: ignore[attr-defined]

    window.to("#/pair/cars-02.txt/cars-05.txt", "cars-02.txt and cars-05.txt")
    whole = coloured_words(window)
    window.page.route("**/api/view/pair?**", with_template)
    window.to("#/", "Overview")
    window.to("#/pair/cars-02.txt/cars-05.txt", "cars-02.txt and cars-05.txt")
    expect(window.page.locator(".text .out")).to_have_count(1)
    assert window.page.locator(".text .out.hit").count() == 0
    assert coloured_words(window) < whole
    assert coloured_words(window, 1) == whole


@pytest.mark.parametrize("count", [2, 3, 5])
def test_small_collections_have_sensible_pages(
    open_window: Open, tmp_path: Path, count: int
) -> None:
    ids = ["bees-01.txt", "bees-05.txt", "bees-02.txt", "cars-01.txt", "tides-01.txt"][:count]
    texts = {id_: ESSAYS[id_] for id_ in ids}
    address = write_report(tmp_path, write_lines(tmp_path / "texts.jsonl", texts))
    window = open_window(address, "Overview")
    expect(window.fact("Documents")).to_have_text(str(count))
    expect(window.page.locator("main")).to_contain_text("at least 100 unrelated pairs are needed")
    expect(window.part("Most similar pairs").get_by_role("listitem")).to_have_count(1)
    for hash_, heading in (
        ("#/", "Overview"), ("#/pairs", "Pairs"), ("#/clusters", "Clusters"), ("#/run", "Run"),
        ("#/pair/bees-01.txt/bees-05.txt", "bees-01.txt and bees-05.txt"),
        ("#/document/bees-01.txt", "bees-01.txt"),
    ):  # fmt: skip
        window.to(hash_, heading)
        assert not re.search(HELD, said(window.page.locator("main")))
        if heading.endswith("and bees-05.txt"):
            assert said(window.fact("Chance level")).startswith("–")
            expect(window.fact("Chance level")).to_contain_text(
                "at least 100 unrelated pairs are needed"
            )


def test_documents_that_have_nothing_in_common(open_window: Open, tmp_path: Path) -> None:
    texts = {id_: ESSAYS[id_] for id_ in ("bees-01.txt", "cars-01.txt")}
    window = open_window(
        write_report(tmp_path, write_lines(tmp_path / "texts.jsonl", texts)), "Overview"
    )
    expect(window.part("No pairs found")).to_contain_text("No two of the 2 documents")
    expect(window.page.get_by_role("slider")).to_have_count(0)
    window.to("#/pairs", "Pairs")
    expect(window.page.get_by_text("No two documents here have enough in common")).to_be_visible()
