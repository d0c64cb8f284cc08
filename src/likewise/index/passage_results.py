"""`IndexPassages`: the passages that texts share with stored documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.index.postings.common_keys import MAX_DOCUMENTS_PER_KEY
from likewise.index.stored_document import StoredDocument
from likewise.passages.document_set import FIRST, SECOND, DocumentSet
from likewise.passages.matching_text import MatchingText
from likewise.passages.results import PassagePair, Passages
from likewise.run import Stats, counted

if TYPE_CHECKING:
    from likewise.index.passage_query import PassageQuery
    from likewise.passages.common_text import CommonText

_COMMON_TEXT_KEY_CHARACTERS = 50  # common texts that begin alike are reported once
_MAX_COMMON_TEXT_LINES = 3


@dataclass(frozen=True, eq=False)
class IndexPassages(Passages[Any]):
    """Passages in which b is the id of a stored document.

    `documents` has those that share passages, by id, as they were when they were compared.
    """

    documents: dict[str, StoredDocument] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class TextPassages:
    """The passages of one text of a query.

    Attributes:
        text: as it was matched.
        about: texts of which something was excluded or replaced, by their key.
        common_text: the part of the text that many stored documents have.
    """

    id: Any
    text: str
    pairs: list[PassagePair[Any]] = field(default_factory=list)
    documents: dict[str, StoredDocument] = field(default_factory=dict)
    about: dict[Any, MatchingText] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    common_text: CommonText | None = None

    def matched_texts(self) -> Iterator[tuple[str, str]]:
        """Ids and texts of the stored documents, as they were matched."""
        for id_, document in self.documents.items():
            altered = self.about.get(f"against {id_}")
            yield id_, document.stored_text if altered is None else altered.text


def combine(query: PassageQuery, results: Sequence[TextPassages], documents: int) -> IndexPassages:
    """The passages of all texts; `documents` is the size of the index."""
    pairs = [pair for result in results for pair in result.pairs]
    pairs.sort(key=lambda pair: (-pair.words, str(pair.a), pair.b))
    stored = {id_: text for result in results for id_, text in result.matched_texts()}
    counts = Counter({"set_aside": 0, "by_runs": 0, "by_rare_words": 0, "candidates": 0})
    for result in results:
        counts.update(result.counts)
    stats = Stats(
        {
            "min_words": query.min_words,
            "max_documents": MAX_DOCUMENTS_PER_KEY,
            "edited": query.edited,
        },
        {
            "documents": documents,
            "checked": len(results),
            **counts,
            "pairs": len(pairs),
            "passages": sum(len(pair.passages) for pair in pairs),
            "reworded": sum(len(pair.reworded) for pair in pairs),
        },
        notes=_notes(counts),
    )
    return IndexPassages(
        pairs,
        stats,
        {key: one for result in results for key, one in result.about.items()},
        DocumentSet(
            [*(result.text for result in results), *stored.values()],
            [*(result.id for result in results), *stored],
            np.repeat(np.array([FIRST, SECOND], np.uint8), [len(results), len(stored)]),
        ),
        _common_text_lines(query, results),
        {id_: one for result in results for id_, one in result.documents.items()},
    )


def _notes(counts: Counter[str]) -> list[str]:
    notes = []
    if runs := counts["set_aside"]:
        notes.append(
            f"{counted(runs, 'run')} of words skipped, because more than "
            f"{MAX_DOCUMENTS_PER_KEY:,} documents contain or contained them: passages that consist "
            "only of these are not found"
        )
    if left_out := counts["left_out"]:
        notes.append(
            f"{counted(left_out, 'document')} not compared, because too many share a run of "
            "words with one text; those with the rarest runs were compared"
        )
    return notes


def _common_text_lines(query: PassageQuery, results: Sequence[TextPassages]) -> list[str]:
    """The text that many stored documents have; the same text is reported once."""
    lines: dict[str, list[str]] = {}
    for common in (result.common_text for result in results):
        if common is not None:
            excluded = query.exclude.common_text == "exclude"
            lines.setdefault(
                common.passages[0].text[:_COMMON_TEXT_KEY_CHARACTERS],
                common.described("excluded" if excluded else "kept", "stored documents"),
            )
    return [line for part in lines.values() for line in part][:_MAX_COMMON_TEXT_LINES]
