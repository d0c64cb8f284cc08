"""Duplicates within groups only, and across groups only."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import likewise
from likewise import UsageError
from likewise.dedup.files import copies, scan
from likewise.dedup.files.staged_run import workspace_of
from likewise.errors import ColumnError
from likewise.search.order import id_key
from tests.dedup.made import texts, write_parquet
from tests.dedup.test_run import STAGES, cramped
from tests.strategies import collections

RULES = st.sampled_from(["within", "across"])
GROUPS = st.lists(st.sampled_from(["x", "y", "z", "", None]), min_size=60, max_size=60)
COLUMNS = ["cluster", "kept", "similar_to", "similarity"]

MANY = texts(400, seed=7)
SITES = [random.Random(i).choice(["a.org", "b.org", "c.org", None]) for i in range(len(MANY))]


def sides(pair: Any) -> frozenset[int]:
    return frozenset((pair.a, pair.b))


@given(collections, GROUPS, RULES, st.sampled_from([0.2, 0.5, 1.0]), st.data())
def test_decisions(
    documents: list[str], groups: list[str | None], rule: str, threshold: float, data: st.DataObject
) -> None:
    count = len(documents)
    own = groups[:count]
    ids = data.draw(st.permutations(range(count)))
    options: dict[str, Any] = {"profile": "word:1", "threshold": threshold}
    made = likewise.deduplicate(documents, ids=ids, **{rule: own}, **options)
    # The pairs that a search finds; one document after the other, from the best to the worst.
    pairs = {sides(pair): pair for pair in likewise.find_pairs(documents, **{rule: own}, **options)}
    order = sorted(range(count), key=lambda i: id_key(str(ids[i])))
    kept: list[int] = []
    for i in order:
        if not any(frozenset((i, k)) in pairs for k in kept):
            kept.append(i)
    assert list(made) == sorted(kept)

    rows = made.to_arrow().to_pylist()
    label = list(range(count))
    for a, b in pairs:
        low, high = sorted((label[a], label[b]))
        label = [low if own_label == high else own_label for own_label in label]
    for i, row in enumerate(rows):
        assert (row["cluster"] is None) == (label.count(label[i]) == 1)
        near = [k for k in kept if frozenset((i, k)) in pairs]
        if i in kept:
            assert not near
            assert row["similar_to"] is None
        else:  # the most similar one that it may be compared with; then the best
            best = min(near, key=lambda k: (-pairs[frozenset((i, k))].jaccard, order.index(k)))
            assert row["similarity"] == pairs[frozenset((i, best))].jaccard
            # Of copies in one group, which are all kept, it is the best.
            assert ids.index(row["similar_to"]) == best
    for cluster in made.clusters():
        members = [i for i in range(count) if label[i] == label[cluster.rows[0]]]
        assert cluster.rows == tuple(members)
        assert cluster.kept == tuple(ids[i] for i in members if i in kept)
        lowest = [rows[i]["similarity"] for i in members if i not in kept]
        assert cluster.lowest_removed == (min(lowest) if lowest else None)

    again = [documents[i] for i in sorted(kept)]
    second = likewise.deduplicate(
        again, ids=[ids[i] for i in sorted(kept)], **{rule: [own[i] for i in sorted(kept)]},
        **options,
    )  # fmt: skip
    assert len(second) == len(again)


@given(collections, GROUPS, RULES, st.data())
def test_nothing_depends_on_the_order(
    documents: list[str], groups: list[str | None], rule: str, data: st.DataObject
) -> None:
    own = ["x" if group is None else group or "w" for group in groups[: len(documents)]]
    order = data.draw(st.permutations(range(len(documents))))
    options: dict[str, Any] = {"profile": "word:1", "threshold": 0.5}
    ids = [f"d{i}" for i in range(len(documents))]
    plain = likewise.deduplicate(documents, ids=ids, **{rule: own}, **options)
    turned = likewise.deduplicate(
        [documents[i] for i in order], ids=[ids[i] for i in order],
        **{rule: [own[i] for i in order]}, threads=1, **options,
    )  # fmt: skip
    expected = plain.to_arrow().take(pa.array(order, pa.int64()))
    assert turned.to_arrow().to_pylist() == expected.to_pylist()


@given(collections, GROUPS, st.sampled_from([0.5, 0.8, 1.0]))
def test_contained_within_groups(
    documents: list[str], groups: list[str | None], threshold: float
) -> None:
    own = groups[: len(documents)]
    options: dict[str, Any] = {
        "profile": "word:1", "threshold": threshold, "measure": "containment"
    }  # fmt: skip
    made = likewise.deduplicate(documents, within=own, **options)
    kept = set(range(len(documents)))
    for group in {group for group in own if group}:
        rows = [i for i, name in enumerate(own) if name == group]
        alone = likewise.deduplicate([documents[i] for i in rows], **options)
        kept -= {rows[i] for i in set(range(len(rows))) - set(alone)}
    assert list(made) == sorted(kept)


def test_a_text_that_its_own_source_repeats() -> None:
    a, b = "one and the same text of eight words", "another text that has nothing in common"
    documents = [a, a, a, b, b]
    groups = ["news", "news", "blog", "blog", "blog"]
    assert list(likewise.deduplicate(documents, across=groups)) == [0, 1, 3, 4]
    assert list(likewise.deduplicate(documents, within=groups)) == [0, 2, 3]
    # The best one decides for the copies of its group: none of them is removed, or all are.
    blog = likewise.deduplicate(documents, across=groups, ids=[1, 2, 0, 3, 4])
    assert list(blog) == [2, 3, 4]
    assert blog.to_arrow()["similar_to"].to_pylist() == [0, 0, None, None, None]


def test_more_groups_than_a_bucket_may_have() -> None:
    text = "one and the same text of eight words"
    edited = "one and the same text of eight words here"
    documents = [text, edited] * 300
    groups = [i // 2 for i in range(600)]
    options: dict[str, Any] = {"threshold": 0.5, "max_bucket": 10}
    across = likewise.deduplicate(documents, across=groups, **options)
    assert list(across) == [0, 1]  # both of the first site
    within = likewise.deduplicate(documents, within=groups, **options)
    assert list(within) == list(range(0, 600, 2))
    assert within.stats.counts["large_buckets"] == 0


def test_missed_pairs_of_a_large_cluster_are_looked_at_again() -> None:
    rng = random.Random(5)
    base = [f"w{i}" for i in range(80)]
    documents = []
    for i in range(400):
        words = list(base)
        words[rng.randrange(80)] = f"x{i}"
        documents.append(" ".join(words))
    groups = [i % 40 for i in range(400)]
    made = likewise.deduplicate(documents, across=groups, max_bucket=4)
    assert {groups[i] for i in made} == {0}


@pytest.mark.parametrize(
    "options",
    [
        {"within": SITES},
        {"across": SITES},
        {"across": SITES, "keep": "longest"},
        {"within": SITES, "chains": "join"},
        {"within": SITES, "measure": "containment", "threshold": 0.6},
        {"across": [None if site is None else len(site) for site in SITES]},
        {"within": [i % 3 if i % 7 else None for i in range(len(MANY))]},
    ],
)
def test_files_are_decided_as_texts_in_memory(tmp_path: Path, options: dict[str, Any]) -> None:
    rule = "within" if "within" in options else "across"
    source = write_parquet(tmp_path / "in.parquet", MANY, site=pa.array(options[rule]))
    ids = [f"d{i}" for i in range(len(MANY))]
    made = likewise.deduplicate(MANY, ids=ids, **options)
    named = {**options, rule: "site"}
    first = likewise.deduplicate_files(source, tmp_path / "a.parquet", annotate=True, **named)
    written = parquet.read_table(tmp_path / "a.parquet")
    assert written.select(COLUMNS).to_pylist() == made.to_arrow().to_pylist()
    assert 0 < first.counts["kept"] < len(MANY)
    assert first.counts["candidates"] == made.stats.counts["candidates"]
    with cramped():
        second = likewise.deduplicate_files(
            source, tmp_path / "b.parquet", annotate=True, threads=1, **named
        )
    assert (tmp_path / "b.parquet").read_bytes() == (tmp_path / "a.parquet").read_bytes()
    assert (first.counts, first.notes) == (second.counts, second.notes)
    assert any("no group" in note for note in first.notes)
    # A second run removes nothing.
    likewise.deduplicate_files(source, tmp_path / "c.parquet", **named)
    again = likewise.deduplicate_files(tmp_path / "c.parquet", tmp_path / "d.parquet", **named)
    assert again.counts["removed"] == 0


@pytest.mark.parametrize("form", ["jsonl", "csv", "folder"])
def test_other_formats(tmp_path: Path, form: str) -> None:
    years = [2020 + i % 3 if i % 5 else None for i in range(100)]
    rows = [
        {"id": f"d{i}", "text": text or "", "year": year}
        for i, (text, year) in enumerate(zip(MANY, years, strict=False))
    ]
    source = tmp_path / "in"
    source.mkdir()
    written: dict[str, list[dict[str, Any]]] = {"a": rows[:60], "b": rows[60:]}
    for name, some in written.items():
        if form == "csv" or (form == "folder" and name == "b"):
            with open(source / f"{name}.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, ["year", "text", "id"])
                writer.writeheader()
                writer.writerows(some)
        else:
            (source / f"{name}.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in some))
    report = likewise.deduplicate_files(source, tmp_path / "out", across="year")
    made = likewise.deduplicate(MANY[:100], ids=[row["id"] for row in rows], across=years)
    out = "".join(path.read_text() for path in sorted((tmp_path / "out").iterdir()))
    assert report.counts["kept"] == len(made)
    for i in range(100):
        assert (f'"d{i}"' in out or f",d{i}\n" in out or f",d{i}\r\n" in out) == (i in set(made))


@pytest.mark.parametrize("keep", ["column:site", "column:-site"])
def test_the_column_of_groups_may_decide_too(tmp_path: Path, keep: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY, site=pa.array(SITES))
    likewise.deduplicate_files(source, tmp_path / "out.parquet", across="site", keep=keep)
    ids = [f"d{i}" for i in range(len(MANY))]
    made = likewise.deduplicate(MANY, ids=ids, across=SITES, keep=keep, columns={"site": SITES})
    assert parquet.read_table(tmp_path / "out.parquet")["id"].to_pylist() == made.ids()


CHOSEN = [stage for stage in STAGES if stage[1] in ("find_copies", "gather", "decide")]


@pytest.mark.parametrize(("module", "name"), CHOSEN, ids=[name for _, name in CHOSEN])
def test_a_run_goes_on_after_any_stage(tmp_path: Path, module: Any, name: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY, site=pa.array(SITES))
    likewise.deduplicate_files(source, tmp_path / "plain.parquet", across="site")
    out = tmp_path / "out.parquet"
    with (
        patch.object(module, name, side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        likewise.deduplicate_files(source, out, across="site")
    for other in ({"within": "site"}, {}, {"across": "id"}):
        with pytest.raises(UsageError, match="unfinished run with other settings"):
            likewise.deduplicate_files(source, out, **other)  # type: ignore[arg-type]
    with patch.object(scan, "scan", side_effect=AssertionError):  # not scanned again
        assert likewise.deduplicate_files(source, out, across="site").resumed
    assert out.read_bytes() == (tmp_path / "plain.parquet").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": ["x"] * 2, "across": ["x"] * 2}, "within and across are both given"),
        ({"within": ["x"]}, "there are 1 groups for 2 texts"),
        ({"across": ["x", 1]}, "some groups are strings and others are not"),
        ({"across": ["x", "y"], "chains": "join"}, "across cannot be combined with chains=join"),
        (
            {"across": ["x", "y"], "measure": "containment"},
            "across cannot be combined with measure",
        ),
        ({"within": ["x", "y"], "against": ["a b c"]}, "within cannot be combined with against"),
        ({"across": np.array(["x", "y"]), "unit": "line"}, "across cannot be combined with unit"),
    ],
)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        likewise.deduplicate(["a b c d", "e f g h"], **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"across": "site", "save_signatures": "s"}, "across cannot be combined with save_sig"),
        ({"within": "site", "across": "site"}, "within and across are both given"),
    ],
)
def test_what_is_refused_of_files(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY[:10], site=pa.array(SITES[:10]))
    with pytest.raises(UsageError, match=message):
        likewise.deduplicate_files(source, tmp_path / "out.parquet", **options)
    assert sorted(tmp_path.iterdir()) == [source]


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY[:10])
    with pytest.raises(ColumnError, match="no column 'site'; it has 'id', 'text'"):
        likewise.deduplicate_files(source, tmp_path / "out.parquet", across="site")
    assert sorted(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("unit", ["document", "line"])
def test_a_column_without_values(tmp_path: Path, unit: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY[:10], site=pa.array([None] * 10))
    with pytest.raises(UsageError, match="no document has a value for 'site'"):
        likewise.deduplicate_files(source, tmp_path / "out.parquet", within="site", unit=unit)
    assert sorted(tmp_path.iterdir()) == [source]


def test_documents_of_a_folder_have_no_columns(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("a b c d")
    with pytest.raises(ColumnError, match="no column 'site': none of the sources is a table"):
        likewise.deduplicate_files(tmp_path / "in", tmp_path / "out", within="site")


def test_a_budget_that_is_too_small_for_the_groups(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY, site=pa.array(SITES))
    out = tmp_path / "out.parquet"
    with (
        patch.object(copies, "BYTES_GROUPED", 10**6),
        pytest.raises(likewise.LikewiseError, match="too little for 400 documents"),
    ):
        likewise.deduplicate_files(source, out, across="site", memory=400 * 10**6)
    assert workspace_of(out).is_dir()
    assert likewise.deduplicate_files(source, out, across="site", memory=400 * 10**6).resumed


# --- paragraphs and lines


@given(
    st.lists(st.lists(st.sampled_from("abcd"), max_size=4), max_size=8), GROUPS,
    st.sampled_from(["line", "paragraph"]), st.integers(2, 3),
)  # fmt: skip
def test_parts_within_groups(
    documents: list[list[str]], groups: list[str | None], unit: Any, min_count: int
) -> None:
    end = "\n" if unit == "line" else "\n\n"
    made = [end.join(f"{part} {part} {part}" for part in parts) for parts in documents]
    own = groups[: len(made)]
    options: dict[str, Any] = {"unit": unit, "min_words": 3, "min_count": min_count}
    result = likewise.deduplicate(made, within=own, **options)
    ranges = result.to_arrow()["removed"].to_pylist()
    names = [name or f"alone {i}" for i, name in enumerate(own)]
    for group in set(names):
        rows = [i for i, name in enumerate(names) if name == group]
        alone = likewise.deduplicate([made[i] for i in rows], **options)
        assert [ranges[i] for i in rows] == alone.to_arrow()["removed"].to_pylist()
    missing = sum(not name for name in own)
    assert any("no group" in note for note in result.notes) == bool(missing)


def test_lines_of_files_within_groups(tmp_path: Path) -> None:
    menu, own = "home news sport about contact", "a line that no other document has: number"
    documents = [f"{menu}\n{own} {i}" for i in range(200)]
    sites = [f"site {i % 50}" if i % 9 else None for i in range(200)]
    source = write_parquet(
        tmp_path / "in.parquet", documents, id=pa.array(range(200)), site=pa.array(sites)
    )
    report = likewise.deduplicate_files(
        source, tmp_path / "out.parquet", unit="line", within="site"
    )
    seen: set[str | None] = set()
    expected = []
    for document, site in zip(documents, sites, strict=True):
        expected.append(document if site is None or site not in seen else document.split("\n")[1])
        seen.add(site)
    assert parquet.read_table(tmp_path / "out.parquet")["text"].to_pylist() == expected
    assert "23 documents have no group; only their own repetitions are removed" in report.notes
    made = likewise.deduplicate(documents, unit="line", within=sites)
    assert made.texts() == expected


def test_passages_have_no_groups() -> None:
    with pytest.raises(UsageError, match="within cannot be combined with unit 'passage'"):
        likewise.deduplicate(["a b c d"], within=["x"], unit="passage")  # type: ignore[call-overload]
