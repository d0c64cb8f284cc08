"""One text against the index: the passages that it shares with stored documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.index.document import Document
from likewise.index.passage_candidates import IndexFacts, by_runs, by_words, most_telling
from likewise.index.passage_question import Answer, Question
from likewise.index.postings.manifest import Manifest
from likewise.index.stores.protocol import Snapshot
from likewise.passages.common_text import MIN_DOCUMENTS, CommonText
from likewise.passages.matching_text import Exclusions, MatchingText, matching_text, matching_texts
from likewise.passages.pair_passages import PairPassages, find_pair_passages, matched_words
from likewise.passages.passage_filters import filter_passages
from likewise.passages.results import PassagePair
from likewise.text.words import Words, words_of

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
    answer = _ask(snapshot, manifest, question, id_, text, metadata, go_on, None)
    if len(answer.pairs) < MIN_DOCUMENTS:
        return answer
    own = words_of(answer.text)
    sharing = np.zeros(len(own), np.int64)
    for pair in answer.pairs:
        sharing += matched_words(own, pair.passages)
    common = CommonText.of_sharing(answer.text, own, sharing, IndexFacts.of(snapshot).documents)
    if common is None:
        return answer
    if question.exclude.common_text == "exclude":
        answer = _ask(snapshot, manifest, question, id_, text, metadata, go_on, common)
    answer.common_text = common
    return answer


def _ask(
    snapshot: Snapshot,
    manifest: Manifest,
    question: Question,
    id_: str,
    text: str,
    metadata: Mapping[str, Any] | None,
    go_on: Callable[[], None],
    common: CommonText | None,
) -> Answer:
    matching = matching_text(text, question.exclude, common)
    answer = Answer(id_, matching.text)
    if matching.altered:
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
    found = []
    for part in _candidates(snapshot, question, view, {*runs.numbers, *rare}, rare, common):
        go_on()
        kept = _without_same(part, question.exclude.same, metadata or {})
        answer.counts["of_the_same"] = answer.counts.get("of_the_same", 0) + len(part) - len(kept)
        answer.counts["candidates"] = answer.counts.get("candidates", 0) + len(kept)
        shared = find_pair_passages(
            [matching.text, *(one.matching.text for one in kept)],
            [(0, i + 1) for i in range(len(kept))],
            min_words=question.min_words, rates=question.rates, settings=question.settings,
            threads=question.threads, words=[own, *(one.words for one in kept)],
        )  # fmt: skip
        found += [(one, pair) for one, pair in zip(kept, shared, strict=True) if pair]
    _put(answer, found, question.exclude, own)
    return answer


def _candidates(
    snapshot: Snapshot,
    question: Question,
    view: Texts,
    numbers: set[int],
    rare: set[int],
    common: CommonText | None,
) -> Iterator[list[_Candidate]]:
    """Documents that share a run of words indeed, or are in `rare`, a part at a time."""
    runs = np.unique(_core.sample_shingles(view, question.run_rules, stride=1, threads=1)[0])
    order = sorted(numbers)
    for begin in range(0, len(order), _AT_ONCE):
        stored = snapshot.documents(order[begin : begin + _AT_ONCE], text=True)
        documents = list(map(Document.of, stored))
        texts = [document.text or "" for document in documents]
        made = matching_texts(texts, question.exclude, common)
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
    found: Sequence[tuple[_Candidate, PairPassages]],
    exclude: Exclusions,
    own: Words,
) -> None:
    """Pairs of what was found, but for what is excluded."""
    words = [own, *(one.words for one, _ in found)]
    numbered = ((0, i, pair) for i, (_, pair) in enumerate(found, 1))
    for _, i, shared in filter_passages(numbered, exclude, words, answer.counts):
        one = found[i - 1][0]
        pair = PassagePair.of(shared, answer.id, one.document.id)
        if max(pair.share_a, pair.share_b) < exclude.min_share:
            answer.counts["below_min_share"] = answer.counts.get("below_min_share", 0) + 1
            continue
        answer.pairs.append(pair)
        answer.documents[pair.b] = one.document
        if one.matching.altered:
            answer.about[f"against {pair.b}"] = one.matching
