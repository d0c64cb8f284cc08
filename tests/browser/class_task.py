"""`ClassTask`: what a teacher does with a class, from the empty app to evidence on paper.

Every click and every drop goes through it, so that they are counted; each step has its seconds.
`do_class_task` is the whole task, and returns what was seen on the way.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.paper import Paper
from tests.browser.window import Window

THIS_YEAR, LAST_YEAR = "Essays 2025", "Essays 2024"
UNREAD = {
    "families/scan.pdf": b"%PDF-1.7\nnothing that follows is a PDF",
    "wisdom/old.doc": bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504),
}
NOTE = "Talk to both authors"
EVIDENCE, PRINTED = "look at the first evidence", "print the important pairs"
PATIENCE = 400_000  # milliseconds: to compare documents on a busy machine

Rows = list[dict[str, str]]


@dataclass
class Step:
    """A part of the task.

    Attributes:
        clicks: those from the start until it was done; likewise `drops`.
        seconds: of this step alone.
    """

    name: str
    clicks: int
    drops: int
    seconds: float


@dataclass
class Seen:
    """What the app showed.

    Attributes:
        uploads: the summary of each folder.
        tiles: of the overview.
        documents, pairs: the tables with the assignment excluded.
        unquoted: the pairs with quotations excluded too.
        first, pair: headings of the document and of the pair that were opened.
        paper: the printed evidence.
        report, anonymous, key: the saved files.
    """

    uploads: list[str] = field(default_factory=list)
    tiles: str = ""
    documents: Rows = field(default_factory=list)
    pairs: Rows = field(default_factory=list)
    unquoted: Rows = field(default_factory=list)
    first: str = ""
    pair: str = ""
    paper: Paper | None = None
    report: bytes = b""
    anonymous: bytes = b""
    key: bytes = b""


@dataclass
class ClassTask:
    """One person at one window.

    Attributes:
        steps: those that are done.
    """

    window: Window
    steps: list[Step] = field(default_factory=list)
    clicks: int = 0
    drops: int = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        seconds = time.perf_counter() - start
        self.steps.append(Step(name, self.clicks, self.drops, seconds))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What a person would not do on the way: it is not counted."""
        before = self.clicks
        yield
        self.clicks = before

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def menu(self, name: str) -> None:
        """Opens a page by its link in the menu."""
        menu = self.window.page.get_by_role("navigation", name="Views")
        self.click(menu.get_by_role("link", name=name, exact=True))
        self.shows(name)

    def shows(self, heading: str | re.Pattern[str]) -> None:
        """Waits for a page, as long as it takes to compare the documents."""
        first = self.window.page.get_by_role("heading", level=1)
        wanted = f"^{re.escape(heading)}$" if isinstance(heading, str) else heading.pattern
        expect(first).to_have_text(re.compile(f"{wanted}|^Not shown$"), timeout=PATIENCE)
        self.window.settled(heading)

    def choose(self, target: Locator, option: str) -> None:
        """From a list that drops down: one click opens it, one chooses."""
        target.select_option(option)
        self.clicks += 2

    def choose_file(self, target: Locator, path: Path) -> None:
        """By a button: one click opens the dialog of the system, two choose."""
        target.set_input_files(path)
        self.clicks += 3

    def add_folder(self, folder: Path) -> str:
        """Drops a folder, and makes a collection of it; the summary."""
        self.window.drop(folder)
        self.drops += 1
        dialog = self.window.page.get_by_role("dialog")
        expect(dialog.get_by_label("Name")).to_have_value(folder.name)
        self.click(dialog.get_by_role("button", name="Create collection"))
        collection = self.window.page.get_by_label("Collection", exact=True)
        expect(collection).to_have_value(folder.name)
        self.window.settled("Library")
        summary = self.window.page.get_by_role("region", name="Uploads").get_by_role("status")
        expect(summary).to_have_text(re.compile(r"^\d+ added.*described"), timeout=PATIENCE)
        return summary.inner_text()

    def exclusions(self) -> Locator:
        """Opens the panel."""
        self.click(self.window.button("Exclusions"))
        return self.window.page.get_by_role("region", name="Exclusions", exact=True)

    def excluded(self, what: str, on: bool = True) -> None:
        """Waits until the bar says so, and the page is that without it."""
        bar = self.window.page.get_by_role("region", name="What is excluded")
        chip = bar.get_by_role("button", name=f"Stop excluding {what}")
        expect(chip).to_have_count(int(on), timeout=PATIENCE)
        self.window.settled()

    def download(self, target: Locator) -> bytes:
        with self.window.page.expect_download(timeout=PATIENCE) as download:
            self.click(target)
        return Path(download.value.path()).read_bytes()

    def table(self, name: str) -> Rows:
        """The rows of a page, saved as CSV."""
        self.menu(name)
        saved = self.download(self.window.button("CSV", exact=True))
        return rows_of(saved)


def rows_of(table: bytes) -> Rows:
    return list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"))))


def do_class_task(
    task: ClassTask, address: str, this_year: Path, last_year: Path, assignment: Path
) -> Seen:
    """The whole task, in an app that is empty."""
    window, seen = task.window, Seen()
    page = window.page
    page.add_init_script("window.print = () => { window.printed = true }")
    with task.step("open the app"):
        window.go(address, "No documents yet")
    with task.step("drop the folder of this year"):
        seen.uploads.append(task.add_folder(this_year))
    with task.step("drop the folder of last year"):
        seen.uploads.append(task.add_folder(last_year))
    with task.step("choose last year as the archive"):
        task.choose(page.get_by_label("Collection", exact=True), this_year.name)
        expect(page.get_by_label(last_year.name)).to_have_count(1)
        task.click(page.get_by_text("Archive", exact=True))
        box = page.get_by_label(last_year.name)
        task.click(box)
        expect(box).to_be_checked()
        expect(page.get_by_text(f"The archive is {last_year.name}")).to_have_count(1)
    with task.step("compare: open the overview"):
        task.menu("Overview")
    seen.tiles = page.locator("dl.tiles").inner_text()
    with task.step("exclude the assignment"):
        panel = task.exclusions()
        task.choose_file(panel.locator('[data-exclusion="template-file"]'), assignment)
        task.excluded("template text")
    with task.step("exclude quotations"):
        task.click(panel.get_by_role("switch", name="Quotations"))
        task.excluded("quotations")
        page.keyboard.press("Escape")
    with task.aside():
        seen.unquoted = task.table("Pairs")
        task.exclusions().get_by_role("switch", name="Quotations").click()
        task.excluded("quotations", on=False)
        page.keyboard.press("Escape")
        seen.pairs, seen.documents = task.table("Pairs"), task.table("Documents")
        task.menu("Overview")
    with task.step("open the documents, those that share most first"):
        task.menu("Documents")
    with task.step("open the first document"):
        link = window.rows("Documents").first.get_by_role("link").first
        seen.first = link.locator(".name").inner_text()
        task.click(link)
        task.shows(seen.first)
    with task.step(EVIDENCE):
        source = page.locator('[data-list="sources"] [data-source]').first
        task.click(source.get_by_role("link").first)
        task.shows(re.compile(f"^{re.escape(seen.first)} and "))
        expect(page.locator(".text .piece").first).to_be_visible()
    seen.pair = page.get_by_role("heading", level=1).inner_text()
    with task.step("mark the pair as important, with a note"):
        bar = page.locator('[data-review="pair"]')
        task.click(bar.get_by_role("button", name="important", exact=True))
        pressed = bar.get_by_role("button", name="important", exact=True)
        expect(pressed).to_have_attribute("aria-pressed", "true")
        task.click(bar.get_by_role("button", name="note"))
        page.get_by_role("textbox", name="Note").fill(NOTE)
        task.click(window.button("Save note"))
        expect(bar.locator(".review-note")).to_have_text(NOTE)
    with task.step(PRINTED):
        task.menu("Pairs")
        task.click(page.get_by_role("radio", name="Important"))
        expect(window.rows("Pairs")).to_have_count(1)
        task.click(window.button("Print…"))
        dialog = page.get_by_role("dialog", name="Print")
        expect(dialog.get_by_label("Passages only")).to_be_checked()
        cover = dialog.get_by_role("checkbox", name="Cover")
        if not cover.is_checked():
            task.click(cover)
        task.click(dialog.get_by_role("button", name="Print", exact=True))
        window.until("() => window.printed === true")
        seen.paper = Paper(window)
    with task.step("save the report"):
        task.menu("Overview")
        task.click(window.button("Save report…"))
        seen.report = task.download(window.button("Save report", exact=True))
        expect(page.get_by_role("dialog")).to_contain_text("The report was saved.")
    with task.step("save the report without names, and the key"):
        task.click(page.get_by_label("Without names"))
        seen.anonymous = task.download(window.button("Save report", exact=True))
        seen.key = task.download(window.button("Save key", exact=True))
        expect(page.get_by_role("dialog")).to_contain_text("The key was saved.")
    return seen


def teachers_folders(class_folder: Path, folder: Path) -> tuple[Path, Path]:
    """This year and last year as a teacher keeps them: essays, a table, and files nobody can read.

    Args:
        class_folder: as `tools.classroom` writes it.
        folder: where the two are made.
    """
    this_year, last_year = folder / THIS_YEAR, folder / LAST_YEAR
    shutil.copytree(class_folder / "this-year", this_year)
    shutil.copytree(class_folder / "last-year", last_year)
    shutil.copy(class_folder / "sources" / "long.pdf", last_year)
    for made in (this_year, last_year):
        shutil.copy(class_folder / "metadata.csv", made)
    for name, content in UNREAD.items():
        (this_year / name).write_bytes(content)
    return this_year, last_year


@contextmanager
def started_app(folder: Path) -> Iterator[str]:
    """`likewise app`, started by somebody who has never used it before; its address."""
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "likewise", "app", "--no-browser", "--port", "0"],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "XDG_DATA_HOME": str(folder)},
    )  # fmt: skip
    assert process.stderr is not None
    try:
        said = ""
        while not (found := re.search(r"http://\S+/", said)):
            line = process.stderr.readline()
            assert line, said
            said += line
        yield found[0]
    finally:
        process.terminate()
        process.communicate(timeout=60)
