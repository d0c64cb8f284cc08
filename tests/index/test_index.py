"""The index says of a text what comparing it with every stored document would say."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.index import adding
from likewise.index.adding import Added, DocumentBatch
from likewise.index.index import Index
from likewise.index.matches import Match
from likewise.index.postings import segments, upkeep
from likewise.index.settings import IndexSettings
from tests.disguise import COPY, ORIGINAL, OTHER
from tests.index.conftest import Server

WORDS = [f"w{i}" for i in range(30)]
RUN = 4  # words in a row that make a passage
texts = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
names = st.sampled_from([f"d{i}" for i in range(12)])


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    if not words:
        return set()
    return {tuple(words[i : i + 3]) for i in range(max(1, len(words) - 2))}


def runs(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def jaccard(a: str, b: str) -> float:
    one, two = shingles(a), shingles(b)
    return len(one & two) / len(one | two) if one and two else 0.0


class Machine(RuleBasedStateMachine):
    """Adds, replaces, removes and asks, beside a dict that remembers all of it."""

    url: str | None = None  # of a server; a file, if there is none
    made = 0

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        for module in (segments, adding, upkeep):  # so that a few documents make many segments
            self.patch.setattr(module, "MIN_SEGMENT_DOCUMENTS", 2)
        self.held: dict[str, str] = {}

    @initialize()
    def create(self) -> None:
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "index.db")
        if self.url is not None:
            Machine.made += 1
            self.path = f"{self.url}#machine_{Machine.made}"
        self.index = Index.create(self.path, threshold=0.4, min_words=RUN)

    @rule(batch=st.dictionaries(names, texts, min_size=1, max_size=6))
    def add(self, batch: dict[str, str]) -> None:
        added = self.index.add(list(batch.values()), list(batch))
        same = sum(self.held.get(id_) == text for id_, text in batch.items())
        assert added.unchanged == same
        assert added.added == sum(id_ not in self.held for id_ in batch)
        assert added.replaced == len(batch) - same - added.added
        self.held |= batch

    @rule(ids=st.sets(names, max_size=4))
    def remove(self, ids: set[str]) -> None:
        assert set(self.index.remove(ids)) == ids & self.held.keys()
        for id_ in ids:
            self.held.pop(id_, None)

    @rule()
    def compact(self) -> None:
        self.index.compact()

    @rule()
    def reopen(self) -> None:
        self.index.close()
        self.index = Index(self.path)

    @rule(text=texts, threshold=st.sampled_from([0.05, 0.4, 0.8]))
    def look_at_all(self, text: str, threshold: float) -> None:
        (found,) = self.index.query([text], threshold=threshold, scan=True)
        expected = {
            id_: jaccard(text, other)
            for id_, other in self.held.items()
            if jaccard(text, other) >= threshold
        }
        assert {match.id: match.jaccard for match in found} == pytest.approx(expected)

    @rule(text=texts)
    def look_up(self, text: str) -> None:
        (found,) = self.index.query([text])
        for match in found:
            assert isinstance(match, Match)
            assert match.jaccard == pytest.approx(jaccard(text, self.held[match.id])) >= 0.4
        equal = {
            id_ for id_, other in self.held.items() if shingles(other) == shingles(text) != set()
        }
        assert equal <= {match.id for match in found}  # what is the same agrees in every band

    @rule(text=texts)
    def ask_for_passages(self, text: str) -> None:
        found = self.index.passages([text], edited=False)
        expected = {id_ for id_, other in self.held.items() if runs(text) & runs(other)}
        assert {pair.b for pair in found} == expected

    @invariant()
    def all_is_well(self) -> None:
        if hasattr(self, "index"):
            assert len(self.index) == len(self.held)
            assert self.index.verify() == []

    def teardown(self) -> None:
        self.patch.undo()
        if hasattr(self, "index"):
            self.index.close()
            self.folder.cleanup()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_index_does_what_a_dict_would(kind: str, request: pytest.FixtureRequest) -> None:
    machine = type(
        "OnStore",
        (Machine,),
        {"url": None if kind == "sqlite" else request.getfixturevalue("server").url},
    )
    examples = 20 if kind == "sqlite" else 8
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        machine, settings=settings(max_examples=examples, stateful_step_count=12, deadline=None)
    )


def essay(seed: int, words: int = 60) -> str:
    return " ".join(random.Random(seed).choices([f"v{i}" for i in range(5000)], k=words))


def test_what_is_stored_comes_back(path: str) -> None:
    with Index.create(path) as index:
        index.add(
            ["one two\nthree", "四五六", ""], ["a", "b", "c"],
            metadata=[{"title": "One"}, None, None], page_starts=[(0, 4), None, None],
        )  # fmt: skip
        assert index.text("b") == "四五六"
        first, second, third = index.documents()
        assert (first.page_starts, first.metadata) == ((0, 4), {"title": "One"})
        assert (second.size, second.page_starts, third.size) == (1, None, 0)
        assert index.ids() == ["a", "b", "c"]
        assert "a" in index
        assert "z" not in index


def test_without_texts_answers_are_estimates_with_intervals(path: str) -> None:
    base = essay(1, 300)
    near = base.rsplit(" ", 30)[0] + " " + essay(2, 30)
    with Index.create(path, keep_text=False, threshold=0.5) as index:
        index.add([near, essay(3)], ["near", "far"])
        (found,) = index.query([base])
        assert [match.id for match in found] == ["near"]
        (match,) = found
        assert match.intervals is not None
        assert match.jaccard == match.intervals.jaccard.value
        assert match.intervals.jaccard.low <= jaccard(base, near) <= match.intervals.jaccard.high
        shared = len(shingles(base) & shingles(near))
        containment = match.intervals.containment
        assert containment.low <= shared / len(shingles(base)) <= containment.high
        with pytest.raises(UsageError, match="stores no texts"):
            index.text("near")
        assert index.verify() == []
    if os.path.exists(path):
        assert base.encode()[:50] not in Path(path).read_bytes()


def test_the_promise_at_the_threshold_holds(path: str) -> None:
    words = [f"v{i}" for i in range(200_000)]
    originals, copies = [], []
    for i in range(1500):
        own = words[i * 100 : i * 100 + 60]
        # Two of three words are the same: of 58 shingles on each side enough for J just over 0.5.
        cut = 40
        originals.append(" ".join(own))
        copies.append(" ".join(own[:cut] + [f"x{i}y{j}" for j in range(20)]))
    similarity = jaccard(originals[0], copies[0])
    with Index.create(path, threshold=round(similarity - 0.001, 3), recall=0.95) as index:
        index.add(originals, range(1500))
        found = index.query(copies)
        hits = sum(any(match.id == str(i) for match in part) for i, part in enumerate(found))
    assert hits / 1500 > 0.95 - 4 * (0.95 * 0.05 / 1500) ** 0.5


def test_a_lower_threshold_is_refused_or_looks_at_all(path: str) -> None:
    with Index.create(path, threshold=0.8) as index:
        index.add(["a b c d e f g h"], ["x"])
        with pytest.raises(UsageError, match="documents would be missed"):
            index.query(["a b c d e x y z"], threshold=0.2)
        (found,) = index.query(["a b c d e x y z"], threshold=0.2, scan=True)
        assert [match.id for match in found] == ["x"]


def test_top_gives_the_most_similar(path: str) -> None:
    base = essay(1, 100).split()
    with Index.create(path, threshold=0.3) as index:
        for i in range(6):
            index.add([" ".join(base[: 100 - 8 * i])], [f"d{i}"])
        (found,) = index.query([" ".join(base)], top=3)
    assert [match.id for match in found] == ["d0", "d1", "d2"]


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"not a database at all" * 100, "not a likewise index"), (b"", "not a likewise index")],
)
def test_other_files_are_told_apart(file: str, content: bytes, said: str) -> None:
    Path(file).write_bytes(content)
    with pytest.raises(SourceError, match=said):
        Index(file)


def test_foreign_newer_missing_and_present_files(file: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such index"):
        Index(file)
    foreign = sqlite3.connect(file)
    foreign.execute("CREATE TABLE t (x)")
    foreign.commit()
    foreign.close()
    with pytest.raises(SourceError, match="not a likewise index"):
        Index(file)
    with pytest.raises(UsageError, match="already exists"):
        Index.create(file)
    newer = str(tmp_path / "newer.db")
    Index.create(newer).close()
    changed = sqlite3.connect(newer)
    changed.execute("PRAGMA user_version = 99")
    changed.commit()
    changed.close()
    with pytest.raises(SourceError, match="newer version"):
        Index(newer)


def test_an_older_file_is_brought_up_to_date(file: str) -> None:
    old = sqlite3.connect(file)
    old.executescript((Path(__file__).parent / "data" / "schema-1.sql").read_text())
    old.close()
    with Index(file) as index:
        check_what_version_1_held(index)
    with Index(file) as index:
        check_what_version_1_held(index)


def test_older_tables_are_brought_up_to_date(server: Server) -> None:
    import psycopg

    address = f"{server.url}#old"
    with Index.create(address, values=64, min_words=None) as index:
        index.add(["the cat sat on the mat"], ["a"])
    with psycopg.connect(server.url) as older:  # as version 0.3.0 made them
        older.execute("SET LOCAL search_path = old")
        older.execute("DROP TABLE blobs")
        older.execute("DELETE FROM facts WHERE name = 'documents'")
        older.execute("ALTER TABLE segments DROP COLUMN kind")
        older.execute("CREATE TABLE held AS SELECT key, number FROM waiting")
        older.execute("DROP TABLE waiting")
        older.execute("CREATE TABLE waiting (key bigint, number bigint, PRIMARY KEY (key, number))")
        older.execute("INSERT INTO waiting SELECT * FROM held")
        older.execute("DROP TABLE held")
        older.execute("UPDATE facts SET value = '1' WHERE name = 'schema'")
    with Index(address) as index:
        assert index.verify() == []
        assert [match.id for match in index.query(["the cat sat on the mat"])[0]] == ["a"]


def test_a_disguised_copy_is_found(path: str) -> None:
    with Index.create(path) as index:
        added = index.add([ORIGINAL, OTHER, COPY], ["a", "b", "c"])
        assert (added.added, added.lookalike_documents) == (3, 1)
        assert added.lookalike_words > 10
        assert [match.id for match in index.query([ORIGINAL])[0]] == ["a", "c"]
        found = index.query([COPY])[0]
        assert [(match.id, match.jaccard) for match in found] == [("a", 1.0), ("c", 1.0)]
        assert index.text("c") == COPY  # stored as it was given
        assert index.verify() == []
    with Index(path) as again:
        assert again.settings.profile.letters == "displayed"


def test_an_index_of_stored_letters_stays_so(file: str) -> None:
    old = sqlite3.connect(file)
    old.executescript((Path(__file__).parent / "data" / "schema-1.sql").read_text())
    old.close()
    with Index(file) as index:  # its profile does not say what letters it is of
        assert index.settings.profile.letters == "stored"
        assert index.add([ORIGINAL, COPY], ["original", "copy"]).lookalike_words == 0
        assert [match.id for match in index.query([COPY])[0]] == ["copy"]
        assert index.verify() == []


def check_what_version_1_held(index: Index) -> None:
    assert index.verify() == []
    assert index.ids() == ["a", "b", "c", "d"]
    asked = "the dog sat on the mat and looked at the sun for a long time"
    best = index.query([asked])[0][0]
    assert (best.id, best.jaccard) == ("b", 1.0)
    first = index.get("a")
    assert first is not None
    assert first.metadata == {"title": "A"}
    assert first.page_starts == (0, 10)
    assert index.add([asked], ["e"]).added == 1
    assert {match.id for match in index.query([asked], threshold=1)[0]} == {"b", "e"}
    assert index.remove(["e"]) == ["e"]


def test_damage_is_found(file: str) -> None:
    with Index.create(file) as index:
        index.add([essay(i) for i in range(20)], range(20))
    tampered = sqlite3.connect(file)
    tampered.execute("DELETE FROM waiting WHERE number = 3")
    tampered.execute("UPDATE texts SET data = (SELECT data FROM texts WHERE number = 5) "
                     "WHERE number = 6")  # fmt: skip
    tampered.commit()
    tampered.close()
    with Index(file) as index:
        said = " ".join(index.verify())
    assert "entries of the bands are missing" in said
    assert "5: its text does not match its hash" in said


def test_a_text_that_cannot_be_unpacked_is_found(file: str) -> None:
    with Index.create(file) as index:
        index.add([essay(i) for i in range(20)], range(20))
    tampered = sqlite3.connect(file)
    tampered.execute("UPDATE texts SET data = substr(data, 1, 20) WHERE number = 6")
    tampered.commit()
    tampered.close()
    with Index(file) as index:
        assert any("the text of '5'" in said for said in index.verify())
        with pytest.raises(LikewiseError, match="damaged"):
            index.text(5)


def test_batches_are_reported_as_they_are_stored(path: str) -> None:
    def batches() -> Iterator[DocumentBatch]:
        yield DocumentBatch([essay(0), essay(1)], ["a", "b"])
        yield DocumentBatch([essay(1), essay(2)], ["b", "c"], [None, {"title": "C"}])
        raise OSError("the source has gone")

    told: list[Added] = []
    with Index.create(path) as index:
        with pytest.raises(OSError, match="gone"):
            told.extend(index.add_batches(batches()))
        assert told == [Added(added=2), Added(added=1, unchanged=1)]
        assert index.ids() == ["a", "b", "c"]
        assert index.verify() == []


def test_bad_arguments_are_reported(path: str) -> None:
    with Index.create(path) as index:
        for texts_, ids, said in (
            (["a"], ["x", "y"], "2 ids for 1 texts"),
            (["a", "b"], ["x", "x"], "duplicate id"),
            ([1], ["x"], "not a str"),
        ):
            with pytest.raises(UsageError, match=said):
                index.add(texts_, ids)
        with pytest.raises(UsageError, match="top"):
            index.query(["a"], top=0)
        with pytest.raises(UsageError, match="level"):
            index.query([], level=7)
        assert len(index) == 0
    with pytest.raises(UsageError, match="threshold"):
        Index.create(path + "2", threshold=2)
    with pytest.raises(SourceError, match="no such index"):
        Index(path + "2")


def test_a_copy_is_an_index(file: str, tmp_path: Path) -> None:
    with Index.create(file) as index:
        index.add([essay(i) for i in range(30)], range(30))
        index.copy_to(tmp_path / "copy.db")
    with Index(tmp_path / "copy.db") as copy:
        assert len(copy) == 30
        assert copy.verify() == []


def test_readers_and_a_writer_together(path: str) -> None:
    Index.create(path, threshold=0.5).close()
    index = Index(path)
    stop = threading.Event()
    failures: list[BaseException] = []
    done = [0]

    def write() -> None:
        try:
            for start in range(0, 400, 20):
                index.add([essay(i) for i in range(start, start + 20)], range(start, start + 20))
                done[0] = start + 20
        except BaseException as error:
            failures.append(error)
        finally:
            stop.set()

    def read(seed: int) -> None:
        own = Index(path) if seed % 2 else index  # some share the object, some the file
        try:
            chosen = random.Random(seed)
            while not stop.is_set():
                known = done[0]
                if known:
                    i = chosen.randrange(known)
                    (found,) = own.query([essay(i)])
                    assert str(i) in {match.id for match in found}
        except BaseException as error:
            failures.append(error)
        finally:
            if own is not index:
                own.close()

    threads = [threading.Thread(target=write)]
    threads += [threading.Thread(target=read, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    index.close()
    assert failures == []


ADDER = """
import sys, random
from likewise.index.index import Index
index = Index(sys.argv[1])
start = len(index)
for batch in range(1000):
    base = start + batch * 50
    ids = list(range(base, base + 50))
    texts = [" ".join(random.Random(i).choices([f"v{j}" for j in range(5000)], k=60)) for i in ids]
    index.add(texts, ids)
    print(base + 50, flush=True)
"""


@pytest.mark.slow
def test_a_killed_process_loses_nothing_that_was_acknowledged(path: str, tmp_path: Path) -> None:
    Index.create(path).close()
    script = tmp_path / "adder.py"
    script.write_text(textwrap.dedent(ADDER))
    acknowledged = 0
    chosen = random.Random(7)
    for _ in range(6):
        process = subprocess.Popen(
            [sys.executable, str(script), path], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(chosen.randrange(1, 12)):
            acknowledged = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
        process.wait()
        process.stdout.close()
        acknowledged = int(rest[-1]) if rest else acknowledged
        with Index(path) as index:
            assert len(index) >= acknowledged
            assert len(index) % 50 == 0  # a batch is there as a whole or not at all
            assert index.verify() == []


def test_a_full_disk_leaves_the_index_intact(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Index.create(file) as index:
        index.add([essay(1)], ["kept"])
        with index._store._connection() as connection:  # type: ignore[attr-defined]
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(LikewiseError, match="full"):
            index.add([essay(i, 2000) for i in range(2, 500)], range(2, 500))
        with index._store._connection() as connection:  # type: ignore[attr-defined]
            connection.execute("PRAGMA max_page_count = 1000000")
        assert index.ids() == ["kept"]
        assert index.verify() == []
        index.add([essay(2)], ["later"])
        assert len(index) == 2


def test_threads_that_come_and_go_leave_no_connections(path: str) -> None:
    """A hundred and twenty, which is more than PostgreSQL takes by default."""
    with Index.create(path) as index:
        index.add([essay(1)], ["kept"])
        answers: list[int] = []
        for _ in range(120):
            asking = threading.Thread(
                target=lambda: answers.append(len(index.query([essay(1)], threads=1)[0]))
            )
            asking.start()
            asking.join()
        assert answers == [1] * 120


def test_an_index_that_was_not_made_in_full_is_not_there(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in the middle of making it: the tables and the settings come together."""
    monkeypatch.setattr(IndexSettings, "to_json", lambda self: object())  # which no store takes
    with pytest.raises(Exception, match="object"):
        Index.create(path)
    monkeypatch.undo()
    with Index.create(path) as index:
        assert index.ids() == []


def test_a_server_that_goes_away_is_reported_and_comes_back(server: Server) -> None:
    with Index.create(f"{server.url}#going") as index:
        index.add([essay(1)], ["kept"])
        server.stop()
        with pytest.raises(LikewiseError, match="cannot be reached"):
            index.query([essay(1)])
        with pytest.raises(LikewiseError, match="cannot be reached"):
            index.add([essay(2)], ["lost"])
        server.start()
        (found,) = index.query([essay(1)])
        assert [match.id for match in found] == ["kept"]
        assert index.verify() == []


def test_addresses_that_lead_nowhere_are_reported(server: Server) -> None:
    with pytest.raises(LikewiseError, match="cannot be reached") as told:
        Index("postgresql://someone:secret@127.0.0.1:1/nothing")
    assert "secret" not in str(told.value)
    with pytest.raises(UsageError, match="not a valid schema name"):
        Index(f"{server.url}#Robert'); DROP TABLE documents")
    with pytest.raises(SourceError, match="no such index"):
        Index(f"{server.url}#never_made")
    Index.create(f"{server.url}#twice").close()
    with pytest.raises(UsageError, match="an index already"):
        Index.create(f"{server.url}#twice")


def test_what_is_left_of_a_removed_index_does_not_come_back(file: str, tmp_path: Path) -> None:
    with Index.create(file) as index:
        index.add([essay(1)], ["old"])
    Path(f"{file}-wal").write_bytes(b"the log of an index that was removed")
    Path(file).unlink()
    with pytest.raises(UsageError, match="left over from"):
        Index.create(file)
    other = str(tmp_path / "other.db")
    with Index.create(other) as index, pytest.raises(UsageError, match="left over from"):
        index.copy_to(file)
    assert not Path(file).exists()


@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_written_to_a_file_that_has_gone(
    file: str, tmp_path: Path, replaced: bool
) -> None:
    with Index.create(file) as index:
        index.add([essay(1)], ["old"])
        for suffix in ("", "-wal", "-shm"):
            if Path(file + suffix).exists():
                Path(file + suffix).rename(tmp_path / f"moved.db{suffix}")
        if not replaced:
            with pytest.raises(SourceError, match="no such index"):
                index.add([essay(2)], ["lost"])
            assert not Path(file).exists()
            return
        Index.create(file).close()
        assert index.ids() == []
        index.add([essay(2)], ["new"])
    with Index(file) as index:
        assert index.ids() == ["new"]
        assert index.verify() == []


def test_an_index_with_other_settings_is_not_taken_for_the_open_one(file: str) -> None:
    """Before, documents were added with hashes that no query of the other index finds."""
    with Index.create(file) as index:
        index.add([essay(1)], ["old"])
        for suffix in ("", "-wal", "-shm"):
            Path(file + suffix).unlink(missing_ok=True)
        with Index.create(file, profile="char:5") as other:
            other.add([essay(2)], ["new"])
        for function in (
            lambda: index.query([essay(2)]),
            lambda: index.passages([essay(2)]),
            lambda: index.add([essay(3)], ["more"]),
            lambda: index.add_new([essay(3)], ["more"]),
            lambda: index.remove("new"),
        ):
            with pytest.raises(SourceError, match="replaced by an index with other settings"):
                function()
    with Index(file) as index:
        assert index.ids() == ["new"]
        assert index.verify() == []


def test_the_log_of_a_replaced_index_is_not_read_as_that_of_the_new_one(
    file: str, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    with Index.create(other) as index:
        index.add([essay(2)], ["new"])
    with Index.create(file) as index:
        index.add([essay(1)], ["old"])
        other.replace(file)
        assert Path(f"{file}-wal").stat().st_size
        for function in (index.ids, lambda: index.add([essay(3)], ["more"])):
            with pytest.raises(SourceError, match="is still the log of the former file"):
                function()
        Path(f"{file}-wal").unlink()
        Path(f"{file}-shm").unlink()
        assert index.ids() == ["new"]
    with Index(file) as index:
        assert index.verify() == []


def test_any_file_name_is_a_file_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite takes some names for addresses, and left a file of another name behind."""
    monkeypatch.chdir(tmp_path)
    for name in ("file:a.db", "file::memory:", "b?mode=memory", "c#d", "e%20f"):
        with Index.create(name) as index:
            index.add([essay(1)], ["a"])
        with Index(name) as index:
            assert index.ids() == ["a"]
        assert [path.name for path in tmp_path.iterdir()] == [name]
        Path(name).unlink()


def test_odd_ids_metadata_and_pages_are_reported(path: str) -> None:
    with Index.create(path) as index:
        for arguments, said in (
            ({"ids": ["a\ud800"]}, "lone surrogate"),
            ({"ids": ["a\0b"]}, "NUL"),
            ({"ids": ["x" * 5000]}, "more than 2,000 bytes"),
            ({"ids": ["a"], "metadata": [{"when": {1}}]}, "JSON"),
            ({"ids": ["a"], "metadata": [["title"]]}, "must be a mapping"),
            ({"ids": ["a"], "page_starts": [(-1,)]}, "offsets"),
            ({"ids": ["a"], "page_starts": [("x",)]}, "offsets"),
            ({"ids": ["a"], "page_starts": [7]}, "offsets"),
            ({"ids": ["a"], "page_starts": [(5, 0)]}, "ascending"),
            ({"ids": ["a"], "metadata": (row for row in [])}, "0 metadata for 1 texts"),
        ):
            with pytest.raises(UsageError, match=said):
                index.add(["some text of it"], **arguments)  # type: ignore[arg-type]
        assert "a\ud800" not in index
        assert index.get("a\0b") is None
        assert index.remove(["a\ud800"]) == []
        # Lists and tuples of pages are the same pages.
        pages: list[Any] = [[0, 5]]
        assert index.add((text for text in ["some text of it"]), ["a"], page_starts=pages).added
        assert index.add(["some text of it"], ["a"], page_starts=[(0, 5)]).unchanged == 1
        assert index.verify() == []


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://tester:hunter2@127.0.0.1:1/db#pw",
        "postgresql://tester:p@ss@hunter2@127.0.0.1:1/db",
        "postgresql://tester@127.0.0.1:1/db?password=hunter2#pw",
        "postgresql://127.0.0.1:1/db?sslmode=prefer&sslpassword=hunter2",
        "postgresql://tester:x#hunter2@127.0.0.1:1/db",
    ],
)
def test_a_password_is_never_reported(address: str) -> None:
    with pytest.raises(LikewiseError) as told:
        Index(address)
    assert "hunter2" not in f"{told.value} {told.value.hint}"


def test_a_size_that_is_wrong_is_found(file: str) -> None:
    with Index.create(file) as index:
        index.add([essay(1)], ["a"])
    with sqlite3.connect(file) as tampered:
        tampered.execute("UPDATE documents SET size = 9999")
    with Index(file) as index:
        assert any("shingles" in problem for problem in index.verify())


def test_documents_are_described_where_they_are(path: str) -> None:
    with Index.create(path) as index:
        index.add(
            ["one two three four", "five six seven eight"], ["a", "b"], metadata=[None, {"x": 1}]
        )
        before, numbers = index.state(), index.numbers(["a", "b"])
        known = {"a": {"author": "Ann"}, "b": {"x": 1}, "none": {"author": "Bea"}}
        assert index.describe(known) == 1
        assert index.metadata(["a", "b", "none"]) == {"a": {"author": "Ann"}, "b": {"x": 1}}
        assert index.numbers(["a", "b"]) == numbers
        assert index.state() != before
        assert index.verify() == []
        # The same content is the same document, whichever way it came to be described.
        added = index.add(["one two three four"], ["a"], metadata=[{"author": "Ann"}])
        assert (added.replaced, added.unchanged) == (0, 1)
        assert index.describe({"a": None}) == 1
        assert index["a"].metadata is None


def test_documents_without_texts_cannot_be_described_later(path: str) -> None:
    with Index.create(path, keep_text=False) as index:
        index.add(["one two three four"], ["a"])
        with pytest.raises(UsageError, match="stores no texts"):
            index.describe({"a": {"author": "Ann"}})
