"""Segments hold what was put into them, and a look-up finds it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import _core
from likewise.index.postings.entries import documents_of, entries_of, keys_of, short_keys
from likewise.index.postings.segments import (
    FAN_OUT,
    LEVEL_ENTRIES,
    SegmentBuilder,
    drop_overfull,
    to_merge,
)

key_lists = st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 50), max_size=300)


def entries(keys: list[int], first: int = 1) -> np.ndarray:
    numbers = np.arange(first, first + len(keys), dtype=np.uint64)
    return entries_of(np.array([keys], np.uint32), numbers)


def sliced(made: np.ndarray, bits: int) -> list[np.ndarray]:
    """Entries by the leading bits of their keys."""
    slices = made >> np.uint64(64 - bits) if bits else np.zeros(len(made), np.uint64)
    return [made[slices == i] for i in range(1 << bits)]


@given(keys=key_lists, asked=key_lists, slice_bits=st.integers(0, 4))
def test_a_look_up_finds_the_documents_of_its_keys(
    keys: list[int], asked: list[int], slice_bits: int
) -> None:
    made = entries(keys)
    builder = SegmentBuilder(0, 7, len(made), slice_bits)
    rows = dict(row for part in sliced(made, slice_bits) for row in builder.buckets(part))
    segment = builder.segment(len(keys))
    wanted = np.unique(np.array(asked, np.uint32))
    held = segment.matching(wanted)
    assert set(asked) & set(keys) <= set(held.tolist())  # the filter loses nothing
    read = b"".join(rows[i] for i in segment.bucket_ids(held).tolist() if i in rows)
    found, counts = _core.entries_of_keys(np.frombuffer(read, np.uint64), wanted)
    expected = {1 + i for i, key in enumerate(keys) if key in set(asked)}
    assert set(documents_of(found).tolist()) == expected
    assert counts.tolist() == [keys.count(key) for key in wanted.tolist()]


@given(keys=key_lists, slice_bits=st.integers(0, 4))
def test_buckets_are_the_entries_in_order_however_they_come(
    keys: list[int], slice_bits: int
) -> None:
    made = entries(keys)
    builder = SegmentBuilder(0, 3, len(made), slice_bits)
    rows = [row for part in sliced(made, slice_bits) for row in builder.buckets(part)]
    segment = builder.segment(len(keys))
    assert [i for i, _ in rows] == sorted(i for i, _ in rows)
    assert all(i >> 32 == 3 for i, _ in rows)
    np.testing.assert_array_equal(np.frombuffer(b"".join(d for _, d in rows), "<u8"), made)
    assert segment.entries == len(made)
    # A slice of a segment has the buckets of its keys, whatever the bits of both.
    for bits in range(6):
        for number, part in enumerate(sliced(made, bits)):
            begin, end = segment.slice(number, bits)
            inside = b"".join(data for i, data in rows if begin <= i < end)
            assert set(part.tolist()) <= set(np.frombuffer(inside, "<u8").tolist())


@pytest.mark.parametrize("documents", [10, 10_000])
def test_a_filter_is_as_large_as_the_keys_need(documents: int) -> None:
    few = entries_of(
        np.repeat(np.array([[5], [6]], np.uint32), documents, axis=1),
        np.arange(documents, dtype=np.uint64),
    )
    builder = SegmentBuilder(0, 1, len(few))
    list(builder.buckets(few))
    segment = builder.segment(documents)
    assert len(segment.filter) <= 1024
    assert segment.matching(np.array([5, 6], np.uint32)).tolist() == [5, 6]
    far = np.arange(1 << 24, 1 << 30, 1 << 24, dtype=np.uint32)
    assert not len(segment.matching(far))


@given(a=key_lists, b=key_lists, gone=st.sets(st.integers(1, 600)))
def test_merging_keeps_what_is_present(a: list[int], b: list[int], gone: set[int]) -> None:
    parts = [entries(a), entries(b, first=301)]
    present = np.array([n not in gone for n in range(701)], np.uint8)
    found = _core.merge_entries(parts, present)
    expected = sorted(e for part in parts for e in part.tolist() if (e & 0xFFFFFFFF) not in gone)
    assert found.tolist() == expected


def test_a_crowd_is_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likewise.index.postings.segments.MAX_DOCUMENTS_PER_BAND", 5)
    made = entries([9] * 12 + [3] * 2 + [10] * 5)
    kept, crowded = drop_overfull(made)
    assert crowded == 7
    assert np.bincount(keys_of(kept)).tolist()[9] == 5
    assert len(kept) == 12
    assert set(documents_of(kept).tolist()) <= set(range(1, 20))


def test_four_of_a_level_are_merged_the_lowest_first() -> None:
    small = [(i, LEVEL_ENTRIES) for i in range(FAN_OUT - 1)]
    large = [(10 + i, LEVEL_ENTRIES * FAN_OUT) for i in range(FAN_OUT)]
    assert to_merge(small) == []
    assert to_merge([*small, *large]) == [number for number, _ in large]
    assert to_merge([*small, (9, 1), *large]) == [*range(FAN_OUT - 1), 9]


def test_the_same_key_of_two_bands_is_two_keys() -> None:
    keys = short_keys(np.full((40, 1), 12345, np.uint64))
    assert len(np.unique(keys)) == 40
