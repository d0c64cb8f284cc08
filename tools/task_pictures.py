"""The pictures of the guides for three people: what they do in the app, in both themes.

`tools.screenshots` takes them with the others.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).resolve().parent.parent
JOURNAL = ROOT / "samples" / "journal"
ESSAYS = ROOT / "samples" / "essays"
TOKENS = {"token": "a-token-for-reviewers", "readers": "a-token-for-readers"}

Theme = Literal["light", "dark"]
Shoot = Callable[[Page, str], None]


class TaskPictures:
    """Takes them.

    Args:
        run: runs `likewise` with these arguments.
        served: a server with these arguments, and its address.
        opened: a page in a theme.
        shoot: keeps a picture of a page under a name.
    """

    def __init__(self, folder: Path, run: Any, served: Any, opened: Any, shoot: Shoot) -> None:
        self.folder, self.run, self.served = folder, run, served
        self.opened, self.shoot = opened, shoot

    def take(self, browser: Browser) -> None:
        for theme in ("light", "dark"):
            self._teacher(browser, theme)
            self._editor(browser, theme)
            self._thesis_office(browser, theme)

    @contextmanager
    def _window(self, browser: Browser, theme: Theme, address: str) -> Iterator[Page]:
        context, page = self.opened(browser, theme)
        page.goto(address)
        _settled(page)
        yield page
        context.close()

    def _place(self, name: str) -> Path:
        """An empty folder."""
        made = self.folder / name
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        return made

    def _teacher(self, browser: Browser, theme: Theme) -> None:
        years = []
        for year in ("2017", "2018"):
            years.append(self._place(f"Essays {year}"))
            shutil.copytree(JOURNAL / year, years[-1], dirs_exist_ok=True)
            shutil.copy(JOURNAL / "journal.csv", years[-1])
        with (
            self.served("--folder", self._place("desk")) as address,
            self._window(browser, theme, address) as page,
        ):
            for folder in years:
                page.get_by_label("Choose a folder").set_input_files(folder)
                page.get_by_role("button", name="Create collection").click()
                summary = page.get_by_role("region", name="Uploads").get_by_role("status")
                expect(page.get_by_label("Collection", exact=True)).to_have_value(folder.name)
                expect(summary).to_contain_text("described", timeout=60_000)
            _tick(page, "Archive", "Essays 2017")
            page.evaluate("scrollTo(0, 0)")
            self.shoot(page, f"teacher-archive-{theme}")
            _to(page, "Documents")
            self.shoot(page, f"teacher-documents-{theme}")
            page.get_by_role("button", name="Exclusions").click()
            panel = page.get_by_role("region", name="Exclusions", exact=True)
            panel.locator('[data-exclusion="template-file"]').set_input_files(
                {"name": "assignment.txt", "mimeType": "text/plain", "buffer": b"Write an "
                 b"essay of three hundred words on one of the five questions below."}
            )  # fmt: skip
            bar = page.get_by_role("region", name="What is excluded")
            expect(bar).to_contain_text("template text")
            panel.get_by_role("switch", name="Quotations").click()
            expect(bar).to_contain_text("quotations")
            self.shoot(page, f"teacher-exclusions-{theme}")
            page.keyboard.press("Escape")
            page.get_by_role("link", name="C. Dubois").first.click()
            _settled(page)
            page.locator('[data-list="sources"] [data-source] a').first.click()
            _settled(page)
            page.keyboard.press("i")
            page.locator('[data-review="pair"]').get_by_role("button", name="note").click()
            page.get_by_role("textbox", name="Note").fill("Talk to both authors")
            page.get_by_role("button", name="Save note").click()
            expect(page.locator(".review-note")).to_be_visible()
            show_texts(page)
            self.shoot(page, f"teacher-pair-{theme}")

    def _editor(self, browser: Browser, theme: Theme) -> None:
        desk = self._place("editor")
        self.run("index", "create", desk / "Journal.db", JOURNAL / "2017", JOURNAL / "2018",
                 "--metadata", JOURNAL / "journal.csv", "--quiet")  # fmt: skip
        self.run("index", "create", desk / "Submissions.db", JOURNAL / "new.pdf", "--quiet")
        with (
            self.served("--folder", desk) as served,
            self._window(browser, theme, f"{served}/#/c/Submissions/library") as page,
        ):
            _tick(page, "Archive", "Journal")
            _hash(page, "#/c/Submissions/document/new.pdf")
            self.shoot(page, f"editor-document-{theme}")
        quoting = desk / "quoting.html"
        self.run("report", ESSAYS / "press-07.txt", "--against", ESSAYS / "press-05.txt",
                 "-o", quoting, "--quiet")  # fmt: skip
        address = f"{quoting.as_uri()}#/document/press-07.txt"
        with self._window(browser, theme, address) as page:
            self.shoot(page, f"editor-citations-{theme}")

    def _thesis_office(self, browser: Browser, theme: Theme) -> None:
        years = self._place("years")
        for year in ("2017", "2018"):
            self.run("index", "create", years / f"theses-{year}.db", JOURNAL / year,
                     "--metadata", JOURNAL / "journal.csv", "--quiet")  # fmt: skip
        for name, token in TOKENS.items():
            (self.folder / name).write_text(token)
        tokens = ("--token-file", self.folder / "token", "--reader-token-file",
                  self.folder / "readers")  # fmt: skip
        with self.served("--folder", years, *tokens) as address:
            context, page = self.opened(browser, theme)
            page.goto(f"{address}/#/c/theses-2018/library")
            page.get_by_role("textbox", name="Token").fill(TOKENS["token"])
            page.get_by_role("button", name="Continue").click()
            _settled(page)
            _tick(page, "Archive", "theses-2017")
            page.get_by_role("checkbox", name="Share with readers").check()
            self.shoot(page, f"thesis-library-{theme}")
            _to(page, "Pairs")
            links = page.get_by_role("table", name="Pairs").locator("a.pair-name")
            addresses = [link.get_attribute("href") for link in links.all()]
            for address_, key in zip(addresses, "irc", strict=False):
                _hash(page, str(address_))
                page.keyboard.press(key)
                pressed = page.locator('[data-review="pair"] [aria-pressed="true"]')
                expect(pressed).to_have_count(1)
            _to(page, "Pairs")
            self.shoot(page, f"thesis-review-{theme}")
            context.close()


def show_texts(page: Page) -> None:
    """Scrolls a pair so far that both texts are seen."""
    pane = page.locator('[data-pane="a"]')
    pane.evaluate("pane => scrollBy(0, pane.getBoundingClientRect().top - 330)")
    page.wait_for_timeout(300)


def _settled(page: Page) -> None:
    """Waits until a view is there."""
    expect(page.get_by_role("heading", level=1)).not_to_have_text("At work", timeout=60_000)
    busy = page.locator("[data-state=loading], [data-state=running]")
    expect(busy).to_have_count(0, timeout=60_000)
    page.wait_for_timeout(300)  # for what is drawn once its width is known


def _to(page: Page, name: str) -> None:
    views = page.get_by_role("navigation", name="Views")
    views.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name, timeout=60_000)
    _settled(page)


def _hash(page: Page, hash_: str) -> None:
    page.evaluate("hash => { location.hash = hash }", hash_)
    page.wait_for_timeout(500)
    _settled(page)


def _tick(page: Page, title: str, name: str) -> None:
    """Ticks a box in a part of the library that may be closed."""
    box = page.get_by_label(name)
    expect(box).to_have_count(1)
    if not box.is_visible():
        page.get_by_role("heading", name=title).click()
    box.click()
    expect(box).to_be_checked()
    expect(box).to_be_enabled()
