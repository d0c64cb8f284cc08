"""Candidates from sorted rows are those of the core, however the rows are cut into batches."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.search.packed_pairs import pack
from likewise.sketches.candidates import find_candidates

pytest.importorskip("pyspark")
from likewise.spark import digests
from likewise.spark.buckets import ComparedBuckets


def batches(keys: np.ndarray, names: pa.Array, cuts: list[int]) -> Iterator[pa.RecordBatch]:
    """Rows of all bands, by key, band and digest."""
    bands, count = keys.shape
    rows = sorted(
        (int(keys[band, i]), band, names[i].as_py()) for band in range(bands) for i in range(count)
    )
    key, band, digest = zip(*rows, strict=True) if rows else ((), (), ())
    table = pa.record_batch(
        {
            "key": pa.array(key, pa.int64()),
            "band": pa.array(band, pa.int32()),
            "digest": pa.array(digest, pa.binary()),
        }
    )
    edges = sorted({0, len(rows), *(cut % (len(rows) + 1) for cut in cuts)})
    for begin, end in zip(edges, [*edges[1:], len(rows)], strict=True):
        yield table.slice(begin, end - begin)


@given(
    st.integers(1, 3).flatmap(
        lambda bands: st.lists(
            st.lists(st.integers(0, 2), min_size=bands, max_size=bands), min_size=1, max_size=80
        )
    ),
    st.integers(2, 60),
    st.lists(st.integers(0, 10**6), max_size=12),
)
def test_candidates_are_those_of_the_core(
    rows: list[list[int]], max_bucket: int, cuts: list[int]
) -> None:
    keys = np.array(rows, np.uint64).T
    count = keys.shape[1]
    halves = [np.arange(count, dtype=np.uint64) * 3, np.full(count, 7, np.uint64)]
    names = digests.to_bytes(np.stack(halves, 1))
    numbers = {name.as_py(): i for i, name in enumerate(names)}
    found, large, aside = set(), 0, 0
    for batch in ComparedBuckets(max_bucket)(batches(keys, names, cuts)):
        for row in batch.to_pylist():
            if row["a"] is None:
                large += row["large"]
                aside += row["set_aside"]
            else:
                found.add(numbers[row["a"]] << 32 | numbers[row["b"]])
    expected = find_candidates(keys, max_bucket=max_bucket)
    assert found == set(pack(expected.a, expected.b).tolist())
    assert (large, aside) == (expected.large_buckets, expected.set_aside)


def test_a_large_bucket_costs_no_more_than_its_size() -> None:
    count = 20_000
    names = digests.to_bytes(np.stack([np.arange(count, dtype=np.uint64)] * 2, 1))
    rows = pa.record_batch(
        {
            "key": pa.array(np.zeros(count, np.int64)),
            "band": pa.array(np.zeros(count, np.int32)),
            "digest": names.cast(pa.binary()),
        }
    )
    parts = list(ComparedBuckets(1000)(rows.slice(at, 997) for at in range(0, count, 997)))
    pairs = sum(part.num_rows for part in parts) - 1
    assert pairs < 16 * count
    assert parts[-1].column("set_aside")[0].as_py() == count * (count - 1) // 2 - pairs
    # The text of a hub is sent to parts of a thousand each.
    hub = names[0].as_py()
    sizes: dict[int, int] = {}
    for part in parts[:-1]:
        for row in part.to_pylist():
            if row["a"] == hub:
                sizes[row["part"]] = sizes.get(row["part"], 0) + 1
    assert max(sizes.values()) <= 1000
