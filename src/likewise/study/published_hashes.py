"""The hashes that the sources publish, and the pairs that they find in vain.

- Papers hashes a shingle by its letters, the sum of letter[i] * 31^i modulo 1,000,003, and a band
  by concatenating its numbers and reading that as one number, modulo m.
- Tweets concatenates the numbers of a band and hashes the text into one table for all bands.

Concatenated, [1, 42] and [14, 2] are the same; and a modulus not much larger than the number of
documents puts many bands into one bucket. Equal bands always meet, so nothing is missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import Ints
from likewise.errors import UsageError
from likewise.statistics.bands import Layout
from likewise.study.estimators.randomness import generator
from likewise.text.displayed import displayed_strings
from likewise.text.profile import Profile

SHINGLE_MODULUS = 1_000_003
PAPERS_LAYOUT = Layout(20, 5)
TWEETS_LAYOUT = Layout(5, 3)
MAX_LINES = 4_000  # the pairs of more would not fit in memory if all lines were alike


@dataclass(frozen=True, slots=True)
class Collisions:
    """Different shingles of a text that share their hash with another one.

    Attributes:
        expected: the number that would collide under a random hash with as many values.
    """

    shingles: int
    colliding: int
    expected: float


def papers_shingle_hash(shingle: str) -> int:
    """The sum of letter[i] * 31^i modulo 1,000,003, with a = 1, b = 2 and so on.

    The source does not define other characters. Here a space counts 27, and any other character its
    code point. (The source also sums a term too many.)
    """
    total = 0
    for character in reversed(shingle):
        total = (total * 31 + _letter(character)) % SHINGLE_MODULUS
    return total


def _letter(character: str) -> int:
    if character == " ":
        return 27
    return ord(character) - 96 if "a" <= character <= "z" else ord(character)


def shingle_collisions(text: str, profile: Profile | str) -> Collisions:
    """The collisions of the hash of Papers among the shingles of a text."""
    profile = Profile.of(profile)
    displayed = displayed_strings([text], profile)
    prepared = _core.prepared_text(Texts.from_strings(displayed), profile.rules())
    parts = prepared.split() if profile.unit == "word" else prepared
    glue = " " if profile.unit == "word" else ""
    last = max(0, len(parts) - profile.k) if parts else -1
    shingles = {glue.join(parts[i : i + profile.k]) for i in range(last + 1)}
    times = Counter(map(papers_shingle_hash, shingles))
    alone = sum(1 for count in times.values() if count == 1)
    n = len(shingles)
    expected = n * (1 - (1 - 1 / SHINGLE_MODULUS) ** max(0, n - 1))
    return Collisions(n, n - alone, expected)


@dataclass(frozen=True, slots=True)
class FalseCandidates:
    """Pairs found by a published hash of bands.

    Attributes:
        equal: pairs that agree in a whole band; always among the candidates.
    """

    source: str
    layout: Layout
    equal: int
    candidates: int

    @property
    def false(self) -> int:
        """Candidates that agree in no band."""
        return self.candidates - self.equal


def papers_modulus(documents: int) -> int:
    """The smallest modulus that Papers allows: over the number of documents, no power of two."""
    modulus = documents + 1
    return modulus + 1 if modulus & (modulus - 1) == 0 else modulus


def papers_band_hash(band: Sequence[int], modulus: int) -> int:
    """The numbers of a band concatenated and read as one number: [1, 4, 2] is 142."""
    return int("".join(map(str, band))) % modulus


def tweets_band_hash(band: Sequence[int], buckets: int) -> int:
    """The numbers of a band concatenated as text and hashed into one of the buckets.

    The source uses Python's `hash`, which is salted and so differs from run to run.
    """
    joined = "".join(map(str, band)).encode()
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "little") % buckets


def false_candidates(signatures: Ints, layout: Layout, source: str) -> FalseCandidates:
    """The pairs of documents that the hash of a source ("papers" or "tweets") brings together.

    `signatures` has a row of whole numbers, 0 or more, per document.
    """
    if signatures.ndim != 2 or signatures.shape[1] < layout.bands * layout.rows:
        raise UsageError(
            f"{layout} need {layout.bands * layout.rows} values of each document",
            hint="give an array of documents by values",
        )
    if source not in _KEYS:
        raise UsageError(
            f"there is no published hash {source!r}", hint=f"use one of {', '.join(_KEYS)}"
        )
    documents = len(signatures)
    used = signatures[:, : layout.bands * layout.rows]
    bands = used.reshape(documents, layout.bands, layout.rows)
    equal = [np.unique(bands[:, j], axis=0, return_inverse=True)[1] for j in range(layout.bands)]
    return FalseCandidates(
        source,
        layout,
        len(_pairs(np.stack(equal, axis=1).reshape(documents, layout.bands))),
        len(_KEYS[source](bands)),
    )


def _papers_pairs(bands: Ints) -> Ints:
    modulus = papers_modulus(len(bands))
    return _pairs(_hashed(bands, lambda band: papers_band_hash(band, modulus)))


def _tweets_pairs(bands: Ints) -> Ints:
    documents, count, _ = bands.shape
    buckets = _hashed(bands, lambda band: tweets_band_hash(band, 1000 * documents * count))
    # One table for all bands: a band of one text may meet another band of another text.
    document = np.repeat(np.arange(documents), count)
    return _met(buckets.reshape(-1), document, documents)


_KEYS: dict[str, Callable[[Ints], Ints]] = {"papers": _papers_pairs, "tweets": _tweets_pairs}


def _hashed(bands: Ints, hash_: Callable[[Sequence[int]], int]) -> Ints:
    return np.array([[hash_(band) for band in document] for document in bands.tolist()])


def _pairs(keys: Ints) -> Ints:
    """Pairs of documents (rows of keys) with an equal key in some column, each pair once."""
    documents = len(keys)
    found = np.empty(0, dtype=np.int64)
    for column in keys.T:
        # Column by column, so that pairs that agree in several are in memory once.
        found = np.union1d(found, _met(column, np.arange(documents), documents))
    return found


def _met(buckets: Ints, document: Ints, documents: int) -> Ints:
    """Pairs of different documents that are in one bucket, as first * documents + second."""
    inside = np.unique(np.stack((buckets, document)), axis=1)
    ends = np.flatnonzero(np.diff(inside[0])) + 1
    parts = [np.empty(0, dtype=np.int64)]
    for members in np.split(inside[1], ends):
        if len(members) > 1:
            first, second = np.triu_indices(len(members), 1)
            parts.append(members[first] * documents + members[second])
    return np.unique(np.concatenate(parts))


def line_signatures(
    texts: Sequence[str], profile: Profile | str, *, values: int, seed: int
) -> Ints:
    """Signatures of the lines of texts as in Tweets: small numbers, the ids of shingles.

    Ids are in the order of appearance; a value is the id that comes first in a shuffle of all ids.
    Lines without shingles, and those beyond MAX_LINES, are skipped.
    """
    lines = [line for text in texts for line in text.splitlines() if line.strip()][:MAX_LINES]
    shingled = Profile.of(profile)
    views = Texts.from_strings(displayed_strings(lines, shingled))
    hashes, offsets = _core.shingle_hashes(views, shingled.rules())
    _, first, ids = np.unique(hashes, return_index=True, return_inverse=True)
    ids = np.argsort(np.argsort(first))[ids]
    starts = offsets[:-1][np.diff(offsets) > 0].astype(np.intp)
    made = np.empty((len(starts), values), dtype=np.int64)
    if len(starts) == 0:
        return made
    random = generator(seed)
    for column in range(values):
        order = random.permutation(len(first))
        place = np.argsort(order)
        made[:, column] = order[np.minimum.reduceat(place[ids], starts)]
    return made
