"""Texts as they are stored come back as they were."""

from __future__ import annotations

import hashlib
import struct

import zstandard
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents import References
from likewise.index.adding import HASH_BYTES, content_hash
from likewise.index.packed_text import LEVEL, Unpacked, pack, unpack


@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), max_size=5),
    copies=st.sampled_from([1, 100]),
    threads=st.sampled_from([1, 2]),
    pages=st.none() | st.lists(st.integers(0, 2**32 - 1), max_size=4).map(tuple),
    references=st.none()
    | st.builds(
        lambda parts: References("verses", tuple(range(len(parts))), tuple(parts)),
        st.lists(st.lists(st.sampled_from(["Mt", "7", "é"]), max_size=3).map(tuple), max_size=4),
    ),
)
def test_what_was_packed_is_unpacked(
    texts: list[str],
    copies: int,
    threads: int,
    pages: tuple[int, ...] | None,
    references: References | None,
) -> None:
    many = texts * copies
    raw = [text.encode() for text in many]
    ids = list(map(str, range(len(many))))
    others = [pages] * len(many), [references] * len(many), ids
    held = pack(raw, *others, threads)
    assert [unpack(one) for one in held] == [Unpacked(text, pages, references) for text in many]
    assert held == pack(raw, *others, 1)  # the same bytes, whatever the threads


def test_a_text_without_references_is_stored_as_by_earlier_versions() -> None:
    (packed,) = pack(["é".encode()], [(0, 1)], [None], ["a"], 1)
    frame = zstandard.ZstdCompressor(level=LEVEL).compress("é".encode())
    assert packed == struct.pack("<IIII", 2, 2, 0, 1) + frame
    assert (
        content_hash("é".encode(), None, (0, 1), None)
        == hashlib.blake2b("é".encode() + b"\0None\0(0, 1)", digest_size=HASH_BYTES).digest()
    )
