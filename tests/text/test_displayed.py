"""Letters as they are displayed: the texts that are compared, whatever they come as."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import Profile, UsageError
from likewise.comparison.files import compare_files
from likewise.run import Stats
from likewise.search.find import new_collection, search
from likewise.search.settings import Settings
from likewise.text.displayed import (
    LookAlikes,
    displayed_blocks,
    displayed_column,
    displayed_strings,
    displayed_texts,
)
from likewise.text.obfuscation.letters import mend_letters
from tests.disguise import COPY, ORIGINAL, OTHER
from tests.strategies import ascii_text, texts

DISPLAYED, STORED = Profile(), Profile(letters="stored")
SOME = "abcoe зжаосе ωα Օ天\u0301\u00ad\u200b."
mixed_text = st.text(st.sampled_from(SOME), max_size=60)
many = st.lists(st.one_of(texts, mixed_text, st.just(COPY)), max_size=8)


@given(ascii_text)
def test_ascii_stays_as_it_is(text: str) -> None:
    assert displayed_strings([text], DISPLAYED) == [text]


@given(many)
def test_each_text_is_mended_by_itself(strings: list[str]) -> None:
    found = LookAlikes()
    made = displayed_strings(strings, DISPLAYED, threads=2, found=found)
    mended = [mend_letters(text) for text in strings]
    assert list(made) == [text for text, _ in mended]
    assert found.words == sum(len(flags) for _, flags in mended)
    assert found.documents == sum(bool(flags) for _, flags in mended)
    assert displayed_strings(strings, STORED) is strings
    assert list(displayed_strings(made, DISPLAYED)) == list(made)


@given(many)
def test_columns_and_lists_are_mended_alike(strings: list[str]) -> None:
    clean = [text.encode("utf-8", "replace").decode() for text in strings]
    expected = list(displayed_strings(clean, DISPLAYED))
    column, words = displayed_column(pa.array(clean, pa.large_string()), DISPLAYED, threads=2)
    assert column.to_pylist() == expected
    assert words.tolist() == [len(mend_letters(text)[1]) for text in clean]
    signatures = likewise.sketch(expected, profile=STORED).values
    arrow = pa.array(clean, pa.string())
    for given_ in (clean, tuple(clean), arrow, pa.chunked_array([arrow, arrow[:0]])):
        assert (likewise.sketch(given_).values == signatures).all()


@given(st.lists(st.integers(1, 40), min_size=1), st.integers(0, 9))
def test_blocks_are_cut_by_the_text_alone(sizes: list[int], seed: int) -> None:
    words = (ORIGINAL + COPY).split()
    random.Random(seed).shuffle(words)
    text = " ".join(words)
    at, blocks = 0, []
    for size in sizes:
        blocks.append(text[at : at + size])
        at += size
    found = LookAlikes()
    made = "".join(displayed_blocks([*blocks, text[at:]], DISPLAYED, found))
    assert made == displayed_strings([text], DISPLAYED)[0]
    assert (found.documents, found.words) == (1, len(mend_letters(text)[1]))


def test_a_long_text_is_mended_block_by_block() -> None:
    text = COPY * 2000
    for size in (1000, 100_000, len(text)):
        parts = [text[at : at + size] for at in range(0, len(text), size)]
        assert "".join(displayed_blocks(parts, DISPLAYED)) == ORIGINAL * 2000
    endless = "а" * 200_000
    assert "".join(displayed_blocks([endless], DISPLAYED)) == endless


def test_a_disguised_copy_is_a_copy() -> None:
    pairs = likewise.find_pairs([ORIGINAL, OTHER, COPY])
    assert [(pair.a, pair.b, pair.jaccard) for pair in pairs] == [(0, 2, 1.0)]
    (note,) = pairs.notes
    assert note.endswith("look-alike letters (in 1 document); compared as displayed")
    assert pairs.stats["counts"]["lookalike_documents"] == 1
    assert len(likewise.find_pairs([ORIGINAL, COPY], exact=True)) == 1
    assert len(likewise.find_pairs([ORIGINAL], against=[COPY])) == 1
    stored = likewise.find_pairs([ORIGINAL, COPY], profile=STORED, threshold=0.1)
    assert (len(stored), stored.notes) == (0, [])


@pytest.mark.parametrize("memory", [1, 1 << 30])
@pytest.mark.parametrize("size", [1, 2, 7])
def test_batches_and_memory_change_nothing(memory: int, size: int) -> None:
    documents = [ORIGINAL, OTHER, COPY, f"{COPY} and more", f"more {ORIGINAL}", "", "а b"]
    settings = Settings(threshold=0.5)
    collection = new_collection(settings, memory=memory)
    for at in range(0, len(documents), size):
        part = documents[at : at + size]
        ids = [at + i for i in range(len(part))]
        collection.add_batch(ids, pa.array(part, pa.large_string()))
    found = search(collection, settings, Stats(settings.to_dict()))
    expected = likewise.find_pairs(documents, threshold=0.5)
    assert list(found) == list(expected)
    assert len(expected) == 6
    assert found.notes == expected.notes


def test_compare(tmp_path: Path) -> None:
    made = likewise.compare(ORIGINAL, COPY)
    assert (made.similarity, made.same_prepared, made.identical) == (1.0, True, False)
    assert made.word_edits.distance == 0
    assert made.estimate is not None
    assert made.estimate.value == 1.0
    assert likewise.compare(ORIGINAL, COPY, profile=STORED).similarity < 0.1
    for name, text in (("a", ORIGINAL), ("b", COPY)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    notes: list[object] = []
    files = compare_files(tmp_path / "a", tmp_path / "b", notes=notes)  # type: ignore[arg-type]
    assert (files.similarity, files.same_prepared, files.identical) == (1.0, True, False)
    assert [str(note).endswith("compared as displayed") for note in notes] == [True]


def test_presets_compare_letters_as_displayed_unless_asked_otherwise() -> None:
    for preset in ("tweets", "gospels", "papers"):
        assert Profile.parse(preset).letters == "displayed"
        assert Profile.parse(f"{preset},letters=stored").letters == "stored"
    assert str(STORED) == "word:3,letters=stored"
    with pytest.raises(UsageError, match="displayed, stored"):
        Profile.parse("word:3,letters=seen")


def test_texts_of_the_core_are_taken_as_they_are() -> None:
    views = displayed_texts([COPY], DISPLAYED)
    assert displayed_texts(views, DISPLAYED) is views
