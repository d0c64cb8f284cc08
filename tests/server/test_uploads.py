"""Files and archives sent by people: each document is stored, or told with its reason."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import zipfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from likewise.index.index import Index
from likewise.server import uploads
from tests.documents.makers import make_docx, make_pdf, word_paragraph
from tests.server.conftest import STORED, Api, Live
from tests.server.test_writer import another_writing

MakeApi = Callable[..., Api]
PDF = make_pdf([["a page that is sent as a file"], ["and a second one"]])
SECRET = "a private matter"
HTML_NAME = "<img src=x onerror=alert(1)>.txt"


def zipped(members: Mapping[str, bytes | str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in members.items():
            package.writestr(name, content)
    return made.getvalue()


def lines_of(response: httpx.Response) -> list[dict[str, Any]]:
    assert response.status_code == 200, response.text
    assert response.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.text.splitlines()]


def upload(api: Api, name: str, content: bytes, **more: Any) -> list[dict[str, Any]]:
    return lines_of(api("POST", "/api/uploads", params={"name": name}, content=content, **more))


def summed(**counts: int) -> dict[str, Any]:
    return {"done": True, "added": 0, "replaced": 0, "unchanged": 0, "skipped": 0, **counts}


# --- one file


@pytest.mark.parametrize(("name", "content", "words"), [
    ("essay.txt", b"some words of an essay", 5),
    ("essay.pdf", PDF, 12),
    ("essay.docx", make_docx([word_paragraph("some words")]), 2),
    ("page.html", b"<html><body><p>some <b>words</b></p></body></html>", 2),
    ("folder/essay.md", b"# some words", 2),
    ("essay", b"some words", 2),
    (HTML_NAME, b"<script>alert(1)</script>", 4),
    ("a" * 1_000, b"some words", 2),
    ("100%?#&=+ ä.txt", b"some words", 2),
])  # fmt: skip
def test_a_file_is_stored_under_its_name(
    make_api: MakeApi, anywhere: str, name: str, content: bytes, words: int
) -> None:
    api = make_api(anywhere)
    added = {"name": name, "status": "added", "words": words}
    assert upload(api, name, content) == [added, summed(added=1)]
    assert upload(api, name, content)[-1] == summed(unchanged=1)
    other = upload(api, name, b"other words of another text")
    assert other[0]["status"] == "replaced"
    with Index(anywhere) as index:
        assert index.text(name).strip() == "other words of another text"
        assert index.verify() == []


@pytest.mark.parametrize(("name", "content", "reason"), [
    ("empty.txt", b"", "an empty file"),
    ("blank.txt", b" \n ", "it contains no words"),
    ("broken.pdf", b"%PDF-1.7 and no more", "damaged or truncated"),
    ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0", "binary file (PNG)"),
    ("rows.csv", b"id,text\n1,a", "a table; `likewise index add` reads its rows"),
    ("essay.txt.gz", b"\x1f\x8b", "compressed; decompress it first"),
    ("essays.zip", b"PK\x03\x04 and no more", "damaged or truncated"),
    ("none.zip", zipped({}), "it contains no documents"),
    ("essay.docx", zipped({"a.txt": "a"}), "not a Word document: another kind of zip archive"),
])  # fmt: skip
def test_a_file_that_gives_no_text_is_reported(
    api: Api, name: str, content: bytes, reason: str
) -> None:
    skipped = {"name": name, "status": "skipped", "reason": reason}
    assert upload(api, name, content) == [skipped, summed(skipped=1)]
    assert api.ok("GET", "/api/index")["documents"] == len(STORED)


def test_a_document_called_zip_is_read_as_what_it_is(api: Api) -> None:
    told = upload(api, "essay.zip", make_docx([word_paragraph("some words")]))
    assert (told[0]["status"], told[0]["words"]) == ("added", 2)


@pytest.mark.parametrize("name", ["", "a\0", "a\r\nX-Bad: 1", "../x.txt", "/etc/passwd",
                                  "a/../../b", "C:\\x.txt", "x" * 1_025, "\x1b[31m"])  # fmt: skip
def test_a_name_that_is_none_is_refused(api: Api, name: str) -> None:
    response = api("POST", "/api/uploads", params={"name": name}, content=b"words")
    assert response.status_code == 422
    assert response.json()["error"]["message"].startswith("name: ")
    assert "X-Bad" not in response.headers
    assert api.ok("GET", "/api/index")["documents"] == len(STORED)


def test_a_name_is_needed(api: Api) -> None:
    api.refused(422, "POST", "/api/uploads", content=b"words")


# --- archives


def test_a_bad_document_does_not_concern_the_others(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)
    long = "n" * 1_100 + ".txt"
    told = upload(api, "term.zip", zipped({
        "one.txt": "some words of one", "sub/two.pdf": PDF, "broken.pdf": b"%PDF-1.4 broken",
        "bomb.txt": b"a" * 40_000_000, "photo.jpg": b"\xff\xd8\xff",
        "inner.zip": zipped({"a": "b"}), "rows.csv": "a,b", "../out.txt": "x", "/root.txt": "x",
        "line\r\nend.txt": "x", long: "x y",
        ".hidden": "x", "__MACOSX/one.txt": "x", HTML_NAME: "more words here",
        "three.html": "<p>words of three</p>",
    }))  # fmt: skip
    by_name = {one["name"]: one for one in told[:-1]}
    stored = {name for name, one in by_name.items() if one["status"] == "added"}
    assert stored == {f"term.zip/{name}" for name in (
        "one.txt", "sub/two.pdf", HTML_NAME, "three.html")}  # fmt: skip
    reasons = {name: one["reason"] for name, one in by_name.items() if name not in stored}
    assert reasons == {
        "term.zip/broken.pdf": "damaged or truncated",
        "term.zip/bomb.txt": "a zip bomb? It becomes more than 200 times as large when unpacked",
        "term.zip/photo.jpg": "unsupported file type",
        "term.zip/inner.zip": "an archive in an archive; unpack it first",
        "term.zip/rows.csv": "a table in an archive; unpack it first",
        "term.zip/../out.txt": "its path points outside the archive",
        "term.zip//root.txt": "its path points outside the archive",
        "term.zip/line\\r\\nend.txt": "its name has control characters",
        f"term.zip/{long}": "a name must have at most 1,024 bytes in UTF-8",
    }
    assert told[-1] == summed(added=4, skipped=9)
    with Index(anywhere) as index:
        assert set(index.ids()) == {*STORED, *stored}
        assert index.get("term.zip/sub/two.pdf").page_starts == (0, 30)  # type: ignore[union-attr]
        assert index.verify() == []


def test_ids_are_those_of_the_command_line(api: Api, tmp_path: Path) -> None:
    from likewise.cli.main import run

    content = zipped({"b/two.txt": "words of two", "one.txt": "words of one"})
    (tmp_path / "term.zip").write_bytes(content)
    by_hand = str(tmp_path / "by hand.db")
    assert run(["index", "create", by_hand, str(tmp_path / "term.zip"), "--quiet"]) == 0
    upload(api, "term.zip", content)
    with Index(by_hand) as index:
        listed = api.ok("GET", "/api/documents?after=3")["documents"]
        assert sorted(index.ids()) == sorted(one["id"] for one in listed)


def test_a_path_that_is_there_twice_is_reported(api: Api) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        package.writestr("a.txt", "first words")
        with pytest.warns(UserWarning, match="Duplicate"):
            package.writestr("a.txt", "other words")
    told = upload(api, "z.zip", made.getvalue())
    assert {"name": "z.zip/a.txt", "status": "skipped",
            "reason": "duplicate path in the archive"} in told  # fmt: skip
    assert told[-1] == summed(added=1, skipped=1)


def test_an_archive_of_very_many_is_read_as_far_as_allowed(make_api: MakeApi, file: str) -> None:
    api = make_api(file, max_documents=5)
    told = upload(api, "many.zip", zipped({f"{i}.txt": f"words of {i}" for i in range(9)}))
    assert told[-1] == summed(added=5, skipped=1)
    (skipped,) = (one for one in told[:-1] if one["status"] == "skipped")
    assert skipped["name"] == "many.zip"
    assert skipped["reason"].startswith("the archive has 9 files, but only 5 are read")


def test_all_that_is_unpacked_has_a_limit(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "LIMITS", uploads.Limits(total=2_000, member=1_000))
    content = {f"{i}.txt": f"word{i} " * 100 for i in range(9)} | {"0.txt": "x " * 600}
    told = upload(api, "much.zip", zipped(content))
    assert told[-1]["added"] < 9
    reasons = [one["reason"] for one in told[:-1] if one["status"] == "skipped"]
    assert any("larger than 1,000 bytes unpacked" in reason for reason in reasons)
    assert any("members were not read" in reason for reason in reasons)


# --- limits


def test_what_is_too_large_is_refused_before_it_is_read(make_api: MakeApi, file: str) -> None:
    api = make_api(file, max_request=10_000)
    read: list[int] = []

    async def body() -> AsyncIterator[bytes]:
        for i in range(1_000):
            read.append(i)
            yield b"x" * 1_000

    path = "/api/uploads?name=large.txt"
    declared = {"Content-Length": str(2 << 30)}
    told = api.refused(413, "POST", path, content=body(), headers=declared)
    assert told == "the request has more than 10,000 bytes"
    chunked = {"Transfer-Encoding": "chunked"}
    api.refused(413, "POST", path, content=body(), headers=chunked)
    api.refused(404, "GET", "/api/documents/large.txt")


def test_two_gigabytes_are_refused_at_once(live: Callable[..., Live], file: str) -> None:
    server = live(file, "--quiet")
    host, port = server.url.removeprefix("http://").split(":")

    async def send() -> bytes:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"POST /api/uploads?name=x.zip HTTP/1.1\r\nHost: localhost\r\n"
                     b"Content-Length: 2147483648\r\n\r\n" + b"x" * 100_000)  # fmt: skip
        answer = await asyncio.wait_for(reader.read(1_000), 30)
        writer.close()
        return answer

    assert asyncio.run(send()).startswith(b"HTTP/1.1 413 ")


# --- several at once


def test_several_may_add_at_once(make_api: MakeApi, anywhere: str) -> None:
    api = make_api(anywhere)

    def members(who: int) -> dict[str, bytes | str]:
        texts: dict[str, bytes | str] = {f"{i}.txt": f"words {who} of {i}" for i in range(25)}
        return texts | {"a.pdf": PDF, "broken.pdf": b"%PDF-1.4"}

    asked = [
        api.client.post("/api/uploads", params={"name": f"{who}.zip"}, content=zipped(members(who)))
        for who in range(6)
    ]
    same = [
        api.client.post("/api/uploads?name=same.txt", content=f"version {i} of it".encode())
        for i in range(6)
    ]
    answers = list(map(lines_of, api.together(*asked, *same)))
    assert [told[-1] for told in answers[:6]] == [summed(added=26, skipped=1)] * 6
    assert sum(told[-1]["added"] + told[-1]["replaced"] for told in answers[6:]) == 6
    with Index(anywhere) as index:
        assert len(index) == len(STORED) + 6 * 26 + 1
        assert index.verify() == []


def test_documents_are_reported_as_they_are_stored(live: Callable[..., Live], file: str) -> None:
    """What was told as added is on disk, however the server ends."""
    server = live(file)
    content = zipped({f"{i:03}.txt": f"words of {i}" for i in range(200)})
    url = f"{server.url}/api/uploads?name=z.zip"
    told: list[str] = []
    with (
        suppress(httpx.TransportError),  # unless all of it had been sent
        httpx.stream("POST", url, content=content, timeout=60) as response,
    ):
        for line in response.iter_lines():
            one = json.loads(line)
            if "name" in one:
                told.append(one["name"])
            server.process.kill()
    assert told
    with Index(file) as index:
        assert set(told) <= set(index.ids())
        assert index.verify() == []


def test_an_index_that_cannot_be_written_to_is_reported_in_a_line(
    make_api: MakeApi, file: str
) -> None:
    api = make_api(file, timeout=0.5)
    with another_writing(file):
        (told,) = upload(api, "a.txt", b"some words")
    assert told["error"]["message"] == "not finished within 0.5 s"
    assert "may still be" in told["error"]["hint"]


def test_a_document_that_hangs_costs_itself_alone(
    make_api: MakeApi, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    awkward = "tests.documents.awkward:extract"
    from likewise.server.file_reader import FileReader
    from likewise.server.jobs import shared_pools

    monkeypatch.setattr(shared_pools, "FileReader", lambda *limits: FileReader(1.0, 10**6, awkward))
    api = make_api(file)
    told = upload(api, "z.zip", zipped({
        "a.html": "hang now", "b.html": "crash now", "c.html": "refuse no words",
        "d.html": "fine now",
    }))  # fmt: skip
    by_name = {one["name"]: one.get("reason", one["status"]) for one in told[:-1]}
    assert by_name == {
        "z.zip/a.html": "took longer than 1 s to read", "z.zip/b.html": "the reader crashed",
        "z.zip/c.html": "no words", "z.zip/d.html": "added",
    }  # fmt: skip


def test_a_mistake_in_the_server_is_reported_without_what_was_sent(
    api: Api, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def mistaken(*given: object) -> None:
        raise RuntimeError(SECRET)

    monkeypatch.setattr("likewise.server.uploads.words_of", mistaken)
    (told,) = upload(api, "a.txt", SECRET.encode())
    assert told == {"error": {"message": "internal server error", "hint": None}}
    said = capsys.readouterr().err
    assert "RuntimeError" in said
    assert SECRET not in said


def test_who_leaves_in_the_middle_leaves_no_trouble(live: Callable[..., Live], file: str) -> None:
    server = live(file, "--quiet")
    content = zipped({f"{i:04}.txt": f"words of {i}" for i in range(900)})
    told = 0
    with httpx.stream(
        "POST", f"{server.url}/api/uploads?name=z.zip", content=content, timeout=60
    ) as response:
        for _ in response.iter_lines():
            told += 1
            if told == 3:
                break
    assert lines_of(
        httpx.post(f"{server.url}/api/uploads?name=a.txt", content=b"some words", timeout=60)
    )[-1] == summed(added=1)
    assert server.stop().count("\n") == 1
    with Index(file) as index:
        assert {"a.txt", "z.zip/0000.txt"} <= set(index.ids())
        assert index.verify() == []


@pytest.mark.parametrize("path", ["/api/uploads?name=a.txt", "/api/documents"])
def test_a_file_that_is_broken_off_is_no_mistake_of_the_server(
    live: Callable[..., Live], file: str, path: str
) -> None:
    server = live(file)
    url = httpx.URL(server.url)
    with socket.create_connection((url.host, url.port or 80), timeout=60) as client:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        client.sendall(f"{head}Content-Length: 100000\r\n\r\nsome words".encode())
    server.wait_for(r"POST \S+ 400")
    assert httpx.get(f"{server.url}/api/index", timeout=60).json()["documents"] == len(STORED)
    assert "unexpected" not in server.stop()
