"""Texts that are similar to earlier ones: to other texts, to an index, or to signatures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from likewise._core import Texts as TextViews
from likewise.arrays import U32, Floats, Ints
from likewise.dedup.against import LEVEL, check_index, figures_of, signatures_refused
from likewise.dedup.containers import TwoStores, find_containers, open_index, stored_texts
from likewise.dedup.rules import NONE
from likewise.index.index import Index
from likewise.run import Stats, silent
from likewise.search.containment import ROOM_IN_MEMORY, WORD_BYTES, TextBatches
from likewise.search.find import new_collection, search
from likewise.search.settings import Settings
from likewise.search.verification import TextsInMemory
from likewise.sketches.signatures import Signatures
from likewise.text.inputs import GivenIds
from likewise.text.tokens import compared_texts
from likewise.types import Texts, Tokens

if TYPE_CHECKING:
    from likewise.dedup.settings import DedupSettings
    from likewise.sketches.scan import Scan

Earlier: TypeAlias = Texts | Tokens | Index | Signatures[Any]


@dataclass(frozen=True, slots=True, eq=False)
class EarlierMatches:
    """Rows that are similar to an earlier text, each with the most similar one.

    Attributes:
        rows: ascending.
        ids: of the earlier texts; their row numbers, if they have none.
        figures: [n, 3], similarity, low and high; the last two are NaN where it is exact.
    """

    rows: Ints
    ids: list[Any]
    figures: Floats

    @classmethod
    def of(cls, matches: dict[int, tuple[Any, tuple[float, float, float]]]) -> EarlierMatches:
        ordered = sorted(matches.items())
        figures = np.array([figures for _, (_, figures) in ordered], np.float64).reshape(-1, 3)
        return cls(
            np.array([row for row, _ in ordered], np.int64), [m[0] for _, m in ordered], figures
        )

    def of_documents(self, numbers: U32) -> EarlierMatches:
        """The same for all documents, from that for unique ones; `numbers` are their numbers."""
        rows = np.flatnonzero((numbers != NONE) & np.isin(numbers, self.rows))
        at = np.searchsorted(self.rows, numbers[rows])
        return EarlierMatches(rows, [self.ids[i] for i in at.tolist()], self.figures[at])


def find_earlier(
    against: Earlier,
    views: TextViews,
    scanned: Scan,
    first: U32,
    shingles: int,
    settings: DedupSettings,
) -> EarlierMatches:
    """The matches of unique texts; `first` are their rows in what was scanned, and `shingles` is
    what `count_shingles` gives."""
    if settings.measure == "containment":
        return _containing(against, views, shingles, settings)
    if isinstance(against, Index):
        return _in_index(against, views, settings)
    if isinstance(against, Signatures):
        own = Signatures(
            scanned.signatures[first], settings.profile, digests=scanned.digests[first]
        )
        return _in_signatures(against, own, settings)
    return _in_texts(against, views, settings)


def _in_texts(against: Texts | Tokens, views: TextViews, settings: DedupSettings) -> EarlierMatches:
    wanted = Settings(
        profile=settings.profile, threshold=settings.threshold, recall=settings.recall,
        values=settings.values, max_bucket=settings.max_bucket, threads=settings.threads,
    )  # fmt: skip
    earlier = compared_texts(against, settings.profile, threads=settings.threads)
    collection = new_collection(wanted)
    collection.add_texts(GivenIds(range(len(views))), views)
    collection.begin_second()
    collection.add_texts(GivenIds(range(len(earlier))), earlier)
    found: dict[int, Any] = {}
    for pair in search(collection, wanted, Stats(wanted.to_dict())):  # the most similar first
        found.setdefault(pair.a, (pair.b, (pair.jaccard, np.nan, np.nan)))
    return EarlierMatches.of(found)


def _containing(
    against: Earlier, views: TextViews, elements: int, settings: DedupSettings
) -> EarlierMatches:
    if isinstance(against, Signatures):
        raise signatures_refused("against")
    ids: list[Any] | None = None
    if isinstance(against, Index):
        ids, against_texts = [], []
        for some, texts in stored_texts(open_index(against)):
            ids += some
            against_texts += texts
        against = against_texts
    earlier = compared_texts(against, settings.profile, threads=settings.threads)
    found = find_containers(
        TextBatches(views), TextBatches(earlier),
        TwoStores(TextsInMemory(views), TextsInMemory(earlier), len(views)), len(views),
        elements + earlier.nbytes // WORD_BYTES, settings, room=ROOM_IN_MEMORY, progress=silent,
    )  # fmt: skip
    numbers = found.earlier.tolist()
    figures = np.full((len(numbers), 3), np.nan)
    figures[:, 0] = found.similarity
    named = numbers if ids is None else [ids[i] for i in numbers]
    return EarlierMatches(found.unique.astype(np.int64), named, figures)


def _in_index(index: Index, views: Any, settings: DedupSettings) -> EarlierMatches:
    check_index(index, settings)
    answers = index.query(
        views, threshold=settings.threshold, top=1, level=LEVEL, threads=settings.threads
    )
    return EarlierMatches.of(
        {row: (match.id, figures_of(match)) for row, best in enumerate(answers) for match in best}
    )


def _in_signatures(
    earlier: Signatures[Any], own: Signatures[int], settings: DedupSettings
) -> EarlierMatches:
    found: dict[int, Any] = {}
    if earlier.digests is not None:  # equal ones are copies
        places = {
            digest.tobytes(): row for row, digest in reversed(list(enumerate(earlier.digests)))
        }
        assert own.digests is not None
        for row, digest in enumerate(own.digests):
            if (place := places.get(digest.tobytes())) is not None:
                found[row] = earlier.ids[place], (1.0, np.nan, np.nan)
    pairs = own.find_pairs(
        earlier, threshold=settings.threshold, recall=settings.recall, level=LEVEL,
        max_bucket=settings.max_bucket, threads=settings.threads,
    )  # fmt: skip
    for pair in pairs:
        estimate = pair.estimate
        found.setdefault(pair.a, (pair.b, (estimate.value, estimate.low, estimate.high)))
    return EarlierMatches.of(found)
