"""Files on web servers: with ranges and without, signed addresses, logins, redirects."""

from __future__ import annotations

import base64
import io
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from likewise.documents import Reader
from likewise.storage import range_reader
from tests.cli.conftest import Run
from tests.storage.test_reading import lines

LOGIN = "me:very-secret"


class Site:
    """Files by path, how they are served, and what was asked for."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.ranges = True
        self.validators = True
        self.cuts = 0  # so many answers end early
        self.throttled = 0
        self.needs_login = False
        self.requests: list[tuple[str, str]] = []
        self.sent = 0
        self.address = ""

    def put(self, path: str, data: bytes) -> str:
        self.files[path] = data
        return self.address + path


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            wanted = self.headers.get("Range", "")
            site.requests.append((self.path, wanted))
            path = self.path.partition("?")[0]
            login = base64.b64encode(LOGIN.encode()).decode()
            if site.throttled:
                site.throttled -= 1
                self._send(429, b"")
            elif path.startswith("/moved"):
                self._send(302, b"", Location=path.removeprefix("/moved"))
            elif site.needs_login and self.headers.get("Authorization") != f"Basic {login}":
                self._send(401, b"")
            elif path not in site.files:
                self._send(404, b"")
            else:
                self._file(site.files[path], wanted)

        def _file(self, data: bytes, wanted: str) -> None:
            tag = {"ETag": f'"{hash(data)}"'} if site.validators else {}
            if site.validators and self.headers.get("If-Match") not in (None, tag["ETag"]):
                self._send(412, b"")
            elif wanted and site.ranges and not data:
                self._send(416, b"", **tag, **{"Content-Range": "bytes */0"})
            elif wanted and site.ranges:
                start, stop = (int(part) for part in wanted.removeprefix("bytes=").split("-"))
                where = f"bytes {start}-{min(stop, len(data) - 1)}/{len(data)}"
                self._send(206, data[start : stop + 1], **tag, **{"Content-Range": where})
            else:
                self._send(200, data, **tag)

        def _send(self, status: int, data: bytes, **headers: str) -> None:
            self.send_response_only(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            if site.cuts and len(data) > 1:
                site.cuts -= 1
                data = data[: len(data) // 2]
                self.close_connection = True
            self.wfile.write(data)
            site.sent += len(data)

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A client that has read enough."""

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    site.address = f"http://127.0.0.1:{server.server_address[1]}"
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("ranges", [True, False])
@pytest.mark.parametrize("name", ["/rows.jsonl", "/a b/Ü%23.jsonl", "/rows.jsonl?sig=very-secret"])
def test_a_file_is_read(site: Site, ranges: bool, name: str) -> None:
    site.ranges = ranges
    data = lines(30_000)
    assert len(data) > range_reader.PART
    path = name.partition("?")[0].replace(" ", "%20").replace("Ü", "%C3%9C")
    site.put(path, data)
    reader = Reader(site.address + name)
    assert sum(len(batch) for batch in reader) == 30_000
    assert reader.total_bytes() == len(data)


def test_of_parquet_only_parts_are_fetched(site: Site) -> None:
    out = io.BytesIO()
    table = pa.table({"text": ["some words"] * 100, "other": [str(n) * 500 for n in range(100)]})
    parquet.write_table(table, out, compression="none", use_dictionary=False)
    source = site.put("/pages.parquet", out.getvalue())
    assert sum(len(batch) for batch in Reader(source)) == 100
    assert site.sent < len(out.getvalue())
    site.ranges = False
    assert sum(len(batch) for batch in Reader(f"{source}?again")) == 100


@pytest.mark.parametrize("ranges", [True, False])
def test_broken_and_throttled_answers_are_repeated(site: Site, ranges: bool) -> None:
    site.ranges = ranges
    data = lines(1000)
    site.cuts, site.throttled = 2, 2
    source = site.put("/rows.jsonl", data)
    assert sum(len(batch) for batch in Reader(source)) == 1000


def test_a_file_that_is_replaced_is_an_error(site: Site, run: Run) -> None:
    for validators in (True, False):
        site.validators = validators
        source = site.put(f"/{validators}.jsonl", lines(100))
        reader = Reader(source)
        site.put(f"/{validators}.jsonl", lines(101))
        with pytest.raises(Exception, match=r"jsonl: has changed since it was listed"):
            list(reader)


def test_login_and_signature_are_never_shown(site: Site, run: Run, tmp_path: Path) -> None:
    site.needs_login = True
    address = site.put("/rows.jsonl", lines(10) * 2)
    secret = address.replace("http://", f"http://{LOGIN}@") + "?sig=very-secret"
    done = run("dedup", secret, "-o", "out.jsonl", "--report", "report.json")
    assert done.status == 0, done.err
    assert site.requests[0][0] == "/rows.jsonl?sig=very-secret"
    report = run("report", secret, "-o", "report.html")
    assert report.status == 0, report.err
    refused = run("pairs", address + "?sig=very-secret")
    assert f"{address}: the credentials are invalid" in refused.err
    for text in (done.err, report.err, refused.err, (tmp_path / "report.json").read_text(),
                 (tmp_path / "report.html").read_text()):  # fmt: skip
        assert "very-secret" not in text


def test_redirects_are_followed(site: Site) -> None:
    site.put("/rows.jsonl", lines(10))
    assert sum(len(batch) for batch in Reader(site.address + "/moved/rows.jsonl")) == 10


def test_what_is_not_there(site: Site, run: Run) -> None:
    source = f"{site.address}/nothing.jsonl"
    done = run("pairs", source)
    assert done.err.startswith(f"likewise: error: {source}: no such file or folder")
    done = run("pairs", f"{site.address}/folder/*.txt")
    assert done.status == 2
    assert "Traceback" not in done.err


def test_an_empty_file(site: Site) -> None:
    site.put("/empty.txt", b"")
    site.put("/a.txt", b"some words")
    reader = Reader([f"{site.address}/a.txt", f"{site.address}/empty.txt"])
    assert [id_ for batch in reader for id_ in batch.ids] == ["a.txt", "empty.txt"]
