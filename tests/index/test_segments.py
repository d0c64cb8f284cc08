"""Segments hold what was put into them, and a look-up finds it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import _core
from likewise.index.entries import documents_of, entries_of, keys_of, short_keys
from likewise.index.segments import (
    FAN_OUT,
    SMALLEST,
    Segment,
    build,
    found_in,
    to_merge,
    without_crowds,
)

key_lists = st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 50), max_size=300)


def entries(keys: list[int], first: int = 1) -> np.ndarray:
    numbers = np.arange(first, first + len(keys), dtype=np.uint64)
    return entries_of(np.array([keys], np.uint32), numbers)


@given(keys=key_lists, asked=key_lists)
def test_a_look_up_finds_the_documents_of_its_keys(keys: list[int], asked: list[int]) -> None:
    segment, buckets = build(0, 7, entries(keys), len(keys))
    rows = dict(buckets)
    wanted = np.array(asked, np.uint32)
    held = segment.holding(wanted)
    assert set(asked) & set(keys) <= set(held.tolist())  # the filter loses nothing
    read = [rows[i] for i in segment.bucket_ids(held).tolist() if i in rows]
    expected = {1 + i for i, key in enumerate(keys) if key in set(asked)}
    assert set(found_in(read, wanted).tolist()) == expected


@given(keys=key_lists)
def test_buckets_are_the_entries_in_order(keys: list[int]) -> None:
    made = entries(keys)
    _, buckets = build(0, 3, made, len(keys))
    rows = list(buckets)
    assert [i for i, _ in rows] == sorted(i for i, _ in rows)
    assert all(i >> 32 == 3 for i, _ in rows)
    np.testing.assert_array_equal(np.frombuffer(b"".join(d for _, d in rows), "<u8"), made)


@given(a=key_lists, b=key_lists, gone=st.sets(st.integers(1, 600)))
def test_merging_keeps_what_is_present(a: list[int], b: list[int], gone: set[int]) -> None:
    parts = [entries(a), entries(b, first=301)]
    present = np.array([n not in gone for n in range(701)], np.uint8)
    found = _core.merge_entries(parts, present)
    expected = sorted(e for part in parts for e in part.tolist() if (e & 0xFFFFFFFF) not in gone)
    assert found.tolist() == expected


def test_a_crowd_is_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likewise.index.segments.MAX_SHARED", 5)
    made = entries([9] * 12 + [3] * 2 + [10] * 5)
    kept, crowded = without_crowds(made)
    assert crowded == 7
    assert np.bincount(keys_of(kept)).tolist()[9] == 5
    assert len(kept) == 12
    assert set(documents_of(kept).tolist()) <= set(range(1, 20))


def test_four_of_a_level_are_merged_the_lowest_first() -> None:
    def segment(number: int, documents: int) -> Segment:
        return Segment(0, number, documents, 0, 1, 10, np.zeros(128, np.uint8))

    small = [segment(i, SMALLEST) for i in range(FAN_OUT - 1)]
    large = [segment(10 + i, SMALLEST * FAN_OUT) for i in range(FAN_OUT)]
    assert to_merge(small) == []
    assert to_merge([*small, *large]) == large
    one_more = segment(9, 1)
    assert to_merge([*small, one_more, *large]) == [*small, one_more]


def test_the_same_key_of_two_bands_is_two_keys() -> None:
    keys = short_keys(np.full((40, 1), 12345, np.uint64))
    assert len(np.unique(keys)) == 40
