"""`decontaminate`: texts in memory, decided on by the same rules as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from likewise.decontamination.contamination import Contamination, has_words, without_places
from likewise.decontamination.detector import Detector
from likewise.decontamination.item_search import prepared
from likewise.decontamination.items import Items
from likewise.decontamination.settings import (
    DEFAULT_MAX_DOCUMENTS,
    DEFAULT_MAX_P,
    DEFAULT_MIN_WORDS,
    DEFAULT_PLANTED,
    Action,
    DecontaminationSettings,
    check_action,
)
from likewise.documents.texts import text_array
from likewise.errors import UsageError
from likewise.run import Progress, Stats, log_notes, silent
from likewise.text.inputs import column_of, ids_of, is_missing, strings_of
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.types import Ids, Texts

BENCHMARK = "benchmark"  # the name of one that has none
_ROWS = 20_000


@dataclass(slots=True, repr=False, kw_only=True)
class Decontaminated(Contamination):
    """What was found, and the texts without it.

    Attributes:
        kept: numbers of the texts that are kept, ascending.
        texts: these texts; with action="cut", without what they share with benchmarks.
    """

    kept: list[int] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)


def decontaminate(
    texts: Texts,
    against: Texts | Mapping[str, Texts],
    *,
    ids: Ids[Any] | None = None,
    against_ids: Ids[Any] | Mapping[str, Ids[Any]] | None = None,
    action: Action = "drop",
    min_words: int = DEFAULT_MIN_WORDS,
    max_p: float = DEFAULT_MAX_P,
    max_documents: int = DEFAULT_MAX_DOCUMENTS,
    planted: int = DEFAULT_PLANTED,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = silent,
) -> Decontaminated:
    """Finds training texts that contain items of benchmarks, and drops or cuts them.

    Args:
        texts: a list of str or any iterable of it, an Arrow, pandas or polars column. A null is no
            text, and is kept.
        against: the items of one benchmark, or of several by their names.
        ids, against_ids: ids of the texts and of the items; their numbers from 0, if not given. Of
            several benchmarks by their names.
        action: "drop" removes texts with a hit, "cut" removes the shared passages from them, and
            texts of which nothing is left; "annotate" keeps all.
        min_words: a run of at least this many equal words is a hit. An edited copy is one if three
            quarters of the item are left; a shorter item only if all of it is there.
        max_p: a hit is at most this probable in an unrelated text of its length.
        max_documents: wording of an item that more texts have is a template.
        planted: copies of items planted at each level to measure recall; 0 for no measurement.
        seed: of these copies.
        threads: how many to use; all processors, if not given.
        progress: called with the name of a stage, how much of it is done, and how much there is.

    The result does not depend on the number of threads. `decontaminate_files` does the same with
    files of any size.
    """
    check_action(action)
    settings = DecontaminationSettings(
        min_words=min_words, max_p=max_p, max_documents=max_documents, planted=planted, seed=seed
    )
    count = thread_count(threads)
    stats = Stats(settings.to_dict() | {"action": action})
    column = column_of(texts)
    values: list[Any] = column if isinstance(column, list) else column.to_pylist()
    strings = strings_of(values)
    given = [
        None if is_missing(value) else text for value, text in zip(values, strings, strict=True)
    ]
    own_ids = ids_of(ids, len(given), unique=False)
    with stats.timed("items"):
        originals, names, benchmarks = given_items(against, against_ids)
        items = items_of(originals, names, benchmarks, settings, count)
    detector = Detector(items, originals, settings, count)
    with stats.timed("search"):
        for begin in range(0, len(given), _ROWS):
            progress("search", begin, len(given))
            detector.add(text_array(strings[begin : begin + _ROWS]))
    found = Contamination.of(
        detector.finish(stats, progress), items, stats, lambda row: own_ids[row]
    )
    log_notes(stats.notes)
    kept, left = _applied(given, found, action)
    stats.counts |= {"kept": len(kept), "removed": len(given) - len(kept)}
    return Decontaminated(
        hits=found.hits, benchmarks=found.benchmarks, recall=found.recall, expected=found.expected,
        templates=found.templates, stats=stats, kept=kept, texts=left,
    )  # fmt: skip


def items_of(
    originals: Sequence[str],
    ids: Sequence[Any],
    benchmarks: Sequence[str],
    settings: DecontaminationSettings,
    threads: int,
) -> Items:
    """The items of all benchmarks, prepared as documents are."""
    column = prepared(text_array(originals), threads)
    return Items([str(text) for text in column.to_pylist()], ids, benchmarks, settings.min_words)


def given_items(against: Any, against_ids: Any) -> tuple[list[str], list[Any], list[str]]:
    """Texts, ids and benchmarks of all items, from the arguments of `decontaminate`."""
    several, ids = {BENCHMARK: against}, {BENCHMARK: against_ids}
    if isinstance(against, Mapping):
        several, ids = dict(against), against_ids or {}
        if not isinstance(ids, Mapping) or set(ids) - set(several):
            raise UsageError(
                "against_ids must have the ids of each benchmark by its name, as against has texts"
            )
    texts: list[str] = []
    names: list[Any] = []
    benchmarks: list[str] = []
    for name, own in several.items():
        strings = strings_of(own)
        texts += strings
        names += list(ids_of(ids.get(name), len(strings), unique=False))
        benchmarks += [str(name)] * len(strings)
    if not texts:
        raise UsageError("there are no benchmark items", hint="pass their texts as against")
    return texts, names, benchmarks


def _applied(
    texts: Sequence[str | None], found: Contamination, action: Action
) -> tuple[list[int], list[str | None]]:
    """The rows that are kept, and their texts."""
    places = {} if action == "annotate" else found.places()
    changed: dict[int, str] = {}
    if action == "cut":
        changed = {
            row: left
            for row, cuts in places.items()
            if has_words(left := without_places(texts[row] or "", cuts))
        }
    kept = [row for row in range(len(texts)) if row not in places or row in changed]
    return kept, [changed.get(row, texts[row]) for row in kept]
