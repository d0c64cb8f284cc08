"""`DedupSettings`: what counts as a duplicate and which document is kept, checked before work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self, TypedDict

from likewise.dedup.rules import CHAINS
from likewise.errors import UsageError
from likewise.statistics.bands import (
    DEFAULT_MAX_BUCKET,
    DEFAULT_RECALL,
    DEFAULT_THRESHOLD,
    DEFAULT_VALUES,
    MAX_LIMIT,
    Layout,
    check_recall,
    check_threshold,
    check_values,
    choose_layout,
)
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.types import Chains
from likewise.whole_numbers import check_whole

FIRST, LONGEST, COLUMN = "first", "longest", "column:"
DEFAULT_CHAINS: Chains = "split"
# Of the arguments that make sense for whole documents only.
DOCUMENT_DEFAULTS = {
    "threshold": DEFAULT_THRESHOLD,
    "recall": DEFAULT_RECALL,
    "values": DEFAULT_VALUES,
    "max_bucket": DEFAULT_MAX_BUCKET,
    "chains": DEFAULT_CHAINS,
}


@dataclass(frozen=True, slots=True)
class Keep:
    """Which document of a cluster is the best.

    Attributes:
        by: "first", "longest" or "column".
        column: the column whose value decides; None otherwise.
        smallest: the smallest value is the best, and not the largest.
    """

    by: str
    column: str | None = None
    smallest: bool = False

    @classmethod
    def parse(cls, text: str) -> Keep:
        """From "first", "longest", "column:NAME" or "column:-NAME"."""
        if text in (FIRST, LONGEST):
            return cls(text)
        name = text.removeprefix(COLUMN) if isinstance(text, str) else ""
        if text == name or name in ("", "-"):
            raise UsageError(
                f"keep is {text!r}; it must be first, longest or column:NAME",
                hint="column:score keeps the largest score, column:-score the smallest",
            )
        smallest = name.startswith("-")
        return cls("column", name[1:] if smallest else name, smallest)

    def __str__(self) -> str:
        return self.by if self.column is None else f"column:{'-' * self.smallest}{self.column}"


class DedupOptions(TypedDict, total=False):
    """The arguments of `likewise.deduplicate`, as keywords of the functions for Spark."""

    profile: Profile | str
    threshold: float
    recall: float
    values: int
    max_bucket: int
    keep: str
    chains: Chains


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupSettings:
    """The options, checked. The same documents and settings give the same result, whatever the
    number of threads."""

    profile: Profile
    threshold: float
    recall: float
    values: int
    max_bucket: int
    keep: Keep
    chains: str
    threads: int
    layout: Layout = field(init=False)  # of bands; follows from threshold, recall and values

    @classmethod
    def checked(
        cls,
        *,
        profile: Profile | str = DEFAULT_PROFILE,
        threshold: float = DEFAULT_THRESHOLD,
        recall: float = DEFAULT_RECALL,
        values: int = DEFAULT_VALUES,
        max_bucket: int = DEFAULT_MAX_BUCKET,
        keep: str = FIRST,
        chains: str = DEFAULT_CHAINS,
        threads: int | None = None,
    ) -> Self:
        """Settings from what a user gave; raises `UsageError` if something is wrong with it."""
        return cls(
            profile=Profile.of(profile), threshold=threshold, recall=recall, values=values,
            max_bucket=max_bucket, keep=Keep.parse(keep), chains=chains,
            threads=thread_count(threads),
        )  # fmt: skip

    def __post_init__(self) -> None:
        check_threshold(self.threshold)
        check_recall(self.recall)
        check_values(self.values)
        check_whole("max_bucket", self.max_bucket, 2, MAX_LIMIT)
        if self.chains not in CHAINS:
            raise UsageError(f"chains is {self.chains!r}; it must be one of {', '.join(CHAINS)}")
        layout = choose_layout(self.threshold, self.recall, self.values)
        if layout is None:
            raise UsageError(
                f"no bands of {self.values} values find {self.recall:.3g} of the pairs at "
                f"{self.threshold:g}",
                hint="use more values, a higher threshold or a lower recall",
            )
        object.__setattr__(self, "layout", layout)

    def to_dict(self) -> dict[str, Any]:
        """All that affects the result, in plain values."""
        return {
            "profile": str(self.profile),
            "threshold": float(self.threshold),
            "recall": float(self.recall),
            "values": self.values,
            "bands": self.layout.bands,
            "rows": self.layout.rows,
            "max_bucket": self.max_bucket,
            "keep": str(self.keep),
            "chains": self.chains,
        }
