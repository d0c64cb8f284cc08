"""Review marks over HTTP: what is refused, what readers see, and texts that have changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from likewise.documents.texts import text_digest
from likewise.index.index import Index
from tests.server.conftest import SEA, STORED, Api
from tests.server.test_roles import REVIEWER
from tests.server.test_sharing import AS_READER, AS_REVIEWER, SECRET, TOKENS, folder
from tests.server.test_views import survey_of

__all__ = ["folder"]

MakeApi = Callable[..., Api]
PAIR = {"a": "sun", "b": "moon", "status": "important"}


def put(api: Api, *marks: dict[str, Any], path: str = "/api/review", **more: Any) -> dict[str, Any]:
    return api.ok("PUT", path, json={"marks": list(marks)}, **more)


def test_marks_are_stored_listed_and_removed(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    assert api.ok("GET", "/api/review") == {"revision": 0, "marks": [], "can_change": True}
    told = put(api, PAIR | {"note": "same opening", "time": "2026-05-04T09:30:00Z"})
    (mark,) = told["marks"]
    assert mark.pop("key")
    assert mark == {
        "a": "moon", "b": "sun", "status": "important", "note": "same opening",
        "time": "2026-05-04T09:30:00Z", "passage": None,
        "digest_a": text_digest(STORED["moon"]), "digest_b": text_digest(STORED["sun"]),
    }  # fmt: skip
    told = put(api, {**PAIR, "status": "cleared", "passage": [0, 5, 2, 9]}, PAIR | {"a": "train"})
    assert [(one["a"], one["b"], one["passage"]) for one in told["marks"]] == [
        ("moon", "sun", None), ("moon", "sun", [2, 9, 0, 5]), ("moon", "train", None),
    ]  # fmt: skip
    assert told["marks"][2]["time"] > "2026-05-04"
    assert api.ok("GET", f"/api/review?revision={told['revision']}")["marks"] is None
    assert api.ok("GET", "/api/review?revision=0") == told
    keys = [one["key"] for one in told["marks"][:2]]
    told = api.ok("POST", "/api/review/remove", json={"keys": [*keys, "none"]})
    assert [one["b"] for one in told["marks"]] == ["train"]


@pytest.mark.parametrize(
    ("change", "status", "message"),
    [
        ({"a": "nobody"}, 404, "no document 'nobody'"), ({"a": "moon"}, 422, "same document"),
        ({"digest_a": "of another text"}, 409, "the text of 'sun' has changed since"),
        ({"digest_b": text_digest(SEA)}, 409, "the text of 'moon' has changed since"),
        ({"passage": [0, 10_000, 0, 5]}, 422, "passage"), ({"passage": [5, 5, 0, 5]}, 422, "pass"),
        ({"passage": [0, 5, 0]}, 422, "passage"), ({"passage": [0, 5, 0, -1]}, 422, "passage"),
        ({"status": "guilty"}, 422, "status"), ({"note": "x" * 2001}, 422, "note"),
        ({"note": "\0"}, 422, "NUL"), ({"time": "now"}, 422, "time"), ({"role": "me"}, 422, "role"),
    ],
)  # fmt: skip
def test_what_is_refused(api: Api, change: dict[str, Any], status: int, message: str) -> None:
    """All marks of a request, with the one that is wrong."""
    body = {"marks": [PAIR | {"a": "train"}, PAIR | change]}
    assert message in api.refused(status, "PUT", "/api/review", json=body)
    assert api.ok("GET", "/api/review")["marks"] == []


def test_too_many_at_once_are_refused(api: Api) -> None:
    api.refused(422, "PUT", "/api/review", json={"marks": [PAIR] * 201})
    api.refused(422, "PUT", "/api/review", json={"marks": []})


def test_a_mark_is_of_the_text_that_was_looked_at(api: Api) -> None:
    """A text that takes its place has another digest, in the survey and in both views."""
    view = api.ok("GET", "/api/view/pair?a=sun&b=moon")
    put(api, PAIR | {"digest_a": view["a"]["digest"], "digest_b": view["b"]["digest"]})
    survey = survey_of(api)
    columns = survey["documents"]["columns"]
    assert dict(zip(columns["id"], columns["digest"], strict=True)) == {
        id_: text_digest(text) for id_, text in STORED.items()
    }
    api.add({"sun": SEA})
    (mark,) = api.ok("GET", "/api/review")["marks"]
    assert mark["digest_b"] == view["a"]["digest"]
    assert api.ok("GET", "/api/view/document/sun")["document"]["digest"] != mark["digest_b"]
    body = {"marks": [PAIR | {"digest_a": view["a"]["digest"]}]}
    assert "has changed since" in api.refused(409, "PUT", "/api/review", json=body)
    # A table of authors changes no text.
    api.ok("POST", "/api/metadata?name=a.csv", content=b"file,author\nsun,Ann\nmoon,Ben\n")
    (mark,) = api.ok("GET", "/api/review")["marks"]
    assert mark["digest_a"] == api.ok("GET", "/api/view/document/moon")["document"]["digest"]


def test_removed_documents_take_their_marks_with_them(api: Api) -> None:
    put(api, PAIR, PAIR | {"a": "train"})
    api.ok("DELETE", "/api/documents/sun")
    assert [one["b"] for one in api.ok("GET", "/api/review")["marks"]] == ["train"]
    api.ok("POST", "/api/remove", json={"ids": ["moon"]})
    assert api.ok("GET", "/api/review")["marks"] == []


def test_marks_change_no_figure_and_no_survey(api: Api) -> None:
    before = survey_of(api)
    put(api, PAIR | {"status": "cleared"})
    assert survey_of(api) == before


def test_a_collection_without_texts_has_marks_of_pairs(make_api: MakeApi, tmp_path: Path) -> None:
    with Index.create(tmp_path / "bare.db", keep_text=False) as index:
        index.add(list(STORED.values()), list(STORED))
    api = make_api(str(tmp_path / "bare.db"))
    (mark,) = put(api, PAIR)["marks"]
    assert (mark["digest_a"], mark["digest_b"]) == (None, None)
    assert api.ok("GET", "/api/view/pair?a=sun&b=moon")["a"]["digest"] is None
    api.refused(422, "PUT", "/api/review", json={"marks": [PAIR | {"passage": [0, 1, 0, 1]}]})


def test_readers_see_marks_of_what_they_see(make_api: MakeApi, folder: Path) -> None:
    """Not of an archive that is not shared; and they change none."""
    api = make_api(None, folder=str(folder), **TOKENS)
    api.ok("PUT", "/c/this/api/archive", json={"collections": [SECRET, "older"]}, **AS_REVIEWER)
    private = {"a": "both", "b": f"{SECRET}: {SECRET} harbour", "status": "important"}
    seen = {"a": "both", "b": "harbour", "status": "cleared", "note": "quoted"}
    older = {"a": "both", "b": "older: bread", "status": "reviewed"}
    path = "/c/this/api/review"
    assert len(put(api, private, seen, older, path=path, **AS_REVIEWER)["marks"]) == 3
    api.refused(404, "GET", path, **AS_READER)
    for name, visible in (("this", [("both", "harbour")]),
                          ("older", [("both", "harbour"), ("both", "older: bread")])):  # fmt: skip
        api.ok("PUT", f"/c/{name}/api/sharing", json={"readers": True}, **AS_REVIEWER)
        told = api.ok("GET", path, **AS_READER)
        assert [(one["a"], one["b"]) for one in told["marks"]] == visible
        assert told["can_change"] is False
    assert api.ok("GET", path, **AS_REVIEWER)["can_change"] is True
    for method, more in (("PUT", ""), ("POST", "/remove")):
        api.refused(403, method, path + more, json={"marks": [seen], "keys": ["x"]}, **AS_READER)
    assert len(api.ok("GET", path, **AS_REVIEWER)["marks"]) == 3
    assert REVIEWER not in str(api.ok("GET", path, **AS_READER))
