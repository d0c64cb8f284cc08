"""Documents over HTTP: stored, fetched, listed and removed, as JSON and as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.index.index import Index
from tests.documents.makers import make_docx, make_pdf, make_zip, word_paragraph
from tests.server.conftest import STORED, Api, fill

MakeApi = Callable[..., Api]
AWKWARD = (
    "a/b", "/a", "a//b", "a/", "a?b=c#d", "100%", "%2F", "%41", "näh", "日本", "👩‍🚀", "a b",
    "a\nb", "a\r\nb\n", "\t", "'; --", "\\", "..a", "x" * 1024, "ä" * 512, "documents", "remove",
)  # fmt: skip


def address(id_: str, safe: str = "") -> str:
    return f"/api/documents/{quote(id_, safe=safe)}"


# --- as JSON


def test_documents_are_added_replaced_or_left_as_they_are(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    told = api.add({"moon": STORED["moon"], "sun": "another text about it", "new": "one more"})
    assert told == {
        "added": 1,
        "replaced": 1,
        "unchanged": 1,
        "documents": [
            {"id": "moon", "status": "unchanged"},
            {"id": "sun", "status": "replaced"},
            {"id": "new", "status": "added"},
        ],
    }
    again = api.add({"sun": "another text about it", "new": "one more"})
    assert (again["added"], again["replaced"], again["unchanged"]) == (0, 0, 2)
    with Index(anywhere) as index:  # on disk when the answer is there
        assert {d.id: d.text for d in index.documents()} == {
            **STORED, "sun": "another text about it", "new": "one more",
        }  # fmt: skip
        assert index.verify() == []


def test_metadata_comes_back_as_it_was(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    metadata = {"author": "Ünal", "year": 2018, "tags": ["a", None, {"b": 1.5}], "ok": True}
    document = {"id": "with", "text": "a text with a story", "metadata": metadata}
    api.ok("POST", "/api/documents", json={"documents": [document]})
    assert api.ok("GET", address("with"))["metadata"] == metadata
    assert api.ok("GET", "/api/documents?after=3")["documents"][0]["metadata"] == metadata
    assert api.query("a text with a story")[0]["metadata"] == metadata
    told = api.ok("POST", "/api/documents", json={"documents": [{**document, "metadata": None}]})
    assert told["replaced"] == 1


def test_all_documents_of_a_request_are_stored_or_none(api: Api) -> None:
    listed = [{"id": "good", "text": "a good one"}, {"id": "bad", "text": "a\0b"}]
    told = api.refused(422, "POST", "/api/documents", json={"documents": listed})
    assert told == "documents.1.text: has a NUL character"
    assert "good" in api.refused(404, "GET", address("good"))


def test_a_document_is_fetched_with_all_that_is_known_of_it(api: Api) -> None:
    assert api.ok("GET", address("moon")) == {
        "id": "moon", "size": 9, "metadata": None, "text": STORED["moon"], "page_starts": None,
        "references": None,
    }  # fmt: skip
    assert api.refused(404, "GET", address("none")) == "no document 'none'"


def test_without_texts_there_is_none_to_fetch(make_api: MakeApi, tmp_path: Path) -> None:
    path = str(tmp_path / "without.db")
    fill(path, keep_text=False)
    api = make_api(path)
    fetched = api.ok("GET", address("moon"))
    assert (fetched["text"], fetched["size"]) == (None, 9)


# --- removed


def test_a_removed_document_is_in_no_answer(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    assert api.ok("DELETE", address("moon")) == {"id": "moon"}
    assert api.refused(404, "DELETE", address("moon")) == "no document 'moon'"
    assert [match["id"] for match in api.query(STORED["moon"])] == ["sun"]


def test_many_are_removed_at_once(api: Api) -> None:
    told = api.ok("POST", "/api/remove", json={"ids": ["sun", "gone", "moon", "sun"]})
    assert told == {"removed": ["sun", "moon"], "missing": ["gone"]}
    assert [d["id"] for d in api.ok("GET", "/api/documents")["documents"]] == ["train"]


# --- ids


@pytest.mark.parametrize("id_", AWKWARD)
def test_any_id_can_be_sent_fetched_and_removed(shared_api: Api, id_: str) -> None:
    api = shared_api
    for safe in ("", "/"):
        told = api.ok("PUT", address(id_, safe), content=b"a text of its own")
        assert told["id"] == id_
        assert api.ok("GET", address(id_, safe))["id"] == id_
        assert api.ok("DELETE", address(id_, safe)) == {"id": id_}


def test_whatever_is_an_id_in_json_is_one_in_an_address(make_api: MakeApi, file: str) -> None:
    api = make_api(file)

    @settings(max_examples=60)
    @given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
                   max_size=40))  # fmt: skip
    def check(id_: str) -> None:
        api.add({id_: "some text for it"})
        assert api.ok("GET", address(id_))["id"] == id_
        assert api.ok("DELETE", address(id_))["id"] == id_

    check()


def test_the_empty_id_is_one(api: Api) -> None:
    """Python and the command line store it, so it can be fetched and removed."""
    with Index(api.settings.indexes[0]) as index:
        index.add(["bees dance in the dark"], [""])
    assert api.ok("GET", "/api/documents/")["text"] == "bees dance in the dark"
    assert api.ok("GET", "/api/view/document/")["document"]["id"] == ""
    assert api.ok("GET", "/api/view/pair?a=&b=sun")["a"]["id"] == ""
    assert api.ok("DELETE", "/api/documents/") == {"id": ""}
    assert api.ok("PUT", "/api/documents/", content=b"tides turn")["status"] == "added"
    assert api.ok("POST", "/api/remove", json={"ids": [""]})["removed"] == [""]
    assert api.refused(404, "GET", "/api/documents/") == "no document ''"
    assert api.refused(422, "POST", "/api/uploads?name=", content=b"x") == "name: it is empty"


def test_ids_that_are_none_are_refused(api: Api) -> None:
    assert "1,024 bytes" in api.refused(422, "PUT", address("x" * 1025), content=b"x")
    assert "1,024 bytes" in api.refused(422, "PUT", address("ä" * 513), content=b"x")
    assert "not UTF-8" in api.refused(422, "PUT", "/api/documents/%ff", content=b"x")
    assert "NUL" in api.refused(422, "PUT", "/api/documents/a%00b", content=b"x")


# --- listed


def test_pages_hold_every_document_once_in_order(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    api.add({f"more {i}": f"text number {i}" for i in range(20)})
    seen: list[str] = []
    after: int | None = 0
    while after is not None:
        page = api.ok("GET", f"/api/documents?after={after}&limit=6")
        assert len(page["documents"]) <= 6
        seen += [document["id"] for document in page["documents"]]
        after = page["next"]
    assert seen == [*STORED, *(f"more {i}" for i in range(20))]


def test_a_page_goes_on_where_the_last_one_ended_though_that_was_removed(api: Api) -> None:
    first = api.ok("GET", "/api/documents?limit=2")
    api.ok("POST", "/api/remove", json={"ids": [d["id"] for d in first["documents"]]})
    rest = api.ok("GET", f"/api/documents?after={first['next']}")
    assert ([d["id"] for d in rest["documents"]], rest["next"]) == (["sun"], None)


@pytest.mark.parametrize("asked", ["limit=0", "limit=1001", "after=-1", f"after={2**63}", "limit=x",
                                   "after=nan"])  # fmt: skip
def test_pages_that_cannot_be_are_refused(api: Api, asked: str) -> None:
    api.refused(422, "GET", f"/api/documents?{asked}")


# --- found by part of their id


@pytest.mark.parametrize(("part", "found"), [
    ("OO", ["moon"]), ("n", ["moon", "train", "sun"]), ("%", []), ("_", []), ("", list(STORED)),
    ("x", []),
])  # fmt: skip
def test_part_of_an_id_is_enough(
    make_api: MakeApi, anywhere: str, part: str, found: list[str]
) -> None:
    api = make_api(anywhere)
    told = api.ok("GET", "/api/documents", params={"contains": part})
    assert ([one["id"] for one in told["documents"]], told["next"]) == (found, None)


def test_pages_of_what_is_found_go_on(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    api.add({f"{'Essay' if i % 2 else 'note'} {i}": f"text {i}" for i in range(20)})
    found: list[str] = []
    after: int | None = 0
    while after is not None:
        asked = {"contains": "essay", "limit": 3, "after": after}
        page = api.ok("GET", "/api/documents", params=asked)
        assert len(page["documents"]) <= 3
        found += [one["id"] for one in page["documents"]]
        after = page["next"]
    assert found == [f"Essay {i}" for i in range(1, 20, 2)]


# --- as files


def test_a_pdf_is_read_with_its_pages(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    pdf = make_pdf([["the first page of it"], [], ["the third page of it"]])
    told = api.ok("PUT", address("2018/essay.pdf", "/"), content=pdf)
    assert (told["status"], told["pages"]) == ("added", 3)
    assert told["notes"] == ["1 of 3 pages has no text and may be scanned"]
    assert api.ok("PUT", address("2018/essay.pdf"), content=pdf)["status"] == "unchanged"
    fetched = api.ok("GET", address("2018/essay.pdf"))
    first = len("the first page of it\n")
    assert fetched["page_starts"] == [0, first, first]
    assert fetched["text"][first:] == "the third page of it\n"
    (match,) = api.query(fetched["text"])
    assert match["id"] == "2018/essay.pdf"


def test_what_a_file_is_decides_and_not_its_name(api: Api) -> None:
    told = api.ok("PUT", address("essay.txt"), content=make_pdf([["really a PDF file"]]))
    assert told["notes"] == ["a PDF despite its name; read as PDF"]
    docx = make_docx(word_paragraph("really a Word file"))
    assert api.ok("PUT", address("essay"), content=docx)["notes"] == []  # the name says nothing
    assert "really a Word file" in api.ok("GET", address("essay"))["text"]


def test_html_is_known_by_its_name_or_by_its_type(api: Api) -> None:
    page = b"<p>a page <b>of words</b></p>"
    api.ok("PUT", address("page.html"), content=page)
    api.ok("PUT", address("page"), content=page, headers={"Content-Type": "text/html"})
    for id_ in ("page.html", "page"):
        assert api.ok("GET", address(id_))["text"].strip() == "a page of words"


def test_text_is_read_in_the_encoding_that_is_declared(api: Api) -> None:
    as_koi = {"Content-Type": "text/plain; charset=koi8-r"}
    api.ok("PUT", address("мир"), content="война и мир".encode("koi8-r"), headers=as_koi)
    assert api.ok("GET", address("мир"))["text"] == "война и мир"
    # Some of Python's encodings are for other things than files, and take quadratic time.
    for name in ("punycode", "idna", "utf-7", "unicode_escape", "zlib", "rot13"):
        odd = {"Content-Type": f"text/plain; charset={name}"}
        told = api.refused(422, "POST", "/api/query/document", content=b"a-b", headers=odd)
        assert told == f"unknown encoding {name!r}"
    unknown = {"Content-Type": "text/plain; charset=klingon"}
    told = api.refused(422, "PUT", address("x"), content=b"x", headers=unknown)
    assert told == "unknown encoding 'klingon'"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (make_pdf([["secret"]], user="u"), "encrypted, needs a password"),
        (make_pdf([["cut short"]])[:200], "damaged or truncated"),
        (make_zip({"a.txt": "an archive"}), "another kind of zip archive"),
        (b"\x89PNG\r\n\x1a\n\0\0", "binary file (PNG)"),
        (bytes(range(256)) * 20, "binary file (it has NUL bytes)"),
    ],
)  # fmt: skip
def test_a_file_without_text_is_refused_with_the_reason(api: Api, data: bytes, reason: str) -> None:
    told = api.refused(422, "PUT", address("bad.pdf"), content=data)
    assert told.endswith(reason)
    assert told.count(": ") <= 1
    api.refused(404, "GET", address("bad.pdf"))


def test_texts_of_files_are_in_no_cache(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    api.ok("PUT", address("essay.pdf"), content=make_pdf([["not to be kept twice"]]))
    assert not (tmp_path / "cache").exists()
