"""Collections that are private, and shared with readers by a reviewer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ESSAYS, Open, folder_index
from tests.browser.test_looks import DARK, LIGHT, PHONE
from tests.browser.window import Window
from tests.server.conftest import Live

REVIEWER, READER = "a-token-for-reviewers", "a-token-for-readers"
REFUSED = r"40[14] \((Unauthorized|Not Found)\)"


@pytest.fixture
def server(live: Callable[..., Live], tmp_path: Path) -> str:
    """The first collection is empty, another one has essays."""
    folder_index(tmp_path, {name: ESSAYS[name] for name in ("bees-01.txt", "bees-05.txt")})
    env = {"LIKEWISE_TOKEN": REVIEWER, "LIKEWISE_READER_TOKEN": READER}
    return live(None, "--quiet", "--folder", tmp_path, env=env).url


def log_in(window: Window, address: str, token: str) -> Window:
    window.page.goto(address)
    window.page.get_by_role("textbox", name="Token").fill(token)
    window.page.get_by_role("button", name="Continue").click()
    return window


@pytest.mark.smoke
def test_a_reviewer_shares_and_a_reader_sees(open_window: Open, server: str) -> None:
    reader = log_in(open_window(expected=REFUSED), f"{server}/", READER)
    expect(reader.page.locator("main")).to_contain_text("No collection is shared with readers")
    reviewer = log_in(open_window(expected=REFUSED), f"{server}/#/c/essays/library", REVIEWER)
    reviewer.settled("Library")
    box = reviewer.page.get_by_role("checkbox", name="Share with readers")
    expect(reviewer.page.locator("[data-value=sharing]")).to_contain_text("private")
    box.check()
    expect(reviewer.page.locator("[data-value=sharing]")).to_contain_text("Readers see")
    # The first collection is still private: readers are led to the one that they may see.
    reader.page.reload()
    reader.settled("Overview")
    expect(reader.page.locator("[data-list=pairs]")).to_contain_text("bees-01.txt")
    expect(reader.page.get_by_role("banner")).to_contain_text("essays")
    reader.to("#/c/essays/library", "Library")
    expect(reader.page.get_by_role("checkbox")).to_have_count(0)
    box.uncheck()
    expect(reviewer.page.locator("[data-value=sharing]")).to_contain_text("private")
    reader.page.reload()
    expect(reader.page.locator("main")).to_contain_text("There is no collection 'essays'")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_switch_is_for_everybody(open_window: Open, server: str, theme: dict[str, str]) -> None:
    window = open_window(expected=REFUSED, **PHONE, **theme)
    log_in(window, f"{server}/#/c/essays/library", REVIEWER).settled("Library")
    window.page.get_by_role("checkbox", name="Share with readers").focus()
    window.page.keyboard.press("Space")
    expect(window.page.locator("[data-value=sharing]")).to_contain_text("Readers see")
    assert window.axe() == []
    assert window.is_wider_than_screen() == []


def test_without_readers_there_is_nothing_to_share(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/library", "Library")
    expect(window.rows("Documents").first).to_be_visible()
    expect(window.page.get_by_text("Share with readers")).to_have_count(0)
