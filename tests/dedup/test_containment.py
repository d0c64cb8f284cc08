"""Documents that are contained in a kept one are removed, and no others."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import likewise
from likewise import UsageError
from likewise.dedup.files import containment, run, scan, staged_run, verification
from likewise.text.profile import Profile
from tests import reference
from tests.dedup.made import dedup, write_parquet
from tests.dedup.test_rules import contained, slow_containment
from tests.dedup.test_run import cramped

PROFILE = Profile.of("word:2")


def nested(count: int, seed: int = 0) -> list[str | None]:
    """About half of them parts of earlier ones, edited, or several together."""
    rng = random.Random(seed)
    made: list[str | None] = []
    for _ in range(count):
        earlier = [text.split() for text in made if text]
        kind = rng.random()
        if kind < 0.05:
            made.append(rng.choice([None, "", "short"]))
        elif kind < 0.5 and earlier:
            words = rng.choice(earlier)
            begin = rng.randrange(max(1, len(words) - 10))
            part = words[begin : begin + rng.randrange(10, 60)]
            for _ in range(rng.randrange(3)):
                part[rng.randrange(len(part))] = f"w{rng.randrange(3000)}"
            made.append(" ".join(part))
        elif kind < 0.65 and len(earlier) > 2:
            made.append(" ".join(" ".join(words) for words in rng.sample(earlier, 2)))
        else:
            made.append(" ".join(f"w{rng.randrange(3000)}" for _ in range(rng.randrange(20, 120))))
    return made


MANY = nested(300)


def sets_of(texts: list[str | None], profile: Profile = PROFILE) -> list[frozenset[int]]:
    return [frozenset(reference.shingle_hashes(text or "", profile)) for text in texts]


def check(made: Any, sets: list[frozenset[int]], threshold: float) -> None:
    """What no deduplication by containment may get wrong."""
    kept = set(made)
    rows = made.to_arrow().to_pylist()
    for i, row in enumerate(rows):
        assert row["kept"] == (i in kept)
        if row["kept"]:
            others = [j for j in kept if j != i and sets[i]]
            assert not any(contained(sets[i], sets[j]) >= threshold for j in others)
        else:
            assert row["similar_to"] in kept
            assert row["similarity"] == contained(sets[i], sets[row["similar_to"]]) >= threshold


@given(
    st.lists(st.text("abcd ", max_size=30), max_size=25),
    st.sampled_from([0.2, 0.5, 0.8, 1.0]),
    st.sampled_from(["first", "longest"]),
    st.integers(1, 3),
)
def test_decisions(texts: list[str], threshold: float, keep: str, threads: int) -> None:
    made = likewise.deduplicate(
        texts, profile="char:2", measure="containment", threshold=threshold, keep=keep,
        threads=threads,
    )  # fmt: skip
    sets = sets_of(list(texts), Profile.of("char:2"))
    check(made, sets, threshold)
    best: dict[frozenset[int], tuple[int, int]] = {}
    for i, text in enumerate(texts):
        if sets[i]:
            order = (-len(text) if keep == "longest" else 0, i)
            best[sets[i]] = min(best.get(sets[i], order), order)
    unique = sorted(best, key=lambda one: best[one])
    kept = slow_containment(unique, list(range(len(unique))), threshold)
    expected = [best[one][1] for one, stays in zip(unique, kept, strict=True) if stays]
    expected += [i for i in range(len(texts)) if not sets[i]]
    assert sorted(expected) == list(made)


@pytest.mark.parametrize("threshold", [0.3, 0.8, 1.0])
@pytest.mark.parametrize("keep", ["first", "longest"])
def test_many_texts(threshold: float, keep: str) -> None:
    options: dict[str, Any] = {
        "profile": PROFILE, "measure": "containment", "threshold": threshold, "keep": keep
    }  # fmt: skip
    made = likewise.deduplicate(MANY, **options)
    check(made, sets_of(MANY), threshold)
    assert 0 < len(made) < len(MANY)
    again = likewise.deduplicate([MANY[i] for i in made], **options)
    assert len(again) == len(made)


CHAPTER = [f"c{i}" for i in range(200)]
BOOK = [*(f"p{i}" for i in range(500)), *CHAPTER, *(f"e{i}" for i in range(500))]
PAGE = CHAPTER[50:100]


def test_chains_and_directions() -> None:
    texts = [" ".join(words) for words in (PAGE, CHAPTER, BOOK, ["other", *PAGE[:20]])]
    made = likewise.deduplicate(texts, ids=list("abcd"), measure="containment")
    assert made.ids() == ["c"]
    rows = made.to_arrow().to_pylist()
    assert [row["similar_to"] for row in rows] == ["c", "c", None, "c"]
    assert [row["similarity"] for row in rows[:2]] == [1.0, 1.0]
    # By similarity of the whole, nothing is a duplicate.
    assert likewise.deduplicate(texts, ids=list("abcd")).ids() == list("abcd")


def test_of_two_that_contain_each_other_keep_decides() -> None:
    short, long = " ".join(CHAPTER), " ".join([*CHAPTER, "one", "two", "three"])
    for keep, expected in (("first", [0]), ("longest", [1])):
        assert list(likewise.deduplicate([short, long], measure="containment", keep=keep)) == (
            expected
        )
    # What is contained in one direction only goes, whatever is preferred.
    columns = {"score": [9, 1]}
    texts = [" ".join(PAGE), " ".join(BOOK)]
    made = likewise.deduplicate(texts, measure="containment", keep="column:score", columns=columns)
    assert list(made) == [1]


def template(count: int, own: int, shared: int = 90) -> list[str]:
    """Pages with the same words and some of their own."""
    same = " ".join(f"t{i}" for i in range(shared))
    return [f"{same} " + " ".join(f"u{n}-{i}" for i in range(own)) for n in range(count)]


@pytest.mark.parametrize("keep", ["first", "longest"])
def test_boilerplate(keep: str) -> None:
    options: dict[str, Any] = {"measure": "containment", "max_bucket": 20, "keep": keep}
    # Half of each page is its own: nothing goes.
    assert len(likewise.deduplicate(template(300, own=90), **options)) == 300
    # Pages that are hardly more than the template: one is enough, and the long ones stay.
    short, long = template(300, own=6), template(50, own=200)
    made = likewise.deduplicate(short + long, **options)
    assert list(made) == list(range(300, 350))
    assert made.stats.counts["boilerplate"] == 300
    assert any("more than 20 documents have" in note for note in made.notes)
    made = likewise.deduplicate(short, **options)
    assert len(made) == 1
    # Each version of a growing text is in the next one.
    words = [f"g{i}" for i in range(600)]
    made = likewise.deduplicate([" ".join(words[:n]) for n in range(10, 600)], **options)
    assert len(made) == 1


def test_a_book_that_contains_thousands_of_texts() -> None:
    texts = [" ".join(f"w{n}-{i}" for i in range(40)) for n in range(3000)]
    made = likewise.deduplicate([*texts, " ".join(texts)], measure="containment", max_bucket=10)
    assert list(made) == [3000]


# --- files


@pytest.mark.parametrize("max_bucket", [4, 1000])
def test_files_are_decided_as_texts_in_memory(tmp_path: Path, max_bucket: int) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    options: dict[str, Any] = {
        "measure": "containment", "threshold": 0.6, "profile": PROFILE, "max_bucket": max_bucket
    }  # fmt: skip
    first = dedup(source, tmp_path / "a.parquet", annotate=True, **options)
    written = parquet.read_table(tmp_path / "a.parquet")
    made = likewise.deduplicate(MANY, ids=[f"d{i}" for i in range(len(MANY))], **options)
    columns = ["cluster", "kept", "similar_to", "similarity"]
    assert written.select(columns).to_pylist() == made.to_arrow().to_pylist()
    with cramped():
        second = dedup(source, tmp_path / "b.parquet", annotate=True, threads=1, **options)
    dedup(source, tmp_path / "c.parquet", annotate=True, threads=3, memory=10**10, **options)
    data = (tmp_path / "a.parquet").read_bytes()
    assert (tmp_path / "b.parquet").read_bytes() == data
    assert (tmp_path / "c.parquet").read_bytes() == data
    assert first.counts == second.counts
    assert (first.counts["boilerplate"] > 0) == (max_bucket == 4)


STAGES: list[tuple[Any, str]] = [
    (containment, "find_candidates"),
    (containment, "merge"),
    (verification, "verify"),
    (run, "decide"),
    (staged_run, "write_rows"),
]


@pytest.mark.parametrize(("module", "name"), STAGES, ids=[name for _, name in STAGES])
def test_a_run_goes_on_after_any_stage(tmp_path: Path, module: Any, name: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    options: dict[str, Any] = {"measure": "containment", "threshold": 0.6}
    dedup(source, tmp_path / "plain.parquet", **options)
    out = tmp_path / "out.parquet"
    with (
        patch.object(module, name, side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        dedup(source, out, **options)
    with patch.object(scan, "scan", side_effect=AssertionError):  # not scanned again
        assert dedup(source, out, **options).resumed
    assert out.read_bytes() == (tmp_path / "plain.parquet").read_bytes()


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    """In the middle of the stage: what was searched for is not searched for again."""
    from likewise.dedup.files.workspace import Appender
    from likewise.search.containment import ContainmentSearch

    source = write_parquet(tmp_path / "in.parquet", MANY)
    options: dict[str, Any] = {"measure": "containment", "threshold": 0.6, "profile": PROFILE}
    dedup(source, tmp_path / "plain.parquet", **options)
    out = tmp_path / "out.parquet"
    starts: list[int] = []
    runs = ContainmentSearch.runs

    def interrupted(search: ContainmentSearch, start: int = 0) -> Any:
        starts.append(start)
        for number, one in enumerate(runs(search, start)):
            if number == 3 and len(starts) == 1:
                raise KeyboardInterrupt
            yield one

    with (
        cramped(),
        patch.object(ContainmentSearch, "runs", interrupted),
        patch.object(ContainmentSearch, "batch_bytes", 500),
        patch.object(Appender, "EVERY", 0.0),
    ):
        with pytest.raises(KeyboardInterrupt):
            dedup(source, out, **options)
        dedup(source, out, **options)
    assert starts[0] == 0 < starts[1]
    assert out.read_bytes() == (tmp_path / "plain.parquet").read_bytes()


def test_empty_and_single(tmp_path: Path) -> None:
    for found in ([], [None, "", "..."], ["one text of several words"], ["a b c d"] * 3):
        source = write_parquet(tmp_path / "in.parquet", found)
        dedup(source, tmp_path / "out.parquet", measure="containment", overwrite=True)
        made = likewise.deduplicate(found, measure="containment")
        ids = parquet.read_table(tmp_path / "out.parquet")["id"].to_pylist()
        assert ids == [f"d{i}" for i in made]


def test_earlier_documents(tmp_path: Path) -> None:
    """What is in a stored document goes first; what only contains one stays."""
    stored = [" ".join(BOOK), " ".join(CHAPTER), " ".join(f"z{i}" for i in range(60))]
    new = [
        " ".join(PAGE), " ".join([*BOOK, *(f"n{i}" for i in range(900))]),
        " ".join(f"q{i}" for i in range(50)), " ".join(f"q{i}" for i in range(10, 40)), None,
    ]  # fmt: skip
    index = likewise.Index.create(tmp_path / "old.db")
    index.add(stored, ["book", "chapter", "else"])
    source = write_parquet(tmp_path / "new.parquet", new)
    out = tmp_path / "out.parquet"
    report = dedup(
        source, out, measure="containment", against=tmp_path / "old.db", annotate=True
    )  # fmt: skip
    written = parquet.read_table(out).to_pylist()
    assert [row["kept"] for row in written] == [False, True, True, False, True]
    assert [row["similar_to"] for row in written] == ["book", None, None, "d2", None]
    assert [row["stored"] for row in written] == [True, False, False, False, False]
    assert written[0]["similarity"] == 1.0
    assert report.counts["removed_against"] == 1
    for against in (stored, index):
        made = likewise.deduplicate(new, measure="containment", against=against)
        assert list(made) == [1, 2, 4]
        assert made.to_arrow()["stored"].to_pylist() == [True, False, False, False, False]
    index.close()


def test_earlier_documents_by_brute_force() -> None:
    earlier, later = MANY[:150], MANY[150:]
    options: dict[str, Any] = {"profile": PROFILE, "measure": "containment", "threshold": 0.5}
    old, new = sets_of(earlier), sets_of(later)
    for max_bucket in (3, 1000):
        made = likewise.deduplicate(later, against=earlier, max_bucket=max_bucket, **options)
        rows = made.to_arrow().to_pylist()
        missed = 0
        for row, own in zip(rows, new, strict=True):
            best = max((contained(own, other) for other in old), default=0.0) if own else 0.0
            if row["stored"]:
                target = int(row["similar_to"])
                assert row["similarity"] == contained(own, old[target]) >= 0.5
                assert max_bucket == 3 or row["similarity"] == best
            missed += best >= 0.5 and not row["stored"]
        assert missed == 0 or max_bucket == 3


def test_what_containment_cannot_be_combined_with(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY[:20])
    out = tmp_path / "out.parquet"
    dedup(source, out, save_signatures=tmp_path / "saved")
    likewise.Index.create(tmp_path / "bare.db", keep_text=False).close()
    for message, options in (
        ("container is not kept", {"chains": "join"}),
        ("cannot be computed from signatures", {"against": tmp_path / "saved"}),
        ("stores no texts", {"against": tmp_path / "bare.db"}),
    ):
        with pytest.raises(UsageError, match=message):
            dedup(source, tmp_path / "no.parquet", measure="containment", **options)
    assert not (tmp_path / "no.parquet").exists()
    with pytest.raises(UsageError, match="measure is 'dice'"):
        likewise.deduplicate(["a b c"], measure="dice")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="cannot be computed from signatures"):
        likewise.deduplicate(["a b c"], measure="containment", against=likewise.sketch(["a b c"]))
