"""A seeded corpus with planted near-copies whose true Jaccard similarity is known.

A document is about 250 words of a made vocabulary (1.5 kB). A fifth of the documents are copies
of an earlier original with words replaced at random places: with a share p of the words replaced,
a 3-word shingle survives with probability q = (1 - p)^3, and the sets then have J = q / (2 - q).
Each copy's target J is uniform on 0.3 .. 1.0; the J kept with it is counted on the real sets.

The corpus of n documents is the beginning of every larger one with the same seed, so that a run on
fewer documents needs no second file.

Limitations: lower-case ASCII with single spaces, independent words, edits that only replace.
Targets above about 0.99 give exact copies.

    python -m benchmarks.texts.corpus --documents 10000 --out pages.jsonl
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import math
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.texts.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BLOCK = 1_000  # documents drawn from one random stream; the last block is made whole and cut
SHINGLE_WORDS = 3
LENGTH_SPREAD = 0.25  # standard deviation of the logarithm of a document's length
LOWEST_TARGET = 0.3


@dataclass(frozen=True)
class Recipe:
    """Everything that the corpus depends on."""

    documents: int
    seed: int = 1
    words: int = 250
    vocabulary: int = 50_000
    copies: float = 0.2

    def __post_init__(self) -> None:
        if self.documents < 1:
            raise ValueError(f"documents={self.documents}: must be at least 1")
        if self.words < 2 * SHINGLE_WORDS:
            raise ValueError(f"words={self.words}: must be at least {2 * SHINGLE_WORDS}")
        if not 0 <= self.copies < 1:
            raise ValueError(f"copies={self.copies}: must be at least 0 and below 1")

    @property
    def name(self) -> str:
        """A file name without suffix that no other recipe has."""
        return (
            f"n{self.documents}-seed{self.seed}-words{self.words}"
            f"-vocabulary{self.vocabulary}-copies{self.copies:g}"
        )


class Copy(NamedTuple):
    """Document ``document`` was made from ``source``; ``jaccard`` is counted, not aimed at."""

    document: int
    source: int
    target: float
    jaccard: float


class Page(NamedTuple):
    """One document, and where it was copied from if it was."""

    text: str
    copy: Copy | None


def stream(recipe: Recipe) -> Iterator[Page]:
    """Yield the documents in order; the same recipe gives the same documents."""
    vocabulary = Vocabulary(recipe.vocabulary, recipe.seed)
    originals: list[tuple[int, NDArray[np.uint16]]] = []
    for start in range(0, recipe.documents, BLOCK):
        rng = np.random.default_rng([recipe.seed, start // BLOCK])
        lengths = _lengths(rng, recipe.words)
        fresh = np.split(vocabulary.draw(rng, int(lengths.sum())), np.cumsum(lengths)[:-1])
        copied = rng.random(BLOCK) < recipe.copies
        for place in range(min(BLOCK, recipe.documents - start)):
            document = start + place
            if copied[place] and originals:
                yield _copy(document, originals, vocabulary, rng)
            else:
                originals.append((document, fresh[place]))
                yield Page(vocabulary.text(fresh[place]), None)


def _lengths(rng: np.random.Generator, words: int) -> NDArray[np.int64]:
    # The mean of a lognormal is exp(mu + s^2 / 2): take that off, so that the mean is `words`.
    mu = math.log(words) - LENGTH_SPREAD**2 / 2
    drawn = np.rint(rng.lognormal(mu, LENGTH_SPREAD, BLOCK)).astype(np.int64)
    return np.clip(drawn, 2 * SHINGLE_WORDS, None)


def _copy(
    document: int,
    originals: list[tuple[int, NDArray[np.uint16]]],
    vocabulary: Vocabulary,
    rng: np.random.Generator,
) -> Page:
    source, before = originals[int(rng.integers(len(originals)))]
    target = float(rng.uniform(LOWEST_TARGET, 1.0))
    surviving = 2 * target / (1 + target)
    edits = round((1 - surviving ** (1 / SHINGLE_WORDS)) * len(before))
    after = before.copy()
    places = rng.choice(len(before), edits, replace=False)
    after[places] = vocabulary.draw(rng, edits)
    exact = _jaccard(before, after, vocabulary.size)
    return Page(vocabulary.text(after), Copy(document, source, target, exact))


def _jaccard(a: NDArray[np.uint16], b: NDArray[np.uint16], base: int) -> float:
    first, second = _shingle_set(a, base), _shingle_set(b, base)
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared)


def _shingle_set(numbers: NDArray[np.uint16], base: int) -> set[int]:
    # Three word numbers below 2^16 fit one 64-bit integer without collisions: still exact.
    wide = numbers.astype(np.int64)
    return set(((wide[:-2] * base + wide[1:-1]) * base + wide[2:]).tolist())


def write(recipe: Recipe, path: Path) -> Path:
    """Write the corpus as .txt (one document per line), .jsonl or .parquet, by the path's suffix.

    Beside it stand ``NAME.copies.csv`` (document, source, target, jaccard) and ``NAME.facts.json``
    (the recipe, counts, and a SHA-256 of the texts, since NumPy may change its random streams).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(path.suffix + ".part")
    digest, size, copies = hashlib.sha256(), 0, 0
    with ExitStack() as stack:
        rows = _open_rows(aside, path.suffix, stack)
        table = csv.writer(stack.enter_context(path.with_suffix(".copies.csv").open("w")))
        table.writerow(Copy._fields)
        for page in stream(recipe):
            rows.add(page.text)
            digest.update(page.text.encode("ascii"))
            size += len(page.text)
            if page.copy:
                table.writerow(page.copy)
                copies += 1
    facts = {
        **asdict(recipe),
        "bytes": size,
        "planted_copies": copies,
        "sha256": digest.hexdigest(),
    }
    path.with_suffix(".facts.json").write_text(json.dumps(facts, indent=2) + "\n")
    # The final name appears last: a corpus that is there is a whole one.
    aside.replace(path)
    return path


def ensure(recipe: Recipe, folder: Path, suffix: str = ".txt") -> Path:
    """Return the corpus's file under ``folder``, made now if it is not there yet."""
    path = folder / f"{recipe.name}{suffix}"
    return path if path.exists() else write(recipe, path)


def facts(path: Path) -> dict[str, Any]:
    """Return what ``write`` noted about the corpus at ``path``."""
    noted: dict[str, Any] = json.loads(path.with_suffix(".facts.json").read_text())
    return noted


class _Lines:
    def __init__(self, path: Path, jsonl: bool, stack: ExitStack) -> None:
        self._file = stack.enter_context(path.open("w", encoding="ascii", newline="\n"))
        # The words are plain letters: nothing needs a JSON escape.
        self._form = '{{"text": "{}"}}\n' if jsonl else "{}\n"

    def add(self, text: str) -> None:
        self._file.write(self._form.format(text))


class _Parquet:
    ROWS = 10_000

    def __init__(self, path: Path, stack: ExitStack) -> None:
        import pyarrow as pa  # type: ignore[import, unused-ignore]
        import pyarrow.parquet as pq  # type: ignore[import, unused-ignore]

        self._arrow = pa
        self._schema = pa.schema([("text", pa.string())])
        self._writer = stack.enter_context(pq.ParquetWriter(path, self._schema))
        self._waiting: list[str] = []
        stack.callback(self._flush)  # runs before the writer is closed

    def add(self, text: str) -> None:
        self._waiting.append(text)
        if len(self._waiting) == self.ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            table = self._arrow.table({"text": self._waiting}, schema=self._schema)
            self._writer.write_table(table)
            self._waiting = []


def _open_rows(path: Path, suffix: str, stack: ExitStack) -> _Lines | _Parquet:
    if suffix in (".txt", ".jsonl"):
        return _Lines(path, suffix == ".jsonl", stack)
    if suffix == ".parquet":
        return _Parquet(path, stack)
    raise ValueError(f"cannot write {suffix!r}: use .txt, .jsonl or .parquet")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a seeded corpus with planted near-copies.")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", type=int, default=250, help="mean words a document")
    parser.add_argument("--copies", type=float, default=0.2, help="share of edited copies")
    parser.add_argument("--out", type=Path, required=True, help=".txt, .jsonl or .parquet")
    parser.add_argument("--tiny", action="store_true", help="1,000 documents")
    given = parser.parse_args()
    documents = 1_000 if given.tiny else given.documents
    recipe = Recipe(documents, given.seed, given.words, copies=given.copies)
    write(recipe, given.out)
    print(json.dumps(facts(given.out), indent=2))


if __name__ == "__main__":
    main()
