"""Signatures that are saved, loaded, put together, and searched without their texts."""

from __future__ import annotations

import pickle
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likewise
from likewise import Signatures, SourceError, UsageError

TEXTS = [" ".join(f"w{j}" for j in range(begin, begin + 50)) for begin in (0, 3, 100, 0, 200)]
TEXTS += ["", "short"]


@pytest.mark.parametrize(
    "ids",
    [None, list("abcdefg"), list(range(10, 17)), [uuid.UUID(int=n) for n in range(7)]],
    ids=["none", "str", "int", "uuid"],
)
def test_what_is_saved_is_loaded(tmp_path: Path, ids: Any) -> None:
    made = likewise.sketch(TEXTS, ids=ids, profile="word:2,case=keep", values=64)
    made.save(tmp_path / "some")
    loaded = Signatures.load(tmp_path / "some")
    assert np.array_equal(loaded.values, made.values)
    assert np.array_equal(loaded.digests, made.digests)
    assert loaded.profile == made.profile
    assert list(loaded.ids) == list(made.ids)
    assert repr(loaded) == "<Signatures: 7 of 64 values, word:2,case=keep>"
    with pytest.raises(UsageError, match="already exists"):
        made.save(tmp_path / "some")
    likewise.sketch([]).save(tmp_path / "some", overwrite=True)
    assert len(Signatures.load(tmp_path / "some")) == 0


@pytest.mark.parametrize("ids", [[1, "1", 2.5], ["\ud800", "\ud801", "a"]])
def test_different_ids_are_not_saved_as_one(tmp_path: Path, ids: Any) -> None:
    made = likewise.sketch(TEXTS[:3], ids=ids)
    with pytest.raises(UsageError, match="different ids are the same as strings"):
        made.save(tmp_path / "some")
    assert not (tmp_path / "some").exists()


def test_a_run_of_dedup_reads_what_is_saved_and_the_other_way_round(tmp_path: Path) -> None:
    likewise.sketch(TEXTS[:2], ids=["x", "y"]).save(tmp_path / "earlier")
    (tmp_path / "new.txt").write_text("\n".join([TEXTS[0], TEXTS[2], TEXTS[2]]) + "\n")
    report = likewise.deduplicate_files(
        tmp_path / "new.txt", tmp_path / "out.txt", against=tmp_path / "earlier",
        save_signatures=tmp_path / "later",
    )  # fmt: skip
    assert (report.counts["kept"], report.counts["removed_against"]) == (1, 1)
    assert report.stats.counts == report.counts
    later = Signatures.load(tmp_path / "later")
    assert list(later.ids) == ["x", "y", "1"]
    assert later.find_pairs(likewise.sketch(TEXTS[2:3], ids=["z"]))[0].b == "z"


def test_a_search_finds_what_all_estimates_find() -> None:
    made = likewise.sketch(TEXTS, ids=list("abcdefg"))
    found = made.find_pairs(threshold=0.6)
    every = {
        (made.ids[a], made.ids[b]): made.estimate(a, b)
        for b in range(len(made)) for a in range(b)
        if made.estimate(a, b).value >= 0.6
    }  # fmt: skip
    assert {(pair.a, pair.b): pair.estimate for pair in found} == every
    assert [pair.jaccard for pair in found] == sorted(
        (e.value for e in every.values()), reverse=True
    )
    assert (found[0].a, found[0].b, found[0].jaccard) == ("a", "d", 1.0)
    table = found.to_arrow()
    assert table.column_names == ["a", "b", "jaccard", "low", "high"]
    assert table["low"].to_pylist() == [pair.estimate.low for pair in found]
    assert len(found.to_pandas()) == len(found.to_polars()) == len(found) == 3
    assert list(pickle.loads(pickle.dumps(found))) == list(found)


def test_between_two_sets_and_together() -> None:
    first, second = likewise.sketch(TEXTS[:3]), likewise.sketch(TEXTS[3:])
    both = likewise.sketch(TEXTS)
    assert first.estimate_with(second, 1, 0) == both.estimate(1, 3)
    found = first.find_pairs(second, threshold=0.6)
    assert {(pair.a, pair.b) for pair in found} == {(0, 0), (1, 0)}
    joined = Signatures.concat([first, second])
    assert np.array_equal(joined.values, both.values)
    assert list(joined.ids) == list(range(7))
    named = [likewise.sketch(TEXTS[:2], ids=["a", "b"]), likewise.sketch(TEXTS[2:3], ids=["c"])]
    assert list(Signatures.concat(named).ids) == ["a", "b", "c"]
    with pytest.raises(UsageError, match="duplicate id 'a'"):
        Signatures.concat([named[0], named[0]])
    with pytest.raises(UsageError, match="nothing to concatenate"):
        Signatures.concat([])


@pytest.mark.parametrize("options", [{"values": 64}, {"profile": "word:2"}])
def test_signatures_of_other_settings_are_refused(options: dict[str, Any]) -> None:
    made, other = likewise.sketch(TEXTS), likewise.sketch(TEXTS, **options)
    for compare in (
        lambda: made.find_pairs(other),
        lambda: made.estimate_with(other, 0, 0),
        lambda: Signatures.concat([made, other]),
        lambda: likewise.deduplicate(TEXTS, against=other),
    ):
        with pytest.raises(UsageError, match="cannot be compared"):
            compare()


def test_rows_are_numbers() -> None:
    made = likewise.sketch(TEXTS[:2], ids=["a", "b"])
    assert made.estimate(0, -1) == made.estimate(0, 1)
    for wrong in ("a", 2, 1.0):
        with pytest.raises(UsageError, match=r"b is .*; it must be"):
            made.estimate(0, wrong)


def test_what_is_not_a_file_of_signatures(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a file of signatures")
    with pytest.raises(SourceError, match="not a signature file"):
        Signatures.load(tmp_path / "text")
    with pytest.raises(SourceError, match="No such file"):
        Signatures.load(tmp_path / "none")
