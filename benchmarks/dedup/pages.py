"""Parquet files of pages to be deduplicated: real-looking text, a fifth of it near-copies.

Each word follows the one before as in a source (``benchmarks.texts.chain``). A copy has words of an
earlier page replaced at random places, at similarities spread over 0.5 to 1; one copy in five is
exact. Beside the text stand an id, an address, a score and the page that it was made from.

    python -m benchmarks.dedup.pages pan13-train.tar.xz --documents 1000000 --words 500 pages/
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.passages.pan import Corpus, opened, tiny_corpus
from benchmarks.texts.chain import BLOCK, Chain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

COPIES = 0.2
EXACT = 0.2  # of the copies
LEAST = 0.5  # similarity of a copy, about
SPREAD = 0.25
REMEMBERED = 20_000  # pages that later ones may be copies of
IN_A_FILE = 100_000

Page = tuple[int, str, int]  # id, text, id of the page that it was made from (its own, if none)


def pages(chain: Chain, documents: int, words: int, seed: int) -> Iterator[Page]:
    """Yield pages in order; n pages are the beginning of more of the same words and seed."""
    known: list[tuple[int, str]] = []
    for start in range(0, documents, BLOCK):
        rng = np.random.default_rng([seed, words, start // BLOCK])
        drawn = rng.lognormal(math.log(words) - SPREAD**2 / 2, SPREAD, BLOCK)
        made = list(chain.texts(np.maximum(5, np.rint(drawn)).astype(np.int64), rng))
        copied = rng.random(BLOCK) < COPIES
        for place in range(min(BLOCK, documents - start)):
            number, text, source = start + place, made[place], start + place
            if copied[place] and known:
                source, before = known[int(rng.integers(len(known)))]
                text = _edited(before, made[place], rng)
            elif len(known) < REMEMBERED:
                known.append((number, text))
            else:
                known[int(rng.integers(REMEMBERED))] = (number, text)
            yield number, text, source


def _edited(text: str, other: str, rng: np.random.Generator) -> str:
    """A text with some words replaced by those of another."""
    target = 1.0 if rng.random() < EXACT else float(rng.uniform(LEAST, 1.0))
    surviving = 2 * target / (1 + target)
    words, others = text.split(), other.split()
    edits = round((1 - surviving ** (1 / 3)) * len(words))
    for at in rng.choice(len(words), edits, replace=False).tolist():
        words[at] = others[at % len(others)]
    return " ".join(words)


def ensure(chain: Chain, folder: Path, documents: int, words: int, seed: int = 1) -> Path:
    """Return a folder of Parquet files with these pages, made now if it is not there."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"pages-{chain.digest[:8]}-seed{seed}-words{words}-n{documents}"
    if path.exists():
        return path
    aside = path.with_name(path.name + ".part")
    aside.mkdir(parents=True, exist_ok=True)
    size = 0
    waiting: list[Page] = []

    def write(number: int) -> None:
        pq.write_table(
            _table(pa, waiting), aside / f"part-{number:05}.parquet", compression="zstd",
            row_group_size=10_000,
        )  # fmt: skip
        waiting.clear()

    files = 0
    for page in pages(chain, documents, words, seed):
        waiting.append(page)
        size += len(page[1])
        if len(waiting) == IN_A_FILE:
            write(files)
            files += 1
    if waiting:
        write(files)
    facts = {"documents": documents, "words": words, "seed": seed, "characters": size}
    path.with_suffix(".facts.json").write_text(json.dumps(facts) + "\n")
    aside.rename(path)
    return path


def _table(pa: pa, made: Sequence[Page]) -> pa.Table:  # type: ignore[valid-type]
    ids, texts, sources = zip(*made, strict=True)
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "url": pa.array([f"https://example.org/{number}" for number in ids]),
            "text": pa.array(texts, pa.string()),
            "score": pa.array([(number * 7919) % 1000 / 1000 for number in ids]),
            "source": pa.array(sources, pa.int64()),
        }
    )


def chain_of(corpus: Path | None, tiny: bool) -> Chain:
    """The chain of words of the corpus of PAN 2013, or of a made one."""
    if tiny or corpus is None:
        return Chain(" ".join(tiny_corpus().texts.values()).split())
    with opened(corpus) as folder:
        return Chain(" ".join(Corpus.read(folder).texts.values()).split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--words", type=int, default=500)
    given = parser.parse_args()
    print(ensure(chain_of(given.corpus, False), given.folder, given.documents, given.words))


if __name__ == "__main__":
    main()
