"""`read_back`: the files of a class as likewise reads them, and where the planned words are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from likewise.documents import Reader
from likewise.documents.metadata import MetadataTable
from likewise.text.words import words_of
from tools.classroom.essay import Essay

_FOOTER = r"Page \d+ of \d+"


@dataclass(frozen=True, eq=False)
class ReadEssay:
    """The text of an essay, and the places of its planned words in it, in code points."""

    essay: Essay
    text: str
    begins: NDArray[np.uint32]
    ends: NDArray[np.uint32]

    def words_in(self, start: int, end: int) -> tuple[int, int]:
        """The planned words that begin in a range of the text, as a range of their numbers."""
        first, last = np.searchsorted(self.begins, (start, end))
        return int(first), int(last)


def read_back(
    essays: Sequence[Essay], folder: Path, names: Sequence[str]
) -> Mapping[str, ReadEssay]:
    """The essays by their ids, as the reader gives them for these folders of the class.

    Raises `ValueError` where a file is missing or does not have the words that were planned.
    """
    reader = Reader(
        [folder / name for name in names],
        cache=False,
        metadata=MetadataTable.read(folder / "metadata.csv"),
    )
    texts: dict[str, str] = {}
    for batch in reader:
        texts.update(zip(batch.ids, map(str, batch.texts.to_pylist()), strict=True))
    if reader.skipped:
        raise ValueError(f"not read: {reader.skipped}")
    planned = {essay.id: essay for essay in essays}
    if planned.keys() != texts.keys():
        raise ValueError(f"other documents than planned: {planned.keys() ^ texts.keys()}")
    return {id_: _located(planned[id_], text) for id_, text in texts.items()}


def _located(essay: Essay, text: str) -> ReadEssay:
    """Finds the words; running headers and footers of a PDF may be there or not."""
    words = words_of(text)
    kept = np.ones(len(words), bool)
    if essay.format == "pdf":
        for line in re.finditer(f"{re.escape(essay.header)}(?!\\w| of)|{_FOOTER}", text):
            kept &= (words.begins < line.start()) | (words.begins >= line.end())
    if not np.array_equal(words.hashes[kept], essay.hashes):
        raise ValueError(f"{essay.path} does not have the words that were planned")
    return ReadEssay(essay, text, words.begins[kept], words.ends[kept])
