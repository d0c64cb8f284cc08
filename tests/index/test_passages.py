"""Passages in an index: what a search through all of its documents would find."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.errors import LikewiseError, UsageError
from likewise.index import adding, passage_candidates, passage_results
from likewise.index.adding import DocumentBatch
from likewise.index.index import Index
from likewise.index.postings import common_keys, lookup, segments, upkeep
from likewise.index.postings.passage_entries import RunSampling
from likewise.index.settings import IndexSettings
from likewise.passages.find import find_passages
from likewise.passages.settings import Exclusions
from tests.passages.test_find import ESSAYS, planted
from tests.passages.test_fingerprints import LETTERS, UNSPACED, drawn_words, joined

VOCABULARY = [f"v{i}" for i in range(5000)]


def essay(seed: int, words: int = 200) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=words)


@pytest.fixture
def many_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few documents make many segments, in slices."""
    for module in (segments, adding, upkeep):
        monkeypatch.setattr(module, "MIN_SEGMENT_DOCUMENTS", 3)
    monkeypatch.setattr(upkeep, "SLICE_ENTRIES", 500)


def test_what_is_planted_in_the_samples_is_found_and_nothing_else(path: str) -> None:
    with Index.create(path) as index:
        index.add(list(ESSAYS.values()), list(ESSAYS))
        found = index.passages(list(ESSAYS.values()), ids=list(ESSAYS))
    pairs = {frozenset((pair.a, pair.b)) for pair in found if pair.a != pair.b}
    assert pairs == set(planted())
    # Each is found from both sides, and each essay in itself.
    assert len(found) == 2 * len(pairs) + len(ESSAYS)


def test_the_promise_of_a_sample() -> None:
    for min_words in range(4, 60):
        sampling = RunSampling(min_words)
        assert sampling.profile.k + sampling.stride - 1 == min_words


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    script=st.sampled_from([*LETTERS, *UNSPACED]),
    min_words=st.integers(4, 20),
    before=st.tuples(st.integers(0, 60), st.integers(0, 60)),
    after=st.tuples(st.integers(0, 60), st.integers(0, 60)),
    seed=st.integers(0, 2**32),
)
def test_a_planted_run_is_found_wherever_it_is(
    tmp_path_factory: pytest.TempPathFactory,
    script: str,
    min_words: int,
    before: tuple[int, int],
    after: tuple[int, int],
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    # In scripts without spaces two letters count as one word.
    run = drawn_words(rng, script, 2 * min_words if script in UNSPACED else min_words)
    stored, asked = (
        joined(script, drawn_words(rng, script, b) + run + drawn_words(rng, script, a))
        for b, a in zip(before, after, strict=True)
    )
    others = [joined(script, drawn_words(rng, script, 50)) for _ in range(3)]
    file = tmp_path_factory.mktemp("runs") / "index.db"
    with Index.create(file, min_words=min_words) as index:
        index.add([*others, stored], ["x", "y", "z", "source"])
        found = index.passages([asked], edited=False)
    assert "source" in {pair.b for pair in found}
    run_text = joined(script, run)
    assert any(
        run_text in asked[p.a_start : p.a_end] and run_text in stored[p.b_start : p.b_end]
        for pair in found
        for p in pair.passages
        if pair.b == "source"
    )


def changed(words: list[str], seed: int) -> list[str]:
    """Every fifth word another one, and sentences of seven words in another order."""
    draw = random.Random(seed)
    made = [word if i % 5 else draw.choice(VOCABULARY) for i, word in enumerate(words)]
    parts = [made[i : i + 7] for i in range(0, len(made), 7)]
    draw.shuffle(parts)
    return [word for part in parts for word in part]


def test_copies_without_a_run_are_found_by_their_rare_words(path: str) -> None:
    source = essay(0)
    asked = " ".join([*essay(1001, 100), *changed(source[50:150], 7), *essay(1002, 100)])
    with Index.create(path) as index:
        index.add([" ".join(essay(i)) for i in range(300)], range(300))
        (pair,) = index.passages([asked], ids=["new"])
        assert (pair.a, pair.b) == ("new", "0")
        assert all(passage.kind in ("edited", "reordered") for passage in pair.passages)
        assert not index.passages([asked], edited=False)


@pytest.mark.usefixtures("many_segments")
def test_however_documents_came_in_the_answer_is_the_same(path: str, tmp_path: Path) -> None:
    texts = [" ".join(essay(i)) for i in range(60)]
    asked = " ".join([*essay(5)[20:40], *essay(900, 50), *changed(essay(17), 3)[:120]])

    def answers(index: Index) -> Iterator[object]:
        assert index.verify() == []
        yield from index.passages([asked])

    with Index.create(path) as index:
        for i in range(len(texts)):  # one by one: merges at all levels, some still waiting
            index.add([texts[i]], [i])
        one_by_one = list(answers(index))
        index.compact()
        compacted = list(answers(index))
    with Index.create(str(tmp_path / "other.db")) as index:
        index.add(texts, range(len(texts)))
        at_once = list(answers(index))
    assert [pair.b for pair in one_by_one] == ["17", "5"]
    assert one_by_one == compacted == at_once


@pytest.mark.usefixtures("many_segments")
def test_what_is_removed_or_replaced_is_found_no_more(path: str) -> None:
    texts = [" ".join(essay(i)) for i in range(20)]
    with Index.create(path) as index:
        index.add(texts, range(20))
        index.remove([3])
        index.add([" ".join(essay(77))], [4])
        for _ in range(2):
            found = index.passages([texts[3], texts[4], texts[5]], ids=["a", "b", "c"])
            assert [(pair.a, pair.b) for pair in found] == [("c", "5")]
            index.compact()
        assert index.verify() == []


def test_runs_that_very_many_documents_have_are_set_aside_and_reported(
    path: str, monkeypatch: pytest.MonkeyPatch, many_segments: None
) -> None:
    for module in (common_keys, upkeep, lookup, passage_results):
        monkeypatch.setattr(module, "MAX_DOCUMENTS_PER_KEY", 10)
    licence = essay(1, 40)
    with Index.create(path) as index:
        batches = [DocumentBatch([" ".join(essay(i, 50) + licence)], [i]) for i in range(100, 160)]
        for _ in index.add_batches(batches):
            pass
        index.add([" ".join(essay(2))], ["other"])
        assert index.info()["set_aside"] > 0
        asked = " ".join(essay(300, 50) + licence + essay(2)[30:50])
        found = index.passages([asked])
        assert [pair.b for pair in found] == ["other"]
        (note,) = found.notes
        assert "skipped" in note
        assert "more than 10 documents" in note
        assert index.verify() == []
        index.compact()
        assert index.verify() == []
        assert [pair.b for pair in index.passages([asked])] == ["other"]
        # What is not common in such a document still is found.
        own = " ".join(essay(130, 50))
        assert [pair.b for pair in index.passages([own])] == ["130"]


def test_an_entry_that_is_missing_is_found_by_verify(path: str) -> None:
    with Index.create(path) as index:
        index.add([" ".join(essay(i)) for i in range(5)], range(5))
        with index._store.write() as transaction:
            transaction.delete_waiting(1, [2])
        assert index.verify() == ["39 entries of runs of words are missing"]


def test_text_that_many_documents_have_is_reported_and_can_be_excluded(path: str) -> None:
    task = " ".join(essay(100)[:40])
    texts = [f"{task}\n\n{' '.join(essay(i))}" for i in range(8)]
    new = f"{task}\n\n{' '.join(essay(50))}\n\n{' '.join(essay(3)[:60])}"
    with Index.create(path) as index:
        index.add(texts, list("abcdefgh"))
        kept = index.passages([new], ids=["new"])
        assert len(kept) == 8
        (line,) = kept.common_text
        assert line.startswith(f"8 of 8 stored documents have this text in common: “{task[:40]}")
        assert line.endswith(
            "(40 words, counted as shared; `--common-text exclude` on the command line excludes it)"
        )
        found = index.passages([new], ids=["new"], exclude=Exclusions(common_text="exclude"))
        (pair,) = found
        assert (pair.b, pair.words_a, pair.words_b) == ("d", 60, 60)
        (same,) = find_passages(
            [new], ids=["new"], against=texts, against_ids=list("abcdefgh"),
            exclude=Exclusions(common_text="exclude"),
        )  # fmt: skip
        assert same == pair
        assert found.common_text == [
            line.replace(
                ", counted as shared; `--common-text exclude` on the command line excludes it",
                "; excluded",
            )
        ]
        assert index.passages([" ".join(essay(3))]).common_text == []


def test_exclusions(path: str) -> None:
    source = " ".join(essay(1))
    with Index.create(path) as index:
        index.add(
            [source, source.upper(), " ".join(essay(2))], ["a", "b", "c"],
            metadata=[{"author": "X"}, {"author": "Y"}, None],
        )  # fmt: skip
        asked = f'He wrote: "{" ".join(essay(1)[:50])} end." And no more. {" ".join(essay(2)[:30])}'

        def found(exclude: Exclusions, author: str | None = None) -> list[str]:
            passages = index.passages([asked], exclude=exclude, metadata=[{"author": author}])
            return sorted(pair.b for pair in passages)

        assert found(Exclusions()) == ["a", "b", "c"]
        assert found(Exclusions(quotations=True)) == ["c"]
        assert found(Exclusions(same=("author",)), "X") == ["b", "c"]
        assert found(Exclusions(same=("author",))) == ["a", "b", "c"]
        assert found(Exclusions(max_sources=1)) == ["c"]
        assert found(Exclusions(min_share=0.5)) == ["a", "b"]
        assert found(Exclusions(templates=(" ".join(essay(2)),))) == ["a", "b"]
        with pytest.raises(UsageError, match="metadata"):
            index.passages([asked], exclude=Exclusions(same=("author",)))


def test_look_alike_letters_are_put_right_on_both_sides(path: str) -> None:
    words = ["wonderful", "people", "around", "chapel", "every", "morning", "before", "school",
             "opened", "their", "gates", "again", "slowly", "yesterday"]  # fmt: skip
    plain = " ".join(words)
    disguised = plain.replace("o", "о").replace("e", "е")
    assert plain != disguised
    with Index.create(path) as index:
        index.add([disguised, "something else"], ["a", "b"])
        found = index.passages([f"He said {plain} and went."])
        assert [(pair.b, pair.words) for pair in found] == [("a", len(words))]
        assert "against a" in found.about


def test_what_cannot_be_asked(path: str, tmp_path: Path) -> None:
    with Index.create(path, min_words=20) as index:
        with pytest.raises(UsageError, match="runs of 20 words or more; with 12, passages"):
            index.passages(["a"], min_words=12)
        with pytest.raises(UsageError, match="2 ids for 1 texts"):
            index.passages(["a"], ids=["x", "y"])
        assert not index.passages(["", "one", "…"])
    with Index.create(tmp_path / "no-text.db", keep_text=False) as index:
        assert index.settings.min_words is None
        with pytest.raises(UsageError, match="created without passages"):
            index.passages(["a"])
    with pytest.raises(UsageError, match="passages require stored texts"):
        IndexSettings.checked(keep_text=False, min_words=12)


def test_longer_runs_than_the_index_was_made_for(path: str) -> None:
    with Index.create(path, min_words=8) as index:
        index.add([" ".join(essay(1)), " ".join(essay(2))], ["a", "b"])
        asked = " ".join([*essay(1)[10:20], *essay(5, 50), *essay(2)[10:30]])
        found = index.passages([asked], edited=False)
        assert sorted(pair.b for pair in found) == ["a", "b"]
        found = index.passages([asked], min_words=15, edited=False)
        assert [pair.b for pair in found] == ["b"]


def test_the_same_as_a_search_through_all(path: str) -> None:
    """An archive with copies of many kinds, found by the index as by `find_passages`."""
    texts = {str(i): " ".join(essay(i, 150 + 10 * (i % 7))) for i in range(80)}
    asked = {}
    for i, (a, b) in enumerate(pairwise(range(0, 40, 2))):
        piece = essay(a, 150)[30 : 60 + 3 * i]
        asked[f"q{i}"] = " ".join(
            [*essay(2000 + i, 80), *(changed(piece, i) if i % 2 else piece), *essay(b, 150)[:14]]
        )
    whole = find_passages(
        list(asked.values()), ids=list(asked), against=list(texts.values()),
        against_ids=list(texts),
    )  # fmt: skip
    with Index.create(path) as index:
        index.add(list(texts.values()), list(texts))
        found = index.passages(list(asked.values()), ids=list(asked))
    wanted = {(pair.a, pair.b) for pair in whole}
    assert len(wanted) >= 30
    assert {(pair.a, pair.b) for pair in found} >= wanted
    assert len(found) <= len(wanted) + 2


@pytest.mark.usefixtures("many_segments")
def test_what_is_gone_crowds_nobody_out(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (common_keys, upkeep, lookup, passage_results):
        monkeypatch.setattr(module, "MAX_DOCUMENTS_PER_KEY", 30)
    monkeypatch.setattr(passage_candidates, "MAX_BY_RUNS", 25)
    run = essay(1, 14)
    texts = {str(i): " ".join(run + essay(i + 10, 60)) for i in range(20)}
    asked = " ".join(essay(900, 40) + run)
    with Index.create(path) as index:
        index.add(list(texts.values()), list(texts))
        assert len(index.passages([asked], edited=False)) == 20
        index.add(list(texts.values()), list(texts), metadata=[{"title": "x"}] * 20)
        assert len(index.passages([asked], edited=False)) == 20
        index.remove(list(texts)[1:])
        found = index.passages([asked])
        assert [pair.b for pair in found] == ["0"]
        assert not found.notes


def test_a_long_text_may_share_phrases_with_many_documents(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage_candidates, "MAX_BY_RUNS", 5)
    texts = [" ".join(essay(i, 60)) for i in range(300)]
    phrases = [word for i in range(299) for word in [*essay(i, 60)[20:29], f"x{i}"]]
    asked = " ".join(phrases + essay(299, 60)[20:33])  # runs of nine words, and one of thirteen
    with Index.create(file) as index:
        index.add(texts, range(300))
        found = index.passages([asked], edited=False)
        # A thousand words may lead to five documents here; how many more there were is told.
        assert len(found.notes) == 1
        assert "not compared" in found.notes[0]
        monkeypatch.setattr(passage_candidates, "MAX_BY_RUNS", 100)
        found = index.passages([asked], edited=False)
        assert [pair.b for pair in found] == ["299"]
        assert not found.notes


def test_an_index_that_was_replaced_is_read_anew(file: str, tmp_path: Path) -> None:
    def segment(index: Index, seed: int) -> list[str]:
        texts = [" ".join(essay(seed + i, 40)) for i in range(1000)]
        index.add(texts, [f"{seed} {i}" for i in range(1000)])
        return texts

    with Index.create(file) as index:
        segment(index, 0)
        index.copy_to(tmp_path / "copy.db")
        index.passages(["anything"])
        segment(index, 5000)
        index.passages(["anything"])
        with Index(tmp_path / "copy.db") as other:
            texts = segment(other, 9000)
        for suffix in ("", "-wal", "-shm"):
            Path(file + suffix).unlink(missing_ok=True)
        (tmp_path / "copy.db").rename(file)
        found = index.passages(texts[:50])
        assert len({pair.a for pair in found}) == 50


def test_entries_of_long_documents_do_not_wait(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (segments, adding, upkeep):
        monkeypatch.setattr(module, "MAX_WAITING_ENTRIES", 500, raising=False)
    with Index.create(path) as index:
        for i in range(6):
            index.add([" ".join(essay(i, 700))], [i])
            assert index.info()["waiting"] < 3 * 500
        assert index.info()["segments"] > 0
        assert index.verify() == []
        assert [pair.b for pair in index.passages([" ".join(essay(3, 700)[40:60])])] == ["3"]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE blobs SET data = substr(data, 2) WHERE name = 'common 1'",
        "UPDATE segments SET filter = substr(filter, 2)",
        "UPDATE segments SET filter = zeroblob(length(filter))",
        "UPDATE buckets SET data = substr(data, 2)",
    ],
)
def test_damage_is_reported_and_never_a_surprise(file: str, statement: str) -> None:
    with Index.create(file) as index:
        index.add([" ".join([*essay(7, 20), *essay(i, 60)]) for i in range(1200)], range(1200))
        assert index.verify() == []
    changed = sqlite3.connect(file)
    assert changed.execute(statement).rowcount > 0
    changed.commit()
    changed.close()
    with Index(file) as index:
        assert index.verify()
        with contextlib.suppress(LikewiseError):
            index.passages([" ".join(essay(3, 60))])
