"""The report as one file: what it holds, what it cannot do, and what hostile texts become in it."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings

from likewise.documents.document import Document
from likewise.pages.embedded import embedded_json
from likewise.pages.page import write_page
from likewise.survey.settings import RunFacts, SurveySettings
from likewise.survey.survey import Survey
from tests import strategies
from tests.survey.made_texts import document, some
from tests.survey.test_survey import ESSAYS

HOSTILE = (
    "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> ]]> \u2028\u2029 &amp;"
)


class Page(HTMLParser):
    """What a browser would see of a page: elements with their attributes, and what scripts hold."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.held: dict[str, str] = {}
        self._inside: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.elements.append((tag, found))
        if tag in ("script", "style", "title"):
            self._inside = found.get("id") or found.get("type") or tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is not None:
            self.held[self._inside] = self.held.get(self._inside, "") + data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def json(self, id_: str) -> Any:
        return json.loads(self.held[id_])


def page_of(survey: Survey, **options: Any) -> tuple[Page, bytes]:
    stream = io.BytesIO()
    write_page(survey, stream, **options)
    return Page(stream.getvalue().decode()), stream.getvalue()


@pytest.fixture(scope="module")
def samples() -> tuple[Survey, Page]:
    survey = Survey(ESSAYS, run=RunFacts(title="Essays & more"))
    return survey, page_of(survey)[0]


def test_the_data_are_the_survey_the_texts_and_the_passages(samples: tuple[Survey, Page]) -> None:
    survey, page = samples
    data = page.json("survey")
    in_page = {int(name[5:]) for name in page.held if name.startswith("text-")}
    assert data == json.loads(json.dumps(survey.to_dict(in_page)))
    assert len(in_page) == 32  # three essays are in no pair
    for row in in_page:
        assert page.json(f"text-{row}") == survey.text(row).to_dict()
    # Their runs of matched words are in the survey.
    assert [page.json(f"pair-{row}")["passages"] for row in range(18)] == [
        [
            {name: value for name, value in one.items() if name != "matches"}
            for one in survey.passages(row)
        ]
        for row in range(18)
    ]
    assert page.held["title"] == "Essays & more"
    assert page.named("html")[0]["data-mode"] == "report"


def test_the_policy_allows_the_one_script_and_the_one_style_and_nothing_else(
    samples: tuple[Survey, Page],
) -> None:
    _, page = samples
    (policy,) = [
        meta["content"] for meta in page.named("meta") if meta.get("http-equiv") is not None
    ]
    assert policy is not None
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules == {
        "default-src": "'none'",
        "script-src": digest(page.held["module"]),
        "style-src": digest(page.held["style"]),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    scripts = [script for script in page.named("script") if script["type"] == "module"]
    assert scripts == [{"type": "module"}]
    assert not [1 for _, attributes in page.elements if "style" in attributes]
    assert not [name for _, attributes in page.elements for name in attributes if name[:2] == "on"]


def test_nothing_in_the_page_refers_to_the_network(samples: tuple[Survey, Page]) -> None:
    _, page = samples
    for tag, attributes in page.elements:
        for name in ("src", "href", "action", "srcset", "data"):
            assert (attributes.get(name) or "data:").startswith("data:"), (tag, attributes)
    own = {"http://www.w3.org/2000/svg"}  # the name of a language, which nobody fetches
    for part in ("module", "style"):
        assert set(re.findall(r"https?://[^\s\"'`)]+", page.held[part])) <= own
        assert "@import" not in page.held[part]


def hostile_survey() -> Survey:
    text = " ".join(some(60, "shared"))
    made = [
        Document(
            f"{HOSTILE} {text}\ud800",
            id=f"{HOSTILE}{i}",
            metadata={"title": HOSTILE, "group": "<b>"},
        )
        for i in range(2)
    ]
    run = RunFacts(
        f"{HOSTILE}\ud800", HOSTILE, left_out=[HOSTILE], notes=[HOSTILE], skipped=[(HOSTILE,) * 3]
    )
    return Survey(made, run=run)


def test_hostile_names_and_texts_are_data() -> None:
    page, _ = page_of(hostile_survey())
    plain, _ = page_of(Survey([document("a", some(60, 1)), document("b", some(60, 1))]))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    data = page.json("survey")
    assert data["documents"]["columns"]["id"] == [f"{HOSTILE}0", f"{HOSTILE}1"]
    assert data["title"] == f"{HOSTILE}\ufffd"
    assert page.held["title"] == f"{HOSTILE}?"
    text = page.json("text-0")["text"]
    assert text.startswith(HOSTILE)
    assert text.endswith("\ufffd")


def test_no_character_of_data_can_be_markup() -> None:
    _, data = page_of(hostile_survey())
    for held in re.findall(rb'<script type="application/json" id="[\w-]+">(.*?)</script>\n', data):
        assert not re.search(b"[<>&]", held)
        assert b"\xe2\x80\xa8" not in held


@settings(max_examples=100)
@given(text=strategies.texts)
def test_json_in_a_page_is_the_value_and_nothing_else(text: str) -> None:
    data = embedded_json({text: [text]})
    kept = re.sub("[\ud800-\udfff]", "\ufffd", text)
    assert json.loads(data) == {kept: [kept]}
    assert not re.search(b"[<>&\\x00-\\x1f]", data)


def test_texts_that_would_make_the_page_too_large_are_left_out_and_reported() -> None:
    survey = Survey(ESSAYS)
    _, whole = page_of(survey)
    limit = len(whole) - 40_000
    page, cut = page_of(survey, max_size=limit)
    assert len(cut) <= limit
    data = page.json("survey")
    shown = [row for row in range(18) if f"pair-{row}" in page.held]
    assert 0 < len(shown) < 18
    assert shown[0] == 0
    assert f"The texts of {18 - len(shown)} pairs were omitted" in data["left_out"][0]
    for row in shown:
        for side in "ab":
            place = data["pairs"]["columns"][side][row]
            assert data["documents"]["columns"]["text"][place] == 1
            assert f"text-{place}" in page.held


def test_a_page_may_be_without_texts() -> None:
    page, data = page_of(Survey(ESSAYS), texts=False)
    assert [name for name in page.held if name.startswith(("text-", "pair-"))] == []
    assert sum(page.json("survey")["documents"]["columns"]["text"]) == 0
    assert "without texts" in page.json("survey")["left_out"][0]
    assert b"meadow in June" not in data


@pytest.mark.parametrize("documents", [[], [Document("", id="a")]])
def test_a_collection_without_pairs_or_documents_has_a_page(
    documents: list[Document],
) -> None:
    page, _ = page_of(Survey(documents, SurveySettings()))
    assert page.json("survey")["pairs"]["count"] == 0


def test_the_same_survey_gives_the_same_bytes() -> None:
    made = Survey(ESSAYS)
    assert page_of(made)[1] == page_of(made)[1]
