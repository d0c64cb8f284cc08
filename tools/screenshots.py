"""Makes the pictures of the report and the app, in both themes, on a phone and on paper.

Needs Chromium, and Playwright and Pillow, which `.[test]` installs.

    python -m tools.screenshots [NAME...]

With names, only these pictures, such as `synopsis` or `network`; without, all.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tools.task_pictures import TaskPictures, show_texts

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
ESSAYS = ROOT / "samples" / "essays"
JOURNAL = ROOT / "samples" / "journal"
MOSAIC = "cars-04.txt"
SOWER = ROOT / "samples" / "sower"
GOSPELS = [SOWER / f"{name}.usfm" for name in ("matthew", "mark", "luke")]
PRINTED_PAIR = "#/pair/tides-01.pdf/tides-04.pdf"
SCALE = 1.5
WIDE, PHONE = (1280, 860), (390, 844)
COLOURS = 256
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Picture:
    """One view: what it is called, where it is, and which keys are pressed before."""

    name: str
    where: Literal["report", "journal", "app", "sower", "synopsis"]
    hash: str
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = WIDE


PICTURES = (
    Picture("overview", "report", "#/"),
    Picture("pairs", "report", "#/pairs"),
    Picture("document", "report", f"#/document/{MOSAIC}"),
    Picture("pair", "report", "#/pair/tides-01.txt/tides-04.txt", ("n",)),
    Picture("clusters", "report", "#/clusters?t=0.15"),
    Picture("heat-map", "report", "#/clusters?t=0.1&show=map"),
    Picture("timeline", "journal", "#/clusters?t=0.02&by=share&show=time&colour=group"),
    Picture("check", "app", "#/check"),
    Picture("library", "app", "#/library"),
    Picture("synopsis", "synopsis", "", ("n", "n", "n")),
    Picture("synopsis-counts", "synopsis", ""),
    Picture("families", "sower", "#/families?show=grid"),
    Picture("family", "sower", "#/family/luke.usfm/7"),
    Picture("network", "sower", "#/clusters?t=0.02&by=share"),
    Picture("dot-plot", "sower", "#/pair/matthew.usfm/mark.usfm"),
    Picture("phone", "report", f"#/document/{MOSAIC}", size=PHONE),
)


def main() -> None:
    names = sys.argv[1:]
    if unknown := set(names) - {one.name for one in PICTURES}:
        raise SystemExit(f"no such picture: {', '.join(sorted(unknown))}")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="likewise-pictures-") as folder, sync_playwright() as p:
        browser = p.chromium.launch(
            executable_path=_program(), args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        index = Path(folder) / "essays.db"
        _run("index", "create", index, ESSAYS, "--quiet")
        with _served("--index", index, "--folder", folder) as app:
            addresses = {
                "report": _report(Path(folder) / "essays.html", ESSAYS, "--title", "Essays"),
                "journal": _report(
                    Path(folder) / "journal.html", JOURNAL / "2017", JOURNAL / "2018",
                    "--metadata", JOURNAL / "journal.csv", "--title", "Journal",
                ),
                "sower": _report(
                    Path(folder) / "sower.html", *GOSPELS, "--title", "The sower",
                    "--metadata", ROOT / "samples" / "sower.csv",
                ),
                "synopsis": _synopsis(Path(folder) / "synopsis.html"),
                "app": f"{app}/",
            }  # fmt: skip
            for picture in PICTURES:
                if names and picture.name not in names:
                    continue
                for theme in ("light", "dark"):
                    _take(browser, picture, addresses[picture.where], theme)
            if not names:
                _take_sheet(browser, addresses["journal"] + PRINTED_PAIR)
        if not names:
            TaskPictures(Path(folder), _run, _served, _opened, _keep).take(browser)
        browser.close()


def _program() -> str:
    for name in PROGRAMS:
        if found := shutil.which(name):
            return found
    raise SystemExit("Chromium is not installed")


def _run(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "likewise", *map(str, arguments)], check=True, cwd=ROOT)


def _report(path: Path, *arguments: object) -> str:
    _run("report", *arguments, "-o", path, "--quiet")
    return path.as_uri()


def _synopsis(path: Path) -> str:
    described = ("--metadata", ROOT / "samples" / "sower.csv")
    _run("synopsis", *GOSPELS, *described, "-o", path, "--quiet")
    return path.as_uri()


@contextmanager
def _served(*arguments: object) -> Iterator[str]:
    """The address of a server."""
    server = subprocess.Popen(
        [sys.executable, "-m", "likewise", "serve", *map(str, arguments), "--port", "0",
         "--quiet"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    try:
        said = ""
        while (found := re.search(r"http://\S+", said)) is None:
            line = server.stderr.readline()
            if not line:
                raise SystemExit(f"the server does not start: {said}")
            said += line
        yield found[0]
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)


def _take(
    browser: Browser, picture: Picture, address: str, theme: Literal["light", "dark"]
) -> None:
    context, page = _opened(browser, theme, picture.size)
    page.goto(address + picture.hash)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    _prepare(page, picture)
    _keep(page, f"{picture.name}-{theme}")
    context.close()


def _opened(
    browser: Browser, theme: Literal["light", "dark"], size: tuple[int, int] = WIDE
) -> tuple[BrowserContext, Page]:
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=SCALE,
        color_scheme=theme,
        reduced_motion="reduce",
    )
    return context, context.new_page()


def _keep(page: Page, name: str) -> None:
    """A picture of what is on the screen."""
    path = IMAGES / f"{name}.png"
    path.write_bytes(_small(page.screenshot(animations="disabled", caret="hide")))
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


def _take_sheet(browser: Browser, address: str) -> None:
    """The first sheet of a pair, as it is printed."""
    page = browser.new_page()
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    document = pypdfium2.PdfDocument(page.pdf(format="A4"))
    made = io.BytesIO()
    document[0].render(scale=SCALE).to_pil().save(made, "PNG")
    document.close()
    path = IMAGES / "print.png"
    path.write_bytes(_small(made.getvalue()))
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")
    page.close()


def _prepare(page: Page, picture: Picture) -> None:
    if picture.name == "check":
        box = page.get_by_label("Text to check")
        box.fill(_pasted())
        expect(page.get_by_role("region", name="Sources")).to_be_visible()
        box.evaluate("box => { box.scrollTop = 0; box.blur(); }")
    for key in picture.keys:
        page.keyboard.press(key)
    page.wait_for_timeout(300)  # for what is drawn once its width is known
    if picture.name == "pair":
        show_texts(page)
    if picture.name == "dot-plot":
        page.get_by_role("heading", name="Dot plot").click()
        expect(page.locator(".picture-layer > *").first).to_be_attached()
        page.wait_for_timeout(300)
    if picture.name == "family":
        expect(page.locator(".witness-text").first).to_be_visible()


def _pasted() -> str:
    """A text of our own, with a paragraph of each of three essays in it."""
    taken = [
        (ESSAYS / name).read_text(encoding="utf-8").split("\n\n")[2].strip()
        for name in ("tides-03.txt", "bees-01.txt", "press-03.txt")
    ]
    opening = "Three things that move: water, insects and letters. I will take them one by one."
    between = "That was the water. My second example has wings, and it reads what we overlook."
    return "\n\n".join([opening, taken[0], between, *taken[1:]])


def _small(picture: bytes) -> bytes:
    """The same with a palette: the pages have few colours."""
    with Image.open(io.BytesIO(picture)) as opened:
        reduced = opened.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    made = io.BytesIO()
    reduced.save(made, "PNG", optimize=True)
    return made.getvalue()


if __name__ == "__main__":
    main()
