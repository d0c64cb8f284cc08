"""Stored documents that contain a text, or are contained in it."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import Index, UsageError
from likewise.index.containment_query import ContainmentQuery
from likewise.index.postings.passage_entries import RunSampling
from likewise.statistics.sampled_runs import sampled_run_recalls
from tests.cli.conftest import Run, run  # noqa: F401 - a fixture
from tests.strategies import collections

VOCABULARY = [f"w{i}" for i in range(4000)]


def words(count: int, rng: random.Random) -> list[str]:
    return rng.choices(VOCABULARY, k=count)


def planted(rng: random.Random, text: list[str], length: int) -> str:
    """A long document with a text in it."""
    own = words(length, rng)
    place = rng.randrange(length)
    return " ".join([*own[:place], *text, *own[place:]])


@given(collections, collections, st.sampled_from([0.2, 0.5, 0.8, 1.0]))
def test_all_documents_are_those_of_a_search_for_pairs(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], stored: list[str], threshold: float
) -> None:
    """The same two texts have the same containment in `find_pairs` and in an index."""
    path = tmp_path_factory.mktemp("index") / "index.db"
    with Index.create(path, profile="word:1") as index:
        index.add(stored, range(len(stored)))
        found = index.query(texts, measure="containment", threshold=threshold, scan=True)
    pairs = likewise.find_pairs(
        texts, against=stored, profile="word:1", measure="containment", threshold=threshold
    )
    expected = {(p.a, str(p.b)): (p.jaccard, p.containment_a, p.containment_b) for p in pairs}
    assert {
        (row, match.id): (match.jaccard, match.containment, match.containment_of_document)
        for row, matches in enumerate(found)
        for match in matches
    } == expected
    for matches in found:
        shares = [match.containment_of_shorter for match in matches]
        assert shares == sorted(shares, reverse=True)


def test_a_short_text_in_long_documents(path: str) -> None:
    rng = random.Random(1)
    quotation = words(50, rng)
    edited = ["edited" if i in (20, 45) else word for i, word in enumerate(quotation)]
    others = {f"other {i}": " ".join(words(200, rng)) for i in range(40)}
    stored = {
        "book": planted(rng, quotation, 20_000),
        "edition": planted(rng, edited, 20_000),
        "part": " ".join(quotation[10:40]),
        **others,
    }
    text = " ".join(quotation)
    with Index.create(path, min_words=12) as index:
        index.add(stored.values(), stored.keys(), metadata=[{"group": "x"}] + [None] * 42)
        (found,) = index.query([text], measure="containment")
        assert [match.id for match in found] == ["part", "book", "edition"]
        part, book, edition = found
        assert (part.containment, part.containment_of_document) == (28 / 48, 1)
        assert (book.containment, book.shared) == (1, 48)
        assert edition.containment == 42 / 48
        assert book.jaccard < 0.01
        assert [found] == index.query([text], measure="containment", scan=True)
        options: dict[str, Any] = {"measure": "containment", "threshold": 0.8}
        assert index.query([text], top=1, **options) == [[part]]
        assert index.query([text], where={"group": "x"}, **options) == [[book]]
        assert index.query(["", "unrelated words that nobody has written"], **options) == [[], []]
        # What contains the text is found by it, and the other way round.
        (back,) = index.query([stored["book"]], **options)
        assert {match.id for match in back} == {"book", "part"}


@given(st.integers(0, 2**32), st.integers(0, 60), st.sampled_from([0.3, 0.8]))
def test_every_run_of_words_is_found(
    tmp_path_factory: pytest.TempPathFactory, seed: int, place: int, threshold: float
) -> None:
    rng = random.Random(seed)
    text = words(80, rng)
    own = words(80, rng)
    run_ = text[place : place + 12]
    stored = [" ".join([*own, *run_]), " ".join(run_), " ".join(own), " ".join(words(40, rng))]
    path = tmp_path_factory.mktemp("index") / "index.db"
    with Index.create(path, min_words=12) as index:
        index.add(stored, list("abcd"))
        options: dict[str, Any] = {"measure": "containment", "threshold": threshold}
        found = index.query([" ".join(text)], **options)
        assert found == index.query([" ".join(text)], scan=True, **options)
        assert found[0][0].id == "b"


@pytest.mark.parametrize(("run_words", "stride"), [(4, 3), (2, 1), (3, 5)])
def test_the_law_is_a_sum_over_all_replacements(run_words: int, stride: int) -> None:
    replaced = 0.3
    law = sampled_run_recalls(11, replaced, run_words, stride)
    for count in range(12):
        found = 0.0
        for first in range(stride):
            starts = range(first, count - run_words + 1, stride)
            for size in range(count + 1):
                for places in combinations(range(count), size):
                    if any(not set(range(s, s + run_words)) & set(places) for s in starts):
                        found += replaced**size * (1 - replaced) ** (count - size)
        assert law[count] == pytest.approx(found / stride)


def test_the_law_at_its_ends() -> None:
    runs = RunSampling(12)
    equal = sampled_run_recalls(20, 0.0, runs.profile.k, runs.stride)
    assert equal[11] < 1
    assert (equal[12:] == 1).all()
    some = sampled_run_recalls(2000, 0.2, runs.profile.k, runs.stride)
    assert (some[1:] >= some[:-1] - 1e-12).all()
    assert some[-1] == pytest.approx(1)
    assert (sampled_run_recalls(50, 1.0, runs.profile.k, runs.stride) == 0).all()


def test_no_fewer_are_found_than_stated(tmp_path: Path) -> None:
    """Words are replaced at random until the expected containment is the threshold."""
    rng = random.Random(4)
    threshold, count = 0.6, 400
    text = words(60, rng)
    replaced = 1 - threshold ** (1 / 3)
    copies = [[w if rng.random() >= replaced else "new" for w in text] for _ in range(count)]
    with Index.create(tmp_path / "index.db", min_words=12) as index:
        index.add([planted(rng, copy, 300) for copy in copies], range(count))
        options: dict[str, Any] = {"measure": "containment", "threshold": 0.01}
        (found,) = index.query([" ".join(text)], **options)
        (every,) = index.query([" ".join(text)], scan=True, **options)
        recalls = ContainmentQuery(index.settings, threshold).recalls()
    assert len(every) == count
    assert recalls is not None
    stated = float(recalls[len(text)])
    assert 0.5 < stated < 0.95
    assert len(found) / count > stated - 4 * (stated * (1 - stated) / count) ** 0.5


@pytest.mark.parametrize("profile", ["char:5", "word:3,stop_words=english"])
def test_nothing_is_stated_where_shingles_are_not_of_all_words(
    tmp_path: Path, profile: str
) -> None:
    with Index.create(tmp_path / "index.db", profile=profile, min_words=12) as index:
        assert ContainmentQuery(index.settings, 0.8).recalls() is None


def test_signatures_find_what_they_can_judge(tmp_path: Path) -> None:
    """With the recall of the index up to a ratio of the lengths; others are not listed."""
    rng = random.Random(6)
    with Index.create(tmp_path / "index.db", keep_text=False, recall=0.95) as index:
        ratio = ContainmentQuery(index.settings, 0.8).longest_judged()
        text = words(202, rng)
        shingles = 200
        copies = [[w if rng.random() > 0.06 else "new" for w in text] for _ in range(300)]
        near = [planted(rng, copy, int(shingles * (ratio - 2))) for copy in copies]
        far = [planted(rng, text, int(shingles * (ratio + 2))) for _ in range(5)]
        index.add(near, [f"near {i}" for i in range(300)])
        index.add(far, [f"far {i}" for i in range(5)])
        (found,) = index.query([" ".join(text)], measure="containment", threshold=0.8, scan=True)
        assert all(match.id.startswith("near") for match in found)
        contained = 0
        for copy in copies:
            own = {tuple(copy[i : i + 3]) for i in range(200)}
            contained += len(own & {tuple(text[i : i + 3]) for i in range(200)}) >= 0.8 * shingles
        assert contained > 100
        assert len(found) > 0.9 * contained
        assert found[0].intervals is not None
        assert found[0].intervals.containment.low <= found[0].containment


def test_what_is_refused(tmp_path: Path) -> None:
    with Index.create(tmp_path / "index.db", min_words=None) as index:
        with pytest.raises(UsageError, match="created without passages") as raised:
            index.query(["a b c"], measure="containment")
        assert "scan=True" in str(raised.value.hint)
        with pytest.raises(UsageError, match="measure is 'dice'; it must be one of jaccard, cont"):
            index.query(["a b c"], measure="dice")  # type: ignore[arg-type]
        for wrong in ({"threshold": 0.0}, {"top": 0}, {"level": 1.0}):
            with pytest.raises(UsageError):
                index.query(["a b c"], measure="containment", scan=True, **wrong)  # type: ignore[arg-type]


def test_the_command(run: Run, tmp_path: Path) -> None:  # noqa: F811
    rng = random.Random(2)
    quotation = words(50, rng)
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "a.txt").write_text(planted(rng, quotation, 9_000))
    (tmp_path / "books" / "b.txt").write_text(" ".join(words(9_000, rng)))
    (tmp_path / "quotation.txt").write_text(" ".join(quotation))
    assert run("index", "create", "texts.db").status == 0
    assert run("index", "add", "texts.db", "books").status == 0
    query = ["index", "query", "texts.db", "quotation.txt", "--measure", "containment"]
    result = run(*query, "--format", "csv")
    header, row = result.out.decode().splitlines()
    assert row.startswith("quotation.txt,a.txt,0.00")
    assert dict(zip(header.split(","), row.split(","), strict=True))["containment"] == "1.0"
    assert "1 has matches at containment 0.5 or more among 2 documents" in result.err
    assert "finds every document that has 12 words of SOURCE in a row" in result.err
    with Index.open(tmp_path / "texts.db") as index:
        recalls = ContainmentQuery(index.settings, 0.5).recalls()
    assert recalls is not None
    least = min(length for length, share in enumerate(recalls) if share >= 0.99)
    assert 100 < least < 250
    stated = f"expected to find 99.00% of texts of {least} words with containment 0.5"
    assert stated in result.err
    assert "and more of longer texts; 1 document of SOURCE is shorter" in result.err
    assert "use --scan" in run(*query, "--threshold", "0.01").err
    result = run(*query, "--scan", "--threshold", "0.9")
    assert "(word:3; compared with every document)" in result.err
    assert "expected to find" not in result.err
    assert run("index", "create", "signatures.db", "--no-text").status == 0
    assert run("index", "add", "signatures.db", "books").status == 0
    query[2] = "signatures.db"
    result = run(*query)
    assert result.status == 2
    assert "hint: compare with every document (--scan)" in result.err
    result = run(*query, "--scan")
    assert result.status == 0
    assert "at most 13 times as many shingles" in result.err
