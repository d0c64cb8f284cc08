"""`likewise dedup --unit` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyarrow import parquet

from tests.cli.conftest import Run
from tests.dedup.made import write_parquet

RUN = "All rights reserved by the owner of this page."
LEFT = ["First own text.\n", "Second own text.\n", None, RUN, "Last."]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_parquet(
        tmp_path / "in.parquet",
        [f"First own text.\n{RUN}", f"Second own text.\n{RUN}", None, RUN, "Last."],
        rank=[1, 2, 3, 4, 5],
    )


def test_lines(run: Run, pages: Path) -> None:
    result = run("dedup", "in.parquet", "-o", "out.parquet", "--unit", "line", "--report", "r.json")
    assert (result.status, result.out) == (0, b"")
    assert result.err.splitlines() == [
        "likewise: documents without text, kept: 1",
        "likewise: 5 documents read: 18 words of 34 removed (52.9%), from 2 documents",
        "likewise: removed: 2 repetitions of 1 line of at least 5 words",
        "likewise: documents dropped because nothing was left: 1",
        f"likewise: removed 2 times: {RUN}",
    ]
    left = parquet.read_table(pages.with_name("out.parquet"))
    assert left["text"].to_pylist() == [
        f"First own text.\n{RUN}",
        "Second own text.\n",
        None,
        "Last.",
    ]
    assert left["rank"].to_pylist() == [1, 2, 3, 5]
    template = json.loads(pages.with_name("r.json").read_text())["templates"][0]
    assert (template["removed"], template["document"], template["text"]) == (2, "d0", RUN)


def test_passages(run: Run, pages: Path) -> None:
    options = ("--unit", "passage", "--min-words", "7", "--keep", "column:rank", "--quiet")
    result = run("dedup", "in.parquet", "-o", "out.parquet", *options)
    assert (result.status, result.err) == (0, "")
    left = parquet.read_table(pages.with_name("out.parquet"))
    assert left["text"].to_pylist() == LEFT
    again = run("dedup", "out.parquet", "-o", "again.parquet", *options)
    assert again.status == 0
    assert parquet.read_table(pages.with_name("again.parquet")) == left


def test_documents_are_the_default(run: Run, pages: Path) -> None:
    for name, options in (("a", []), ("b", ["--unit", "document"])):
        assert run("dedup", "in.parquet", "-o", f"{name}.parquet", "--quiet", *options).status == 0
    written = [pages.with_name(f"{name}.parquet").read_bytes() for name in "ab"]
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--unit word", "invalid choice: 'word'"),
        ("--unit line --threshold 0.7", "threshold cannot be combined with unit 'line'"),
        ("--unit line --against old.db", "against cannot be combined with unit 'line'"),
        ("--unit passage --profile char:5", "profile cannot be combined with unit 'passage'"),
        ("--unit passage --min-words 3", "min_words is 3"),
        ("--min-count 3", "min_count cannot be combined with unit 'document'"),
        ("--unit line --memory 1MB", "1MB of memory is too little"),
    ],
)
def test_refusals(run: Run, pages: Path, options: str, message: str) -> None:
    result = run("dedup", "in.parquet", "-o", "out.parquet", *options.split())
    assert result.status == 2
    assert message in result.err
    assert "Traceback" not in result.err
    assert list(pages.parent.iterdir()) == [pages]
