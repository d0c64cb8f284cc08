"""Texts that become far longer when they are compared."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable

import pytest

from likewise.server.text_limits import GROWING, MAX_GROWTH, check_growth
from tests.documents.makers import make_docx, word_paragraph
from tests.server.conftest import Api

MakeApi = Callable[..., Api]
PHRASE = "\ufdfa"  # one character, which stands for 18


def test_all_characters_that_stand_for_many_are_known() -> None:
    known = {code for part in GROWING for code in part}
    for code in set(range(sys.maxunicode + 1)) - known:
        assert len(unicodedata.normalize("NFKC", chr(code))) <= MAX_GROWTH


@pytest.mark.parametrize("text", [
    PHRASE * 100, "bees " * 50_000 + PHRASE * 1_000, "蜂は踊る。" * 50_000, "ﬃ" * 200_000,
    "𝕓𝕖𝕖𝕤 " * 50_000, "½ " * 200_000,
])  # fmt: skip
def test_ordinary_texts_pass(text: str) -> None:
    assert check_growth(text) is text


def test_a_text_that_becomes_far_longer_is_refused_on_every_way_in(api: Api) -> None:
    text = PHRASE * 200_000
    reason = "is more than 4 times as long in Unicode's normal form NFKC"
    documents = {"documents": [{"id": "a", "text": text}]}
    assert reason in api.refused(422, "POST", "/api/documents", json=documents)
    for path in ("/api/query", "/api/passages", "/api/view/check"):
        assert f"text: {reason}" in api.refused(422, "POST", path, json={"text": text})
    for method, path in (
        ("PUT", "/api/documents/a.txt"),
        ("POST", "/api/query/document"),
        ("POST", "/api/passages/document"),
        ("POST", "/api/view/check/file?name=a.txt"),
    ):
        told = api.refused(422, method, path, content=text.encode())
        assert f"the text of the file {reason}" in told
    lines = api("POST", "/api/uploads?name=a.txt", content=text.encode()).text.splitlines()
    assert reason in lines[0]
    assert '"skipped":1' in lines[1]


def test_a_small_file_with_a_long_text_is_refused(make_api: MakeApi, file: str) -> None:
    api = make_api(file, max_request=100_000)
    data = make_docx(word_paragraph("bees dance " * 20_000))
    assert len(data) < 10_000
    told = api.refused(422, "PUT", "/api/documents/a.docx", content=data)
    assert told == "the text of the file has more than 100,000 characters"
