"""`find_components`: passages that can belong to one family; `families_of_component`: families of
some of them.

In each document, passages that overlap or are near each other are in one place. Places that
passages connect are a component: no family reaches beyond it, so that each can be searched alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.passages.families.columns import align_witnesses
from likewise.passages.families.cuts import find_cuts
from likewise.passages.families.described import described_family
from likewise.passages.families.stretches import MAX_GAP, Stretch, find_stretches
from likewise.search.clusters import connected_components
from likewise.statistics.shared_runs import run_reached_by_chance

if TYPE_CHECKING:
    from likewise.arrays import Ints
    from likewise.passages.families.described import DocumentFacts, PairFacts
    from likewise.passages.families.family import Family
    from likewise.passages.families.runs import PassageRuns, Run


def place_gap(min_words: int) -> int:
    """Words between two passages of a document from which on they are in different places.

    Neither cuts nor stretches of one then depend on the other.
    """
    return max(MAX_GAP, 2 * min_words)


def find_components(passages: Sequence[PassageRuns], min_words: int) -> list[list[PassageRuns]]:
    """The passages of each component, in their order."""
    if not passages:
        return []
    sides = [(one.a, *one.stretch) for one in passages]
    sides += [(one.b, *one.turned_stretch) for one in passages]
    places = _places(np.array(sides, np.int64), place_gap(min_words))
    a, b = places.reshape(2, -1).astype(np.uint32)
    labels = connected_components(int(places.max()) + 1, a, b)
    found: dict[int, list[PassageRuns]] = defaultdict(list)
    for label, passage in zip(labels[a].tolist(), passages, strict=True):
        found[label].append(passage)
    return list(found.values())


def _places(stretches: Ints, gap: int) -> Ints:
    """For each stretch (document, first, stop) the number of its place."""
    order = np.lexsort((stretches[:, 1], stretches[:, 0]))
    number, first, stop = stretches[order].T
    reached = np.maximum.accumulate((number << 32) + stop)  # in the document, up to each stretch
    begins = np.ones(len(order), bool)
    begins[1:] = ((number << 32) + first)[1:] - reached[:-1] >= gap
    places = np.empty(len(order), np.int64)
    places[order] = np.cumsum(begins) - 1
    return places


def families_of_component(
    passages: Sequence[PassageRuns],
    documents: Mapping[int, DocumentFacts],
    pairs: Mapping[tuple[int, int], PairFacts],
    min_words: int,
) -> Iterator[Family[Any]]:
    """The families of the passages of a component.

    Args:
        passages: all of them.
        documents: what is known about each document, by its number.
        pairs: the pairs of documents that the passages are of.
        min_words: as in `find_families`.
    """
    sizes = {number: one.words for number, one in documents.items()}
    cuts = find_cuts(passages, min_words)
    found = find_stretches(passages, cuts, sizes, min_words)
    runs, whole = _runs_of(passages, found)
    for at, stretches in enumerate(found):
        if at not in whole and not _exceeds_chance(runs[at], stretches, documents):
            continue
        # By their texts, so that the order of the documents plays no part.
        order = sorted(
            range(len(stretches)),
            key=lambda i: (documents[stretches[i].number].digest, stretches[i].first),
        )
        places = {old: new for new, old in enumerate(order)}
        columns = align_witnesses(
            [stretches[i] for i in order], [(places[a], places[b], run) for a, b, run in runs[at]]
        )
        linked = {(stretches[a].number, stretches[b].number) for a, b, _ in runs[at]}
        family = described_family(
            [stretches[i] for i in order],
            columns,
            documents,
            {pair: pairs[pair] for pair in sorted(linked)},
        )
        if family is not None:
            yield family


def _exceeds_chance(
    runs: Iterable[tuple[int, int, Run]],
    stretches: Sequence[Stretch],
    documents: Mapping[int, DocumentFacts],
) -> bool:
    """Whether two documents share a run in these stretches that unrelated ones rarely share.

    What is left of a passage beside another family may be a few words that its documents have in
    common by chance.
    """
    for in_a, in_b, run in runs:
        a, b = documents[stretches[in_a].number], documents[stretches[in_b].number]
        unspaced = a.unspaced or b.unspaced
        if run.length > run_reached_by_chance(a.words, b.words, unspaced=unspaced):
            return True
    return False


def _runs_of(
    passages: Iterable[PassageRuns], families: Sequence[Sequence[Stretch]]
) -> tuple[list[list[tuple[int, int, Run]]], set[int]]:
    """The runs between stretches of each family, by the positions of both stretches in it; and the
    families that have at least half of the matched words of some passage."""
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
    runs: list[list[tuple[int, int, Run]]] = [[] for _ in families]
    whole = set()
    for passage in passages:
        a, b = passage.a, passage.b
        words: Counter[int] = Counter()
        for in_a, in_b, piece in passage.pieces(cuts.get(a, ()), cuts.get(b, ())):
            of_a, of_b = owner.get((a, in_a)), owner.get((b, in_b))
            if of_a is not None and of_b is not None and of_a[0] == of_b[0]:
                runs[of_a[0]].append((of_a[1], of_b[1], piece))
                words[of_a[0]] += piece.length
        matched = sum(run.length for run in passage.runs)
        whole |= {at for at, own in words.items() if 2 * own >= matched}
    return runs, whole
