"""The time of a search by stage, by shingle length and by number of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from likewise.documents import Batch
from likewise.errors import UsageError
from likewise.run import Progress, Stats, silent
from likewise.search.find import new_collection, search
from likewise.search.settings import Settings
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.statistics.bands import DEFAULT_RECALL, Layout
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

LENGTHS = (2, 3, 4, 5, 6, 8, 10)
VALUES = (32, 64, 128, 256, 512)
THRESHOLD = 0.5
MAX_REPEATS = 1000


@dataclass(frozen=True, slots=True)
class Run:
    """The fastest search of one setting.

    Attributes:
        seconds: by stage, in order.
        candidates: pairs that were verified; None for an exact search, like the layout.
    """

    k: int
    values: int
    seconds: dict[str, float]
    candidates: int | None
    pairs: int
    layout: Layout | None

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


@dataclass(frozen=True, slots=True)
class Timing:
    """The experiment.

    Attributes:
        base: the run with the profile's own length and the default number of values.
        by_length, by_values: runs in which only one of the two is changed.
    """

    profile: Profile
    threshold: float
    recall: float
    threads: int
    documents: int
    bytes: int
    repeats: int
    base: Run
    by_length: tuple[Run, ...]
    by_values: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class TimingPlan:
    """What to time, checked before any work.

    Attributes:
        settings: of each search, by length and number of values; the first is the base.
    """

    settings: dict[tuple[int, int], Settings]
    threshold: float
    lengths: tuple[int, ...]
    values: tuple[int, ...]
    repeats: int

    @classmethod
    def checked(
        cls,
        *,
        lengths: Sequence[int] = LENGTHS,
        values: Sequence[int] = VALUES,
        threshold: float = THRESHOLD,
        recall: float = DEFAULT_RECALL,
        profile: Profile | str = DEFAULT_PROFILE,
        repeats: int = 3,
        threads: int | None = None,
    ) -> TimingPlan:
        check_whole("repeats", repeats, 1, MAX_REPEATS)
        if not lengths or not values:
            raise UsageError("at least one length and one number of values are needed")
        made = Profile.of(profile)
        wanted = [
            (made.k, DEFAULT_VALUES),
            *((k, DEFAULT_VALUES) for k in lengths),
            *((made.k, number) for number in values),
        ]
        settings = {
            (k, number): Settings(
                profile=replace(made, k=k),
                threshold=threshold,
                recall=recall,
                values=number,
                threads=thread_count(threads),
            )
            for k, number in wanted
        }
        unique = tuple(dict.fromkeys(lengths)), tuple(dict.fromkeys(values))
        return cls(settings, threshold, *unique, repeats)


def time_search(
    batches: Sequence[Batch],
    plan: TimingPlan,
    *,
    read_seconds: float | None = None,
    progress: Progress = silent,
) -> Timing:
    """Searches the documents with every setting of the plan, `plan.repeats` times.

    `read_seconds`, the time to read them, becomes a stage of the base setting.
    """
    best: dict[tuple[int, int], Run] = {}
    total = plan.repeats * len(plan.settings)
    documents = text_bytes = 0
    # Settings take turns, so that a slow minute of the machine does not fall on one of them alone.
    for turn in range(plan.repeats):
        for number, (key, settings) in enumerate(plan.settings.items()):
            progress("searches", turn * len(plan.settings) + number, total)
            stats = _search(batches, settings)
            documents, text_bytes = stats.counts["documents"], stats.counts["bytes"]
            run = Run(
                *key,
                seconds=dict(stats.seconds),
                candidates=stats.counts.get("candidates"),
                pairs=stats.counts["pairs"],
                layout=settings.layout_at(plan.threshold),
            )
            if key not in best or run.total < best[key].total:
                best[key] = run
    (base_key, base_settings), *_ = plan.settings.items()
    base = best[base_key]
    if read_seconds is not None:
        base = replace(base, seconds={"read": read_seconds} | base.seconds)
    return Timing(
        profile=base_settings.profile,
        threshold=plan.threshold,
        recall=base_settings.recall,
        threads=base_settings.threads,
        documents=documents,
        bytes=text_bytes,
        repeats=plan.repeats,
        base=base,
        by_length=tuple(best[k, DEFAULT_VALUES] for k in plan.lengths),
        by_values=tuple(best[base_key[0], values] for values in plan.values),
    )


def _search(batches: Sequence[Batch], settings: Settings) -> Stats:
    stats = Stats(settings.to_dict())
    with stats.timed("sketch"):
        collection = new_collection(settings)
        for batch in batches:
            collection.add_batch(batch.ids, batch.texts)
    return search(collection, settings, stats).stats
