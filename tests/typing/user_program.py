"""A program of a user, as strict type checkers see it. It is checked, and never run.

A line that ends in `# error` must be refused by every checker, and no other line.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

import likewise
from likewise import (
    Cluster,
    Deduplicated,
    DuplicateCluster,
    EstimatedPair,
    EstimatedPairs,
    Exclusions,
    Index,
    Match,
    Pair,
    Pairs,
    Passages,
    Report,
    Signatures,
)

TEXTS = ["one two three four", "one two three five", None]
NAMES = ["a", "b", "c"]
KEYS = [uuid.uuid4() for _ in TEXTS]


def show(stage: str, done: int, total: int | None) -> None:
    print(stage, done, total)


def words() -> Iterator[str]:
    yield from ("one", "two")


def pairs(column: pa.ChunkedArray[Any], series: pl.Series, strings: pd.Series[str]) -> None:
    numbered = likewise.find_pairs(TEXTS, threshold=0.5, measure="containment", progress=show)
    assert_type(numbered, Pairs[int])
    assert_type(numbered[0], Pair[int])
    assert_type(numbered[:2], list[Pair[int]])
    print(TEXTS[numbered[0].a], numbered.filter(0.9).stats.counts, numbered.notes)
    assert_type(numbered.labels(), NDArray[np.int64])
    named = likewise.find_pairs(words(), ids=NAMES, chance="words")
    assert_type(named, Pairs[str])
    assert_type(named.clusters(), list[Cluster[str]])
    assert_type(likewise.find_pairs(TEXTS, ids=KEYS)[0].a, uuid.UUID)
    assert_type(likewise.find_pairs(TEXTS, against=TEXTS), Pairs[int])
    assert_type(likewise.find_pairs(TEXTS, ids=NAMES, against=TEXTS, against_ids=NAMES), Pairs[str])
    assert_type(likewise.find_pairs([["a", "b"], ["c"]], profile="word:1"), Pairs[int])
    assert_type(likewise.find_pairs([{1, 2}, {2, 3}], profile="word:1"), Pairs[int])
    assert_type(named.to_arrow(), pa.Table)
    assert_type(named.to_pandas(), pd.DataFrame)
    assert_type(named.to_polars(), pl.DataFrame)
    likewise.find_pairs(column)
    likewise.find_pairs(series, ids=series)
    likewise.find_pairs(strings, ids=strings)
    likewise.find_pairs(5)  # error
    likewise.find_pairs([5])  # error
    likewise.find_pairs(TEXTS, measure="cosine")  # error
    likewise.find_pairs(TEXTS, chance="urn")  # error
    likewise.find_pairs(TEXTS, treshold=0.5)  # error
    likewise.find_pairs(TEXTS, threshold="0.5")  # error
    likewise.find_pairs(TEXTS, ids=5)  # error
    likewise.find_pairs(TEXTS, NAMES)  # error
    numbered[0].a.upper()  # error
    named[0].a + 1  # error
    named.filter("0.9")  # error


def duplicates() -> None:
    result = likewise.deduplicate(TEXTS, keep="longest", chains="join", against=TEXTS)
    assert_type(result, Deduplicated[int])
    assert_type(list(result), list[int])
    assert_type(likewise.deduplicate(TEXTS, ids=NAMES).ids(), list[str])
    assert_type(result.clusters(), list[DuplicateCluster[int]])
    print(result.kept.sum(), result.stats.seconds, result.to_pandas())
    with Index.open("earlier.db") as index:
        likewise.deduplicate(TEXTS, against=index)
    likewise.deduplicate(TEXTS, against=Signatures.load("earlier.parquet"))
    report = likewise.deduplicate_files(
        [Path("crawl")], "clean", threshold=0.7, memory=8 << 30, progress=show
    )
    assert_type(report, Report)
    print(report.counts["kept"], report.stats.seconds, report.summary())
    likewise.deduplicate(7)  # error
    likewise.deduplicate(TEXTS, chains="cut")  # error
    likewise.deduplicate(TEXTS, against=5)  # error
    likewise.deduplicate_files("crawl")  # error
    likewise.deduplicate_files("crawl", "clean", chains="cut")  # error


def passages() -> None:
    found = likewise.find_passages(TEXTS, ids=NAMES, exclude=Exclusions(quotations=True))
    assert_type(found, Passages[str])
    for pair in found:
        print(pair.a.upper(), [passage.kind for passage in pair.passages])
    assert_type(likewise.find_passages(TEXTS), Passages[int])
    likewise.find_passages(5)  # error
    likewise.find_passages(TEXTS, min_words="12")  # error
    likewise.find_passages([["a", "list", "of", "tokens"]])  # error
    Exclusions(common_text="maybe")  # error


def signatures() -> None:
    own = likewise.sketch(TEXTS, ids=NAMES)
    assert_type(own, Signatures[str])
    assert_type(likewise.sketch(TEXTS), Signatures[int])
    own.save(Path("own.parquet"), overwrite=True)
    both = Signatures.concat([own, own])
    assert_type(both, Signatures[str])
    assert_type(both.find_pairs(threshold=0.7), EstimatedPairs[str])
    assert_type(both.find_pairs(own)[0], EstimatedPair[str])
    print(own.estimate_with(both, 0, 1).low, own.estimate(0, 1).value, both.ids[0].upper())
    likewise.sketch(TEXTS, values="many")  # error
    own.estimate_with("both", 0, 1)  # error
    own.save()  # error


def index() -> None:
    with Index.open("texts.db", create=True, threshold=0.5, keep_text=False) as index:
        print(index.add(TEXTS, NAMES, metadata=[{"group": "x"}, None, None]).added)
        assert_type(index.add_new(TEXTS, [1, 2, 3]), NDArray[np.bool_])
        answers = index.query(TEXTS, where={"group": ["x", "y"]}, top=3)
        assert_type(answers, list[list[Match]])
        print(answers[0][0].jaccard + 1, answers[0][0].intervals)
        index.query(TEXTS, where=lambda metadata: metadata["year"] > 2020)
        index.remove("x")
        index.remove(1, 2)
        index.remove(["x", "y"])
        print(index["x"].metadata, "x" in index, len(index), [id_.upper() for id_ in index])
        index.add(TEXTS)  # error
        index.add(5, NAMES)  # error
        index.query(5)  # error
        index.query(TEXTS, where="group=x")  # error
        index.query(TEXTS, where=5)  # error
        index.query(TEXTS, top="3")  # error
        index.passages(5)  # error
        index.similar()  # error
    Index.open("texts.db", create="yes")  # error
    Index.open("texts.db", treshold=0.5)  # error


def errors() -> None:
    try:
        likewise.find_pairs(TEXTS)
    except ValueError as error:
        print(error)
    except likewise.LikewiseError as error:
        print(error.hint)


def annotated(found: Pairs) -> Pairs[str]:
    """`Pairs` alone is `Pairs[Any]`, as before there were types of ids."""
    return found
