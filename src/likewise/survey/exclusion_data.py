"""What pages need to exclude text, passages and pairs from a survey that was made without that.

All places are words, as whole numbers in flat lists, so that pages of thousands of documents stay
small. `pages/static/data/` applies the rules of `passages.excluded_words` and
`passages.passage_filters` to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.passages.common_text import CommonText
from likewise.passages.excluded_words import score_of_both
from likewise.passages.passage import ATTRIBUTIONS
from likewise.passages.ranges import merge
from likewise.statistics.shared_runs import count_short_runs

if TYPE_CHECKING:
    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.passage import Passage
    from likewise.survey.shown_text import ShownText
    from likewise.survey.survey import Survey
    from likewise.text.words import Words

KINDS = ("verbatim", "edited", "reordered", "reworded")
HAS_SCORE, HAS_PLACES = 4, 8
A_ATTRIBUTION, B_ATTRIBUTION = 16, 64  # times the place of the group in `ATTRIBUTIONS`
EXCLUDED = "excluded"
"""The reason of what was excluded from the search, whatever the reason was."""


def exclusion_data(survey: Survey) -> dict[str, Any]:
    """Of the listed pairs and documents of a survey.

    `passages` are those of each pair (`packed_passages`), `runs` what their chance depends on: the
    short runs and the equal words of both texts, or null. `by_passages` are the rows of pairs that
    are not similar as a whole. `marks` are by reason the excluded words of documents, each as the
    row of the document, the first word and that behind the last. The others are settings.
    """
    exclude, pairs = survey.settings.exclude, survey.pairs
    passages: list[list[int]] = []
    runs: list[list[int] | None] = []
    table = pairs.table.take(survey.rows)
    for a, b in zip(table.a.tolist(), table.b.tolist(), strict=True):
        shared = pairs.passages.get((a, b))
        words = pairs.words[a], pairs.words[b]
        passages.append(packed_passages(shared.every, *words) if shared else [])
        runs.append(_runs(shared, *words))
    return {
        "passages": passages,
        "runs": runs,
        "by_passages": np.flatnonzero(pairs.by_passages(survey.rows)).tolist(),
        "marks": _marks(survey),
        "unspaced": [
            row for row, number in enumerate(survey.listed.tolist())
            if survey.texts[number].unspaced
        ],
        "min_passage": exclude.min_passage,
        "min_share": exclude.min_share,
        "same": list(exclude.same),
    }  # fmt: skip


def packed_passages(passages: Iterable[Passage], a: Words, b: Words) -> list[int]:
    """Passages as one list: for each its kind, the number of its runs, and the runs.

    A run of matched words is given by the words between it and the run before, in a and in b, and
    by its length. `HAS_SCORE` is added to the kind if the score follows, since it is not that of
    the runs seen from both sides; `HAS_PLACES` if the first words and those behind the last follow,
    of a and of b, since they are not those of the runs. The groups of both sides are added too.
    """
    packed: list[int] = []
    for passage in passages:
        runs = list(_matched_runs(passage, a, b))
        kind = KINDS.index(passage.kind)
        kind += A_ATTRIBUTION * ATTRIBUTIONS.index(passage.a_attribution or "neither")
        kind += B_ATTRIBUTION * ATTRIBUTIONS.index(passage.b_attribution or "neither")
        more: list[int] = []
        if passage.score != score_of_both(runs):
            kind += HAS_SCORE
            more.append(passage.score)
        places = [
            *np.searchsorted(a.begins, (passage.a_start, passage.a_end)).tolist(),
            *np.searchsorted(b.begins, (passage.b_start, passage.b_end)).tolist(),
        ]
        if places != _places(runs):
            kind += HAS_PLACES
            more += places
        packed += [kind, len(runs)]
        end_a = end_b = 0
        for at_a, at_b, words in runs:
            packed += [at_a - end_a, at_b - end_b, words]
            end_a, end_b = at_a + words, at_b + words
        packed += more
    return packed


def _matched_runs(passage: Passage, a: Words, b: Words) -> Iterator[tuple[int, int, int]]:
    for match in passage.matches:
        first, last = np.searchsorted(a.begins, match[:2]).tolist()
        yield first, int(np.searchsorted(b.begins, match.b_start)), last - first


def _places(runs: Sequence[tuple[int, int, int]]) -> list[int]:
    """First and behind the last of the matched words, of a and of b."""
    return [
        edge
        for side in (0, 1)
        for edge in (min(run[side] for run in runs), max(run[side] + run[2] for run in runs))
    ]


def _runs(shared: PairPassages | None, a: Words, b: Words) -> list[int] | None:
    if shared is None or not shared.passages:
        return None
    short, equal_share = shared.short_runs, shared.equal_share
    if short is None:  # what is left of a passage may be one by its runs, though the whole is not
        short, equal_share = count_short_runs(a.hashes, b.hashes)
    return [short, round(equal_share * max(1, len(a) * len(b)))]


def _marks(survey: Survey) -> dict[str, list[int]]:
    """What was excluded, and what can be: by reason row, first word, behind the last."""
    exclude = survey.settings.exclude
    common = None
    if exclude.common_text == "keep":
        texts = [one.matching.text for one in survey.texts]
        common = CommonText.of(texts, lambda number: survey.pairs.words[number])
    found: dict[str, list[int]] = {}
    for row, number in enumerate(survey.listed.tolist()):
        text = survey.texts[number]
        words = survey.pairs.words[number]
        for reason, places in _reasons(text, words, common).items():
            edges = np.searchsorted(words.begins, np.array(places).reshape(-1, 2)).tolist()
            for first, last in merge(edges):
                found.setdefault(reason, []).extend((row, first, last))
    return found


def _reasons(
    text: ShownText, words: Words, common: CommonText | None
) -> dict[str, Sequence[tuple[int, int]]]:
    known = text.matching.excluded
    marks: dict[str, Sequence[tuple[int, int]]] = {
        EXCLUDED: text.matching.excluded_ranges,
        **{
            reason: places
            for reason, places in text.marked_parts.items()
            if reason not in text.exclude.reasons
        },
    }
    if common is not None and "common text" not in known:
        marks["common text"] = common.ranges(text.matching.text, words)
    return {reason: places for reason, places in marks.items() if places}
