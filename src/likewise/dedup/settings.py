"""`DedupSettings`: what counts as a duplicate and which document is kept, checked before work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypedDict, get_args

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
from likewise.types import Chains, GroupRule, Measure
from likewise.whole_numbers import check_whole

MEASURES = get_args(Measure)
FIRST, LONGEST, COLUMN = "first", "longest", "column:"
DEFAULT_CHAINS: Chains = "split"
# Of the arguments that make sense for whole documents only.
DOCUMENT_DEFAULTS = {
    "measure": "jaccard",
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
    measure: Measure
    threshold: float
    recall: float
    values: int
    max_bucket: int
    keep: str
    chains: Chains


def group_rule(within: object, across: object, stored: Mapping[str, object]) -> GroupRule | None:
    """Which of the two was given; `stored` are arguments that neither can be combined with."""
    if within is not None and across is not None:
        raise UsageError("within and across are both given; use one of them")
    if within is None and across is None:
        return None
    rule: GroupRule = "within" if across is None else "across"
    for name, value in stored.items():
        if value is not None:
            raise UsageError(
                f"{rule} cannot be combined with {name}: stored documents have no groups",
                hint=f"omit `{name}`, or run dedup twice",
            )
    return rule


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupSettings:
    """The options, checked. The same documents and settings give the same result, whatever the
    number of threads."""

    profile: Profile
    measure: Measure
    threshold: float
    recall: float
    values: int
    max_bucket: int
    keep: Keep
    chains: str
    threads: int
    groups: GroupRule | None = None  # which pairs of documents are compared, by their groups
    # Of bands; follows from threshold, recall and values. None for containment.
    layout: Layout | None = field(init=False)

    @classmethod
    def checked(
        cls,
        *,
        profile: Profile | str = DEFAULT_PROFILE,
        measure: Measure = "jaccard",
        threshold: float = DEFAULT_THRESHOLD,
        recall: float = DEFAULT_RECALL,
        values: int = DEFAULT_VALUES,
        max_bucket: int = DEFAULT_MAX_BUCKET,
        keep: str = FIRST,
        chains: str = DEFAULT_CHAINS,
        threads: int | None = None,
        groups: GroupRule | None = None,
    ) -> Self:
        """Settings from what a user gave; raises `UsageError` if something is wrong with it."""
        return cls(
            profile=Profile.of(profile), measure=measure, threshold=threshold, recall=recall,
            values=values, max_bucket=max_bucket, keep=Keep.parse(keep), chains=chains,
            threads=thread_count(threads), groups=groups,
        )  # fmt: skip

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            allowed = ", ".join(MEASURES)
            raise UsageError(f"measure is {self.measure!r}; it must be one of {allowed}")
        check_threshold(self.threshold)
        check_recall(self.recall)
        check_values(self.values)
        check_whole("max_bucket", self.max_bucket, 2, MAX_LIMIT)
        if self.chains not in CHAINS:
            raise UsageError(f"chains is {self.chains!r}; it must be one of {', '.join(CHAINS)}")
        self._check_across()
        if self.measure == "containment":
            if self.chains == "join":
                raise UsageError(
                    "chains=join does not apply to containment: documents would be removed whose "
                    "container is not kept",
                    hint="use `chains=split`",
                )
            object.__setattr__(self, "layout", None)
            return
        layout = choose_layout(self.threshold, self.recall, self.values)
        if layout is None:
            raise UsageError(
                f"no bands of {self.values} values find {self.recall:.3g} of the pairs at "
                f"{self.threshold:g}",
                hint="use more values, a higher threshold or a lower recall",
            )
        object.__setattr__(self, "layout", layout)

    def _check_across(self) -> None:
        if self.groups != "across":
            return
        if self.chains == "join":
            raise UsageError(
                "across cannot be combined with chains=join: documents would be removed for one "
                "of their own group",
                hint="use `chains=split`",
            )
        if self.measure == "containment":
            raise UsageError(
                "across cannot be combined with measure=containment",
                hint="use `measure=jaccard`, or `within`",
            )

    @property
    def bands(self) -> int:
        """How many bands of signatures are compared."""
        return 0 if self.layout is None else self.layout.bands

    def to_dict(self) -> dict[str, Any]:
        """All that affects the result, in plain values."""
        return {
            "profile": str(self.profile),
            "measure": self.measure,
            "threshold": float(self.threshold),
            "recall": None if self.layout is None else float(self.recall),
            "values": self.values,
            "bands": None if self.layout is None else self.layout.bands,
            "rows": None if self.layout is None else self.layout.rows,
            "max_bucket": self.max_bucket,
            "keep": str(self.keep),
            "chains": self.chains,
            "groups": self.groups,
        }
