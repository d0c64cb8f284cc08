"""New documents against an index, and against the signatures of an earlier run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

import likewise
from likewise import SourceError, UsageError
from tests.dedup.made import dedup, texts, write_parquet
from tests.dedup.test_run import cramped
from tests.disguise import COPY, ORIGINAL, OTHER

OLD = texts(200, seed=1)
NEW = [*texts(150, seed=2), *OLD[50:80], *(f"{text} and more" for text in OLD[80:110] if text)]


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """Signatures of a run over the old documents."""
    source = write_parquet(tmp_path / "old.parquet", OLD)
    dedup(source, tmp_path / "old-out.parquet", save_signatures=tmp_path / "old.signatures")
    return tmp_path / "old.signatures"


def annotated(out: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = parquet.read_table(out).drop(["text"]).to_pylist()
    return rows


def test_signatures(tmp_path: Path, earlier: Path) -> None:
    source = write_parquet(tmp_path / "new.parquet", NEW)
    report = dedup(source, tmp_path / "out.parquet", against=earlier, annotate=True)
    rows = annotated(tmp_path / "out.parquet")
    old = likewise.deduplicate(OLD, ids=[f"d{i}" for i in range(len(OLD))])
    everything = likewise.sketch([text or "" for text in [*OLD, *NEW]])
    fresh = []
    for i, (text, row) in enumerate(zip(NEW, rows, strict=True)):
        # Against each kept document, and copies against all: by hand, and without bands.
        estimates = {k: everything.estimate(k, len(OLD) + i) for k in old}
        best = max(estimates.values(), key=lambda estimate: estimate.value)
        copies = [k for k, other in enumerate(OLD) if text and other == text]
        if not text or text == "...":
            assert row["kept"]
            assert not row["stored"]
        elif copies:
            assert (row["kept"], row["stored"], row["similarity"]) == (False, True, 1.0)
            assert row["similarity_low"] is None
            assert OLD[int(row["similar_to"][1:])] == text
        elif best.value >= 0.8:
            assert (row["kept"], row["stored"]) == (False, True)
            found = estimates[int(row["similar_to"][1:])]
            assert (row["similarity"], row["similarity_low"], row["similarity_high"]) == (
                found.value, found.low, found.high,
            )  # fmt: skip
            assert found.value == best.value
        else:
            assert not row["stored"]
            fresh.append(i)
    assert report.counts["removed_against"] == sum(row["stored"] for row in rows)
    assert report.counts["removed_against"] > 40
    # The others are deduplicated among themselves.
    alone = likewise.deduplicate([NEW[i] for i in fresh], ids=[f"d{i}" for i in fresh])
    assert [row["kept"] for i, row in enumerate(rows) if i in fresh] == alone.kept.tolist()
    assert any("not verified" in note for note in report.notes)
    estimated = [one for one in report.against if one["estimate"]]
    assert all(one["low"] <= one["similarity"] <= one["high"] for one in estimated)
    assert estimated


def test_signatures_do_not_depend_on_memory(tmp_path: Path, earlier: Path) -> None:
    source = write_parquet(tmp_path / "new.parquet", NEW)
    options = {"against": earlier, "annotate": True}
    dedup(source, tmp_path / "a.parquet", save_signatures=tmp_path / "a", **options)
    with cramped():
        dedup(source, tmp_path / "b.parquet", save_signatures=tmp_path / "b", **options)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_signatures_hold_those_of_before(tmp_path: Path, earlier: Path) -> None:
    """A third run needs the signatures of the second only."""
    source = write_parquet(tmp_path / "new.parquet", NEW)
    saved = tmp_path / "new.signatures"
    dedup(source, tmp_path / "out.parquet", against=earlier, save_signatures=saved)
    for again in (tmp_path / "old.parquet", source):
        report = dedup(again, tmp_path / "again.parquet", against=saved, overwrite=True)
        kept = parquet.read_table(tmp_path / "again.parquet")["text"].to_pylist()
        assert {text for text in kept if text not in (None, "", "...")} == set()
        assert report.counts["removed"] == report.counts["removed_against"]


@pytest.mark.parametrize("keep_text", [True, False])
def test_index(tmp_path: Path, keep_text: bool) -> None:
    index = likewise.Index.create(tmp_path / "old.db", threshold=0.8, keep_text=keep_text)
    stored = [(f"o{i}", text) for i, text in enumerate(OLD) if text]
    index.add([text for _, text in stored], [id_ for id_, _ in stored])
    answers = index.query([text or "" for text in NEW], threshold=0.8, top=1)
    index.close()
    source = write_parquet(tmp_path / "new.parquet", NEW)
    dedup(source, tmp_path / "out.parquet", against=tmp_path / "old.db", annotate=True)
    for row, answer in zip(annotated(tmp_path / "out.parquet"), answers, strict=True):
        assert row["stored"] == bool(answer)
        if not answer:
            continue
        assert not row["kept"]
        assert row["similar_to"] == answer[0].id
        if keep_text:
            assert row["similarity"] == answer[0].jaccard
            assert row["similarity_low"] is None
        else:
            assert row["similarity"] == answer[0].jaccard
            assert row["similarity_low"] == answer[0].estimate.low


def test_a_changed_index_is_another_run(tmp_path: Path) -> None:
    from unittest.mock import patch

    from likewise.dedup.files import run

    index = likewise.Index.create(tmp_path / "old.db", threshold=0.8)
    index.add(["a b c"], ["x"])
    source = write_parquet(tmp_path / "new.parquet", NEW)
    out, stored = tmp_path / "out.parquet", tmp_path / "old.db"
    with (
        patch.object(run, "decide", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        dedup(source, out, against=stored)
    assert dedup(source, out, against=stored).resumed
    with (
        patch.object(run, "decide", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        dedup(source, out, against=stored, overwrite=True)
    index.add(["d e f"], ["x"])  # in the place of another
    index.close()
    with pytest.raises(UsageError, match="has since changed"):
        dedup(source, out, against=stored, overwrite=True)


def test_what_does_not_fit(tmp_path: Path, earlier: Path) -> None:
    source = write_parquet(tmp_path / "new.parquet", NEW)
    likewise.Index.create(tmp_path / "other.db", profile="char:5").close()
    likewise.Index.create(tmp_path / "high.db", threshold=0.9).close()
    (tmp_path / "text").write_text("nothing of the kind")
    for error, message, against, options in (
        (UsageError, "profile word:3", earlier, {"profile": "char:5"}),
        (UsageError, "values 128", earlier, {"values": 64}),
        (UsageError, "profile char:5", tmp_path / "other.db", {}),
        (UsageError, "of 0.9 or more", tmp_path / "high.db", {}),
        (SourceError, "not a signature file", source, {}),
        (SourceError, "text: not a likewise index", tmp_path / "text", {}),
    ):
        with pytest.raises(error, match=message):
            dedup(source, tmp_path / "out.parquet", against=against, **options)
    assert not (tmp_path / "out.parquet").exists()
    assert not (tmp_path / ".out.parquet.likewise").exists()


def test_signatures_can_be_looked_at(earlier: Path) -> None:
    table = parquet.read_table(earlier)
    kept = likewise.deduplicate(OLD, ids=[f"d{i}" for i in range(len(OLD))])
    own = [i for i in kept if OLD[i] not in (None, "", "...")]
    rows = [row for row in table.to_pylist() if row["sketch"] is not None]
    assert [row["id"] for row in rows] == [f"d{i}" for i in own]
    expected = likewise.sketch([OLD[i] for i in own]).values
    assert np.array_equal([np.frombuffer(row["sketch"], "<u4") for row in rows], expected)


def test_a_disguised_copy_of_what_is_stored(tmp_path: Path) -> None:
    old = write_parquet(tmp_path / "old.parquet", [ORIGINAL, OTHER])
    new = write_parquet(tmp_path / "new.parquet", [COPY, "a text that is new, and of some length"])
    signatures = tmp_path / "old.signatures"
    dedup(old, tmp_path / "old-out.parquet", save_signatures=signatures)
    with likewise.Index.create(tmp_path / "index.db", threshold=0.8) as index:
        index.add([ORIGINAL, OTHER], ["d0", "d1"])
    for stored in (signatures, tmp_path / "index.db"):
        out = tmp_path / f"{stored.name}.parquet"
        report = dedup(new, out, against=stored, annotate=True)
        assert [row["kept"] for row in annotated(out)] == [False, True]
        assert annotated(out)[0]["similar_to"] == "d0"
        assert report.counts["lookalike_documents"] == 1
        with pytest.raises(UsageError, match="letters=stored"):
            dedup(new, tmp_path / "no.parquet", against=stored, profile="word:3,letters=stored")


def test_older_signatures_are_of_stored_letters(tmp_path: Path, earlier: Path) -> None:
    """Those of a version that knew no other, which is why they do not say so."""
    source = write_parquet(tmp_path / "new.parquet", NEW)
    older = tmp_path / "older.signatures"
    table = parquet.read_table(earlier)
    facts = json.loads(table.schema.metadata[b"likewise.signatures"])
    del facts["letters"]
    parquet.write_table(
        table.replace_schema_metadata({"likewise.signatures": json.dumps(facts)}), older
    )
    with pytest.raises(UsageError, match="created with profile word:3,letters=stored") as refused:
        dedup(source, tmp_path / "out.parquet", against=older)
    assert refused.value.hint == "use `profile=word:3,letters=stored`"
    report = dedup(source, tmp_path / "out.parquet", against=older, profile="word:3,letters=stored")
    assert report.counts["removed_against"] > 40
