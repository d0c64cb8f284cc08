"""Index files: sound ones made here, damaged in their bytes, pages, rows or schema, and used.

Whatever a file is, every method ends in an answer or a clear error. A document of an index that
`verify` calls sound is found by a query for its own text, and one that was added is there.
"""

from __future__ import annotations

import atexit
import contextlib
import gzip
import json
import random
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import zstandard

from likewise.errors import LikewiseError
from likewise.index.index import Index
from tests.fuzz.mutations import mutate
from tests.fuzz.outcomes import LostError, Outcome

_DATA = Path(__file__).parents[1] / "index" / "data"
_NUMBERS = (0, 1, -1, 2, 5, 17, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, -(2**63))
_TEXTS = ("", "0", "-1", "1e999", "9" * 30, "x", "\0", "é" * 3000, "null", "[]", "{}", "[" * 5000)
_JSON = (None, True, -1, 0, 1, 0.5, 10**9, 10**400, 1e308, "", "x", [], {}, [1], {"a": 1}, "word")
_ENDLESS = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT"


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="likewise-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _essay(seed: int, words: int = 50) -> str:
    chosen = random.Random(seed).choices([f"w{i}" for i in range(400)], k=words)
    return " ".join(chosen) + ("" if seed % 3 else " é 世界")


@cache
def _sound() -> list[bytes]:
    """Files of every kind: with and without texts and passages, old, with small pages."""
    files = [gzip.decompress((_DATA / "version-0.6.0.db.gz").read_bytes())]
    settings: list[dict[str, Any]] = [{}, {"keep_text": False}, {"min_words": None}, {"values": 64}]
    for options in settings:
        path = _folder() / "sound.db"
        with Index.create(path, **options) as index:
            metadata = [{"title": f"T{i}", "n": i} if i % 2 else None for i in range(30)]
            pages = [(0, 20) if i % 3 == 0 else None for i in range(30)]
            index.add([_essay(i) for i in range(30)], range(30), metadata=metadata,
                      page_starts=pages, threads=1)  # fmt: skip
            index.remove([3, 7])
            index.compact()
            index.add([_essay(i) for i in range(30, 45)], range(30, 45), threads=1)
            index.add([_essay(99), "", "one"], [9, "empty", "short"], threads=1)
        files.append(path.read_bytes())
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA page_size = 1024")
            connection.execute("VACUUM")
            connection.execute("PRAGMA journal_mode = WAL")
        files.append(path.read_bytes())
        path.unlink()
    path = _folder() / "old.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript((_DATA / "schema-1.sql").read_text())
    files.append(path.read_bytes())
    return files


def _flip(rng: random.Random, file: Path) -> None:
    """Bytes here and there, and often in the head or in one page."""
    data = bytearray(file.read_bytes())
    begin, end = rng.choice(((0, len(data)), (0, 100), (0, 4096), _page(rng, data)))
    for _ in range(rng.choice((1, 2, 5, 30))):
        at = rng.randrange(begin, min(end, len(data)))
        data[at] = rng.choice((data[at] ^ 1 << rng.randrange(8), rng.randrange(256), 0, 255))
    file.write_bytes(data)


def _page_bytes(data: bytes | bytearray) -> int:
    return struct.unpack_from(">H", data, 16)[0] or 1024


def _page(rng: random.Random, data: bytes | bytearray) -> tuple[int, int]:
    size = _page_bytes(data)
    begin = size * rng.randrange(max(1, len(data) // size))
    return begin, begin + size


def _pages(rng: random.Random, file: Path) -> None:
    """Pages repeated, exchanged, emptied, or cut off."""
    data = bytearray(file.read_bytes())
    for _ in range(rng.choice((1, 1, 3))):
        one, other = slice(*_page(rng, data)), slice(*_page(rng, data))
        match rng.randrange(6):
            case 0 | 1:
                data[one] = data[other]
            case 2:
                data[one], data[other] = data[other], data[one]
            case 3:
                data[one] = bytes(len(data[one]))
            case 4:
                del data[rng.choice((one.start, rng.randrange(len(data)))) or 1 :]
            case 5:  # a pointer to another page, at the end of the head of an inner page
                struct.pack_into(">I", data, one.start + 8, rng.randrange(40))
        if len(data) < 100:
            break
    file.write_bytes(data)


def _bytes(rng: random.Random, file: Path) -> None:
    file.write_bytes(mutate(rng, file.read_bytes()))


def _rows(rng: random.Random, file: Path) -> None:
    """Values of any table and column, changed by statements."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        for _ in range(rng.choice((1, 1, 2, 4))):
            with contextlib.suppress(sqlite3.Error, OverflowError):
                _change_rows(rng, connection)


def _change_rows(rng: random.Random, connection: sqlite3.Connection) -> None:
    tables = [n for (n,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    table = rng.choice(tables)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    column = rng.choice(columns)
    rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    if not rows:
        connection.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(columns))})",
                           [_value(rng, 0) for _ in columns])  # fmt: skip
        return
    row = rng.choice(rows)
    # All columns may be a key, and comparing them names the row.
    where = " AND ".join(f"{name} IS ?" for name in columns)
    match rng.randrange(8):
        case 0:
            connection.execute(f"DELETE FROM {table} WHERE {where}", row)
        case 1:
            connection.execute(f"UPDATE {table} SET {column} = ?", (_value(rng, row[0]),))
        case 2:
            other = rng.choice(rows)[columns.index(column)]
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (other, *row))
        case 3:
            new = [_value(rng, v) if rng.random() < 0.3 else v for v in row]
            connection.execute(
                f"INSERT OR REPLACE INTO {table} VALUES ({','.join('?' * len(columns))})", new
            )
        case _:
            value = _value(rng, row[columns.index(column)])
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *row))


def _value(rng: random.Random, value: Any) -> Any:
    """A value in the place of another: like it, or of any type."""
    if isinstance(value, int) and rng.random() < 0.6:
        return rng.choice((value + 1, value - 1, -value, value * 2, rng.choice(_NUMBERS)))
    if isinstance(value, bytes) and rng.random() < 0.8:
        stated = zstandard.ZstdCompressor().compress(b"a" * rng.choice((10, 1 << 20, 1 << 26)))
        bomb = struct.pack("<II", rng.choice((9, 1 << 20, 1 << 26, 1 << 31)), 2**32 - 1) + stated
        return rng.choice((mutate(rng, value), value[: len(value) // 2], value + value, bomb, b""))
    if isinstance(value, str) and rng.random() < 0.6:
        return mutate(rng, value.encode()).decode("utf-8", "replace")
    return rng.choice((*_NUMBERS, *_TEXTS, None, 0.5, float("inf"), b"", b"\xff" * 8, b"\0" * 64))


def _settings(rng: random.Random, file: Path) -> None:
    """Settings that are JSON still."""
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        ((stored,),) = connection.execute("SELECT value FROM facts WHERE name = 'settings'")
        fields = json.loads(stored)
        inside = rng.choice((fields, fields, fields["profile"], fields["layout"]))
        name = rng.choice(list(inside))
        value = inside[name]
        near = (value + 1, value - 1, value * 2) if isinstance(value, (int, float)) else ()
        inside[name] = rng.choice((*_JSON, *near, *near, *near))
        if rng.random() < 0.1:
            del inside[name]
        made = json.dumps(fields)
        connection.execute("UPDATE facts SET value = ? WHERE name = 'settings'", (made,))


def _schema(rng: random.Random, file: Path) -> None:
    """Views, triggers, other tables, and tables in the place of others."""
    tables = ("facts", "documents", "texts", "segments", "buckets", "waiting", "blobs")
    table, other = rng.choice(tables), rng.choice(tables)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
        run = connection.execute
        columns = ", ".join(
            f"x AS {row[1]}" for row in connection.execute(f"PRAGMA table_info({table})")
        )
        changes: tuple[tuple[str, ...], ...] = (
            (f"DROP TABLE {table}", f"CREATE VIEW {table} AS {_ENDLESS} {columns or 'x'} FROM t"),
            (f"DROP TABLE {table}",),
            (f"ALTER TABLE {table} RENAME TO {table}_x",),
            (f"CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {other}; END",),
            (f"CREATE TRIGGER t BEFORE DELETE ON {table} BEGIN SELECT raise(IGNORE); END",),
            (f"CREATE INDEX i ON {table} (1)",),
            ("CREATE TABLE more (a)",),
            ("CREATE VIRTUAL TABLE more USING fts5(a)",),
            (f"PRAGMA user_version = {rng.choice((0, 1, 2, 3, 4, -1, 2**31 - 1))}",),
            (f"PRAGMA application_id = {rng.choice((0, 1, 0x6C696B65))}",),
            ("PRAGMA writable_schema = ON",
             "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master "
             f"WHERE name = '{other}') WHERE name = '{table}'"),
            ("PRAGMA writable_schema = ON",
             f"UPDATE sqlite_master SET rootpage = {rng.randrange(60)} WHERE name = '{table}'"),
            ("PRAGMA writable_schema = ON",
             "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', 'DEFAULT 7') "
             f"WHERE name = '{table}'"),
            ("PRAGMA writable_schema = ON",
             f"UPDATE sqlite_master SET type = 'view' WHERE name = '{table}'"),
            ("PRAGMA writable_schema = ON",
             f"DELETE FROM sqlite_master WHERE tbl_name = '{table}' AND type = 'index'"),
            ("PRAGMA journal_mode = DELETE",),
            ("PRAGMA journal_mode = DELETE", "PRAGMA encoding = 'UTF-16'", "VACUUM"),
        )  # fmt: skip
        with contextlib.suppress(sqlite3.Error):
            for statement in rng.choice(changes):
                run(statement)


def _log(rng: random.Random, file: Path) -> None:
    """A write-ahead log that was not written to the end, or of another file."""
    shutil.copy(file, other := file.with_suffix(".other"))
    with contextlib.closing(sqlite3.connect(other, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA journal_mode = WAL")
        with contextlib.suppress(sqlite3.Error):
            connection.execute("UPDATE documents SET size = size + ?", (rng.choice((0, 1)),))
            connection.execute("DELETE FROM waiting WHERE number % 2")
        log = Path(f"{other}-wal").read_bytes()
    Path(f"{file}-wal").write_bytes(mutate(rng, log))


_CHANGES: tuple[Callable[[random.Random, Path], None], ...] = (
    *(_flip, _flip, _pages, _pages, _bytes, _rows, _rows, _rows, _rows),
    *(_settings, _schema, _log),
)


def index(rng: random.Random) -> Outcome:
    """An index file with one kind of damage, used in every way."""
    file = _folder() / "index.db"
    file.write_bytes(rng.choice(_sound()))
    try:
        rng.choice(_CHANGES)(rng, file)
        return _use(file)
    finally:
        for path in _folder().glob("index.*"):
            path.unlink()


def _use(file: Path) -> Outcome:
    refused = False

    def attempt(method: Callable[[], object]) -> Any:
        nonlocal refused
        try:
            return method()
        except LikewiseError:
            refused = True
            return None

    with Index(file) as index:
        problems = index.verify(threads=1)
        attempt(index.info)
        attempt(lambda: index.query([_essay(2), _essay(40)], threads=1))
        attempt(lambda: index.query([_essay(2)], scan=True, threshold=0.1, threads=1))
        if index.settings.min_words is not None:
            attempt(lambda: [pair.passages for pair in index.passages([_essay(40)], threads=1)])
        attempt(lambda: index.similar("40"))
        attempt(lambda: _export(index))
        if not problems:
            _check_documents(index)
        added = attempt(lambda: index.add([_essay(777)], ["new"], threads=1))
        attempt(lambda: index.remove(["2", "41"]))
        attempt(lambda: index.add_new([_essay(778), _essay(40)], ["newer", "copy"], threads=1))
        if added is not None:
            _check_added(index, sound=not problems)
        attempt(index.compact)
        if not problems and index.verify(threads=1):
            raise LostError(f"not sound after it was used: {index.verify(threads=1)[0]}")
    return "clear error" if refused or problems else "ok"


def _export(index: Index) -> list[bytes]:
    return [
        json.dumps((d.id, d.text, d.page_starts, d.metadata), ensure_ascii=False).encode()
        for d in index.documents(text=True)
    ]


def _check_documents(index: Index) -> None:
    """Every document of a sound index is found by its own text."""
    if len(index.ids()) != len(index):
        raise LostError(f"{len(index)} documents, but {len(index.ids())} ids")
    if not index.settings.keep_text:
        return
    for document in index.documents():
        if index.get(document.id) != document:
            raise LostError(f"{document.id!r} cannot be got")
        (found,) = index.query([document.text or ""], threads=1)
        if document.size and document.id not in {match.id for match in found}:
            raise LostError(f"{document.id!r} is not found")


def _check_added(index: Index, *, sound: bool) -> None:
    """A document whose addition was reported is there; in a sound index, it is found as well."""
    try:
        document = index.get("new")
        if document is None or (index.settings.keep_text and document.text != _essay(777)):
            raise LostError("a document was added, and is not there")
        (found,) = index.query([_essay(777)], threads=1)
        if sound and "new" not in {match.id for match in found}:
            raise LostError("a document was added, and is not found")
    except LikewiseError:
        if sound:
            raise LostError("a document was added to a sound index that is not sound now") from None
