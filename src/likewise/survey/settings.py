"""`SurveySettings`: what a survey looks for, and how much of it is listed; `RunFacts`: the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from likewise.passages.fingerprints import DEFAULT_MIN_WORDS, Winnowing
from likewise.passages.matching_text import Exclusions
from likewise.search.settings import DEFAULT_NULL_PAIRS, Settings
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

DEFAULT_THRESHOLD = 0.2
MOST_PAIRS = 2000
MOST_DOCUMENTS = 10_000


@dataclass(frozen=True, slots=True)
class SurveySettings:
    """What is looked for.

    Attributes:
        threshold: the similarity from which on pairs are looked for.
        recall: the share of those just at the threshold that must be found.
        profile: how texts become shingles.
        min_words: every run of so many equal words is a passage.
        exclude: what is left out, of texts and of pairs.
        null_pairs: random pairs that the chance level is taken from; if not given, as many as
            q-values need, and as the length of the documents allows.
        max_pairs, max_documents: how many are listed, the most similar first; documents of listed
            pairs are always.
        seed: of the random pairs.
        threads: how many to use; all processors, if not given.
    """

    threshold: float = DEFAULT_THRESHOLD
    recall: float = 0.99
    profile: Profile | str = DEFAULT_PROFILE
    min_words: int = DEFAULT_MIN_WORDS
    exclude: Exclusions = field(default_factory=Exclusions)
    null_pairs: int | None = None
    max_pairs: int = MOST_PAIRS
    max_documents: int = MOST_DOCUMENTS
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        Winnowing(self.min_words)
        check_whole("max_pairs", self.max_pairs, 0)
        check_whole("max_documents", self.max_documents, 0)
        thread_count(self.threads)
        self.search()

    def search(self) -> Settings:
        """Of the search for similar pairs."""
        return Settings(
            profile=Profile.of(self.profile),
            threshold=self.threshold,
            recall=self.recall,
            chance="corpus",
            null_pairs=DEFAULT_NULL_PAIRS if self.null_pairs is None else self.null_pairs,
            seed=self.seed,
            threads=thread_count(self.threads),
        )


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the caller knows of a run, and the page shows.

    Attributes:
        title: of the page.
        command: what was typed.
        made: when, as 2026-11-16T12:00:00Z.
        documents: how many there are, where not all of them were given.
        left_out: sentences on what is not there, and why.
        notes: what the user should hear of.
        skipped: documents that could not be read: name, place in it, reason.
        seconds: of what was done before.
        timed: whether times are shown; without them two runs alike are the same in all.
    """

    title: str = ""
    command: str | None = None
    made: str | None = None
    documents: int | None = None
    left_out: Sequence[str] = ()
    notes: Sequence[str] = ()
    skipped: Sequence[tuple[str, str, str]] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    timed: bool = True
