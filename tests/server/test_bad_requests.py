"""Bad input gets an answer that says what is wrong with it, and changes nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from likewise.server import json_request
from tests.server.conftest import STORED, Api, message_of

MakeApi = Callable[..., Api]
JSON = {"Content-Type": "application/json"}
DOCUMENT = {"id": "x", "text": "a text"}
PATHS = (
    "/api/query", "/api/passages", "/api/documents", "/api/remove", "/api/view/check",
    "/api/collections",
)  # fmt: skip


@pytest.fixture
def api(shared_api: Api) -> Api:
    """None of these requests changes anything."""
    return shared_api


BAD_JSON = (
    b"", b"{", b"nothing", b"[1,", b'{"text": "a}', b"\xff\xfe", b"[" * 100_000, b"1" * 5_000,
    b'{"text":"a"} {}',
)  # fmt: skip
BAD_QUERIES: tuple[Any, ...] = (
    None, [], "text", 1, {}, {"text": None}, {"text": 1}, {"text": ["a"]}, {"texts": "a"},
    {"texts": []}, {"texts": [None]}, {"text": "a", "texts": ["b"]}, {"text": "a", "more": 1},
    {"text": None, "texts": ["b"]}, {"text": "a", "texts": None}, {"text": "\ud800"},
    {"text": "a\0"}, {"texts": ["fine", "half \udfff"]},
    {"text": "a", "threshold": 0}, {"text": "a", "threshold": -1}, {"text": "a", "threshold": 1.5},
    {"text": "a", "threshold": float("nan")}, {"text": "a", "threshold": float("inf")},
    {"text": "a", "threshold": "0.5"}, {"text": "a", "threshold": 10**400},
    {"text": "a", "top": 0}, {"text": "a", "top": 1.5}, {"text": "a", "top": 10**30},
    {"text": "a", "top": True}, {"text": "a", "scan": "yes"}, {"text": "a", "scan": 1},
    {"text": "a", "level": 0}, {"text": "a", "level": 1}, {"text": "a", "level": float("-inf")},
    {"text": "a", "\ud800": 1},
)  # fmt: skip
DEEP: list[Any] = []
for _ in range(500):
    DEEP = [DEEP]
BAD_PASSAGES: tuple[Any, ...] = (
    *({key: asked[key] for key in asked if key in ("text", "texts")} for asked in BAD_QUERIES[4:18]
      if "more" not in asked),
    *({"text": "a", name: value} for name, value in (
        ("min_words", 0), ("min_words", 1001), ("min_words", 12.5), ("min_words", "12"),
        ("min_words", 11), ("edited", "yes"), ("edited", None), ("top", 0), ("top", 1001),
        ("excerpts", 1), ("threshold", 0.5), ("metadata", []), ("metadata", {"a": "\ud800"}),
        ("metadata", {"a": DEEP}), ("metadata", {"a": "x" * 20_000}), ("exclude", None),
        ("exclude", []), ("exclude", "quotations"),
    )),
    *({"text": "a", "exclude": {name: value}} for name, value in (
        ("quotations", 1), ("bibliography", None), ("more", True), ("phrases", "a phrase"),
        ("phrases", [""]), ("phrases", ["…"]), ("phrases", ["a\0"]), ("phrases", ["\udfff"]),
        ("phrases", [1]), ("phrases", ["x" * 1_001]), ("phrases", ["a"] * 201),
        ("templates", "a template"), ("templates", ["\0"]), ("templates", ["\ud800"]),
        ("templates", ["x" * 100_001]), ("templates", ["a"] * 17), ("min_share", -0.1),
        ("min_share", 1.1), ("min_share", float("nan")), ("min_share", "0.1"), ("max_sources", 0),
        ("max_sources", 1.5), ("max_sources", 10**30), ("same", "author"), ("same", ["title"]),
        ("same", ["author"]), ("same", ["author", "group", "author"]),
    )),
)  # fmt: skip
BAD_DOCUMENTS: tuple[Any, ...] = (
    {"id": None, "text": "a"}, {"id": 7, "text": "a"}, {"text": "a"},
    {"id": "a"}, {"id": "a\0", "text": "a"}, {"id": "\udc00", "text": "a"},
    {"id": "x" * 1025, "text": "a"}, {"id": "ä" * 513, "text": "a"}, {"id": "a", "text": "\ud83d"},
    {"id": "a", "text": "\0"}, {"id": "a", "text": None}, {"id": "a", "text": {}},
    {"id": "a", "text": "a", "page_starts": [0]}, {"id": "a", "text": "a", "metadata": []},
    {"id": "a", "text": "a", "metadata": {"n": float("nan")}},
    {"id": "a", "text": "a", "metadata": {"s": "\ud800"}},
    {"id": "a", "text": "a", "metadata": {"\ud800": 1}},
    {"id": "a", "text": "a", "metadata": {"s": ["a\0b"]}},
    {"id": "a", "text": "a", "metadata": {"s": "x" * 20_000}},
    {"id": "a", "text": "a", "metadata": {"s": DEEP}}, "a", None, [],
)  # fmt: skip


def dumped(content: object) -> bytes:
    return json.dumps(content, default=str).encode()


@pytest.mark.parametrize("body", BAD_JSON, ids=lambda body: repr(body[:20]))
@pytest.mark.parametrize("path", PATHS)
def test_what_is_not_json_is_refused(api: Api, path: str, body: bytes) -> None:
    response = api("POST", path, content=body, headers=JSON)
    assert response.status_code in (400, 422)
    assert message_of(response)


@pytest.mark.parametrize("asked", BAD_QUERIES, ids=lambda asked: repr(asked)[:40])
def test_a_query_that_cannot_be_is_refused(api: Api, asked: object) -> None:
    api.refused(422, "POST", "/api/query", content=dumped(asked), headers=JSON)


@pytest.mark.parametrize("asked", BAD_PASSAGES, ids=lambda asked: repr(asked)[:40])
def test_passages_that_cannot_be_are_refused(api: Api, asked: object) -> None:
    api.refused(422, "POST", "/api/passages", content=dumped(asked), headers=JSON)


@pytest.mark.parametrize("document", BAD_DOCUMENTS, ids=lambda document: repr(document)[:40])
def test_a_document_that_cannot_be_is_refused_with_all_of_its_request(
    api: Api, document: object
) -> None:
    body = dumped({"documents": [DOCUMENT, document]})
    api.refused(422, "POST", "/api/documents", content=body, headers=JSON)
    assert api.ok("GET", "/api/index")["documents"] == len(STORED)


@pytest.mark.parametrize("asked", [{}, {"ids": []}, {"ids": "moon"}, {"ids": ["moon", 7]},
                                   {"ids": ["moon", None]}, {"ids": ["moon\0"]}])  # fmt: skip
def test_ids_that_are_none_remove_nothing(api: Api, asked: object) -> None:
    api.refused(422, "POST", "/api/remove", content=dumped(asked), headers=JSON)
    assert api.ok("GET", "/api/index")["documents"] == len(STORED)


def test_an_id_may_stand_in_a_request_once(api: Api) -> None:
    body = {"documents": [DOCUMENT, {**DOCUMENT, "text": "another"}]}
    told = api.refused(422, "POST", "/api/documents", json=body)
    assert told == "duplicate id 'x' among the documents to add"


def test_an_error_says_where_it_is_and_never_what_was_sent(api: Api) -> None:
    body = {"documents": [DOCUMENT, {"id": "y", "text": ["a private matter"]}]}
    response = api("POST", "/api/documents", json=body)
    assert message_of(response) == "documents.1.text: input should be a valid string"
    assert "private" not in response.text


@pytest.mark.parametrize("said", [None, "text/plain", "application/x-www-form-urlencoded",
                                  "multipart/form-data; boundary=x", "json", ""])  # fmt: skip
@pytest.mark.parametrize("path", PATHS)
def test_json_must_be_declared_as_such(api: Api, path: str, said: str | None) -> None:
    headers = {} if said is None else {"Content-Type": said}
    api.refused(415, "POST", path, content=b'{"text": "a"}', headers=headers)


@pytest.mark.parametrize("said", ["application/json", "Application/JSON; charset=utf-8"])
def test_json_that_is_declared_is_taken(api: Api, said: str) -> None:
    headers = {"Content-Type": said}
    assert api("POST", "/api/query", content=b'{"text": "a"}', headers=headers).status_code == 200


def test_other_addresses_and_methods_are_reported(api: Api) -> None:
    assert api.refused(404, "GET", "/api/nothing") == "address not found"
    assert api.refused(405, "DELETE", "/api/index") == "DELETE is not allowed for this address"
    assert api.refused(405, "GET", "/api/query") == "GET is not allowed for this address"


# --- too much


def test_a_body_that_is_declared_too_large_is_not_read(make_api: MakeApi, file: str) -> None:
    api = make_api(file, max_request=2_000)
    read: list[int] = []

    async def body() -> AsyncIterator[bytes]:
        for i in range(10):
            read.append(i)
            yield b"x" * 1_000

    headers = {"Content-Length": "10000"}
    told = api.refused(413, "PUT", "/api/documents/x", content=body(), headers=headers)
    assert told == "the request has more than 2,000 bytes"


@pytest.mark.parametrize("path", ["/api/documents/x", "/api/query/document", "/api/query",
                                  "/api/passages/document", "/api/passages"])  # fmt: skip
def test_a_body_of_unknown_length_is_read_up_to_the_limit(
    make_api: MakeApi, file: str, path: str
) -> None:
    api = make_api(file, max_request=20_000)
    sent: list[int] = []

    async def body() -> AsyncIterator[bytes]:
        for i in range(10_000):
            sent.append(i)
            yield b"x" * 1_000

    method = "PUT" if path.endswith("x") else "POST"
    headers = {**JSON, "Transfer-Encoding": "chunked"}
    api.refused(413, method, path, content=body(), headers=headers)
    api.refused(404, "GET", "/api/documents/x")


def test_too_many_in_a_request_are_refused(make_api: MakeApi, file: str) -> None:
    api = make_api(file, max_documents=3)
    documents = [{"id": str(i), "text": "a"} for i in range(4)]
    told = api.refused(413, "POST", "/api/documents", json={"documents": documents})
    assert told == "4 documents in one request; at most 3"
    api.refused(413, "POST", "/api/query", json={"texts": ["a"] * 4})
    api.refused(413, "POST", "/api/passages", json={"texts": ["a"] * 4})
    api.refused(413, "POST", "/api/remove", json={"ids": list("abcd")})
    assert (
        api.ok("POST", "/api/query", json={"texts": ["a"] * 3})["answers"] == [{"matches": []}] * 3
    )


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/documents", b'{"documents":[' + b"{}," * 1_000_000 + b"{}]}"),
        ("/api/documents", b'{"documents":[[' + b"[]," * 1_000_000 + b"[]]]}"),
        ("/api/query", b'{"texts":[' + b"0," * 1_000_000 + b"0]}"),
        ("/api/query", b'{"texts":[' + b'"",' * 1_000_000 + b'""]}'),
        ("/api/query", b"{" + b",".join(b'"%d":0' % i for i in range(200_000)) + b"}"),
        ("/api/passages", b'{"text":"a","exclude":{"phrases":[' + b"0," * 1_000_000 + b"0]}}"),
        ("/api/passages", b'{"text":"a","exclude":{"same":[' + b"[]," * 1_000_000 + b"[]]}}"),
        ("/api/remove", b'{"ids":' + dumped([str(i) for i in range(200_000)]) + b"}"),
    ],
    ids=["documents", "lists", "numbers", "texts", "fields", "phrases", "same", "ids"],
)
def test_what_is_wrong_a_million_times_is_reported_once(api: Api, path: str, body: bytes) -> None:
    response = api("POST", path, content=body, headers=JSON)
    assert response.status_code in (413, 422)
    assert len(response.content) < 500


@pytest.mark.parametrize("values", [b"[],", b'"",', b"{},", b"0,", b'"\\"",'])
def test_json_of_too_many_values_is_refused_before_it_is_parsed(api: Api, values: bytes) -> None:
    body = b'{"texts":[' + values * json_request.MAX_VALUES + b"0]}"
    told = api.refused(413, "POST", "/api/query", content=body, headers=JSON)
    assert told == "the request has more than 200,000 JSON values"


def test_long_texts_of_any_signs_are_few_values(api: Api) -> None:
    text = '\\ " [ { , : \n é 蜂 ' * 20_000
    for body in (json.dumps({"text": text}), json.dumps({"text": text}, ensure_ascii=False)):
        answer = api("POST", "/api/query", content=body.encode(), headers=JSON)
        assert answer.status_code == 200


@pytest.mark.parametrize(("body", "reason"), [
    ('{"text": "a"}'.encode("utf-16"), "not UTF-8"), (b'{"text": "\xff"}', "not UTF-8"),
    (b"[" * 150_000, "nested too deeply"), (b"1" * 5_000, "a number has too many digits"),
    (b"", "Expecting value"), (b"{", "Expecting property name enclosed in double quotes"),
])  # fmt: skip
def test_json_that_cannot_be_parsed_says_why(api: Api, body: bytes, reason: str) -> None:
    if body:
        told = api.refused(400, "POST", "/api/query", content=body, headers=JSON)
        assert told == f"not JSON: {reason}"
    assert api("POST", "/api/query", content=body, headers=JSON).status_code in (400, 422)


@pytest.mark.parametrize("path", ["/api/query/document", "/api/uploads?name=a"])
def test_a_form_is_not_a_file(api: Api, path: str) -> None:
    """As `curl -F` sends it."""
    told = api.refused(415, "POST", path, files={"file": ("essay.txt", b"bees dance")})
    assert told == "the body is a form, not a file"


@pytest.mark.parametrize("path", ["/api/query", "/api/query/document", "/api/uploads?name=a"])
def test_a_content_type_without_end_is_refused(api: Api, path: str) -> None:
    headers = {"Content-Type": 'application/json; a="' + ";" * 1_000}
    told = api.refused(415, "POST", path, content=b'{"text": "a"}', headers=headers)
    assert told == "Content-Type has more than 500 characters"
