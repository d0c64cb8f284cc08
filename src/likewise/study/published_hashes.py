"""The hashes that the sources publish, and the pairs that they bring up in vain.

- Papers hashes a shingle by its letters, the sum of letter[i] * 31^i modulo 1,000,003, and a band
  by writing its numbers one after another and reading that as one number, modulo m.
- Tweets writes the numbers of a band one after another as text, and hashes the text into one table
  for all bands.

Written one after another, [1, 42] and [14, 2] are the same; and a modulus not much larger than the
number of documents puts many bands into one bucket. Equal bands always meet, so nothing is missed.
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


# --- shingles


@dataclass(frozen=True, slots=True)
class Collisions:
    """Different shingles of a text that share their hash with another one.

    Attributes:
        shingles: how many different ones there are.
        colliding: how many of them are not alone under their hash.
        expected: how many a random hash of as many values would bring together.
    """

    shingles: int
    colliding: int
    expected: float


def papers_shingle_hash(shingle: str) -> int:
    """The sum of letter[i] * 31^i modulo 1,000,003, with a = 1, b = 2 and so on.

    The source does not say what other characters count. Here a space counts 27, which is kind to
    the source, and any other character its code point. (The source also sums a term too many.)
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
    """How many shingles of a text the hash of Papers mistakes for each other."""
    made = Profile.of(profile)
    displayed = displayed_strings([text], made)
    prepared = _core.prepared_text(Texts.from_strings(displayed), made.rules())
    parts = prepared.split() if made.unit == "word" else prepared
    glue = " " if made.unit == "word" else ""
    last = max(0, len(parts) - made.k) if parts else -1
    shingles = {glue.join(parts[i : i + made.k]) for i in range(last + 1)}
    times = Counter(map(papers_shingle_hash, shingles))
    alone = sum(1 for count in times.values() if count == 1)
    n = len(shingles)
    expected = n * (1 - (1 - 1 / SHINGLE_MODULUS) ** max(0, n - 1))
    return Collisions(n, n - alone, expected)


# --- bands


@dataclass(frozen=True, slots=True)
class FalseCandidates:
    """Pairs that a published hash of bands brings up.

    Attributes:
        source: whose hash.
        layout: the bands.
        equal: pairs that agree in a whole band.
        candidates: pairs that the hash brings up; those that agree are among them.
    """

    source: str
    layout: Layout
    equal: int
    candidates: int

    @property
    def false(self) -> int:
        """Pairs brought up that agree in no band."""
        return self.candidates - self.equal


def papers_modulus(documents: int) -> int:
    """The least modulus that Papers allows: over the number of documents, no power of two."""
    modulus = documents + 1
    return modulus + 1 if modulus & (modulus - 1) == 0 else modulus


def papers_band_hash(band: Sequence[int], modulus: int) -> int:
    """The numbers of a band one after another, read as one number: [1, 4, 2] is 142."""
    return int("".join(map(str, band))) % modulus


def tweets_band_hash(band: Sequence[int], buckets: int) -> int:
    """The numbers of a band one after another as text, hashed into one of the buckets.

    The source takes Python's `hash`, which is salted: another run, other buckets. Here it is a hash
    that stays the same; either spreads texts evenly.
    """
    joined = "".join(map(str, band)).encode()
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "little") % buckets


def false_candidates(signatures: Ints, layout: Layout, source: str) -> FalseCandidates:
    """The pairs of documents that a published hash brings up, against those with an equal band.

    Args:
        signatures: a row of whole numbers, 0 or more, for each document.
        source: "papers" or "tweets".
    """
    if signatures.ndim != 2 or signatures.shape[1] < layout.bands * layout.rows:
        raise UsageError(
            f"{layout} need {layout.bands * layout.rows} values of each document",
            hint="give an array of documents by values",
        )
    if source not in _KEYS:
        raise UsageError(
            f"there is no published hash {source!r}", hint=f"one of {', '.join(_KEYS)}"
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
        # Column by column, so that pairs that agree in all of them are held once.
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


# --- signatures of lines


def line_signatures(
    texts: Sequence[str], profile: Profile | str, *, values: int, seed: int
) -> Ints:
    """Signatures of the lines of texts in the way of Tweets, small numbers: shingles' ids.

    Every different shingle has an id, in the order of appearance; a value is the id that comes
    first in a shuffle of all ids. Lines without shingles, and those beyond MAX_LINES, are left out.
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
