"""`DedupSettings`: what counts as a duplicate and which document is kept, checked before work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likewise.dedup.rules import CHAINS, Chains
from likewise.errors import UsageError
from likewise.search.settings import DEFAULT_MAX_BUCKET, DEFAULT_THRESHOLD, MAX_LIMIT
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.statistics.bands import (
    Layout,
    check_recall,
    check_threshold,
    check_values,
    choose_layout,
)
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

FIRST, LONGEST, COLUMN = "first", "longest", "column:"


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


@dataclass(frozen=True, slots=True)
class DedupSettings:
    """What is decided. The same documents and settings give the same result.

    Attributes:
        profile: how text becomes shingles.
        threshold: the least Jaccard similarity of duplicates.
        recall: the share of pairs at the threshold that must be found.
        values: size of a signature.
        layout: how signatures are cut into bands; follows from the three above.
        max_bucket: a band shared by more documents than this is not compared all with all.
        keep: which document of a cluster is the best.
        chains: "split" or "join" clusters whose ends are not similar.
        threads: of the core.
    """

    profile: Profile
    threshold: float
    recall: float
    values: int
    layout: Layout
    max_bucket: int
    keep: Keep
    chains: Chains
    threads: int

    @classmethod
    def checked(
        cls,
        *,
        profile: Profile | str = DEFAULT_PROFILE,
        threshold: float = DEFAULT_THRESHOLD,
        recall: float = 0.99,
        values: int = DEFAULT_VALUES,
        max_bucket: int = DEFAULT_MAX_BUCKET,
        keep: str = FIRST,
        chains: str = "split",
        threads: int | None = None,
    ) -> DedupSettings:
        """Settings from what a user gave, or a `UsageError` that says what is wrong with it."""
        check_threshold(threshold)
        check_recall(recall)
        check_values(values)
        check_whole("max_bucket", max_bucket, 2, MAX_LIMIT)
        if chains not in CHAINS:
            raise UsageError(f"chains is {chains!r}; it must be one of {', '.join(CHAINS)}")
        layout = choose_layout(threshold, recall, values)
        if layout is None:
            raise UsageError(
                f"no bands of {values} values find {recall:.3g} of the pairs at {threshold:g}",
                hint="use more values, a higher threshold or a lower recall",
            )
        return cls(
            profile=Profile.of(profile),
            threshold=float(threshold),
            recall=float(recall),
            values=values,
            layout=layout,
            max_bucket=max_bucket,
            keep=Keep.parse(keep),
            chains=chains,
            threads=thread_count(threads),
        )

    def to_dict(self) -> dict[str, Any]:
        """All that has a part in the result, in plain values; the threads have none."""
        return {
            "profile": str(self.profile),
            "threshold": self.threshold,
            "recall": self.recall,
            "values": self.values,
            "bands": self.layout.bands,
            "rows": self.layout.rows,
            "max_bucket": self.max_bucket,
            "keep": str(self.keep),
            "chains": self.chains,
        }
