"""The compiled core on hostile texts and arrays: no crash, and the same result every way it can be
computed: with vector instructions and without, on one thread and on two, in place and again.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import Profile, _core
from likewise._core import Texts
from likewise.passages.alignment import AlignmentSettings
from tests.fuzz.outcomes import Outcome

# Characters at which some loop changes its way: ends of ranges, marks, what grows or vanishes.
EDGES = (
    "aAzZ09 \t\n.,'-=<\u007f\u0080\u00a0\u00ab\u00ad\u00b7\u00bb\u00bf\u00c0\u00d7\u00df"
    "\u00e9\u00f7\u00ff\u0100\u0130\u0131\u0149\u0152\u0153\u017f\u0300\u0301\u0327\u0338"
    "\u0345\u03a3\u03c2\u0400\u0410\u041f\u0420\u042f\u0430\u043f\u0440\u045f\u0460\u05d0"
    "\u0627\u064e\u07ff\u0800\u0e01\u0e33\u1100\u1161\u11a8\u1e9e\u200b\u200d\u2010\u2017"
    "\u2019\u2027\u2028\u202e\u2126\u3000\u3042\u3099\u4e2d\uac00\ud7ff\ue000\ufb01\ufdfa"
    "\ufeff\uff21\ufffd\uffff\U00010000\U0001d400\U0001f468\U000e0001\U0010ffff\ud800\udfff"
)
VOCABULARY = ("a", "b", "the", "été", "ЩИ", "中", "ﷺ", "x" * 70, "e\u0301", "o\u0338", "\u0338")


def text_of(rng: Random, most: int = 400) -> str:
    """Runs of characters, of words and of one thing again and again."""
    pieces = []
    for _ in range(rng.randrange(8)):
        size = rng.choice((1, 3, 17, 64, rng.randrange(1, most)))
        way = rng.randrange(5)
        if way == 0:
            pieces.append("".join(rng.choices(EDGES, k=size)))
        elif way == 1:
            pieces.append(" ".join(rng.choices(VOCABULARY, k=size)))
        elif way == 2:
            pieces.append(rng.choice(EDGES) * size)
        elif way == 3:
            pieces.append("".join(map(chr, rng.choices(range(0x110000), k=size))))
        else:
            first = rng.randrange(0x3000)
            pieces.append("".join(map(chr, rng.choices(range(first, first + 64), k=size))))
    return "".join(pieces)


def profile_of(rng: Random) -> Profile:
    return Profile(
        unit=rng.choice(("word", "char")),
        k=rng.choice((1, 2, 3, 5, 8, 70)),
        case=rng.choice(("fold", "keep")),
        accents=rng.choice(("keep", "strip")),
        punctuation=rng.choice(("drop", "keep")),
        spaces=rng.choice(("one", "drop", "keep")),
        digits=rng.choice(("keep", "drop")),
        greek=rng.choice(("keep", "drop")),
        stop_words=rng.choice(("none", "none", "english", "russian")),
        min_word_length=rng.choice((1, 1, 3)),
        count=rng.choice(("set", "bag")),
        seed=rng.choice((0, 1, 2**64 - 1)),
    )


def same(rng: Random, call: Callable[[int], Any]) -> Any:
    """What `call(threads)` gives, which must not depend on instructions or threads."""
    expected = call(1)
    _core.limit_vectors(rng.choice(_core.vector_levels()))
    try:
        again = call(rng.choice((1, 2, 3)))
    finally:
        _core.limit_vectors("avx512")
    assert equal(expected, again), "the result depends on threads or instructions"
    return expected


def equal(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return all(map(equal, a, b))
    return bool(np.array_equal(a, b))


def shingles(rng: Random) -> Outcome:
    """Texts, also as bytes that are no UTF-8, prepared, cut, hashed and sketched."""
    rules = profile_of(rng).rules()
    if rng.random() < 0.3:
        data = bytearray(text_of(rng).encode("utf-8", "replace"))
        for _ in range(rng.randrange(6)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        texts = Texts.from_buffers(bytes(data), np.array([0, len(data)], np.int64), True)
    else:
        strings = [text_of(rng) for _ in range(rng.randrange(1, 5))]
        texts = Texts.from_strings(strings, rng.choice((1, 2)))
        # A lone surrogate is written as U+FFFD, which takes as many bytes.
        assert texts.nbytes == sum(len(one.encode("utf-8", "surrogatepass")) for one in strings)
    same(rng, lambda threads: _core.shingle_hashes(texts, rules))
    same(
        rng,
        lambda threads: _core.scan(
            texts, rules, values=64, bands=8, rows=4, keep_sketches=True, threads=threads
        ),
    )
    chosen = np.arange(len(texts), dtype=np.uint32)
    counts = same(rng, lambda threads: _core.count_distinct(texts, rules, chosen, threads=threads))
    hashes, offsets = _core.shingle_hashes(texts, rules)
    for i, count in enumerate(counts.tolist()):
        assert count == len(set(hashes[offsets[i] : offsets[i + 1]].tolist()))
    table = np.zeros(0x110000, np.uint8)
    table[rng.randrange(0x3000) :: rng.randrange(1, 400)] = 1 << rng.randrange(8)
    same(rng, lambda threads: _core.character_classes(texts, table, threads=threads))
    same(rng, lambda threads: _core.telling_words(texts, stem_letters=5, threads=threads))
    same(rng, lambda threads: _core.fingerprints(texts, rules, window=4, threads=threads))
    return "ok"


def join(rng: Random) -> Outcome:
    """Pairs of an exact join, of candidates and of fingerprints; each against all pairs."""
    base = [text_of(rng, 60) for _ in range(rng.randrange(1, 6))]
    strings = [
        rng.choice(base) + rng.choice(("", "", " a", " été")) for _ in range(rng.randrange(12))
    ]
    texts = Texts.from_strings(strings)
    rules = profile_of(rng).rules()
    threshold = rng.choice((0.3, 0.5, 0.8, 1.0))
    count = len(strings)
    chosen = np.arange(count, dtype=np.uint32)
    sides = None
    if rng.random() < 0.5:
        sides = np.array([rng.randrange(1, 4) for _ in strings], np.uint8)
    found = same(
        rng,
        lambda threads: _core.exact_join(
            texts, rules, chosen, sides, measure="jaccard", threshold=threshold, threads=threads
        ),
    )
    hashes, offsets = _core.shingle_hashes(texts, rules)
    sets = [set(hashes[offsets[i] : offsets[i + 1]].tolist()) for i in range(count)]
    expected = {
        (a, b)
        for a in range(count)
        for b in range(a + 1, count)
        if meets(sides, a, b)
        and sets[a]
        and sets[b]
        and len(sets[a] & sets[b]) >= threshold * len(sets[a] | sets[b]) - 1e-9
    }
    assert {tuple(sorted(pair)) for pair in zip(*map(list, found[:2]), strict=True)} == expected
    most = rng.choice((2, 100))
    distinct = [np.array(sorted(one), np.uint64) for one in sets]
    places = np.cumsum([0, *map(len, distinct)]).astype(np.uint64)
    flat = np.concatenate([np.zeros(0, np.uint64), *distinct])
    a, b, shared, _ = same(
        rng,
        lambda threads: _core.share_fingerprints(
            flat, places, sides, most_documents=most, threads=threads
        ),
    )
    for x, y, n in zip(a.tolist(), b.tolist(), shared.tolist(), strict=True):
        assert meets(sides, x, y)
        assert n <= len(sets[x] & sets[y])
    labels = _core.find_clusters(count, *found[:2]) if count else np.zeros(0, np.uint32)
    assert all(labels[x] == labels[y] for x, y in expected)
    return "ok"


def meets(sides: NDArray[np.uint8] | None, a: int, b: int) -> bool:
    if sides is None:
        return True
    return bool((sides[a] & 1 and sides[b] & 2) or (sides[a] & 2 and sides[b] & 1))


def alignment(rng: Random) -> Outcome:
    """Pairs of word sequences that repeat themselves; passages must lie in the texts."""
    kinds = rng.choice((1, 2, 5, 50, 1000))
    sizes = [rng.choice((0, 1, 30, rng.randrange(600))) for _ in range(rng.randrange(1, 5))]
    total = sum(sizes)
    own = np.array([rng.randrange(kinds) for _ in range(total)], np.uint32)
    if total and rng.random() < 0.7:  # a copy of a stretch somewhere else
        size = rng.randrange(total)
        begin, to = rng.randrange(total - size + 1), rng.randrange(total - size + 1)
        own[to : to + size] = own[begin : begin + size].copy()
    offsets = np.cumsum([0, *sizes]).astype(np.uint64)
    a, b = (np.array([rng.randrange(len(sizes)) for _ in range(3)], np.uint32) for _ in range(2))
    gaps = np.array([rng.randrange(4) for _ in range(total + len(sizes))], np.uint8)
    letters = np.array([rng.randrange(12) for _ in range(total)], np.uint8)
    rates = np.array([rng.choice((1e-9, 1e-4, 0.1, 1.0)) for _ in range(kinds)])
    settings = AlignmentSettings(
        least_run=rng.choice((0, 5, 25)), window=rng.choice((10, 60)), stride=rng.choice((1, 10))
    ).to_core()
    spelling = np.sort([rng.randrange(500) for _ in range(total + 1)]).astype(np.uint32)
    characters = np.array([rng.randrange(rng.choice((2, 30))) for _ in range(500)], np.uint32)
    if rng.random() < 0.5:
        spelling = spelling[:0]
    whole, _, matches = same(
        rng,
        lambda threads: _core.align_pairs(
            own,
            own,
            gaps,
            letters,
            offsets,
            a,
            b,
            rates,
            settings,
            characters=characters,
            spelling=spelling,
            threads=threads,
        ),
    )
    for pair, a_begin, a_end, b_begin, b_end, _, _ in whole.tolist():
        assert a_begin < a_end <= sizes[a[pair]]
        assert b_begin < b_end <= sizes[b[pair]]
    assert matches.size == 0 or int(matches[:, 2].min()) > 0
    x = own[: sizes[0]]
    for i, j, words in _core.common_runs(x, own, least=rng.choice((1, 3, 8))).tolist():
        assert x[i : i + words].tolist() == own[j : j + words].tolist()
    return "ok"


def entries(rng: Random) -> Outcome:
    """Entries of an index, sorted or not, against plain Python; refused arrays are refused."""
    numbers = np.random.default_rng(rng.randrange(2**32))
    keys = rng.choice((3, 100, 2**32))
    runs = [
        np.sort(
            numbers.integers(0, keys, n, np.uint64) << np.uint64(32)
            | numbers.integers(0, 1000, n, np.uint64)
        )
        for n in (rng.randrange(200) for _ in range(rng.randrange(6)))
    ]
    present = np.zeros(0, np.uint8)
    if rng.random() < 0.5:
        present = numbers.integers(0, 2, rng.randrange(1, 1200), np.uint8)
    merged = _core.merge_entries(runs, present)
    flat = sorted(int(entry) for run in runs for entry in run)
    if len(present):
        flat = [e for e in flat if e & 0xFFFFFFFF < len(present) and present[e & 0xFFFFFFFF]]
    assert merged.tolist() == flat
    any_order = merged if rng.random() < 0.7 else numbers.permutation(merged)
    wanted = np.unique(numbers.integers(0, keys, 20, np.uint64)).astype(np.uint32)
    held, counts = _core.entries_of_keys(any_order, wanted)
    assert len(held) == int(counts.sum())
    if any_order is merged:
        chosen = set(wanted.tolist())
        assert held.tolist() == [e for e in flat if e >> 32 in chosen]
    assert _core.count_documents(any_order) == len({e & 0xFFFFFFFF for e in flat})
    bits = rng.randrange(15)
    skip = rng.randrange(bits + 1)
    filter_ = _core.bloom_filter(merged, bits=bits, skip=0)
    own = np.unique(merged >> np.uint64(32)).astype(np.uint32)
    assert _core.keys_in_bloom(filter_, own, bits=bits).tolist() == own.tolist()
    _core.bloom_filter(any_order, bits=bits, skip=skip)
    _core.without_common(any_order, own[::2].copy(), most=rng.randrange(5))
    offsets = np.sort(numbers.integers(0, len(merged) + 1, 5, np.uint64))
    offsets[0], offsets[-1] = 0, len(merged)
    hostile = rng.random() < 0.3
    if hostile:
        offsets[rng.randrange(5)] = rng.choice((2**63, len(merged) + 1, 1))
    ascending = bool((np.diff(offsets.astype(object)) >= 0).all())
    fine = ascending and offsets[0] == 0 and int(offsets[-1]) == len(merged)
    try:
        _core.entries_of_hashes(merged, offsets, own)
    except ValueError:
        assert not fine
        return "clear error"
    assert fine
    return "ok"
