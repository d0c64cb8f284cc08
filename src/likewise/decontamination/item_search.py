"""`ItemSearch`: the items that documents contain, with the passages that they share.

A batch of documents at a time; what is found of a document does not depend on the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.passages.pair_passages import find_pair_passages
from likewise.text.displayed import displayed_column
from likewise.text.inputs import from_arrow
from likewise.text.markup import column_without_markup
from likewise.text.profile import Profile
from likewise.text.words import Words, words_of

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.decontamination.items import Items
    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.passage import Passage

# A candidate's runs of so many equal words are passages, and those near each other one passage:
# what is left of an edited copy.
MIN_RUN = 4
_MAX_PAIRS = 1024  # in one call of the alignment
_MAX_CHARACTERS = 4_000_000  # of the different documents in it
_DISPLAYED = Profile()


@dataclass(frozen=True, slots=True)
class MatchedPassage:
    """A stretch of a document that shares its wording with an item.

    Attributes:
        start, end: in code points of the document.
        runs: of equal words: number of the first in the document and in the item, and how many.
        score: the longest run, where each changed word within it counts against it.
        kind: verbatim, edited or reordered.
        p: that an unrelated document of this length shares such a run with the item.
    """

    start: int
    end: int
    runs: tuple[tuple[int, int, int], ...]
    score: int
    kind: str
    p: float


@dataclass(frozen=True, slots=True)
class Match:
    """A document and an item that share passages which are improbable by chance.

    Attributes:
        row: the number of the document.
        item: that of the item.
        words: of the document.
        passages: in the order of the document.
    """

    row: int
    item: int
    words: int
    passages: tuple[MatchedPassage, ...]


def prepared(column: pa.LargeStringArray, threads: int) -> pa.LargeStringArray:
    """Texts as they are matched, each as long as it was: as displayed and without markup."""
    present: Any = column.fill_null("") if column.null_count else column
    displayed, _ = displayed_column(present, _DISPLAYED, threads=threads)
    return column_without_markup(displayed)


class ItemSearch:
    """Finds items in documents."""

    def __init__(self, items: Items, max_p: float, threads: int) -> None:
        self.items = items
        self._max_p = max_p
        self._threads = threads
        self._tables = items.tables(threads)

    def search(
        self, column: pa.LargeStringArray, first: int = 0
    ) -> tuple[list[Match], NDArray[np.int64]]:
        """The matches of prepared texts, the first of which has the number `first`; and about how
        many words each text has."""
        views = from_arrow(column)
        pairs: list[NDArray[np.int64]] = []
        sizes = np.zeros(len(column), np.int64)
        for table in self._tables:
            documents, items, shingles = table.grams.find(
                views, table.profile.rules(), threads=self._threads
            )
            pairs.append(np.stack([documents.astype(np.int64), table.numbers[items]], axis=1))
            sizes = np.maximum(sizes, np.where(shingles > 0, shingles + table.profile.k - 1, 0))
        together = np.concatenate([np.zeros((0, 2), np.int64), *pairs])
        together = together[np.lexsort((together[:, 1], together[:, 0]))]
        return [
            match for part in _parts(together, column) for match in self._align(*part, first)
        ], sizes

    def _align(
        self, pairs: Sequence[tuple[int, int]], texts: dict[int, str], first: int
    ) -> Iterator[Match]:
        """The matches among candidates, given the texts of their documents."""
        items = self.items
        known = sorted({item for _, item in pairs})
        place = {item: at for at, item in enumerate(known)}
        row = {document: at for at, document in enumerate(texts, len(known))}
        words = [items.words[item] for item in known] + [words_of(text) for text in texts.values()]
        found = find_pair_passages(
            [items.texts[item] for item in known] + list(texts.values()),
            [(row[document], place[item]) for document, item in pairs],
            min_words=MIN_RUN, threads=self._threads, words=words,
        )  # fmt: skip
        for (document, item), shared in zip(pairs, found, strict=True):
            both = words[row[document]], items.words[item]
            if passages := self._improbable(shared, *both):
                yield Match(first + document, item, shared.size_a, passages)

    def _improbable(
        self, shared: PairPassages, document: Words, item: Words
    ) -> tuple[MatchedPassage, ...]:
        return tuple(
            MatchedPassage(
                one.a_start, one.a_end, _runs(one, document, item), one.score, one.kind, one.p
            )
            for one in shared.passages
            if one.p is not None and one.p <= self._max_p
        )


def _runs(passage: Passage, document: Words, item: Words) -> tuple[tuple[int, int, int], ...]:
    """The runs of equal words of a passage, by the numbers of the words."""
    places = np.array(passage.matches, np.int64).reshape(-1, 4)
    a = np.searchsorted(document.begins, places[:, 0])
    b = np.searchsorted(item.begins, places[:, 2])
    length = np.searchsorted(item.begins, places[:, 3]) - b
    return tuple(zip(a.tolist(), b.tolist(), length.tolist(), strict=True))


def _parts(
    pairs: NDArray[np.int64], column: pa.LargeStringArray
) -> Iterator[tuple[list[tuple[int, int]], dict[int, str]]]:
    """Candidates that are aligned in one call, and the texts of their documents.

    What is found does not depend on how they are cut: each pair is aligned by itself.
    """
    part: list[tuple[int, int]] = []
    texts: dict[int, str] = {}
    size = 0
    for document, item in pairs.tolist():
        new = document not in texts
        if part and (len(part) == _MAX_PAIRS or (new and size > _MAX_CHARACTERS)):
            yield part, texts
            part, texts, size, new = [], {}, 0, True
        if new:
            texts[document] = column[document].as_py()
            size += len(texts[document])
        part.append((document, item))
    if part:
        yield part, texts
