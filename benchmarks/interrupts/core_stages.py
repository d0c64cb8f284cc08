"""Each function of the core with work for about a second or more."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.texts.vocabulary import Vocabulary
from likewise import Profile, _core
from likewise._core import Texts
from likewise.passages.alignment import AlignmentSettings
from likewise.text.words import STEM_LETTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Stage = tuple[str, Callable[[], object]]

THREADS = 2
WORDS = Profile.parse("word:3").rules()
LETTERS = Profile.parse("char:5").rules()
BAG = replace(Profile.parse("word:3"), count="bag").rules()
NO_KEYS = np.zeros(0, np.uint32)


@cache
def random() -> np.random.Generator:
    return np.random.default_rng(1)


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary(50_000, 1)


@cache
def long_text(megabytes: float) -> str:
    """One document, in which each place is different."""
    return vocabulary().text(vocabulary().draw(random(), int(megabytes * 1e6 / 6)))


@cache
def pages(megabytes: float) -> list[str]:
    """Documents of 1.5 kB; every tenth is a copy of the one before with some words changed."""
    text = long_text(megabytes)
    made = [text[i : i + 1_500] for i in range(0, len(text), 1_500)]
    for i in range(10, len(made), 10):
        made[i] = made[i - 1].replace(" the ", " that ")
    return made


def accented(text: str) -> str:
    return text.replace("e", "é").replace("a", "à")


def numbers(count: float, below: int = 2**64) -> NDArray[np.uint64]:
    return random().integers(0, below, int(count), np.uint64)


def documents(count: float, below: float) -> NDArray[np.uint32]:
    return random().integers(0, int(below), int(count), np.uint32)


def entries(count: float) -> NDArray[np.uint64]:
    """Sorted, as in an index: a key and one of a million documents."""
    return np.sort(numbers(count, 2**32) << np.uint64(32) | numbers(count, 10**6))


def everything(texts: Texts) -> NDArray[np.uint32]:
    return np.arange(len(texts), dtype=np.uint32)


def one(megabytes: float) -> Texts:
    return Texts.from_strings([long_text(megabytes)])


def two(megabytes: float) -> Texts:
    text = long_text(megabytes)
    return Texts.from_strings([text, text[: len(text) // 2] + text[len(text) // 2 + 100 :]])


def many(megabytes: float) -> Texts:
    return Texts.from_strings(pages(megabytes))


def mb(megabytes: float, what: str) -> str:
    return f"{megabytes:,.0f} MB: {what}"


def millions(count: float, what: str) -> str:
    return f"{count:,.3g} million {what}"


def from_strings(size: float) -> Stage:
    texts = [accented(page) for page in pages(size)]
    return mb(size, "pages, accented"), partial(Texts.from_strings, texts, THREADS)


def from_one_string(size: float) -> Stage:
    text = accented(long_text(size)) * 3
    return mb(3 * size, "one document, accented"), partial(Texts.from_strings, [text], THREADS)


def from_file(size: float) -> Stage:
    data = long_text(size).encode() * 4
    file = os.memfd_create("text")
    os.truncate(file, len(data))
    os.pwrite(file, data, 0)
    places = np.array([0, len(data)], np.int64)
    return mb(4 * size, "one document"), partial(
        Texts.from_file, file, places, np.zeros(1, np.uint32)
    )


def scan(texts: Texts, rules: _core.Rules) -> Callable[[], object]:
    return partial(
        _core.scan, texts, rules, values=128, bands=25, rows=5, keep_sketches=True, threads=THREADS
    )


def scan_many(size: float) -> Stage:
    return mb(4 * size, "pages"), scan(Texts.concatenated([many(size)] * 4), WORDS)


def scan_one(size: float) -> Stage:
    return mb(size, "one document, accented"), scan(
        Texts.from_strings([accented(long_text(size)), "short"]), WORDS
    )


def scan_bag(size: float) -> Stage:
    return mb(size, "one document, counted"), scan(one(size), BAG)


def count_distinct(size: float) -> Stage:
    texts = one(size)
    chosen = everything(texts)
    return mb(size, "one document, 5 characters"), partial(
        _core.count_distinct, texts, LETTERS, chosen, threads=THREADS
    )


def verify(texts: Texts, others: list[int], rules: _core.Rules) -> Callable[[], object]:
    offsets = np.full(len(texts) + 1, len(others), np.uint64)
    offsets[0] = 0
    return partial(
        _core.verify, texts, rules, offsets, np.array(others, np.uint32),
        begin=0, end=len(texts), measure="jaccard", threshold=0.5, threads=THREADS,
    )  # fmt: skip


def verify_two(size: float) -> Stage:
    return mb(2 * size, "two documents, 5 characters"), verify(two(size), [1], LETTERS)


def verify_repeated(size: float) -> Stage:
    texts = Texts.from_strings(["a" * int(size * 1e6)] * 2)
    return mb(2 * size, "two documents of one letter"), verify(texts, [1], LETTERS)


def find_copies(size: float) -> Stage:
    count = size * 2e5
    digests = np.stack([numbers(count, 10**6), numbers(count, 2)], axis=1)
    return millions(count / 1e6, "documents"), partial(
        _core.find_copies, digests, np.ones(len(digests), np.uint64)
    )


def expand_copies(size: float) -> Stage:
    count = size * 1e5
    first = np.arange(int(count), dtype=np.uint32) // 10 * 10
    pairs = first[:: 10 * 3]
    return millions(count / 1e6, "documents"), partial(
        _core.expand_copies, first, None, pairs, np.roll(pairs, 1), max_copies=100
    )


def find_candidates(size: float) -> Stage:
    count = int(size * 1e4)
    keys = numbers(25 * count, count).reshape(25, count) << np.uint64(40)
    chosen = np.arange(count, dtype=np.uint32)
    return millions(count / 1e6, "documents, 25 bands"), partial(
        _core.find_candidates, keys, chosen, None, max_bucket=100, threads=THREADS
    )


def find_clusters(size: float) -> Stage:
    count = size * 5e5
    pairs = documents(count, count), documents(count, count)
    return millions(count / 1e6, "pairs"), partial(_core.find_clusters, int(count), *pairs)


def exact_join(texts: Texts, measure: str) -> Callable[[], object]:
    chosen = everything(texts)
    return partial(
        _core.exact_join, texts, WORDS, chosen, None,
        measure=measure, threshold=0.5, threads=THREADS,
    )  # fmt: skip


def join_many(size: float) -> Stage:
    return mb(4 * size, "pages"), exact_join(Texts.concatenated([many(size)] * 4), "jaccard")


def join_containment(size: float) -> Stage:
    return mb(size, "pages"), exact_join(many(size), "containment")


def join_two(size: float) -> Stage:
    return mb(4 * size, "two documents"), exact_join(two(2 * size), "jaccard")


def fingerprints(texts: Texts) -> Callable[[], object]:
    return partial(_core.fingerprints, texts, WORDS, window=8, threads=THREADS)


def fingerprints_many(size: float) -> Stage:
    return mb(4 * size, "pages"), fingerprints(Texts.concatenated([many(size)] * 4))


def fingerprints_one(size: float) -> Stage:
    return mb(size, "one document"), fingerprints(one(size))


def sample_shingles(size: float) -> Stage:
    return mb(size, "one document"), partial(
        _core.sample_shingles, one(size), WORDS, stride=1, threads=THREADS
    )


def share_fingerprints(size: float) -> Stage:
    count = size * 2e5
    offsets = np.arange(0, int(count) + 1, 100, dtype=np.uint64)
    hashes = numbers(offsets[-1], int(count // 3)) * np.uint64(0x9E3779B97F4A7C15)
    sides = documents(len(offsets) - 1, 3).astype(np.uint8) + np.uint8(1)
    return millions(count / 1e6, "fingerprints, two sides"), partial(
        _core.share_fingerprints, hashes, offsets, sides, most_documents=100, threads=THREADS
    )


def character_classes(size: float) -> Stage:
    texts = Texts.from_strings([accented(long_text(size)) * 3])
    return mb(3 * size, "one document, accented"), partial(
        _core.character_classes, texts, np.zeros(0x110000, np.uint8), threads=THREADS
    )


def telling_words(size: float) -> Stage:
    return mb(size, "one document"), partial(
        _core.telling_words, one(size), stem_letters=STEM_LETTERS, threads=THREADS
    )


def collected(texts: Texts) -> _core.CollectionWords:
    words = _core.CollectionWords(stem_letters=STEM_LETTERS, keep_order=True)
    words.add(texts, threads=THREADS)
    return words


def collection_words(size: float) -> Stage:
    words = _core.CollectionWords(stem_letters=STEM_LETTERS, keep_order=True)
    return mb(size, "pages"), partial(words.add, many(size), threads=THREADS)


def share_words(size: float) -> Stage:
    return mb(size / 4, "pages"), partial(
        _core.share_words, collected(many(size / 4)), None, length=100, stride=50,
        most_documents=100, least_evidence=20.0, most_candidates=100, threads=THREADS,
    )  # fmt: skip


def words_with_places(size: float) -> Stage:
    return mb(size, "one document"), partial(
        _core.words_with_places, one(size), stem_letters=STEM_LETTERS
    )


def numbered(size: float) -> Stage:
    count = size * 1e5
    return millions(count / 1e6, "words"), partial(_core.numbered, numbers(count, 10**6))


def common_runs(size: float) -> Stage:
    count = size * 1e5
    a = documents(count, 1e5)
    return millions(count / 1e6, "words on each side"), partial(
        _core.common_runs, a, np.roll(a, 50), least=8
    )


NO_LETTERS = np.zeros(0, np.uint32)  # of words of similar spelling


def align_pair(size: float, repeated: bool) -> Stage:
    count = int(size * 5e3)
    words = documents(2 * count, 20 if repeated else 1e4)
    words[count:] = np.roll(words[:count], 50)
    gaps, letters = np.zeros(2 * count + 2, np.uint8), np.full(2 * count, 5, np.uint8)
    offsets, rates = np.array([0, count, 2 * count], np.uint64), np.full(10_000, 1e-4)
    a, b = np.array([0], np.uint32), np.array([1], np.uint32)
    what = "of 20 words, each side" if repeated else "words on each side"
    return millions(count / 1e6, what), partial(
        _core.align_pairs, words, words, gaps, letters, offsets, a, b, rates,
        AlignmentSettings().to_core(), characters=NO_LETTERS, spelling=NO_LETTERS, threads=THREADS,
    )  # fmt: skip


def shuffled_overlaps(size: float) -> Stage:
    return mb(size / 5, "two documents"), partial(
        _core.shuffled_overlaps, two(size / 10), WORDS, what="words", seed=1, trials=4,
        threads=THREADS,
    )  # fmt: skip


def shingle_hashes(size: float) -> Stage:
    return mb(size, "one document"), partial(_core.shingle_hashes, one(size), LETTERS)


def prepared_text(size: float) -> Stage:
    texts = Texts.from_strings([accented(long_text(size)) * 2])
    return mb(2 * size, "one document, accented"), partial(_core.prepared_text, texts, WORDS)


def band_keys(size: float) -> Stage:
    count = int(size * 2e4)
    sketches = documents(count * 128, 2**32 - 1).reshape(count, 128)
    return millions(count / 1e6, "signatures"), partial(_core.band_keys, sketches, bands=25, rows=5)


def entries_of_hashes(size: float) -> Stage:
    count = size * 2e5
    offsets = np.arange(0, int(count) + 1, 100, dtype=np.uint64)
    return millions(count / 1e6, "hashes"), partial(
        _core.entries_of_hashes, numbers(offsets[-1]), offsets, NO_KEYS
    )


def merge_entries(size: float) -> Stage:
    runs = [entries(size * 1e5) for _ in range(4)]
    return millions(size * 4e5 / 1e6, "entries"), partial(
        _core.merge_entries, runs, np.zeros(0, np.uint8)
    )


def of_entries(size: float, work: Callable[..., object]) -> Stage:
    return millions(size * 5e5 / 1e6, "entries"), partial(work, entries(size * 5e5))


def evidence_of_parts(size: float) -> Stage:
    count = size * 1e5
    held = np.sort(numbers(count, 10_000 << 32))
    keys = documents(1e5, 1e4)
    return millions(count / 1e6, "entries"), partial(
        _core.evidence_of_parts, keys, held, length=100, stride=50, documents=10**6, least=5.0
    )


STAGES: dict[str, Callable[[float], Stage]] = {
    "Texts.from_strings": from_strings,
    "Texts.from_strings, one": from_one_string,
    "Texts.from_file": from_file,
    "character_classes": character_classes,
    "prepared_text": prepared_text,
    "shingle_hashes": shingle_hashes,
    "scan": scan_many,
    "scan, one": scan_one,
    "scan, bag": scan_bag,
    "band_keys": band_keys,
    "count_distinct": count_distinct,
    "find_copies": find_copies,
    "expand_copies": expand_copies,
    "find_candidates": find_candidates,
    "verify": verify_two,
    "verify, repeats": verify_repeated,
    "exact_join": join_many,
    "exact_join, containment": join_containment,
    "exact_join, two": join_two,
    "find_clusters": find_clusters,
    "shuffled_overlaps": shuffled_overlaps,
    "fingerprints": fingerprints_many,
    "fingerprints, one": fingerprints_one,
    "sample_shingles": sample_shingles,
    "share_fingerprints": share_fingerprints,
    "telling_words": telling_words,
    "CollectionWords.add": collection_words,
    "share_words": share_words,
    "words_with_places": words_with_places,
    "numbered": numbered,
    "common_runs": common_runs,
    "align_pairs": partial(align_pair, repeated=False),
    "align_pairs, repeats": partial(align_pair, repeated=True),
    "entries_of_hashes": entries_of_hashes,
    "merge_entries": merge_entries,
    "without_common": partial(
        of_entries, work=partial(_core.without_common, common=NO_KEYS, most=100)
    ),
    "entries_of_keys": partial(
        of_entries, work=partial(_core.entries_of_keys, keys=np.arange(10**6, dtype=np.uint32))
    ),
    "evidence_of_parts": evidence_of_parts,
    "key_filter": partial(of_entries, work=partial(_core.key_filter, bits=28)),
    "bloom_filter": partial(of_entries, work=partial(_core.bloom_filter, bits=20, skip=0)),
    "count_documents": partial(of_entries, work=_core.count_documents),
}
