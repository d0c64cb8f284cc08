"""The order of keeping equals sorting by plain keys."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import UsageError
from likewise.dedup.order import order_documents
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


@pytest.mark.parametrize("text", ["", "last", "column:", "column:-", "column", None])
def test_unknown_orders_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="first, longest or column:NAME"):
        Keep.parse(text)


def test_orders_have_a_name() -> None:
    for text in ("first", "longest", "column:score", "column:-date"):
        assert str(Keep.parse(text)) == text
