"""Groups are never cut in two."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyspark")
from likewise.spark.arrow import whole_groups


@given(st.lists(st.integers(0, 5), max_size=40).map(sorted), st.lists(st.integers(0, 40)))
def test_whole_groups(keys: list[int], cuts: list[int]) -> None:
    edges = sorted({0, len(keys), *(min(cut, len(keys)) for cut in cuts)})
    ends = [*edges[1:], len(keys)]
    tables = list(
        whole_groups(
            (
                pa.record_batch({"key": pa.array(keys[begin:end], pa.int64())})
                for begin, end in zip(edges, ends, strict=True)
            ),
            "key",
        )
    )
    parts = [table.column("key").to_pylist() for table in tables]
    assert [key for part in parts for key in part] == keys
    groups = [key for part in parts for key in set(part)]
    assert len(groups) == len(set(groups))
