"""Documents that share fingerprints, from rows that come in batches."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyspark")

rows = st.sets(st.tuples(st.integers(-3, 3), st.integers(0, 12)), max_size=60)


@given(rows=rows, most=st.integers(2, 5), size=st.integers(1, 9), two=st.booleans())
def test_pairs_and_how_many_are_set_aside(
    rows: set[tuple[int, int]], most: int, size: int, two: bool
) -> None:
    from likewise.spark.passages.shared_fingerprints import SharedBy

    def side(number: int) -> int:
        return 1 + (two and number > 6)

    documents: dict[int, list[int]] = defaultdict(list)
    for hash_, number in sorted(rows):
        documents[hash_].append(number)
    expected, set_aside = [], 0
    for own in documents.values():
        pairs = [(a, b) for a, b in combinations(own, 2) if not two or side(a) != side(b)]
        if len(own) <= most:
            expected += pairs
        else:
            set_aside += bool(pairs)
    ordered = sorted(rows)
    batches = [
        pa.record_batch(
            {
                "hash": pa.array([one[0] for one in ordered[begin : begin + size]], pa.int64()),
                "number": pa.array([one[1] for one in ordered[begin : begin + size]], pa.int64()),
                "side": pa.array([side(one[1]) for one in ordered[begin : begin + size]]),
            }
        )
        for begin in range(0, len(ordered), size)
    ]
    made = [row for batch in SharedBy(most, two)(iter(batches)) for row in batch.to_pylist()]
    assert sorted((row["a"], row["b"]) for row in made if row["a"] is not None) == sorted(expected)
    assert sum(row["set_aside"] or 0 for row in made) == set_aside
