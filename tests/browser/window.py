"""`Window`: a page in a browser, with everything noted that must never happen in it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

# Scripts that texts and names smuggle in would leave this behind.
RAN = "likewiseWasFooled"
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@dataclass(frozen=True)
class Marked:
    """A stretch of text behind a number: all of it, what of it is coloured, and the colours."""

    words: str
    coloured: str
    colours: list[str]


@dataclass(eq=False)
class Window:
    """One page.

    Attributes:
        problems: errors and warnings of the console (what the policy blocks is among them), errors
            that nobody caught, and dialogs that opened.
        requests: what the page asked for, besides itself.
        expected: what may stand in the console, as a pattern.
    """

    context: BrowserContext
    expected: str | None = None
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda said: self._note(said.type, said.text))
        self.page.on("pageerror", lambda error: self.problems.append(f"uncaught: {error}"))
        self.page.on("dialog", self._close)
        self.page.on("request", lambda asked: self.requests.append(asked.url))

    def _note(self, kind: str, text: str) -> None:
        if kind not in ("error", "warning") or (self.expected and re.search(self.expected, text)):
            return
        self.problems.append(f"{kind}: {text}")

    def _close(self, dialog: Any) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def check(self) -> None:
        """Nothing went wrong, and nothing ran that was not ours."""
        assert not self.problems, "\n".join(self.problems)
        if not self.page.is_closed():
            assert self.page.evaluate(f"window.{RAN}") is None

    def go(self, url: str, heading: str | re.Pattern[str] | None = None) -> Window:
        """Opens an address, and waits until its view is there."""
        self.page.goto(url)
        self.settled(heading)
        return self

    def to(self, hash_: str, heading: str | re.Pattern[str] | None = None) -> Window:
        """Another view of the same page."""
        self.page.evaluate("hash => { location.hash = hash }", hash_)
        self.settled(heading)
        return self

    def settled(self, heading: str | re.Pattern[str] | None = None) -> None:
        """Waits until a view is there, and is no longer at work."""
        first = self.page.get_by_role("heading", level=1)
        expect(first).to_have_count(1)
        if heading is None:
            busy = self.page.locator("[data-state=loading], [data-state=running]")
            expect(busy).to_have_count(0)
            expect(first).to_have_count(1)
        else:
            expect(first).to_have_text(heading)

    def drawn(self) -> None:
        """Waits until what the page draws with its next frame is there."""
        self.page.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def button(self, name: str | re.Pattern[str], exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def link(self, name: str | re.Pattern[str], exact: bool = False) -> Locator:
        return self.page.get_by_role("link", name=name, exact=exact)

    def part(self, heading: str) -> Locator:
        """The part of the page below a heading."""
        return self.page.locator("section, details").filter(
            has=self.page.get_by_role("heading", name=heading, exact=True)
        )

    def fact(self, term: str) -> Locator:
        """What stands behind a term in a list of facts."""
        own = self.page.get_by_role("term").filter(has_text=re.compile(f"^{re.escape(term)}$"))
        return own.locator("xpath=following-sibling::dd")

    def drop(self, *paths: Path) -> None:
        """Files dragged in from the desktop, as the browser itself sees them."""
        box = self.page.get_by_text("or drop files").bounding_box()
        assert box is not None
        debugger = self.context.new_cdp_session(self.page)
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            debugger.send(
                "Input.dispatchDragEvent",
                {"type": kind, "x": box["x"] + 9, "y": box["y"] + 3, "data": data},
            )

    def rows(self, table: str) -> Locator:
        """The rows of a table, without its head."""
        rows = self.page.get_by_role("table", name=table).get_by_role("row")
        return rows.filter(has=self.page.get_by_role("cell"))

    def texts(self, locator: Locator) -> list[str]:
        return [text.strip() for text in locator.all_text_contents()]

    def until(self, condition: str, argument: object = None) -> None:
        """Waits until a function of the page says yes.

        Playwright's own way needs `eval`, which the page forbids.
        """
        deadline = time.monotonic() + 20
        while not self.page.evaluate(condition, argument):
            assert time.monotonic() < deadline, condition
            self.page.wait_for_timeout(20)

    def text(self, side: int = 0) -> str:
        """A document's text as the page holds it, without what was added to it."""
        told: str = self.page.evaluate(
            """side => {
                const copy = document.querySelectorAll('.text')[side]?.cloneNode(true);
                if (!copy) return '';
                copy.querySelectorAll('button, .flag-mark, .page-mark').forEach(e => e.remove());
                return copy.textContent;
            }""",
            side,
        )
        return told

    def marked(self, number: int, side: int) -> Marked:
        """What carries a number on one side of a pair."""
        told = self.page.evaluate(
            """([side, index]) => {
                const text = document.querySelectorAll('.text')[side];
                const badge = text.querySelector(`[data-passage="${index}"]`);
                const hue = [...badge.classList].find(name => name.startsWith('hue-'));
                const found = {words: '', coloured: '', colours: []};
                const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
                let inside = false;
                while (walk.nextNode()) {
                    const parent = walk.currentNode.parentElement;
                    if (badge.contains(parent)) { inside = true; continue; }
                    if (!inside || parent.closest('button, .flag-mark, .page-mark')) continue;
                    if (!parent.closest(`.piece.${hue}`)) break;
                    found.words += walk.currentNode.data;
                    const colour = getComputedStyle(parent).backgroundColor;
                    if (colour === 'rgba(0, 0, 0, 0)') { found.coloured += '|'; continue; }
                    found.coloured += walk.currentNode.data;
                    found.colours.push(colour);
                }
                return {...found, colours: [...new Set(found.colours)]};
            }""",
            [side, number - 1],
        )
        return Marked(told["words"], told["coloured"], told["colours"])

    def focused(self) -> str:
        """The name of what has the focus, as a screen reader would say it, or its words."""
        told: str = self.page.evaluate(
            "() => { const e = document.activeElement;"
            " return e.getAttribute('aria-label') ?? e.innerText ?? '' }"
        )
        return " ".join(told.split())

    def is_wider_than_screen(self) -> list[str]:
        """What reaches beyond the right edge, if the page can be scrolled sideways."""
        found: list[str] = self.page.evaluate(
            """() => {
                const wide = innerWidth;
                if (document.documentElement.scrollWidth <= wide) return [];
                return [...document.querySelectorAll('body *')]
                    .filter(e => e.getBoundingClientRect().right > wide + 1)
                    .map(e => `${e.tagName}.${e.className?.baseVal ?? e.className}`).slice(0, 8);
            }"""
        )
        return found

    def axe(self, rule: str | None = None) -> list[str]:
        """What is wrong for those who do not see the page, or use no mouse; a line for each."""
        if not self.page.evaluate("'axe' in window"):
            # Evaluated by the browser's debugger, to which the page's policy does not apply.
            self.page.evaluate(_axe_source())
        asked = {"type": "tag", "values": AXE_TAGS} if rule is None else [rule]
        found = self.page.evaluate(
            "runOnly => axe.run(document, {resultTypes: ['violations'], runOnly, selectors: false,"
            " preload: false})",
            asked,
        )
        return [_told(violation) for violation in found["violations"]]


def said(locator: Locator) -> str:
    """The words of an element; spaces that keep words together count as others."""
    return locator.inner_text().replace("\u00a0", " ")


def _axe_source() -> str:
    place = find_spec("axe_playwright_python")
    assert place is not None
    assert place.origin is not None
    return (Path(place.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def _told(violation: dict[str, Any]) -> str:
    nodes: Iterable[dict[str, Any]] = violation["nodes"][:3]
    places = "; ".join(f"{node['html'][:200]} ({node['failureSummary'][:300]})" for node in nodes)
    return f"{violation['id']}: {violation['help']}: {places}"
