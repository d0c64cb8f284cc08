"""`SurveySettings`: of the searches and of what is listed; `RunFacts`: what else a page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from likewise.passages.fingerprints import Winnowing
from likewise.passages.settings import DEFAULT_MIN_WORDS, Exclusions
from likewise.search.settings import DEFAULT_NULL_PAIRS, Settings
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

DEFAULT_THRESHOLD = 0.2
MAX_PAIRS = 2000
MAX_DOCUMENTS = 10_000
MAX_FAMILIES = 2000


@dataclass(frozen=True, slots=True)
class SurveySettings:
    """Settings of the searches, and how much of the results is listed.

    Attributes:
        threshold: the minimum similarity of pairs that share no passage.
        profile: how texts become shingles.
        min_words: every run of at least this many equal words is a passage.
        exclude: excluded text, passages and pairs.
        null_pairs: number of random pairs for the chance level; if not given, as many as q-values
            need, as far as the length of the documents allows.
        max_pairs, max_documents: how many are listed, the most similar first; documents of listed
            pairs always are.
        threads: how many to use; all processors, if not given.
    """

    threshold: float = DEFAULT_THRESHOLD
    profile: Profile | str = DEFAULT_PROFILE
    min_words: int = DEFAULT_MIN_WORDS
    exclude: Exclusions = field(default_factory=Exclusions)
    null_pairs: int | None = None
    max_pairs: int = MAX_PAIRS
    max_documents: int = MAX_DOCUMENTS
    max_families: int = MAX_FAMILIES
    threads: int | None = None

    def __post_init__(self) -> None:
        Winnowing(self.min_words)
        check_whole("max_pairs", self.max_pairs, 0)
        check_whole("max_documents", self.max_documents, 0)
        check_whole("max_families", self.max_families, 0)
        thread_count(self.threads)
        self.search()

    def search(self) -> Settings:
        """Of the search for similar pairs."""
        return Settings(
            profile=Profile.of(self.profile),
            threshold=self.threshold,
            chance="corpus",
            null_pairs=DEFAULT_NULL_PAIRS if self.null_pairs is None else self.null_pairs,
            threads=thread_count(self.threads),
        )


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Facts about a run that the page shows.

    Attributes:
        title: of the page.
        command: the command line.
        made: when, as 2026-11-16T12:00:00Z.
        documents: their number, if the survey is of some of them only.
        left_out: sentences on what is not included, and why.
        notes: what the user should know.
        skipped: documents that could not be read: name, place in it, reason.
        seconds: by stage, before the survey.
        timed: whether times are shown; without them equal runs give equal pages.
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
