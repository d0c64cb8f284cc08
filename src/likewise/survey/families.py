"""`SurveyFamilies`: wording that the same documents of a collection share, as plain values.

Families are found in the passages of all pairs, listed or not. Pages find them again where text,
passages or pairs are excluded (`pages/static/families/`), by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.documents.texts import text_digest
from likewise.passages.document_set import DocumentSet
from likewise.passages.families.find import families_of_pairs, is_incomplete
from likewise.run import Progress
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.passages.families.family import Family
    from likewise.survey.collection_pairs import CollectionPairs
    from likewise.survey.settings import SurveySettings
    from likewise.survey.shown_text import ShownText

_MAX_NUMBERS = 1_000_000  # in the columns of all listed families: some MB
NOT_LISTED = -1
"""In place of the row of a document that is not listed."""


@dataclass(frozen=True, eq=False)
class SurveyFamilies:
    """The families of a survey.

    Attributes:
        families: those of the most documents first.
        listed: how many of them are listed.
        common: what is no family, since too many documents have it to be compared.
        max_documents: more are too many; None if all documents were compared.
        ranks: of all documents, by their texts; equal texts have the same.
    """

    families: Sequence[Family[Any]]
    listed: int
    common: Sequence[Family[Any]]
    max_documents: int | None
    ranks: Sequence[int]

    @classmethod
    def of(
        cls,
        texts: Sequence[ShownText],
        pairs: CollectionPairs,
        settings: SurveySettings,
        progress: Progress,
    ) -> SurveyFamilies:
        """The families of the documents of these pairs."""
        matching = [text.matching.text for text in texts]
        under_review = sum(text.archive is None for text in texts)
        stats = pairs.passage_stats
        most = stats.settings["max_documents"] if is_incomplete(stats) else None
        found, common = families_of_pairs(
            DocumentSet.with_archive(matching, under_review),
            {key: shared for key, shared in pairs.passages.items() if shared.passages},
            pairs.words,
            min_words=settings.min_words,
            metadata=[text.document.metadata for text in texts],
            max_documents=most,
            threads=thread_count(settings.threads),
            progress=progress,
        )
        digests = [text_digest(text) for text in matching]
        places = {digest: rank for rank, digest in enumerate(sorted(set(digests)))}
        numbers = np.cumsum([family.columns.size for family in found[: settings.max_families]])
        listed = int(np.searchsorted(numbers, _MAX_NUMBERS, "right"))
        return cls(found, listed, common, most, [places[digest] for digest in digests])

    def to_dict(self, place: Mapping[int, int], rows: Sequence[int]) -> dict[str, Any]:
        """As plain values; `place` has the row of each listed document, whose numbers are `rows`.

        `witnesses` are the row, the first word and that behind the last of each. `words` are runs
        of words that the same witnesses have, each as its length and its first word in each
        witness, counted from 1 at the beginning of the witness; 0 for those that lack it. `common`
        are the witnesses of what too many documents have. `ranks` are those of the documents.
        """
        shown = self.families[: self.listed]
        return {
            "count": len(self.families),
            "columns": {
                **{
                    name: [getattr(family, name) for family in shown]
                    for name in ("documents", "common", "run", "p", "kind")
                },
                "witnesses": [_witnesses(family, place) for family in shown],
                "words": [packed_words(family) for family in shown],
            },
            "common": list(chain(*(_witnesses(family, place) for family in self.common))),
            "ranks": [self.ranks[number] for number in rows],
        }

    def left_out(self) -> Iterator[str]:
        """Sentences on families that are not listed."""
        if (more := len(self.families) - self.listed) > 0:
            yield (
                f"{len(self.families):,} passage families were found; "
                f"the {self.listed:,} of the most documents are listed, the other {more:,} are not."
            )
        if self.common:
            yield (
                f"Wording that more than {self.max_documents:,} documents have is in no passage "
                "family, because not all of these documents were compared."
            )


def packed_words(family: Family[Any]) -> list[int]:
    """The columns of a family as runs, in the order of their words: see `to_dict`."""
    firsts = np.array([witness.first for witness in family.witnesses], np.int64)
    columns = np.where(family.columns >= 0, family.columns - firsts + 1, 0)
    columns = columns[np.lexsort(columns.T[::-1])]
    steps = np.where(columns[1:] > 0, columns[:-1] + 1, 0)
    follows = ((columns[1:] > 0) == (columns[:-1] > 0)) & (columns[1:] == steps)
    edges = np.r_[0, np.flatnonzero(~follows.all(axis=1)) + 1, len(columns)]
    runs = np.column_stack([np.diff(edges), columns[edges[:-1]]])
    packed: list[int] = runs.reshape(-1).tolist()
    return packed


def _witnesses(family: Family[Any], place: Mapping[int, int]) -> list[int]:
    return [
        number
        for one in family.witnesses
        for number in (place.get(one.number, NOT_LISTED), one.first, one.stop)
    ]
