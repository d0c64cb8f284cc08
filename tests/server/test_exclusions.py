"""Phrases and templates of a collection, and where they and passages are in its documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from likewise.index.exclusion_texts import MAX_TEMPLATES
from likewise.index.index import Index
from likewise.text.words import words_of
from tests.server.conftest import Api

MakeApi = Callable[..., Api]

TASK = "Describe in your own words why the sea is salt and what it means for those who sail on it"
TEXTS = {
    "one": f"{TASK}. It is salt because rivers bring it, and nobody takes it away again. Thank you",
    "two": f"An essay. {TASK.upper()}! Rivers bring it, and nobody takes it away again, I think.",
    "three": "Nothing of the kind is in here, thank you very much, and never was in other years.",
}
OLD = {"old": f"Last year's task: {TASK}, in two pages."}


@pytest.fixture
def api(make_api: MakeApi, tmp_path: Path) -> Api:
    for name, texts in {"this": TEXTS, "last": OLD}.items():
        with Index.create(tmp_path / f"{name}.db") as index:
            index.add(list(texts.values()), list(texts))
    with Index.create(tmp_path / "bare.db", keep_text=False) as index:
        index.add(list(OLD.values()), list(OLD))
    return make_api(None, folder=str(tmp_path))


def find(api: Api, **wanted: Any) -> dict[str, dict[str, list[str]]]:
    """By document and reason the words that are excluded."""
    answer = api.ok("POST", "/c/this/api/exclusions/words", json=wanted)
    texts = TEXTS | {f"last: {id_}": text for id_, text in OLD.items()}
    return {
        id_: {
            reason: [
                " ".join(_words(texts[id_])[first:last])
                for first, last in zip(flat[::2], flat[1::2], strict=True)
            ]
            for reason, flat in reasons.items()
        }
        for id_, reasons in answer["documents"].items()
    }


def _words(text: str) -> list[str]:
    words = words_of(text)
    places = zip(words.begins.tolist(), words.ends.tolist(), strict=True)
    return [text[begin:end].lower() for begin, end in places]


def add_template(api: Api, text: str, name: str = "task.txt") -> dict[str, Any]:
    return api.ok("POST", f"/c/this/api/exclusions/templates?name={name}", content=text.encode())


def test_phrases_and_templates_are_stored_with_the_collection(
    api: Api, make_api: MakeApi, tmp_path: Path
) -> None:
    nothing = {"phrases": [], "templates": []}
    assert api.ok("GET", "/c/this/api/exclusions") == nothing
    told = api.ok(
        "PUT", "/c/this/api/exclusions/phrases", json={"phrases": ["thank you", " thank you ", "x"]}
    )
    assert told["phrases"] == ["thank you", "x"]
    told = add_template(api, TASK)
    assert told["templates"] == [{"name": "task.txt", "words": 20}]
    again = make_api(None, folder=str(tmp_path))
    assert again.ok("GET", "/c/this/api/exclusions") == told
    assert again.ok("GET", "/c/last/api/exclusions") == nothing
    assert len(add_template(again, "Other words", "b")["templates"]) == 2
    assert add_template(again, "Other words now", "b")["templates"][1]["words"] == 3
    path = "/c/this/api/exclusions/templates/remove"
    assert again.ok("POST", path, json={"name": "task.txt"})["templates"][0]["name"] == "b"
    assert again.ok("PUT", "/c/this/api/exclusions/phrases", json={"phrases": []})["phrases"] == []


def test_templates_may_be_of_any_format(api: Api) -> None:
    html = f"<html><head><title>Task</title></head><body><p>{TASK}</p></body></html>"
    assert add_template(api, html, "task.html")["templates"][0]["words"] >= 20


@pytest.mark.parametrize(
    ("phrases", "message"),
    [(["…!"], "has no word"), (["w" * 301], "at most 300"), (["a\0b"], "NUL")],
)
def test_phrases_that_cannot_be_excluded(api: Api, phrases: list[str], message: str) -> None:
    path = "/c/this/api/exclusions/phrases"
    assert message in api.refused(422, "PUT", path, json={"phrases": phrases})
    assert api.ok("GET", "/c/this/api/exclusions")["phrases"] == []


def test_templates_that_cannot_be_excluded(api: Api) -> None:
    path = "/c/this/api/exclusions/templates?name=a.txt"
    assert "empty" in api.refused(422, "POST", path, content=b"")
    assert "no text" in api.refused(422, "POST", path, content=b"... !!!")
    assert "more than 1,000,000" in api.refused(422, "POST", path, content=b"word " * 200_001)
    for number in range(MAX_TEMPLATES):
        add_template(api, TASK, f"{number}.txt")
    assert f"at most {MAX_TEMPLATES}" in api.refused(422, "POST", path, content=TASK.encode())


def test_phrases_templates_and_passages_are_found(api: Api) -> None:
    assert find(api, phrases=True, template=True) == {}
    api.ok("PUT", "/c/this/api/exclusions/phrases", json={"phrases": ["Thank  YOU"]})
    add_template(api, TASK)
    task = TASK.lower()
    assert find(api, template=True) == {"one": {"template": [task]}, "two": {"template": [task]}}
    assert find(api, phrases=True) == {
        "one": {"phrase": ["thank you"]}, "three": {"phrase": ["thank you"]},
    }  # fmt: skip
    first = len(_words(f"{TASK}. It is salt because"))
    passage = {"id": "one", "first": first, "last": first + 9}
    words = "rivers bring it and nobody takes it away again"
    assert find(api, passages=[passage]) == {
        "one": {"passage": [words]}, "two": {"passage": [words]},
    }  # fmt: skip
    short = {"id": "one", "first": first, "last": first + 3}
    assert find(api, passages=[short])["two"] == {"passage": ["rivers bring it"]}


def test_documents_of_the_archive_are_searched_if_they_are_named(api: Api) -> None:
    add_template(api, TASK)
    assert set(find(api, template=True)) == {"one", "two"}
    api.ok("PUT", "/c/this/api/archive", json={"collections": ["last"]})
    found = find(api, template=True, archive=["last: old"])
    assert found["last: old"] == {"template": [TASK.lower()]}
    passage = {"id": "last: old", "first": 3, "last": 12}
    assert "one" in find(api, passages=[passage])


def test_what_is_no_longer_there_is_counted(api: Api) -> None:
    wanted = {
        "template": True,
        "passages": [
            {"id": "gone", "first": 0, "last": 9},
            {"id": "one", "first": 3, "last": 3_000},
            {"id": "one", "first": 9, "last": 2},
        ],
        "archive": ["last: gone"],
    }
    answer = api.ok("POST", "/c/this/api/exclusions/words", json=wanted)
    assert answer == {"documents": {}, "missing": 4}


def test_bad_requests_are_refused(api: Api) -> None:
    path = "/c/this/api/exclusions/words"
    for body in (
        {"passages": [{"id": "one", "first": -1, "last": 4}]},
        {"passages": [{"id": "one", "first": 0}]},
        {"passages": [{"id": "one", "first": 0, "last": 9}] * 51},
        {"other": True},
    ):
        api.refused(422, "POST", path, json=body)
    bare = api.refused(422, "POST", "/c/bare/api/exclusions/words", json={"template": True})
    assert "stores no texts" in bare
