"""Bytes sort as the order of keeping says."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.dedup.order import order_documents
from likewise.dedup.settings import Keep
from likewise.search.order import id_key

pytest.importorskip("pyspark")
from likewise.spark import order

ids = st.one_of(
    st.text(max_size=6),
    st.integers(0, 10**45).map(str),
    st.from_regex(r"0{0,3}[0-9]{1,4}", fullmatch=True),
)


@given(st.lists(ids, min_size=1))
def test_ids_sort_as_in_a_search(names: list[str]) -> None:
    clean = [name.encode("utf-8", "replace").decode() for name in names]
    keys = order.id_keys(pa.array(clean, pa.string())).to_pylist()
    assert sorted(range(len(clean)), key=lambda i: keys[i]) == sorted(
        range(len(clean)), key=lambda i: id_key(clean[i])
    )


def test_rows_without_an_id_come_last() -> None:
    keys = order.id_keys(pa.array(["z", None, "\U0010ffff", "9"], pa.string())).to_pylist()
    assert max(keys) == keys[1]
    assert keys.count(keys[1]) == 1


@given(st.lists(st.integers(0, 2**40), min_size=1))
def test_the_longest_comes_first(lengths: list[int]) -> None:
    keys = order.length_keys(np.array(lengths)).to_pylist()
    assert sorted(lengths, reverse=True) == [
        lengths[i] for i in sorted(range(len(lengths)), key=lambda i: keys[i])
    ]


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
}


@pytest.mark.parametrize("smallest", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_values_sort_as_in_the_local_engine(kind: str, smallest: bool, data: st.DataObject) -> None:
    type_, strategy = KINDS[kind]
    values = pa.array(data.draw(st.lists(st.none() | strategy, min_size=1)), type_)
    assert order.can_order(type_)
    keys = order.value_keys(values, smallest=smallest).to_pylist()
    expected = order_documents(
        Keep("column", "it", smallest), {"value": values}, len(values)
    ).tolist()
    assert sorted(range(len(keys)), key=lambda i: (keys[i], i)) == expected


def test_what_is_no_number_comes_last_with_what_is_not_there() -> None:
    keys = order.value_keys(pa.array([1.0, float("nan"), None, -1.0]), smallest=False).to_pylist()
    assert keys[1] == keys[2] == max(keys)
    zeros = order.value_keys(pa.array([0.0, -0.0]), smallest=True).to_pylist()
    assert zeros[0] == zeros[1]


def test_parts_of_a_key_decide_one_after_the_other() -> None:
    first = order.value_keys(pa.array(["a", "ab", "a"]), smallest=False)
    second = order.id_keys(pa.array(["2", "1", "1"]))
    keys = order.join_keys(first, second).to_pylist()
    assert sorted(range(3), key=lambda i: keys[i]) == [1, 2, 0]
