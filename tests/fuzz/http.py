"""Hostile HTTP requests: valid ones with bad contents, damaged ones, and clients that disconnect.

A request that is valid HTTP must be answered; every answer must have a known status and neither a
traceback nor a path of the server. In between, the server must be healthy.
"""

from __future__ import annotations

import json
import random
import re
import socket
import struct
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from tests.documents import makers
from tests.fuzz.http_server import TOKEN, target
from tests.fuzz.mutations import mutate, words
from tests.fuzz.outcomes import Outcome

_QUICK_SECONDS = 0.02  # for answers that need not come
_CHECK_EVERY = 20
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
_ALLOWED = {200, 206, 304, *range(400, 432), 503, 504}
_PRIVATE = re.compile(rb'Traceback|File "|/site-packages/|likewise-fuzz-')

_METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "get", "PROPFIND")
_PATHS = (
    "/health", "/", "/static/app.js", "/static/../app.js", "/static/%2e%2e/x", "/metrics",
    "/openapi.json", "/api/index", "/api/query", "/api/query/document", "/api/passages",
    "/api/passages/document", "/api/documents", "/api/documents/", "/api/documents/moon",
    "/api/remove", "/api/uploads", "/api/view/survey", "/api/view/document/moon", "/api/view/pair",
    "/api/view/check", "/api/view/check/file", "/api/collections", "/c/secret-place/api/index",
    "/c/%2e%2e/api/index", "/c/x/api/query", "//", "/api//query", "/%00", "/api/documents/%ff",
)  # fmt: skip
_JSON_PATHS = (
    ("query", "text"), ("query", "texts"), ("passages", "text"), ("passages", "texts"),
    ("documents", "documents"), ("remove", "ids"), ("view/check", "text"), ("collections", "name"),
)  # fmt: skip
_FILE_PATHS = (
    ("PUT", "documents/{}"), ("POST", "query/document"), ("POST", "passages/document"),
    ("POST", "uploads?name={}"), ("POST", "view/check/file?name={}"),
)  # fmt: skip
_FIELDS = (
    "text", "texts", "threshold", "top", "scan", "level", "min_words", "edited", "excerpts",
    "exclude", "metadata", "documents", "id", "ids", "name", "quotations", "phrases", "templates",
    "same", "max_sources", "min_share", "common_text", "min_passage", "author", "profile",
)  # fmt: skip
_QUERIES = (
    "top=0", "top=5", "top=1e9", "scan=true", "threshold=nan", "threshold=0.9", "level=2",
    "after=-1", "after=9223372036854775808", "limit=1", "limit=99999", "contains=%00",
    "contains=%ff", "a=moon", "b=", "name=x.zip", "name=../x", "name=a/b.txt",
    "phrase=" + "x" * 300, "exclude=quotations", "exclude=x", "same=author", "excerpts=1",
    "min_words=1", "x=1", "=", "&&&", "%", "name=x.doc",
)  # fmt: skip
_IDS = (
    "", "moon", "..", "../../etc/passwd", "a/b ?#%", "\0", "é", "\ud800", "x" * 1024, "x" * 1025,
    "\u202ex", "C:\\x", "a\nb", "%2f", "'; drop table documents; --", "x.pdf", "x.zip", "x.csv",
)  # fmt: skip
_CHARSETS = (
    "utf-8", "punycode", "idna", "utf-7", "unicode_escape", "rot13", "base64", "zlib", "utf-16",
    "utf-32", "cp1252", "x" * 100, "", "\\", "raw_unicode_escape", "mbcs", "hz", "iso2022_kr",
)  # fmt: skip
_TYPES = (
    "application/json", "application/json; charset={}", "text/plain; charset={}", "text/html", "",
    "application/pdf", "text/plain;" + ";" * 200, "multipart/form-data; boundary=x", "a/b/c",
    "\x01",
)  # fmt: skip
_HEADERS = (
    "Host: evil.example", "Content-Length: 5", "Transfer-Encoding: chunked", "Expect: 100-continue",
    "Connection: upgrade\r\nUpgrade: websocket", "Connection: close", "Connection: keep-alive, x",
    "X-Forwarded-For: 1.2.3.4, x", "Authorization: Bearer x", "Authorization: Basic " + "x" * 500,
    "Origin: http://evil.example", "Range: bytes=0-1,5-4,x", "If-None-Match: *",
    "X: " + "y" * 9_000,
    "If-Modified-Since: x", "Accept-Encoding: gzip", "Content-Encoding: gzip", " folded: x", ": x",
    "Cookie: " + "a=b;" * 500, "X-Null: \0", "X-é: é", "Trailer: Host", "TE: trailers", "X:",
)  # fmt: skip


def http(rng: random.Random) -> Outcome:
    """One connection with one to some requests."""
    roll = rng.random()
    if roll < 0.45:
        statuses = _ask(_valid_request(rng))
    elif roll < 0.55:
        statuses = _ask(_upload(rng))
    elif roll < 0.75:
        statuses = _send(rng, mutate(rng, _any_request(rng)))
    elif roll < 0.85:
        statuses = _send(rng, _chunked(rng))
    elif roll < 0.95:
        requests = [_any_request(rng, close=False) for _ in range(rng.randint(2, 30))]
        statuses = _send(rng, b"".join(requests))
    else:
        request = _any_request(rng)
        statuses = _send(rng, request[: rng.randint(0, len(request))])
    if rng.randrange(_CHECK_EVERY) == 0:
        target().check()
    else:
        target().check_log()
    return "ok" if 200 in statuses else "clear error"


def _ask(request: bytes) -> list[int]:
    """The status of a request that is valid HTTP, and must be answered."""
    with target().connect() as wire:
        with suppress(ConnectionError):  # it may be refused before it has been sent
            wire.sendall(request)
        answer = _receive(wire)
    statuses = _judge(answer)
    if not statuses:
        raise AssertionError(f"no answer to {request[:150]!r}")
    return statuses


def _send(rng: random.Random, data: bytes) -> list[int]:
    """The statuses of what may not be HTTP, by a client that soon disconnects."""
    with target().connect() as wire:
        wire.settimeout(_QUICK_SECONDS if rng.random() < 0.9 else 2 * _QUICK_SECONDS)
        with suppress(ConnectionError, TimeoutError):
            for part in _parts(rng, data):
                wire.sendall(part)
        answer = b"" if rng.random() < 0.1 else _receive(wire)
        if rng.random() < 0.2:  # reset
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return _judge(answer)


def _parts(rng: random.Random, data: bytes) -> list[bytes]:
    if rng.random() < 0.7:
        return [data]
    places = sorted(rng.randint(0, len(data)) for _ in range(rng.randint(1, 5)))
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


def _receive(wire: socket.socket) -> bytes:
    answer = bytearray()
    with suppress(ConnectionError, TimeoutError):
        while part := wire.recv(1 << 16):
            answer += part
    return bytes(answer)


def _judge(answer: bytes) -> list[int]:
    """The statuses of all answers; raises for one that must not be."""
    statuses = [int(status) for status in _STATUS.findall(answer)]
    if unknown := set(statuses) - _ALLOWED - {100}:
        raise AssertionError(f"status {unknown}: {answer[-200:]!r}")
    if found := _PRIVATE.search(answer):
        raise AssertionError(f"{found[0]!r} in {answer[-200:]!r}")
    return [status for status in statuses if status != 100]


def _any_request(rng: random.Random, *, close: bool = True) -> bytes:
    if rng.random() < 0.3:
        headers = rng.choices(_HEADERS, k=rng.randint(0, 4))
        path = rng.choice(_PATHS) + rng.choice(("", "?" + "&".join(rng.choices(_QUERIES, k=3))))
        return _serialize(rng, rng.choice(_METHODS), path, b"", headers, close=close)
    return _valid_request(rng, close=close)


def _valid_request(rng: random.Random, *, close: bool = True) -> bytes:
    """A request that any server must parse."""
    if rng.random() < 0.3:
        method = rng.choice(_METHODS[:4])
        path = rng.choice(_PATHS)
        if rng.random() < 0.3:
            id_ = quote(rng.choice(_IDS).encode("utf-8", "surrogatepass"))
            path = rng.choice(("/api/documents/", "/api/view/document/", "/c/")) + id_
        query = "&".join(rng.choices(_QUERIES, k=rng.randint(0, 4)))
        return _serialize(rng, method, f"{path}?{query}", b"", [], close=close)
    path, field = rng.choice(_JSON_PATHS)
    body = _json(rng, field)
    return _serialize(rng, "POST", f"/api/{path}", body, [_json_type(rng)], close=close)


def _json_type(rng: random.Random) -> str:
    if rng.random() < 0.9:
        return "Content-Type: application/json"
    return "Content-Type: " + rng.choice(_TYPES[:-1]).format(rng.choice(_CHARSETS))


def _serialize(
    rng: random.Random, method: str, path: str, body: bytes, headers: list[str], *, close: bool
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers]
    if rng.random() < 0.95:
        lines.append(f"Authorization: Bearer {TOKEN}")
    if close:
        lines.append("Connection: close")
    if body and rng.random() < 0.3:
        lines.append("Transfer-Encoding: chunked")
        step = rng.choice((1, 7, 1000)) if len(body) < 2_000 else 1_000
        pieces = (body[start : start + step] for start in range(0, len(body), step))
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    elif body or method in ("POST", "PUT"):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "replace") + body


def _json(rng: random.Random, expected: str) -> bytes:
    """Mostly what the server knows, with values of any type, and sometimes not even JSON."""
    fields = [expected] if rng.random() < 0.9 else []
    if rng.random() < 0.5:
        fields += rng.sample(_FIELDS, k=rng.randint(0, 4))
    value: Any = {name: _value(rng, name, 3) for name in fields}
    if rng.random() < 0.05:
        value = _value(rng, "", 3)
    encoded = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return mutate(rng, encoded, 3) if rng.random() < 0.2 else encoded


def _value(rng: random.Random, name: str, depth: int) -> Any:
    if rng.random() < 0.8:  # of the right type
        if name == "text":
            return words(rng, rng.choice((5, 60)))
        if name in ("texts", "phrases", "templates"):
            return [words(rng) for _ in range(rng.randint(0, 4))]
        if name in ("id", "name"):
            return rng.choice(_IDS)
        if name in ("ids", "same"):
            return rng.choices((*_IDS, "author", "group"), k=rng.randint(0, 4))
        if name == "documents" and depth:
            keys = ("id", "text", *rng.sample(("metadata", "x"), k=rng.randint(0, 1)))
            return [
                {key: _value(rng, key, depth - 1) for key in keys} for _ in range(rng.randint(0, 4))
            ]
        if name in ("exclude", "metadata") and depth:
            keys = rng.sample(_FIELDS, k=rng.randint(0, 4))
            return {key: _value(rng, key, depth - 1) for key in keys}
        return rng.choice((0, 1, 5, 0.5, 0.9, 1.0, True, False))
    others: list[Any] = [None, True, -1, 2**63, 10**400, 1e308, float("nan"), "", "\0", [], {}]
    others += ["\ud800", "x" * 5_000, [[[[]]]], {"": {}}, "﷽ﷺ", -0.0, [None] * 50]
    return rng.choice(others)


def _upload(rng: random.Random) -> bytes:
    """A file of any format, damaged, under any name and with any declared type."""
    text = words(rng).replace("\0", "")
    extension, data = rng.choice(
        (
            ("txt", text.encode(rng.choice(("utf-8", "utf-16", "cp1252", "utf-7")), "replace")),
            ("html", f"<p>{text}".encode()),
            ("pdf", makers.make_pdf([["bees dance", "and tides turn"]])),
            ("docx", makers.make_docx(makers.word_paragraph("bees dance in the dark"))),
            ("odt", makers.make_odt("<text:p>bees dance</text:p>")),
            ("zip", makers.make_zip({"a.txt": text.encode(), "../b": b"x", "c.pdf": b"%PDF-"})),
            ("rtf", rb"{\rtf1\ansi bees dance \u8364?}"),
            ("csv", b"id,text\n1,bees\n"),
        )
    )
    method, path = rng.choice(_FILE_PATHS)
    name = rng.choice((f"x.{extension}", rng.choice(_IDS), f"a/b.{extension}"))
    path = f"/api/{path.format(quote(name.encode('utf-8', 'surrogatepass'), safe=''))}"
    type_ = rng.choice(_TYPES[:-1]).format(rng.choice(_CHARSETS))
    headers = [f"Content-Type: {type_}"] if rng.random() < 0.7 else []
    damaged = mutate(rng, data) if rng.random() < 0.8 else data
    return _serialize(rng, method, path, damaged, headers, close=True)


def _chunked(rng: random.Random) -> bytes:
    """A body in chunks of which some are none."""
    known = (
        b"5\r\nabcde\r\n", b"0\r\n\r\n", b"0\r\n", b"5\r\nab", b"-1\r\n", b"x\r\n", b"\r\n",
        b"ffffffff\r\n", b"fffffffffffffffff\r\n", b"1\r\na\r\n" * 100, b"5;a=b\r\nabcde\r\n",
        b"0\r\nX: y\r\n\r\n", b"5;" + b"x" * 9_000 + b"\r\nabcde\r\n", b" 5\r\nabcde\r\n",
        b"0x5\r\nabcde\r\n", b"Host: x\r\n", b"5\nabcde\n",
    )  # fmt: skip
    head = (
        f"{rng.choice(_METHODS[:4])} {rng.choice(_PATHS)} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n"
    )
    return head.encode() + b"".join(rng.choices(known, k=rng.randint(0, 8)))
