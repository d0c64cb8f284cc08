"""`Settings`: what to search for and how, checked before any work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likewise.errors import UsageError
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.statistics.bands import (
    Layout,
    check_recall,
    check_threshold,
    choose_layout,
    layout_by_hand,
)
from likewise.statistics.null_models import SEARCH_NULLS
from likewise.statistics.shuffles import MAX_TRIALS
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

MEASURES = ("jaccard", "containment")
DEFAULT_THRESHOLD = 0.8
DEFAULT_MAX_BUCKET = 1000
DEFAULT_MAX_COPIES = 100
MAX_LIMIT = 2**32 - 1  # what the core counts with
DEFAULT_NULL_PAIRS = 100_000
MAX_NULL_PAIRS = 100_000_000

# Where only the best pairs are asked for, the threshold goes down until there are enough.
TOP_THRESHOLDS = (0.8, 0.6, 0.4, 0.2, 0.1, 0.05, 0.01)


@dataclass(frozen=True, slots=True)
class Settings:
    """What to search for and how.

    Attributes:
        profile: how text becomes shingles.
        threshold: the least similarity of a pair; None with `top` takes as low a one as is needed.
        recall: the share of pairs at the threshold that must be found.
        exact: search without sketches, so that nothing is missed.
        measure: "jaccard", or "containment" of the smaller text in the larger (always exact).
        top: at most so many pairs, the most similar ones.
        layout: bands and rows by hand instead of by recall.
        values: size of a signature.
        max_bucket: a band shared by more documents than this is not compared all with all.
        max_copies: more exact copies than this are paired with the first of them only.
        chance: the null that the pairs' chance level is taken from; None for no chance level.
        null_pairs: how many random pairs "corpus" takes it from.
        trials: how often "words" and "letters" shuffle each pair; None as often as there is time.
        seed: of the random pairs and the shuffles.
        threads: of the core.
    """

    profile: Profile
    threshold: float | None
    recall: float
    exact: bool
    measure: str
    top: int | None
    layout: Layout | None
    values: int
    max_bucket: int
    max_copies: int
    chance: str | None
    null_pairs: int
    trials: int | None
    seed: int
    threads: int

    @classmethod
    def checked(
        cls,
        *,
        profile: Profile | str = DEFAULT_PROFILE,
        threshold: float | None = None,
        recall: float = 0.99,
        exact: bool = False,
        measure: str = "jaccard",
        top: int | None = None,
        bands: int | None = None,
        rows: int | None = None,
        values: int = DEFAULT_VALUES,
        max_bucket: int = DEFAULT_MAX_BUCKET,
        max_copies: int = DEFAULT_MAX_COPIES,
        chance: str | None = None,
        null_pairs: int = DEFAULT_NULL_PAIRS,
        trials: int | None = None,
        seed: int = 0,
        threads: int | None = None,
    ) -> Settings:
        """Settings from what a user gave, or a `UsageError` that says what is wrong with it."""
        if threshold is None and top is None:
            threshold = DEFAULT_THRESHOLD
        if threshold is not None:
            check_threshold(threshold)
        check_recall(recall)
        if measure not in MEASURES:
            raise UsageError(f"measure is {measure!r}; it must be one of {', '.join(MEASURES)}")
        check_whole("max_bucket", max_bucket, 2, MAX_LIMIT)
        check_whole("max_copies", max_copies, 1, MAX_LIMIT)
        if top is not None:
            check_whole("top", top, 1)
        if chance is not None and chance not in SEARCH_NULLS:
            raise UsageError(f"chance is {chance!r}; it must be one of {', '.join(SEARCH_NULLS)}")
        check_whole("null_pairs", null_pairs, 1, MAX_NULL_PAIRS)
        if trials is not None:
            check_whole("trials", trials, 1, MAX_TRIALS)
        check_whole("seed", seed, 0, 2**64 - 1)
        layout = layout_by_hand(bands, rows, values)
        if layout is not None and (exact or measure == "containment"):
            raise UsageError(
                "bands and rows do not apply to an exact search",
                hint="remove either bands and rows, or exact and containment",
            )
        return cls(
            profile=Profile.of(profile),
            threshold=threshold,
            recall=recall,
            exact=exact or measure == "containment",
            measure=measure,
            top=top,
            layout=layout,
            values=values,
            max_bucket=max_bucket,
            max_copies=max_copies,
            chance=chance,
            null_pairs=null_pairs,
            trials=trials,
            seed=seed,
            threads=thread_count(threads),
        )

    def thresholds(self) -> tuple[float, ...]:
        """The thresholds to try in turn until there are `top` pairs: one, where it was given."""
        if self.threshold is not None:
            return (self.threshold,)
        # Bands by hand find the same candidates whatever the threshold.
        return TOP_THRESHOLDS if self.layout is None else TOP_THRESHOLDS[-1:]

    def layout_at(self, threshold: float) -> Layout | None:
        """Bands for a threshold; None where the search is exact, by wish or because it must be."""
        if self.exact:
            return None
        return self.layout or choose_layout(threshold, self.recall, self.values)

    def to_dict(self) -> dict[str, Any]:
        """For reports: what was asked for, in plain values."""
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
