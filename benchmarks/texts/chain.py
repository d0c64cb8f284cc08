"""Texts in which each word follows the one before as in a real text, many made at a time.

A text is a walk over the words of a source: from each on to one that stands behind it there, as
often as it does. So common phrases come back, and rare words keep their company. As if each word
had stood once more in the source, before any word, a walk leaves the source's ways at times, most
often at rare words: a stretch of words that stand there once would else come whole whenever one of
them does, and texts that have nothing to do with each other would share long runs.

A corpus of n texts is the beginning of every larger one of the same source, seed and length, and a
larger one that is there is used.

Limitations: no more different words than the source has, however many texts there are; no sentence
means anything.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    I64 = NDArray[np.int64]

BLOCK = 5_000  # texts drawn from one random stream; the last block is made whole and cut
MIN_WORDS = 20

# Letters and digits, marks around them, and at most two marks inside.
_WORD = re.compile(r"[\W_]*[^\W_]+([.,'’-][^\W_]+){0,2}[\W_]*")


class Chain:
    """The words of a source, and which follow which how often."""

    def __init__(self, words: Sequence[str]) -> None:
        """What is no word or many is left out: addresses and program text would be long runs."""
        counted = {word for word in set(words) if _WORD.fullmatch(word)}
        kept = [word for word in words if word in counted]
        numbers: dict[str, int] = {}
        ids = np.array([numbers.setdefault(word, len(numbers)) for word in kept])
        self.source_words = len(kept)
        self.digest = hashlib.sha256(" ".join(kept).encode()).hexdigest()
        self._words = np.array(list(numbers), object)
        self._times = np.bincount(ids)
        self._starts = np.cumsum(self._times) - self._times
        self._next = np.roll(ids, -1)[np.argsort(ids, kind="stable")]

    def texts(self, lengths: I64, rng: np.random.Generator) -> Iterator[str]:
        """Yield a text of each of these numbers of words."""
        order = np.argsort(-lengths, kind="stable")  # so that those still walking stand in front
        ordered = lengths[order]
        walked = np.empty((int(ordered[0]), len(lengths)), np.int32)
        at = self._next[rng.integers(len(self._next), size=len(lengths))]
        for step in range(len(walked)):
            at = at[: np.searchsorted(-ordered, -step, "left")]
            walked[step, : len(at)] = at
            drawn = (rng.random(len(at)) * (self._times[at] + 1)).astype(np.int64)
            anywhere = rng.integers(len(self._next), size=len(at))
            follows = drawn < self._times[at]
            at = self._next[np.where(follows, self._starts[at] + drawn, anywhere)]
        places = np.argsort(order)
        by_text = np.ascontiguousarray(walked.T)
        for place, length in zip(places.tolist(), lengths.tolist(), strict=True):
            yield " ".join(self._words[by_text[place, :length]].tolist())


def ensure(chain: Chain, folder: Path, texts: int, *, words: int, spread: float, seed: int) -> Path:
    """Return a file of at least so many texts, one a line; made now if there is none.

    ``words`` are the mean of a text; ``spread`` is the standard deviation of the length's
    logarithm.
    """
    name = f"chain-{chain.digest[:8]}-seed{seed}-words{words}-spread{spread:g}-n"
    for path in sorted(folder.glob(f"{name}*.facts.json")):
        made = path.with_name(path.name.replace(".facts.json", ".txt"))
        if facts(made)["documents"] >= texts and made.exists():
            return made
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}{texts}.txt"
    aside = path.with_suffix(".txt.part")
    digest, size, count = hashlib.sha256(), 0, 0
    with aside.open("wb") as file:
        for block in _blocks(chain, texts, words, spread, seed):
            lines = "".join(f"{text}\n" for text in block).encode()
            file.write(lines)
            digest.update(lines)
            size += len(lines) - len(block)
            count += sum(text.count(" ") + 1 for text in block)
    noted = {
        "documents": texts, "bytes": size, "words": count, "seed": seed,
        "source_words": chain.source_words, "source_sha256": chain.digest,
        "sha256": digest.hexdigest(),
    }  # fmt: skip
    path.with_suffix(".facts.json").write_text(json.dumps(noted, indent=2) + "\n")
    aside.replace(path)  # the final name appears last: a corpus that is there is a whole one
    return path


def facts(path: Path) -> dict[str, Any]:
    """Return what was noted about the texts at ``path``."""
    noted: dict[str, Any] = json.loads(path.with_suffix(".facts.json").read_text())
    return noted


def _blocks(chain: Chain, texts: int, words: int, spread: float, seed: int) -> Iterable[list[str]]:
    for start in range(0, texts, BLOCK):
        rng = np.random.default_rng([seed, words, start // BLOCK])
        drawn = rng.lognormal(math.log(words) - spread**2 / 2, spread, BLOCK)
        lengths = np.maximum(MIN_WORDS, np.rint(drawn)).astype(np.int64)
        yield list(chain.texts(lengths, rng))[: texts - start]
