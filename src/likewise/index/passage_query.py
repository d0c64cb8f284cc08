"""One text against the index: the passages that it shares with stored documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.evidence.alignment import align_pairs
from likewise.evidence.common import Found, without_common, without_short
from likewise.evidence.find import told
from likewise.evidence.matching_text import Exclusions, MatchingText, matching_text, matching_texts
from likewise.evidence.passages import PassagePair
from likewise.evidence.scores import words_within
from likewise.evidence.words import Words, words_of
from likewise.index.document import Document
from likewise.index.manifest import Manifest
from likewise.index.passage_candidates import IndexFacts, by_runs, by_words, most_telling
from likewise.index.passage_question import Answer, Question
from likewise.index.rates import rates_for
from likewise.index.store import Snapshot
from likewise.statistics.equal_runs import chance_run

if TYPE_CHECKING:
    from likewise.evidence.frequencies import Frequencies
    from likewise.evidence.passage import Passage

_AT_ONCE = 64  # documents whose texts are held


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    document: Document
    matching: MatchingText
    words: Words


def ask(
    snapshot: Snapshot,
    manifest: Manifest,
    question: Question,
    id_: str,
    text: str,
    metadata: Mapping[str, Any] | None,
    go_on: Callable[[], None],
) -> Answer:
    """The stored documents that share passages with one text.

    `go_on` is called now and then; what it raises ends the work.
    """
    matching = matching_text(text, question.exclude, question.templates)
    answer = Answer(id_, matching.text)
    if told(matching):
        answer.about[id_] = matching
    own = words_of(matching.text)
    if not len(own):
        return answer
    facts = IndexFacts.of(snapshot)
    view = Texts.from_strings([matching.text])
    runs = by_runs(snapshot, manifest, view, question.sampled_words, facts)
    words = by_words(snapshot, manifest, view, facts)
    rare = set(most_telling(snapshot, words, len(own), facts)) if question.edited else set()
    answer.counts = {
        "set_aside": runs.set_aside,
        "left_out": runs.left_out,
        "by_runs": len(runs.numbers),
        "by_rare_words": len(rare),
    }
    rates = question.rates or rates_for(words, manifest.rates, facts)
    found = []
    for part in _candidates(snapshot, question, view, {*runs.numbers, *rare}, rare):
        go_on()
        kept = _without_same(part, question.exclude.same, metadata or {})
        answer.counts["of_the_same"] = answer.counts.get("of_the_same", 0) + len(part) - len(kept)
        answer.counts["candidates"] = answer.counts.get("candidates", 0) + len(kept)
        passages = align_pairs(
            [matching.text, *(one.matching.text for one in kept)],
            [(0, i + 1) for i in range(len(kept))],
            rates=rates, settings=question.settings, threads=question.threads,
            words=[own, *(one.words for one in kept)],
        )  # fmt: skip
        found += [(one, shared) for one, shared in zip(kept, passages, strict=True) if shared]
    _put(answer, found, question.exclude, own, manifest.rates.equal_words)
    return answer


def text_rates(snapshot: Snapshot, manifest: Manifest, text: str) -> Frequencies:
    """How often the words of a text are met in the index."""
    facts = IndexFacts.of(snapshot)
    words = by_words(snapshot, manifest, Texts.from_strings([text]), facts)
    return rates_for(words, manifest.rates, facts)


def _candidates(
    snapshot: Snapshot, question: Question, view: Texts, numbers: set[int], rare: set[int]
) -> Iterator[list[_Candidate]]:
    """Documents that share a run of words indeed, or are in `rare`, a part at a time."""
    runs = np.unique(_core.sample_shingles(view, question.run_rules, stride=1, threads=1)[0])
    order = sorted(numbers)
    for begin in range(0, len(order), _AT_ONCE):
        stored = snapshot.documents(order[begin : begin + _AT_ONCE], text=True)
        documents = list(map(Document.of, stored))
        made = matching_texts(
            [document.text or "" for document in documents], question.exclude, question.templates
        )
        sharing = _sharing(made, question, runs)
        yield [
            _Candidate(document, one, words_of(one.text))
            for i, (document, one) in enumerate(zip(documents, made, strict=True))
            if i in sharing or document.number in rare
        ]


def _sharing(
    texts: Sequence[MatchingText], question: Question, runs: np.ndarray[Any, np.dtype[np.uint64]]
) -> set[int]:
    """The places of those texts that hold one of the runs."""
    views = Texts.from_strings([one.text for one in texts])
    hashes, offsets = _core.sample_shingles(views, question.run_rules, stride=1, threads=1)
    if not len(runs) or not len(hashes):
        return set()
    places = np.minimum(np.searchsorted(runs, hashes), len(runs) - 1)
    hits = np.flatnonzero(runs[places] == hashes)
    return set((np.searchsorted(offsets, hits, "right") - 1).tolist())


def _without_same(
    found: list[_Candidate], same: Sequence[str], metadata: Mapping[str, Any]
) -> list[_Candidate]:
    """Those of another author or group, where those of the same are excluded."""
    for name in same:
        own = metadata.get(name)
        if own is not None:
            found = [one for one in found if (one.document.metadata or {}).get(name) != own]
    return found


def _put(
    answer: Answer,
    found: Sequence[tuple[_Candidate, Sequence[Passage]]],
    exclude: Exclusions,
    own: Words,
    equal: float,
) -> None:
    """Pairs of what was found, but for what is excluded; `equal` is how often two words are."""
    numbered: list[Found] = [(0, i + 1, passages) for i, (_, passages) in enumerate(found)]
    if exclude.min_passage:
        numbered, answer.counts["too_short"] = without_short(numbered, exclude.min_passage)
    if exclude.max_sources is not None:
        numbered, answer.counts["in_too_many"] = without_common(numbered, exclude.max_sources)
    for _, i, passages in numbered:
        one = found[i - 1][0]
        pair = _pair(answer.id, own, one, passages, equal)
        if max(pair.share_a, pair.share_b) < exclude.min_share:
            answer.counts["below_min_share"] = answer.counts.get("below_min_share", 0) + 1
            continue
        answer.pairs.append(pair)
        answer.documents[pair.b] = one.document
        if told(one.matching):
            answer.about[f"against {pair.b}"] = one.matching


def _pair(
    id_: str, own: Words, one: _Candidate, passages: Sequence[Passage], equal: float
) -> PassagePair:
    in_a = int(words_within(own, passages).sum())
    in_b = int(words_within(one.words, [passage.turned() for passage in passages]).sum())
    return PassagePair(
        a=id_,
        b=one.document.id,
        passages=tuple(passages),
        words=in_a,
        share_a=in_a / len(own),
        share_b=in_b / len(one.words),
        chance_run=chance_run(len(own), len(one.words), equal),
    )
