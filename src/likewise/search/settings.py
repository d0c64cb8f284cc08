"""`Settings`: what a search for pairs looks for and how, checked before any work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypedDict, get_args

from likewise.errors import UsageError
from likewise.run import Progress
from likewise.statistics.bands import (
    DEFAULT_MAX_BUCKET,
    DEFAULT_RECALL,
    DEFAULT_THRESHOLD,
    DEFAULT_VALUES,
    MAX_LIMIT,
    Layout,
    check_recall,
    check_threshold,
    choose_layout,
    layout_by_hand,
)
from likewise.statistics.null_models import SEARCH_NULLS
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.types import Groups, Measure, SearchNull
from likewise.whole_numbers import check_whole

MEASURES = get_args(Measure)
DEFAULT_MAX_COPIES = 100
DEFAULT_NULL_PAIRS = 100_000
MAX_NULL_PAIRS = 100_000_000

# To find the `top` pairs, the threshold is lowered until there are enough.
TOP_THRESHOLDS = (0.8, 0.6, 0.4, 0.2, 0.1, 0.05, 0.01)


class PairOptions(TypedDict, total=False):
    """The options of `find_pairs`, which describes them."""

    profile: Profile | str
    threshold: float | None
    recall: float
    exact: bool
    measure: Measure
    top: int | None
    bands: int | None
    rows: int | None
    values: int
    max_bucket: int
    max_copies: int
    chance: SearchNull | None
    null_pairs: int
    trials: int | None
    seed: int
    threads: int | None
    within: Groups | None
    across: Groups | None
    against_groups: Groups | None
    progress: Progress


@dataclass(frozen=True, slots=True)
class Settings:
    """What to search for and how. Raises a `UsageError` for an invalid value.

    The arguments of `find_pairs`, which describes them, with their defaults and checks.
    """

    profile: Profile = field(default=Profile.of(DEFAULT_PROFILE))
    threshold: float | None = None
    recall: float = DEFAULT_RECALL
    exact: bool = False
    measure: str = "jaccard"
    top: int | None = None
    bands: int | None = None
    rows: int | None = None
    values: int = DEFAULT_VALUES
    max_bucket: int = DEFAULT_MAX_BUCKET
    max_copies: int = DEFAULT_MAX_COPIES
    chance: str | None = None
    null_pairs: int = DEFAULT_NULL_PAIRS
    trials: int | None = None
    seed: int = 0
    threads: int = field(default_factory=thread_count)

    def __post_init__(self) -> None:
        if self.threshold is None and self.top is None:
            object.__setattr__(self, "threshold", DEFAULT_THRESHOLD)
        if self.threshold is not None:
            check_threshold(self.threshold)
        check_recall(self.recall)
        if self.measure not in MEASURES:
            allowed = ", ".join(MEASURES)
            raise UsageError(f"measure is {self.measure!r}; it must be one of {allowed}")
        check_whole("max_bucket", self.max_bucket, 2, MAX_LIMIT)
        check_whole("max_copies", self.max_copies, 1, MAX_LIMIT)
        if self.top is not None:
            check_whole("top", self.top, 1)
        if self.chance is not None and self.chance not in SEARCH_NULLS:
            allowed = ", ".join(SEARCH_NULLS)
            raise UsageError(f"chance is {self.chance!r}; it must be one of {allowed}")
        check_whole("null_pairs", self.null_pairs, 1, MAX_NULL_PAIRS)
        if self.trials is not None:
            from likewise.statistics.shuffles import MAX_TRIALS  # imports NumPy

            check_whole("trials", self.trials, 1, MAX_TRIALS)
        check_whole("seed", self.seed, 0, 2**64 - 1)
        thread_count(self.threads)
        if self.layout is not None and (self.exact or self.measure == "containment"):
            raise UsageError(
                "bands and rows do not apply to an exact search",
                hint="remove either bands and rows, or exact and containment",
            )
        if self.measure == "containment":
            object.__setattr__(self, "exact", True)

    @property
    def layout(self) -> Layout | None:
        """Bands and rows chosen by hand, if any."""
        return layout_by_hand(self.bands, self.rows, self.values)

    def thresholds(self) -> tuple[float, ...]:
        """The thresholds to try in turn until there are `top` pairs; only one if it was given."""
        if self.threshold is not None:
            return (self.threshold,)
        # Bands chosen by hand give the same candidates whatever the threshold.
        return TOP_THRESHOLDS if self.layout is None else TOP_THRESHOLDS[-1:]

    def layout_at(self, threshold: float) -> Layout | None:
        """Bands for a threshold; None for an exact search, on request or for lack of bands."""
        if self.exact:
            return None
        return self.layout or choose_layout(threshold, self.recall, self.values)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values, for reports."""
        return {
            "profile": str(self.profile),
            "measure": self.measure,
            "threshold": self.threshold,
            "top": self.top,
            "recall": None if self.exact else self.recall,
            "values": None if self.exact else self.values,
            "max_bucket": self.max_bucket,
            "max_copies": self.max_copies,
            "chance": self.chance,
            "null_pairs": self.null_pairs if self.chance == "corpus" else None,
            "trials": self.trials,
            "seed": self.seed,
            "threads": self.threads,
        }
