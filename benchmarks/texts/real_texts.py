"""Real texts in many languages, for benchmarks of alignment.

Sample essays and the King James Version are always there. The rest is given by folders: Gospels
(EDITION/BOOK.txt), documents of any kind that likewise reads, the corpus of PAN 2013, and texts in
many languages that `unrelated_texts` has fetched.
"""

from __future__ import annotations

import argparse
import csv
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import settings
from benchmarks.passages.pan import Corpus, opened
from benchmarks.statistics.gospels import king_james
from benchmarks.texts.unrelated_texts import GENRES
from likewise.documents.single_file import read_text
from likewise.errors import LikewiseError

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
EDITIONS = {"kjv": "English", "lsg": "French"}


@dataclass(frozen=True)
class RealText:
    """A text; two of one family may share wording, and are never taken for unrelated."""

    name: str
    language: str
    family: str
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say where texts are that do not come with the project."""
    parser.add_argument("--pan", type=Path, help="PAN 2013, folder or .tar.xz")
    parser.add_argument("--gospels", type=Path, help="folder with kjv/ and lsg/")
    parser.add_argument("--documents", type=Path, nargs="*", default=[], help="folders of files")
    parser.add_argument("--texts", type=Path, help="folder that unrelated_texts has written")
    parser.add_argument("--show", type=int, default=20, help="failures to list with their texts")


def pan(path: Path) -> Corpus:
    with opened(path) as folder:
        return Corpus.read(folder)


def essays() -> tuple[list[RealText], set[frozenset[str]]]:
    """The sample essays, and the pairs of them that share wording on purpose."""
    made = [
        RealText(path.name, "English", path.name, path.read_text())
        for path in sorted((SAMPLES / "essays").glob("*.txt"))
    ]
    with (SAMPLES / "planted.csv").open() as file:
        related = {frozenset((row["copy"], row["source"])) for row in csv.DictReader(file)}
    return made, related


def bible() -> list[RealText]:
    """The books of the King James Version."""
    gospels, others = king_james()
    books = [*gospels.items(), *((f"book {i}", text) for i, text in enumerate(others))]
    return [RealText(f"kjv {name}", "English", "bible", text) for name, text in books]


def gospels(folder: Path) -> list[RealText]:
    return [
        RealText(f"{edition} {path.stem}", language, "bible", path.read_text())
        for edition, language in EDITIONS.items()
        for path in sorted((folder / edition).glob("*.txt"))
    ]


@dataclass(frozen=True)
class Source:
    """Texts by the same people; two sources of one genre may share its phrases."""

    name: str
    language: str
    genre: str
    texts: list[str]


def fetched(folder: Path) -> list[Source]:
    """What `unrelated_texts` has written: LANGUAGE/SOURCE/*.txt."""
    return [
        Source(
            f"{path.parent.name}/{path.name}", path.parent.name, GENRES.get(path.name, path.name),
            [one.read_text(encoding="utf-8", errors="replace") for one in sorted(path.glob("*"))],
        )
        for path in sorted(folder.glob("*/*"))
    ]  # fmt: skip


def documents(folder: Path) -> list[RealText]:
    """Every file of a folder, as likewise reads it; those without text are left out."""
    made = []
    for path in sorted(folder.iterdir()):
        try:
            text, _ = read_text(path, cache=False)
        except LikewiseError as error:
            settings.say(f"left out: {error}")
            continue
        if len(text.split()) >= 50:
            made.append(RealText(path.name, "English", folder.name, text))
    return made
