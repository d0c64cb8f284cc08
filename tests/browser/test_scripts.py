"""Any script: what a page marks is what Python found, to the letter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open, folder_index, write_report
from tests.browser.course import write_lines
from tests.browser.expected import Expected
from tests.browser.scripts import pairs
from tests.server.conftest import Live

TEXTS = {f"{name} {side}": text for name, both in pairs().items()
         for side, text in zip("ab", both, strict=True)}  # fmt: skip
EXPECTED = Expected(TEXTS)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("scripts")
    return write_report(folder, write_lines(folder / "scripts.jsonl", TEXTS))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Live(folder_index(Path(tmp_path_factory.mktemp("scripts")), TEXTS), "--quiet")
    yield f"{server.url}/"
    server.kill()


@pytest.mark.parametrize("where", ["report", "app"])
def test_marked_stretches_are_slices_of_the_text(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    window = open_window(request.getfixturevalue(where), "Overview")
    for name in pairs():
        a, b = f"{name} a", f"{name} b"
        window.to(f"#/pair/{a}/{b}", f"{a} and {b}")
        found = EXPECTED.pair(a, b).passages
        expect(
            window.page.get_by_role("group", name="Passages").get_by_role("button")
        ).to_have_count(len(found))
        assert (window.text(0), window.text(1)) == (TEXTS[a], TEXTS[b])
        for number, passage in enumerate(found, 1):
            assert window.marked(number, 0).words == TEXTS[a][passage.a_start : passage.a_end]
            assert window.marked(number, 1).words == TEXTS[b][passage.b_start : passage.b_end]


@pytest.mark.smoke
@pytest.mark.parametrize(("name", "direction"), [("hebrew", "rtl"), ("astral", "ltr")])
def test_texts_run_in_their_direction(
    open_window: Open, report: str, name: str, direction: str
) -> None:
    window = open_window(f"{report}#/document/{name} a", f"{name} a")
    blocks = window.page.get_by_role("region", name="Text").locator(".block")
    assert set(blocks.evaluate_all("all => all.map(e => getComputedStyle(e).direction)")) == {
        direction
    }


def test_a_pasted_text_of_such_letters_is_marked_as_well(open_window: Open, app: str) -> None:
    window = open_window(f"{app}#/check", "Check a text")
    for name in ("gothic", "combining"):
        text = TEXTS[f"{name} b"]
        window.page.get_by_label("Text to check").fill(text)
        marked = window.page.locator(".text mark.hit").first
        expect(marked).to_be_visible()
        expect(marked).to_contain_text(text[2:20])
        assert window.text() == text
