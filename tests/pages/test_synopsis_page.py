"""A synopsis as one file: its data, and what hostile texts become in it."""

from __future__ import annotations

import base64
import hashlib
import io

from likewise.documents.document import Document
from likewise.pages.synopsis_page import write_synopsis
from likewise.survey.settings import RunFacts
from likewise.survey.synopsis.synopsis import Synopsis, make_synopsis
from tests.pages.test_page import HOSTILE, Page

WORDS = " ".join(f"shared{i}" for i in range(20))
RUN = RunFacts(title="Two & more", made="2026-11-19T06:00:00Z", notes=["one note"])


def page_of(synopsis: Synopsis, run: RunFacts = RUN) -> tuple[Page, bytes]:
    stream = io.BytesIO()
    write_synopsis(synopsis, run, stream)
    return Page(stream.getvalue().decode()), stream.getvalue()


def test_the_page_has_the_synopsis_and_its_script() -> None:
    synopsis = make_synopsis([Document(f"{WORDS}. alone", id="a"), Document(WORDS, id="b")])
    page, written = page_of(synopsis)
    data = page.json("synopsis")
    for name, value in synopsis.to_dict().items():
        assert data[name] == (["one note", *value] if name == "notes" else value)
    assert (data["title"], data["made"]) == (RUN.title, RUN.made)
    assert page.held["title"] == "Two & more"
    assert page.named("html")[0]["data-mode"] == "synopsis"
    assert b"new SynopsisFile().start();" in written


def test_a_page_without_a_title_has_one() -> None:
    page, _ = page_of(make_synopsis([Document("", id="a"), Document("", id="b")]), RunFacts())
    assert page.held["title"] == "Synopsis"


def test_nothing_but_the_script_and_the_style_may_run() -> None:
    synopsis = make_synopsis([Document(f"{HOSTILE} {WORDS}", id=HOSTILE) for _ in range(2)])
    page, written = page_of(synopsis, RunFacts(title=HOSTILE, notes=[HOSTILE]))
    assert {tag for tag, _ in page.elements} == {
        "html", "head", "meta", "title", "link", "style", "body", "div", "noscript", "script",
    }  # fmt: skip
    (script,) = [text for name, text in page.held.items() if name == "module"]
    policy = next(
        one["content"] for one in page.named("meta")
        if one.get("http-equiv") == "Content-Security-Policy"
    )  # fmt: skip
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy
    assert page.json("synopsis")["texts"][0]["id"] == HOSTILE
    assert b"<img" not in written.partition(b'id="synopsis"')[2].partition(b"</script>")[0]
