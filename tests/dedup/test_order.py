"""The order of keeping equals sorting by plain keys."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import UsageError
from likewise.dedup.order import can_order, order_documents
from likewise.dedup.settings import Keep
from likewise.search.order import id_key

IDS = st.one_of(
    st.sampled_from(["0", "00", "7", "07", "10", "9", "a", "", "é", "Z", "²", "-1", "1\n", "𝟘"]),
    st.integers(0, 10**45).map(str),
    st.text(max_size=3),
)


@given(st.lists(IDS, max_size=12))
def test_first_is_the_smallest_id_then_the_place(ids: list[str]) -> None:
    ids = [id_.encode("utf-8", "replace").decode() for id_ in ids]
    order = order_documents(Keep("first"), {"id": pa.array(ids, pa.large_string())}, len(ids))
    assert order.tolist() == sorted(range(len(ids)), key=lambda i: (id_key(ids[i]), i))


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab1")), max_size=12))
def test_longest(rows: list[tuple[int, str]]) -> None:
    order = order_documents(
        Keep("longest"),
        {
            "length": pa.array([length for length, _ in rows], pa.uint32()),
            "id": pa.array([id_ for _, id_ in rows], pa.large_string()),
        },
        len(rows),
    )
    expected = sorted(range(len(rows)), key=lambda i: (-rows[i][0], id_key(rows[i][1]), i))
    assert order.tolist() == expected


@pytest.mark.parametrize("smallest", [False, True])
@given(values=st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), max_size=12))
def test_column(values: list[int | None], smallest: bool) -> None:
    order = order_documents(
        Keep("column", "x", smallest), {"value": pa.array(values, pa.int64())}, len(values)
    )
    sign = 1 if smallest else -1
    expected = sorted(
        range(len(values)), key=lambda i: (values[i] is None, sign * (values[i] or 0), i)
    )
    assert order.tolist() == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (pa.array(["b", None, "ä", "a"]), [2, 0, 3, 1]),
        (pa.array([True, False, None, True]), [0, 3, 1, 2]),
        (pa.array([None, None]), [0, 1]),
        (pa.array([1.5, float("nan"), None, 2.5]), [3, 0, 1, 2]),
    ],
)
def test_columns_of_other_types(column: pa.Array, expected: list[int]) -> None:
    order = order_documents(Keep("column", "x"), {"value": column}, len(column))
    assert order.tolist() == expected


def test_rows_without_an_id_come_last() -> None:
    ids = pa.array(["z", None, "\U0010ffff", "9"], pa.string())
    assert order_documents(Keep("first"), {"id": ids}, 4).tolist() == [3, 0, 2, 1]


KINDS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "long": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "short": (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    "double": (pa.float64(), st.floats(allow_nan=False)),
    "float": (pa.float32(), st.floats(allow_nan=False, width=32)),
    "boolean": (pa.bool_(), st.booleans()),
    "date": (pa.date32(), st.dates()),
    "timestamp": (
        pa.timestamp("us", "UTC"),
        st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2200, 1, 1)),
    ),
    "decimal": (
        pa.decimal128(20, 3),
        st.decimals(-(10**16), 10**16, places=3, allow_nan=False).map(decimal.Decimal),
    ),
    "string": (pa.string(), st.text()),
    "large string": (pa.large_string(), st.text()),
    "binary": (pa.binary(), st.binary(max_size=4)),
    "unsigned": (pa.uint64(), st.integers(0, 2**64 - 1)),
}


@pytest.mark.parametrize("smallest", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_values_sort_as_in_arrow(kind: str, smallest: bool, data: st.DataObject) -> None:
    type_, strategy = KINDS[kind]
    values = pa.array(data.draw(st.lists(st.none() | strategy, min_size=1)), type_)
    assert can_order(type_) or kind in ("binary", "large string")
    plain = values.cast(pa.uint8()) if kind == "boolean" else values
    how = [("value", "ascending" if smallest else "descending"), ("place", "ascending")]
    table = pa.table({"value": plain, "place": range(len(values))})
    expected = pc.sort_indices(table, sort_keys=how).to_pylist()
    found = order_documents(Keep("column", "it", smallest), {"value": values}, len(values))
    assert found.tolist() == expected


def test_what_is_no_number_comes_before_what_is_missing() -> None:
    values = pa.array([None, float("nan"), 1.0, None, -1.0])
    order = order_documents(Keep("column", "x"), {"value": values}, 5)
    assert order.tolist() == [2, 4, 1, 0, 3]
    zeros = pa.array([0.0, -0.0, 0.0])
    assert order_documents(Keep("column", "x", True), {"value": zeros}, 3).tolist() == [0, 1, 2]


@pytest.mark.parametrize("text", ["", "last", "column:", "column:-", "column", None])
def test_unknown_orders_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="first, longest or column:NAME"):
        Keep.parse(text)


def test_orders_have_a_name() -> None:
    for text in ("first", "longest", "column:score", "column:-date"):
        assert str(Keep.parse(text)) == text
