"""`find_families`: which wording is shared by the same documents, from passages between two.

Passages that are near each other in some document belong to one component (`component`). In each
of these, documents are cut where the set of those that share the wording changes (`cuts`), and the
parts that correspond to each other are a family (`stretches`); their words are aligned across all
witnesses (`columns`). Passages of two documents that merely touch or overlap in a third therefore
do not become one: what a family says is true of all its witnesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likewise.documents.document import describe
from likewise.documents.texts import text_digest
from likewise.errors import UsageError
from likewise.passages.document_set import DocumentSet, checked_metadata
from likewise.passages.families.component import families_of_component, find_components
from likewise.passages.families.described import DocumentFacts
from likewise.passages.families.occurrences import RUN, count_documents, run_place
from likewise.passages.families.results import Families
from likewise.passages.families.runs import PassageRuns
from likewise.passages.ranges import word_range
from likewise.passages.settings import DEFAULT_MIN_WORDS
from likewise.run import Stats, log_notes, silent
from likewise.search.order import id_key
from likewise.statistics.shared_runs import is_unspaced
from likewise.text.cut_words import CutWords
from likewise.text.words import STEM_LETTERS
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from likewise.arrays import U64
    from likewise.passages.families.family import Family
    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.results import Passages
    from likewise.passages.settings import Spelling
    from likewise.run import Progress
    from likewise.types import K, Metadata


def find_families(
    passages: Passages[K],
    *,
    min_words: int | None = None,
    metadata: Sequence[Metadata | None] | None = None,
    against_metadata: Sequence[Metadata | None] | None = None,
    threads: int | None = None,
    progress: Progress = silent,
) -> Families[K]:
    """The passage families of documents whose passages were found by `find_passages`.

    Args:
        passages: the result of `find_passages` or of `Index.passages`.
        min_words: differences of fewer words between the places where passages begin or end make
            no family of their own; the `min_words` of the search, if not given.
        metadata, against_metadata: of each text, as in `find_passages`; dates and groups are used.
        threads: how many to use; all processors, if not given.
        progress: called with the name of a stage, how much of it is done, and how much there is.

    Possibly reworded passages are part of no family. The result does not depend on the order of the
    documents.
    """
    documents = passages.searched
    if documents is None:
        raise UsageError(
            "passages must be a result of find_passages or Index.passages",
            hint="find_families(find_passages(texts))",
        )
    searched = passages.stats.settings.get("min_words", DEFAULT_MIN_WORDS)
    wanted = searched if min_words is None else min_words
    check_whole("min_words", wanted, 1)
    first = documents.first_count
    known = [
        *checked_metadata("metadata", metadata, first, required=False),
        *checked_metadata(
            "against_metadata", against_metadata, len(documents) - first, required=False
        ),
    ]
    stats = Stats({"min_words": wanted})
    most = passages.stats.settings.get("max_documents") if is_incomplete(passages.stats) else None
    with stats.timed("families"):
        found, common = families_of_pairs(
            documents,
            numbered_pairs(passages, documents),
            CutWords(documents.texts, STEM_LETTERS),
            min_words=wanted,
            metadata=known,
            max_documents=most,
            threads=thread_count(threads),
            spelling=passages.stats.settings.get("spelling", "exact"),
            progress=progress,
        )
    if common:
        stats.notes.append(common_note(len(common), most))
    log_notes(stats.notes)
    stats.counts = {
        "documents": len(documents),
        "families": len(found),
        "in_families": len({one.number for family in found for one in family.witnesses}),
    }
    return Families(found, stats, documents)


def common_note(families: int, max_documents: int | None) -> str:
    """What a user should know about families that were omitted."""
    omitted = "1 family" if families == 1 else f"{families:,} families"
    return (
        f"{omitted} omitted, of wording that more than {max_documents:,} documents have: "
        "exclude common text, or raise `max_documents`"
    )


def families_of_pairs(
    documents: DocumentSet,
    pairs: Mapping[tuple[int, int], PairPassages],
    words: CutWords,
    *,
    min_words: int,
    metadata: Sequence[Metadata | None],
    max_documents: int | None,
    threads: int,
    spelling: Spelling = "exact",
    progress: Progress = silent,
) -> tuple[list[Family[Any]], list[Family[Any]]]:
    """The families of pairs whose passages are known, those of the most documents first, and those
    that are none.

    Args:
        documents: as they were aligned.
        pairs: what documents share, by the numbers of both.
        words: of each document.
        min_words: as in `find_families`.
        metadata: of each document.
        max_documents: wording that more documents have is in no family, since these were not all
            compared; None if they were.
        spelling: that of the search: "similar" if matched words may differ.
        threads: how many to use.
        progress: called with the name of a stage, how much of it is done, and how much there is.
    """
    search = _Search(documents, pairs, words, metadata, min_words, spelling == "similar")
    found: list[Family[Any]] = []
    for done, passages in enumerate(search.components):
        progress("families", done, len(search.components))
        found += search.families(passages)
    found.sort(key=_order)
    if max_documents is None:
        return found, []
    counts = search.count_documents(found, threads)
    ranked = list(zip(found, counts, strict=True))
    return (
        [family for family, count in ranked if count <= max_documents],
        [family for family, count in ranked if count > max_documents],
    )


def is_incomplete(stats: Stats) -> bool:
    """Whether a search for passages did not compare all documents that share wording."""
    return bool(stats.counts.get("set_aside"))


def _order(family: Family[Any]) -> tuple[Any, ...]:
    first = family.witnesses[0]
    return (-family.documents, -family.common, first.side, id_key(first.id), first.first)


def numbered_pairs(
    passages: Passages[Any], documents: DocumentSet
) -> dict[tuple[int, int], PairPassages]:
    """What pairs of documents share, by the numbers of both."""
    first = documents.first_count
    numbers = {id_: number for number, id_ in enumerate(documents.ids[:first])}
    others = {id_: number for number, id_ in enumerate(documents.ids[first:], first)}
    # Documents of the first collection may be compared with each other as well.
    inside = documents.compares_first
    return {
        (numbers[pair.a], others[pair.b] if not inside or pair.b in others else numbers[pair.b]):
        pair
        for pair in passages
        if pair.passages
    }  # fmt: skip


@dataclass(eq=False)
class _Search:
    """One run over all components of passages."""

    documents: DocumentSet
    pairs: Mapping[tuple[int, int], PairPassages]
    words: CutWords
    metadata: Sequence[Metadata | None]
    min_words: int
    similar: bool

    def __post_init__(self) -> None:
        words = self.words
        passages = [
            PassageRuns.of(passage, a, b, words[a], words[b])
            for (a, b), pair in self.pairs.items()
            for passage in pair.passages
        ]
        self.components = find_components(passages, self.min_words)
        self._facts: dict[int, DocumentFacts] = {}

    def families(self, passages: Sequence[PassageRuns]) -> Iterator[Family[Any]]:
        """The families of a component."""
        numbers = {number for passage in passages for number in (passage.a, passage.b)}
        chosen = {(passage.a, passage.b) for passage in passages}
        return families_of_component(
            passages,
            {number: self._facts_of(number) for number in numbers},
            {pair: self.pairs[pair] for pair in chosen},
            self.min_words,
        )

    def _hashes(self, number: int) -> U64 | None:
        return self.words[number].hashes if self.similar else None

    def _facts_of(self, number: int) -> DocumentFacts:
        if number not in self._facts:
            words, documents = self.words, self.documents
            own, known = words[number], describe(self.metadata[number])
            self._facts[number] = DocumentFacts(
                id=documents.ids[number],
                side="a" if number < documents.first_count else "b",
                digest=text_digest(documents.texts[number]),
                words=len(own),
                unspaced=is_unspaced(own.letters),
                metadata={name: value for name, value in known.items() if value is not None},
                range=lambda first, stop: word_range(words[number], first, stop),
                hashes=self._hashes(number),
            )
        return self._facts[number]

    def count_documents(self, families: Sequence[Family[Any]], threads: int) -> Sequence[int]:
        """How many documents have the wording of each family, whether they were compared or not."""
        runs = [self._run_text(family) for family in families]
        documents = self.documents
        counts: list[int] = count_documents(
            documents.texts, documents.batches(), runs, threads
        ).tolist()
        return counts

    def _run_text(self, family: Family[Any]) -> str:
        """The middle of the longest common run; empty if that is too short to be looked for."""
        run = run_place(family, self._hashes)
        if run is None:
            return ""
        number, first = run
        start, end = word_range(self.words[number], first, first + RUN)
        return self.documents.texts[number][start:end]
