"""The app on an index: the views, a text that is checked, and what goes wrong with a server."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from likewise.index.index import Index
from tests.browser.conftest import ESSAYS, SAMPLES, Open, folder_index
from tests.browser.expected import Expected, percent
from tests.browser.window import Window, said
from tests.server.conftest import Live

REFUSED = "Failed to load resource"
MOSAIC = "cars-04.txt"
FAR = "https://likewise.test"


def score(window: Window) -> str:
    return said(window.page.get_by_role("region", name="Shared words"))


def sources(window: Window) -> list[str]:
    return window.texts(window.page.get_by_role("region", name="Sources").get_by_role("link"))


@pytest.mark.smoke
def test_the_views_have_what_the_report_has(open_window: Open, app: str, report: str) -> None:
    windows = open_window(app, "Overview"), open_window(report, "Overview")
    for hash_, heading in (("#/pairs", "Pairs"), ("#/clusters", "Clusters")):
        for window in windows:
            window.to(hash_, heading)
        mine, others = (window.texts(window.rows(heading)) for window in windows)
        assert mine == others
        assert len(mine) >= 8


def test_pairs_are_filtered_opened_and_stepped_through(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/pairs", "Pairs")
    window.page.get_by_role("searchbox").fill("containment:>0.5 tides")
    expect(window.rows("Pairs")).to_have_count(2)
    window.link("tides-01.txt and tides-04.txt").click()
    window.settled("tides-01.txt and tides-04.txt")
    expect(window.fact("Similarity")).to_contain_text("The sketch alone would say")
    expect(window.fact("Chance level")).to_contain_text("trials")
    window.page.keyboard.press("n")
    expect(window.page.get_by_text(re.compile(r"^Passage 1 of \d+$"))).to_be_visible()
    window.page.go_back()
    window.settled("Pairs")
    expect(window.page.get_by_role("searchbox")).to_have_value("containment:>0.5 tides")


@pytest.mark.smoke
def test_a_document_has_the_score_of_python(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/document/{MOSAIC}", MOSAIC)
    expected = Expected(ESSAYS).score(MOSAIC)
    assert f"{expected.matched} of {expected.size} words" in score(window)
    assert percent(expected.share) in score(window)
    assert sources(window) == [source.id for source in expected.sources]
    assert window.text() == ESSAYS[MOSAIC]


@pytest.mark.smoke
def test_a_pasted_text_gets_its_sources_as_one_waits(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/check", "Check a text")
    paste = window.page.get_by_label("Text to check")
    paste.fill("Too short")
    expect(window.page.get_by_text("too short to check")).to_be_visible()
    paste.fill("My own beginning of it all.\n\n" + ESSAYS[MOSAIC])
    expect(window.page.get_by_text("4 sources found")).to_be_visible()
    assert sources(window)[0] == MOSAIC
    assert "307 of 313 words" in score(window)
    window.page.get_by_role("region", name="Sources").get_by_role("link").nth(1).click()
    window.settled(re.compile(r"and cars-0\d.txt$"))
    window.link("Back to the text").click()
    window.settled("Check a text")
    expect(paste).to_have_value(re.compile("My own beginning"))
    assert "307 of 313 words" in score(window)
    paste.fill("Words that nobody here has ever put one behind the other, quite certainly not.")
    expect(window.page.get_by_text("No sources found in this collection")).to_be_visible()
    # It was looked at, and not kept.
    window.to("#/library", "Library")
    expect(window.page.get_by_text("35 documents")).to_be_visible()


def test_a_file_is_checked_and_not_stored(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/check", "Check a text", REFUSED)
    choose = window.page.get_by_label("Choose a file")
    choose.set_input_files(SAMPLES / "journal" / "new.pdf")
    expect(window.page.get_by_text(re.compile(r"^\d sources? found$"))).to_be_visible()
    assert set(sources(window)) >= {"bees-05.txt", "bees-01.txt"}
    choose.set_input_files({"name": "x.pdf", "mimeType": "", "buffer": b"%PDF-1.7 broken"})
    expect(window.page.get_by_role("alert")).to_contain_text("damaged")


def test_a_token_is_asked_for_once(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    token = secrets.token_urlsafe(300)
    server = live(folder_index(tmp_path, ESSAYS), "--quiet", env={"LIKEWISE_TOKEN": token})
    window = open_window(expected=REFUSED)
    window.page.goto(server.url)
    dialog = window.page.get_by_role("dialog", name="Token required")
    dialog.get_by_label("Token").fill("no token – a sentence")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_role("alert")).to_contain_text("no spaces")
    dialog.get_by_label("Token").fill("not-the-right-one")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog).to_contain_text("rejected this token")
    dialog.get_by_label("Token").fill(token)
    dialog.get_by_role("button", name="Continue").click()
    window.settled("Overview")
    expect(dialog).to_have_count(0)
    window.page.reload()
    window.settled("Overview")
    window.to("#/library", "Library")
    window.page.get_by_label("Choose files").set_input_files(SAMPLES / "journal" / "new.pdf")
    expect(window.page.get_by_role("region", name="Uploads")).to_contain_text("1 added")
    assert token not in window.page.url
    assert window.page.evaluate("() => localStorage.length + document.cookie.length") == 0
    stranger = open_window(expected=REFUSED)
    stranger.page.goto(server.url)
    stranger.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(stranger.page.get_by_role("alert")).to_contain_text("without a token")


def test_the_index_is_removed_while_it_is_served(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    path = folder_index(tmp_path, ESSAYS)
    server = live(path, "--folder", str(tmp_path), "--quiet")
    window = open_window(server.url, "Overview", REFUSED)
    for gone in tmp_path.glob("essays.db*"):
        gone.unlink()
    window.link("Library").click()
    window.settled()
    absent = re.compile("no index|no longer exists|gone")
    expect(window.page.get_by_role("main")).to_contain_text(absent)
    assert str(tmp_path) not in window.page.content()
    window.link("Check").click()
    window.settled("Check a text")
    window.page.get_by_label("Text to check").fill(ESSAYS[MOSAIC])
    expect(window.page.get_by_role("alert")).to_be_visible()
    # Other collections can be made and used.
    window.button("New collection").click()
    window.page.get_by_role("dialog").get_by_label("Name").fill("another")
    window.page.get_by_role("dialog").get_by_role("button", name="Create").click()
    expect(window.page.get_by_role("combobox", name="Collection")).to_have_value("another")
    window.page.get_by_label("Choose files").set_input_files(SAMPLES / "essays" / "bees-01.txt")
    expect(window.page.get_by_role("region", name="Uploads")).to_contain_text("1 added")


def test_a_server_that_has_ended(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    server = live(folder_index(tmp_path, ESSAYS), "--quiet")
    window = open_window(f"{server.url}/#/library", "Library", REFUSED)
    server.stop()
    window.page.get_by_role("searchbox").fill("bees")
    expect(window.page.get_by_role("alert")).to_contain_text("The server is not responding")
    window.page.get_by_label("Choose files").set_input_files(SAMPLES / "essays" / "bees-01.txt")
    uploads = window.page.get_by_role("region", name="Uploads")
    expect(uploads).to_contain_text("The server is not responding")
    expect(uploads).to_contain_text("1 skipped")


def test_progress_is_shown_and_does_not_follow_to_other_views(open_window: Open, app: str) -> None:
    window = open_window(expected=REFUSED)

    def work(route: Route) -> None:
        route.fulfill(json={"state": "running", "stage": "passages", "done": 250, "total": 1000})

    window.page.route("**/api/view/survey", work)
    window.page.goto(app)
    expect(window.page.get_by_text("250 of 1,000")).to_be_visible()
    expect(window.page.get_by_role("progressbar")).to_be_visible()
    window.to("#/library", "Library")
    window.page.wait_for_timeout(1_500)
    window.settled("Library")
    window.page.unroute("**/api/view/survey")
    window.to("#/", "Overview")


def test_a_view_that_comes_late_does_not_replace_another(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/library", "Library")
    late: list[Route] = []
    window.page.route("**/api/view/document/**", lambda route: late.append(route))
    window.page.evaluate("() => { location.hash = '#/document/cars-04.txt' }")
    window.until("() => document.title !== ''")
    window.to("#/check", "Check a text")
    window.page.wait_for_timeout(400)
    window.settled("Check a text")
    for route in late:
        route.continue_()
    window.page.wait_for_timeout(400)
    window.settled("Check a text")


def test_documents_that_are_not_there(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/document/nothing.txt", "Not shown", REFUSED)
    expect(window.page.get_by_role("alert")).to_contain_text("nothing.txt")
    window.to("#/pair/cars-01.txt/nothing.txt", "Not shown")
    window.to("#/c/elsewhere/library", re.compile("Library|Not shown"))
    expect(window.page.get_by_role("main")).to_contain_text("elsewhere")
    window.to("#/library", "Library")


def test_the_run_of_the_survey(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/run", "Run")
    expect(window.fact("Version")).to_contain_text("likewise 0.")
    expect(window.part("Files that could not be read")).to_contain_text("None")


def test_figures_follow_the_library(open_window: Open, library: str) -> None:
    window = open_window(f"{library}/#/library", "Library")
    choose = window.page.get_by_label("Choose files")
    for count in (2, 4, 6):
        window.to("#/library", "Library")
        essays = sorted((SAMPLES / "essays").glob("*.txt"))[count - 2 : count]
        choose.set_input_files(essays)
        expect(window.page.get_by_role("region", name="Uploads")).to_contain_text("2 added")
        window.to("#/", "Overview")
        expect(window.fact("Documents")).to_have_text(str(count))


def test_figures_of_before_are_shown_while_new_ones_are_made(open_window: Open, app: str) -> None:
    window = open_window(app, "Overview")
    survey = window.page.request.get(f"{app}/api/view/survey").json()["survey"]

    def before(route: Route) -> None:
        route.fulfill(json={"state": "ready", "changed": True, "survey": survey})

    window.page.route("**/api/view/survey", before)
    window.page.reload()
    for hash_, heading in (("#/", "Overview"), ("#/pairs", "Pairs")):
        window.to(hash_, heading)
        expect(window.page.get_by_text("new results are being computed")).to_be_visible()
    window.page.unroute("**/api/view/survey")
    window.to("#/", "Overview")
    expect(window.page.get_by_text("new results are being computed")).to_have_count(0)


def test_without_texts_nothing_is_said_of_words(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    path = tmp_path / "signatures.db"
    with Index.create(path, keep_text=False) as index:
        index.add(list(ESSAYS.values()), list(ESSAYS))
    url = live(str(path), "--quiet").url
    window = open_window(f"{url}/#/document/cars-03.txt", "cars-03.txt")
    assert "number of shared words is unknown" in score(window)
    similar = window.part("Similar as a whole").get_by_role("listitem").first
    expect(similar).to_contain_text(re.compile(r"cars-06\.txt 0\.\d\d \(0\.\d\d–0\.\d\d\)"))
    window.to("#/pair/cars-03.txt/cars-06.txt", re.compile("cars-03.txt and cars-06.txt"))
    expect(window.fact("Similarity")).to_contain_text("Estimated")
    window.to("#/", "Overview")
    expect(window.part("Most shared text")).to_contain_text("highest similarity")
    for hash_, heading in (("#/", "Overview"), ("#/pairs", "Pairs"),
                           ("#/pair/cars-03.txt/cars-06.txt", re.compile("cars-03.txt")),
                           ("#/document/cars-03.txt", "cars-03.txt")):  # fmt: skip
        window.to(hash_, heading)
        told = said(window.page.locator("main"))
        assert not re.search(
            r"\d shared word|no shared passage|\b0 words|\b0 %|undefined|NaN", told
        ), told


def test_where_texts_go_is_reported_as_it_is(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/check", "Check a text")
    footer = window.page.get_by_role("contentinfo")
    expect(footer).to_contain_text("Everything stays on this machine.")

    def elsewhere(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(FAR, app), headers={}))

    window.page.route(f"{FAR}/**", elsewhere)
    window.go(f"{FAR}/#/check", "Check a text")
    expect(footer).to_contain_text("Everything stays between this page and likewise.test.")
    expect(footer).not_to_contain_text("on this machine")
