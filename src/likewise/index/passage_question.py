"""What is asked of an index for passages, and what comes together as the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from likewise.errors import UsageError
from likewise.index.document import Document
from likewise.index.postings.common_keys import MOST_DOCUMENTS
from likewise.index.settings import MOST_MIN_WORDS, IndexSettings
from likewise.passages.document_set import FIRST, DocumentSet, checked_texts
from likewise.passages.matching_text import Exclusions, MatchingText
from likewise.passages.pair_passages import alignment_settings
from likewise.passages.results import PassagePair, Passages
from likewise.run import Stats, counted
from likewise.text.profile import Profile
from likewise.text.words import STEM_LETTERS
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from likewise import _core
    from likewise.passages.alignment import AlignmentSettings
    from likewise.passages.common_text import CommonText
    from likewise.text.word_frequencies import Frequencies

_SAME = 50  # characters: texts that begin with the same ones are reported once
_MAX_COMMON = 3


@dataclass(frozen=True, eq=False)
class IndexPassages(Passages):
    """Passages of texts that were asked about; b is the id of a stored document.

    Attributes:
        documents: those that share passages, by id, as they were when they were compared.
    """

    documents: dict[str, Document] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is asked of an index, whatever the text.

    Attributes:
        min_words: runs of so many equal words are passages whatever the words tell.
        edited: look also for copies without such runs.
        exclude: what is left out.
        settings: of the alignment.
        rates: of words in general; by their length, if None.
        sampled_words: runs of so many words have an entry in the index.
    """

    min_words: int
    edited: bool
    exclude: Exclusions
    settings: AlignmentSettings
    rates: Frequencies | None
    threads: int
    sampled_words: int

    @classmethod
    def checked(
        cls,
        index: IndexSettings,
        name: str,
        *,
        min_words: int | None,
        edited: bool,
        exclude: Exclusions,
        rates: Frequencies | None,
        alignment: AlignmentSettings | None,
        threads: int,
    ) -> Question:
        """From what a user gave, or a `UsageError` that says what is wrong with it."""
        if index.min_words is None:
            raise UsageError(
                f"{name} was created without passages",
                hint="export its documents, and import them into an index that has them"
                if index.keep_text
                else "passages require an index that stores texts",
            )
        wanted = index.min_words if min_words is None else min_words
        check_whole("min_words", wanted, 1, MOST_MIN_WORDS)
        if alignment is not None and alignment.stem_letters != STEM_LETTERS:
            raise UsageError(
                f"words of an index are told by {STEM_LETTERS} letters, and the settings ask for "
                f"{alignment.stem_letters}"
            )
        if wanted < index.min_words:
            raise UsageError(
                f"{name} was made for runs of {index.min_words} words or more, and {wanted} are "
                "fewer: passages would be missed",
                hint="create an index with a smaller min_words",
            )
        return cls(
            min_words=wanted,
            edited=edited,
            exclude=exclude,
            settings=alignment_settings(wanted, alignment),
            rates=rates,
            threads=threads,
            sampled_words=index.min_words,
        )

    @property
    def run_rules(self) -> _core.Rules:
        """Shingles that are equal where runs are."""
        return Profile(unit="word", k=self.min_words).rules()

    def documents(
        self,
        texts: object,
        ids: Iterable[object] | None,
        metadata: Sequence[Mapping[str, Any] | None] | None,
    ) -> list[tuple[str, str, Mapping[str, Any] | None]]:
        """The id, the text and the metadata of each text that is asked about."""
        strings, names = checked_texts(texts, ids)
        known = [None] * len(names) if metadata is None else list(metadata)
        if len(known) != len(names):
            raise UsageError(f"there are {len(known)} metadata for {len(names)} texts")
        if self.exclude.same and metadata is None:
            raise UsageError("excluding documents of the same author or group requires metadata")
        return list(zip(names, strings, known, strict=True))


@dataclass(slots=True, eq=False)
class Answer:
    """What was found for one text, which is given as it was matched.

    `common_text` is that part of it which many stored documents have.
    """

    id: str
    text: str
    pairs: list[PassagePair] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    about: dict[str, MatchingText] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    common_text: CommonText | None = None


class Answers:
    """Answers, text by text, and what comes of them together."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._texts: dict[str, str] = {}
        self._pairs: list[PassagePair] = []
        self._documents: dict[str, Document] = {}
        self._about: dict[str, MatchingText] = {}
        self._common_text: dict[str, list[str]] = {}  # by the beginning of the first text
        self._counts: Counter[str] = Counter(
            {"set_aside": 0, "by_runs": 0, "by_rare_words": 0, "candidates": 0}
        )

    def add(self, answer: Answer) -> None:
        self._texts[answer.id] = answer.text
        self._pairs += answer.pairs
        self._documents |= answer.documents
        self._about |= answer.about
        self._counts.update(answer.counts)
        if answer.common_text is not None:
            done: Literal["kept", "excluded"] = (
                "excluded" if self._question.exclude.common_text == "exclude" else "kept"
            )
            lines = answer.common_text.described(done, "stored documents")
            self._common_text.setdefault(answer.common_text.passages[0].text[:_SAME], lines)

    def passages(self, documents: int) -> IndexPassages:
        """All pairs, those that share most words first; `documents` are those of the index."""
        self._pairs.sort(key=lambda pair: (-pair.words, pair.a, pair.b))
        stats = Stats(
            {
                "min_words": self._question.min_words,
                "max_documents": MOST_DOCUMENTS,
                "edited": self._question.edited,
            }
        )
        stats.counts |= {
            "documents": documents,
            "checked": len(self._texts),
            **self._counts,
            "pairs": len(self._pairs),
            "passages": sum(len(pair.passages) for pair in self._pairs),
            "reworded": sum(len(pair.reworded) for pair in self._pairs),
        }
        sides = np.full(len(self._texts), FIRST, np.uint8)
        searched = DocumentSet(list(self._texts.values()), list(self._texts), sides)
        if aside := self._counts["set_aside"]:
            stats.notes.append(
                f"{counted(aside, 'run')} of words set aside, which over {MOST_DOCUMENTS:,} "
                "documents have or had: passages made up only of these are not found"
            )
        if left_out := self._counts["left_out"]:
            stats.notes.append(
                f"{counted(left_out, 'document')} not looked at, since very many share some words "
                "in a row with one text: those with the rarest were"
            )
        common = [line for lines in self._common_text.values() for line in lines]
        return IndexPassages(
            self._pairs, stats, self._about, searched, common[:_MAX_COMMON], self._documents
        )
