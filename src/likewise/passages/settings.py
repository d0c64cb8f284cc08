"""`PassageSettings` and `Exclusions`: what a search for passages looks for, and what it excludes.

The command line takes its defaults from here, so this module imports no heavy library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from likewise.errors import UsageError
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from likewise.passages.alignment import AlignmentSettings
    from likewise.run import Progress
    from likewise.text.word_frequencies import Frequencies
    from likewise.types import Groups, Metadata

DEFAULT_MIN_WORDS = 12
MIN_MIN_WORDS = 4  # any two texts of one language share shorter runs
DEFAULT_MAX_DOCUMENTS = 200
Spelling = Literal["exact", "similar"]
SPELLINGS: tuple[Spelling, ...] = get_args(Spelling)


@dataclass(frozen=True, slots=True)
class PassageSettings:
    """How passages of a collection are searched for.

    Attributes:
        min_words: every run of at least this many identical words is found.
        max_documents: in a large collection, runs in more documents are not searched for.
        edited: also search for copies without such runs, by rare words.
        spelling: "similar" to count words of similar spelling as shared, in scanned and old texts.
    """

    min_words: int = DEFAULT_MIN_WORDS
    max_documents: int = DEFAULT_MAX_DOCUMENTS
    edited: bool = True
    spelling: Spelling = "exact"

    def __post_init__(self) -> None:
        check_spelling(self.spelling)
        check_whole("min_words", self.min_words, MIN_MIN_WORDS)
        check_whole("max_documents", self.max_documents, 2)


class PassageOptions(TypedDict, total=False):
    """The options of `find_passages`, which describes them."""

    min_words: int
    max_documents: int
    edited: bool
    spelling: Spelling
    exclude: Exclusions
    metadata: Sequence[Metadata | None] | None
    against_metadata: Sequence[Metadata | None] | None
    within: Groups | None
    across: Groups | None
    against_groups: Groups | None
    rates: Frequencies | None
    settings: AlignmentSettings | None
    threads: int | None
    progress: Progress


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Text, passages and pairs to exclude; nothing by default.

    Attributes:
        quotations, bibliography: parts of each text.
        phrases: set phrases, wherever they occur.
        templates: texts that everyone was given; runs of words from them are excluded.
        min_passage: minimum shared words of a passage.
        min_share: pairs that share less than this of both documents are excluded.
        same: exclude pairs with the same author or group, by these fields of their metadata.
        max_sources: passages that a document shares with more documents are excluded.
        common_text: "exclude" text that many documents of the collection have, or "keep" it.
    """

    quotations: bool = False
    bibliography: bool = False
    phrases: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    min_passage: int = 0
    min_share: float = 0.0
    same: tuple[str, ...] = ()
    max_sources: int | None = None
    common_text: Literal["keep", "exclude"] = "keep"

    def __post_init__(self) -> None:
        for name in ("phrases", "templates", "same"):  # a str is a sequence of letters
            given = getattr(self, name)
            if isinstance(given, str) or not all(isinstance(one, str) for one in given):
                raise UsageError(f"{name} must be a list of str, not {given!r:.100}")
        check_whole("min_passage", self.min_passage, 0)
        if not 0 <= self.min_share <= 1:
            raise UsageError(f"min_share is {self.min_share:g}; it must be from 0 to 1")
        if unknown := set(self.same) - {"author", "group"}:
            raise UsageError(f"same={unknown.pop()!r} is neither author nor group")
        if self.max_sources is not None:
            check_whole("max_sources", self.max_sources, 1)
        if self.common_text not in ("keep", "exclude"):
            raise UsageError(f"common_text={self.common_text!r} is neither keep nor exclude")

    @property
    def reasons(self) -> list[str]:
        """Which parts of texts are excluded, as in `MatchingText.excluded`."""
        wanted = {
            "quotation": self.quotations,
            "bibliography": self.bibliography,
            "phrase": self.phrases,
            "template": self.templates,
            "common text": self.common_text == "exclude",
        }
        return [reason for reason, on in wanted.items() if on]


NOTHING = Exclusions()


def check_exclusions(exclude: object) -> None:
    """Raises for what is no `Exclusions`."""
    if not isinstance(exclude, Exclusions):
        raise UsageError(
            f"exclude must be an Exclusions, not {type(exclude).__name__}",
            hint="for example Exclusions(quotations=True)",
        )


def check_spelling(spelling: object) -> None:
    """Raises for what is no way to compare words."""
    if spelling not in SPELLINGS:
        raise UsageError(f"spelling={spelling!r:.100} is neither exact nor similar")
