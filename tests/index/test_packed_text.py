"""Texts as they are stored come back as they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from likewise.index.packed_text import pack, unpack


@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=5),
    copies=st.sampled_from([1, 100]),
    threads=st.sampled_from([1, 2]),
    pages=st.none() | st.lists(st.integers(0, 2**32 - 1), max_size=4).map(tuple),
)
def test_what_was_packed_is_unpacked(
    texts: list[str], copies: int, threads: int, pages: tuple[int, ...] | None
) -> None:
    many = texts * copies
    raw = [text.encode() for text in many]
    ids = list(map(str, range(len(many))))
    held = pack(raw, [pages] * len(many), ids, threads)
    assert [unpack(one) for one in held] == [(text, pages) for text in many]
    assert held == pack(raw, [pages] * len(many), ids, 1)  # the same bytes, whatever the threads
