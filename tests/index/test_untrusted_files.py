"""An index file may come from anybody: damaged or crafted, it gives an error, and never a wrong
answer, an endless loop or more memory than the file is worth."""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from likewise.errors import LikewiseError, UsageError
from likewise.index.damage import DamageError
from likewise.index.index import Index
from likewise.index.packed_text import MAX_REPETITIVE_BYTES, pack, unpack
from likewise.index.stores.sqlite import PAGE_BYTES
from likewise.text.profile import Profile


def essay(seed: int, words: int = 60) -> str:
    return " ".join(random.Random(seed).choices([f"w{i}" for i in range(3000)], k=words))


def tamper(file: str, *statements: str) -> None:
    connection = sqlite3.connect(file)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


@pytest.fixture
def made(file: str) -> str:
    """An index of 20 documents, whose entries wait, and 1,000, which are in segments."""
    with Index.create(file) as index:
        index.add([essay(i) for i in range(1000)], range(1000))
        index.add(
            [essay(i) for i in range(1000, 1020)], range(1000, 1020), metadata=[{"n": 1}] * 20
        )
        assert index.verify() == []
    return file


USES: dict[str, Callable[[Index], object]] = {
    "info": lambda index: index.info(),
    "query": lambda index: index.query([essay(3), essay(1003)]),
    "scan": lambda index: index.query([essay(3)], scan=True),
    "passages": lambda index: list(index.passages([essay(3), essay(1003)])),
    "similar": lambda index: index.similar("3"),
    "documents": lambda index: [(d.text, d.metadata) for d in index.documents()],
    "add": lambda index: index.add([essay(5000)], ["new"]),
    "add many": lambda index: index.add([essay(6000 + i) for i in range(1000)], range(6000, 7000)),
    "remove": lambda index: index.remove(["7"]),
    "compact": lambda index: index.compact(),
    "copy": lambda index: index.copy_to(f"{index.name}.copy"),
}


def use(file: str) -> list[str]:
    """Uses an index in every way; the problems that `verify` has found at first."""
    with Index(file) as index:
        problems = index.verify()
        unnamed = []
        for method in USES.values():
            try:
                method(index)
            except LikewiseError as error:
                unnamed += [str(error)] if file not in str(error) else []
        assert unnamed == []
        return problems


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE segments SET bits = 200",
        "UPDATE segments SET bits = -1",
        "UPDATE segments SET bits = 0",
        "UPDATE segments SET filter_bits = filter_bits - 3",
        "UPDATE segments SET entries = 9223372036854775807",
        "UPDATE segments SET entries = -5",
        "UPDATE segments SET documents = 'many'",
        "UPDATE segments SET kind = 1 WHERE kind = 2",
        "UPDATE segments SET number = -number",
        "UPDATE segments SET number = 2147483647 WHERE kind = 0",
        "UPDATE segments SET filter = 'text'",
        "UPDATE documents SET signature = substr(signature, 1, 7) WHERE number = 9",
        "UPDATE documents SET signature = signature || x'00000000'",
        "UPDATE documents SET signature = 'text'",
        "UPDATE documents SET size = -3 WHERE number = 4",
        "UPDATE documents SET size = 9223372036854775807 WHERE number = 4",
        "UPDATE documents SET size = 3.5",
        "UPDATE documents SET content = 7 WHERE number = 4",
        "UPDATE documents SET id = x'ff00' WHERE number = 4",
        "UPDATE documents SET id = CAST(x'ff00' AS TEXT) WHERE number = 4",
        "UPDATE documents SET metadata = '[1, 2]' WHERE number = 1010",
        "UPDATE documents SET metadata = '{\"n\"' WHERE number = 1010",
        "UPDATE documents SET metadata = 12 WHERE number = 1010",
        "UPDATE documents SET metadata = replace(hex(zeroblob(100000)), '00', '[')",
        "UPDATE documents SET number = -number WHERE number = 5",
        "UPDATE documents SET number = 9223372036854775807 WHERE number = 5",
        "UPDATE texts SET data = 'text' WHERE number = 5",
        "UPDATE texts SET data = x'00' WHERE number = 5",
        "DELETE FROM texts WHERE number = 5",
        "UPDATE buckets SET data = 'text'",
        "UPDATE buckets SET data = x'00'",
        "UPDATE buckets SET id = id + 1 WHERE id IN (SELECT max(id) FROM buckets)",
        "DELETE FROM buckets WHERE id IN (SELECT max(id) FROM buckets)",
        "UPDATE waiting SET key = -1 - key",
        "UPDATE waiting SET key = key + 4294967296",
        "UPDATE waiting SET number = -1 WHERE number = 1010",
        "UPDATE waiting SET number = 1000000 WHERE number = 1010",
        "INSERT INTO waiting VALUES (0, 'text', 1010)",
        "UPDATE facts SET value = '-5' WHERE name = 'next'",
        "UPDATE facts SET value = '5' WHERE name = 'next'",
        "UPDATE facts SET value = '99999999999999999999999' WHERE name = 'next'",
        "UPDATE facts SET value = 'two' WHERE name = 'documents'",
        "UPDATE facts SET value = '7' WHERE name = 'documents'",
        "UPDATE facts SET value = x'00' WHERE name = 'words'",
        "UPDATE facts SET value = '1 x' WHERE name = 'waiting 0'",
        "UPDATE facts SET value = '0' WHERE name = 'version'",
        "INSERT INTO facts VALUES ('crowded', '1000000')",
        "INSERT INTO facts VALUES ('crowded', '٣')",
    ],
)
def test_verify_reports_damage_and_nothing_raises_anything_else(made: str, statement: str) -> None:
    tamper(made, statement)
    assert use(made) != []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"values": 10**9}, "impossible"),
        ({"values": 64.5}, "impossible"),
        ({"layout": {"bands": 17, "rows": 0}}, "impossible"),
        ({"layout": {"bands": 1, "rows": 17}}, "recall"),
        ({"layout": {"bands": 10**6, "rows": 1}}, "impossible"),
        ({"layout": {"bands": None, "rows": None}}, "impossible"),
        ({"layout": [17, 2]}, "not those of an index"),
        ({"threshold": 7}, "impossible"),
        ({"threshold": "high"}, "impossible"),
        ({"recall": 1.5}, "impossible"),
        ({"min_words": 10**9}, "impossible"),
        ({"min_words": "ten"}, "impossible"),
        ({"keep_text": "yes"}, "impossible"),
        ({"keep_text": False}, "impossible"),
        ({"profile": {}}, "have no"),
        ({"profile": None}, "not those of an index"),
    ],
)
def test_settings_that_no_index_has_are_refused(
    file: str, change: dict[str, object], said: str
) -> None:
    Index.create(file).close()
    connection = sqlite3.connect(file)
    ((stored,),) = connection.execute("SELECT value FROM facts WHERE name = 'settings'")
    fields = json.loads(stored) | change
    connection.execute("UPDATE facts SET value = ? WHERE name = 'settings'", (json.dumps(fields),))
    connection.commit()
    connection.close()
    with pytest.raises(DamageError, match=said):
        Index(file)


@pytest.mark.parametrize("name", ["k", "unit", "case", "seed", "stop_words", "min_word_length"])
@pytest.mark.parametrize("value", [None, -1, 10**9, "x", [1], {"a": 1}, 1e400, True])
def test_profiles_that_no_index_has_are_refused(file: str, name: str, value: object) -> None:
    Index.create(file).close()
    connection = sqlite3.connect(file)
    ((stored,),) = connection.execute("SELECT value FROM facts WHERE name = 'settings'")
    fields = json.loads(stored)
    if name == "seed" and value == 10**9:
        pytest.skip("a seed like any other")
    fields["profile"][name] = value
    connection.execute("UPDATE facts SET value = ? WHERE name = 'settings'", (json.dumps(fields),))
    connection.commit()
    connection.close()
    with pytest.raises(LikewiseError):
        Index(file)


@pytest.mark.parametrize("settings", ["", "null", "[]", "{", "[" * 100_000, "{}"])
def test_settings_that_are_no_json_object_are_refused(file: str, settings: str) -> None:
    Index.create(file).close()
    tamper(file, f"UPDATE facts SET value = '{settings}' WHERE name = 'settings'")
    with pytest.raises(LikewiseError):
        Index(file)


ENDLESS = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT"


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE texts", f"CREATE VIEW texts AS {ENDLESS} x AS number, x'00' AS data FROM t"],
        ["DROP TABLE facts", f"CREATE VIEW facts AS {ENDLESS} x AS name, 'x' AS value FROM t"],
        ["CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM texts; END"],
        ["CREATE TABLE more (a, b)"],
        ["CREATE INDEX i ON documents (size)"],
        ["CREATE INDEX i ON documents (abs(size))"],
        ["DROP TABLE buckets"],
        ["DROP TABLE texts", "CREATE TABLE texts (number INTEGER PRIMARY KEY, data)"],
        [
            "DROP TABLE texts",
            "CREATE TABLE texts (number INTEGER PRIMARY KEY, data BLOB NOT NULL, "
            "more AS (zeroblob(1000000000)))",
        ],
    ],
)
def test_tables_that_no_index_has_are_refused(made: str, statements: list[str]) -> None:
    """A trigger deleted all texts while `add` reported success; a view had no end."""
    tamper(made, *statements)
    with pytest.raises(DamageError, match="it has"):
        Index(made)


def test_pages_that_form_a_loop_end(made: str) -> None:
    """A page that is repeated, everywhere in the file."""
    sound = Path(made).read_bytes()
    pages = len(sound) // PAGE_BYTES
    for number in range(1, pages, 3):
        for other in (1, pages // 2):
            data = bytearray(sound)
            page = sound[other * PAGE_BYTES : (other + 1) * PAGE_BYTES]
            data[number * PAGE_BYTES : (number + 1) * PAGE_BYTES] = page
            Path(made).write_bytes(data)
            try:
                with Index(made) as index:
                    index.verify()
                    list(index.documents())
                    index.query([essay(3)])
                    index.remove(["3"])
            except LikewiseError:
                pass


def test_a_table_of_which_every_page_is_its_own_parent_ends(made: str) -> None:
    """A page of pointers to itself, so that there are more rows than anyone can count."""
    connection = sqlite3.connect(made)
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'documents'")
    ((number,),) = root
    connection.close()
    page = bytearray(PAGE_BYTES)
    cells = 1000
    content = PAGE_BYTES - 8 * cells
    struct.pack_into(">BHHHBI", page, 0, 5, 0, cells, content, 0, number)
    for cell in range(cells):
        struct.pack_into(">H", page, 12 + 2 * cell, content + 8 * cell)
        struct.pack_into(">IB", page, content + 8 * cell, number, min(127, cell))
    data = bytearray(Path(made).read_bytes())
    data[(number - 1) * PAGE_BYTES : number * PAGE_BYTES] = page
    Path(made).write_bytes(data)
    assert use(made) != []


def test_a_text_takes_no_more_memory_than_it_has() -> None:
    """zstd takes as much memory as a frame states, whatever its limit."""
    (packed,) = pack([b"some text"], [None], [None], ["a"], 1)
    stated = zstandard.ZstdCompressor().compress(b"a" * (1 << 28))
    crafted = [
        struct.pack("<II", 9, 0xFFFFFFFF) + stated,
        struct.pack("<II", 1 << 31, 0xFFFFFFFF) + packed[8:],
        struct.pack("<II", 9, 1 << 31) + packed[8:],
        struct.pack("<III", 9, 0xFFFFFFFE, len(stated)) + stated + packed[4:],
        struct.pack("<III", 9, 0xFFFFFFFE, 1 << 31) + packed[4:],
        struct.pack("<III", 9, 0xFFFFFFFE, 4) + packed[4:],
        # A head of zstd that states 2 GiB in a single segment of nothing.
        struct.pack("<II", 1 << 31, 0xFFFFFFFF)
        + b"\x28\xb5\x2f\xfd\xa0"
        + struct.pack("<I", 1 << 31),
    ]
    tracemalloc.start()
    try:
        for data in crafted:
            with pytest.raises(ValueError, match=r"."):
                unpack(data)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_text_that_could_not_be_read_again_is_not_stored(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likewise.index.packed_text.MAX_REPETITIVE_BYTES", 1 << 20)
    assert MAX_REPETITIVE_BYTES > 1 << 20
    with Index.create(file) as index:
        with pytest.raises(UsageError, match="'a' is too repetitive"):
            index.add(["a " * (1 << 20)], ["a"])
        index.add(["a " * (1 << 19)], ["a"])
        assert index.verify() == []


@pytest.mark.parametrize("keep_text", [True, False])
def test_lone_surrogates_are_replaced_at_the_boundary(path: str, keep_text: bool) -> None:
    text = "a lone \ud800 surrogate, and \udfff\udfff another one; \ud83d\ude00 is none?"
    plain = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    profile = Profile(unit="char", k=5, punctuation="keep")
    with Index.create(path, profile=profile, keep_text=keep_text) as index:
        index.add([text], ["a"])
        for asked in (text, text.replace("\ud800", "\ufffd").replace("\udfff", "\ufffd")):
            ((found,),) = index.query([asked])
            assert found.id == "a"
            assert found.jaccard == 1
        if keep_text:
            assert index.text("a").count("\ufffd") == plain.count("\ufffd") + 2
            assert "?" in index.text("a")
        assert index.verify() == []
        assert index.add([text], ["a"]).unchanged == 1
        index.add([text], ["b"], metadata=[{"a\udc00": ["\ud800", "😀", "\\ud83d"]}])
        assert index["b"].metadata == {"a\ufffd": ["\ufffd", "😀", "\\ud83d"]}
        assert index.verify() == []


def test_an_index_of_0_6_is_opened(file: str) -> None:
    data = Path(__file__).parent / "data" / "version-0.6.0.db.gz"
    Path(file).write_bytes(gzip.decompress(data.read_bytes()))
    with Index(file) as index:
        assert index.verify() == []
        assert index.ids() == ["a", "b", "c", "d"]
        assert index.get("c").metadata == {"author": "Zoë"}  # type: ignore[union-attr]
        for id_ in index.ids():
            (found,) = index.query([index.text(id_)])
            assert id_ in {match.id for match in found if match.jaccard == 1}
            assert id_ in {pair.b for pair in index.passages([index.text(id_)])}
        assert index.add([essay(1)], ["new"]).added == 1
        assert index.add([index.text("a")], ["a"]).replaced == 1  # without its metadata
        assert index.remove(["b"]) == ["b"]
        assert index.verify() == []
        index.compact()
        assert index.verify() == []
        assert index.ids() == ["c", "d", "new", "a"]


def test_an_empty_id_is_one(path: str) -> None:
    with Index.create(path) as index:
        index.add([essay(1)], [""])
        assert index.verify() == []
        assert index.text("") == essay(1)
        assert [match.id for match in index.query([essay(1)])[0]] == [""]
        assert index.remove([""]) == [""]
        assert len(index) == 0


def test_a_closed_index_answers_no_more(path: str) -> None:
    index = Index.create(path)
    index.add([essay(1)], ["a"])
    index.close()
    index.close()
    for method in (
        lambda: len(index),
        lambda: "a" in index,
        lambda: index.query([essay(1)]),
        lambda: index.passages([essay(1)]),
        lambda: index.get("a"),
        lambda: list(index.documents()),
        lambda: index.add([essay(2)], ["b"]),
        lambda: index.remove(["a"]),
        index.info,
        index.verify,
        index.state,
        index.compact,
    ):
        with pytest.raises(UsageError, match="the index is closed") as raised:
            method()
        assert raised.value.hint == "open it again"
    with Index(path) as again:
        assert again.ids() == ["a"]


@pytest.mark.parametrize("path", [":memory:", ""])
def test_an_index_needs_a_file(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for method in (Index, Index.create):
        with pytest.raises(LikewiseError):
            method(path)
    assert list(tmp_path.iterdir()) == []
    with Index.create("some.db") as index, pytest.raises(UsageError):
        index.copy_to(path)
