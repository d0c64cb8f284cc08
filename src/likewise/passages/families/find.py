"""`find_families`: which wording is shared by the same documents, from passages between two.

Documents are cut where the set of those that share the wording changes (`cuts`), and the parts that
correspond to each other are a family (`stretches`); their words are aligned across all witnesses
(`columns`). Passages of two documents that merely touch or overlap in a third therefore do not
become one: what a family says is true of all its witnesses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.documents.texts import text_digest
from likewise.errors import UsageError
from likewise.passages.document_set import DocumentSet, checked_metadata
from likewise.passages.families.columns import align_witnesses
from likewise.passages.families.cuts import find_cuts
from likewise.passages.families.described import (
    DescribedFamilies,
    common_columns,
    identical_columns,
    longest_run,
)
from likewise.passages.families.occurrences import RUN, count_documents
from likewise.passages.families.results import Families
from likewise.passages.families.runs import PassageRuns
from likewise.passages.families.stretches import Stretch, find_stretches
from likewise.passages.ranges import word_range
from likewise.passages.settings import DEFAULT_MIN_WORDS
from likewise.run import Stats, log_notes, silent
from likewise.search.clusters import connected_components
from likewise.search.order import id_key
from likewise.text.cut_words import CutWords
from likewise.text.words import STEM_LETTERS
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from likewise.passages.families.family import Family
    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.results import Passages
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
            progress=progress,
        )
    if common:
        left_out = "1 family" if len(common) == 1 else f"{len(common):,} families"
        stats.notes.append(
            f"{left_out} omitted, of wording that more than {most:,} documents have: "
            "exclude common text, or raise `max_documents`"
        )
    log_notes(stats.notes)
    stats.counts = {
        "documents": len(documents),
        "families": len(found),
        "in_families": len({one.number for family in found for one in family.witnesses}),
    }
    return Families(found, stats, documents)


def families_of_pairs(
    documents: DocumentSet,
    pairs: Mapping[tuple[int, int], PairPassages],
    words: CutWords,
    *,
    min_words: int,
    metadata: Sequence[Metadata | None],
    max_documents: int | None,
    threads: int,
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
        threads: how many to use.
        progress: called with the name of a stage, how much of it is done, and how much there is.
    """
    search = _Search(documents, pairs, words, metadata, min_words)
    found: list[Family[Any]] = []
    for done, group in enumerate(search.groups):
        progress("families", done, len(search.groups))
        found += search.families(group)
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


class _Search:
    """One run over all groups of documents that passages connect."""

    def __init__(
        self,
        documents: DocumentSet,
        pairs: Mapping[tuple[int, int], PairPassages],
        words: CutWords,
        metadata: Sequence[Metadata | None],
        min_words: int,
    ) -> None:
        self._documents = documents
        self._pairs = pairs
        self._min_words = min_words
        self._words = words
        self._digests = {
            number: text_digest(documents.texts[number])
            for number in sorted({number for pair in pairs for number in pair})
        }
        self._described = DescribedFamilies(
            documents.ids, documents.first_count, metadata, self._words, pairs
        )
        ends = np.array(list(pairs), np.int64).reshape(-1, 2)
        labels = connected_components(len(documents), *ends.T.astype(np.uint32))
        groups: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for pair in pairs:
            groups[int(labels[pair[0]])].append(pair)
        self.groups: list[list[tuple[int, int]]] = list(groups.values())

    def count_documents(self, families: Sequence[Family[Any]], threads: int) -> Sequence[int]:
        """How many documents have the wording of each family, whether they were compared or not."""
        runs = [self._run_text(family) for family in families]
        documents = self._documents
        counts: list[int] = count_documents(
            documents.texts, documents.batches(), runs, threads
        ).tolist()
        return counts

    def _run_text(self, family: Family[Any]) -> str:
        """The beginning of the longest common run; empty if that is too short to be looked for."""
        if family.run < RUN:
            return ""
        witnesses = family.witnesses
        run = longest_run(
            witnesses,
            identical_columns(witnesses, common_columns(witnesses, family.columns), self._words),
        )
        place = int((run[0] >= 0).argmax())
        number, first = witnesses[place].number, int(run[0, place])
        start, end = word_range(self._words[number], first, first + RUN)
        return self._documents.texts[number][start:end]

    def families(self, group: Iterable[tuple[int, int]]) -> Iterator[Family[Any]]:
        """The families of some pairs, which are connected with no others."""
        words = self._words
        passages = [
            PassageRuns.of(passage, a, b, words[a], words[b])
            for a, b in group
            for passage in self._pairs[a, b].passages
        ]
        numbers = {number for passage in passages for number in (passage.a, passage.b)}
        sizes = {number: len(words[number]) for number in numbers}
        cuts = find_cuts(passages, self._min_words)
        found = find_stretches(passages, cuts, sizes, self._min_words)
        runs = _runs_of(passages, found)
        for at, stretches in enumerate(found):
            # By their texts, so that the order of the documents plays no part.
            order = sorted(
                range(len(stretches)),
                key=lambda i: (self._digests[stretches[i].number], stretches[i].first),
            )
            places = {old: new for new, old in enumerate(order)}
            columns = align_witnesses(
                [stretches[i] for i in order],
                [(places[a], places[b], run) for a, b, run in runs[at]],
            )
            family = self._described.family([stretches[i] for i in order], columns)
            if family is not None:
                yield family


def _runs_of(
    passages: Iterable[PassageRuns], families: Sequence[Sequence[Stretch]]
) -> list[list[tuple[int, int, Any]]]:
    """The runs between stretches of each family, by the positions of both stretches in it."""
    edges: dict[int, set[int]] = defaultdict(set)
    for family in families:
        for one in family:
            edges[one.number] |= {one.first, one.stop}
    cuts = {number: sorted(own) for number, own in edges.items()}
    owner: dict[tuple[int, int], tuple[int, int]] = {}
    for at, family in enumerate(families):
        for position, one in enumerate(family):
            own = cuts[one.number]
            for segment in range(own.index(one.first) + 1, own.index(one.stop) + 1):
                owner[one.number, segment] = at, position
    runs: list[list[tuple[int, int, Any]]] = [[] for _ in families]
    for passage in passages:
        a, b = passage.a, passage.b
        for in_a, in_b, piece in passage.pieces(cuts.get(a, ()), cuts.get(b, ())):
            of_a, of_b = owner.get((a, in_a)), owner.get((b, in_b))
            if of_a is not None and of_b is not None and of_a[0] == of_b[0]:
                runs[of_a[0]].append((of_a[1], of_b[1], piece))
    return runs
