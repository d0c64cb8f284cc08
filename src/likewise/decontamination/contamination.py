"""What a run found: hits, counts by benchmark, recall; for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.frames import Frames
from likewise.run import Stats, counted

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.decontamination.detector import Detected
    from likewise.decontamination.items import Items, Template
    from likewise.decontamination.judgement import Hit
    from likewise.decontamination.recall import Recall

_SHOWN, _MAX_SHOWN = 3, 80  # templates in a note, and characters of each
_EXAMINED = 100
HIT_COLUMNS: dict[str, type] = {
    "benchmark": str, "item": str, "document": str, "verdict": str, "words": int, "share": float,
    "run": int, "kind": str, "p": float, "places": str, "excerpt": str,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemHit:
    """A training document that contains an item of a benchmark, or a template of it.

    Attributes:
        benchmark, item, document: the name and the ids.
        verdict: "hit", or "template" for wording that very many documents have; templates change
            no document.
        words: shared words of the item; of a hit, templates aside.
        share: the same, of all such words of the item.
        run: the longest run of equal words.
        kind: verbatim, edited or reordered.
        p: the probability that an unrelated document of this length shares so long a run with the
            item; 1e-6 means that or less.
        places: where the shared passages are, in code points of the document.
        excerpt: the beginning of the first of them.
        row: the number of the document.
    """

    benchmark: str
    item: Any
    document: Any
    verdict: str
    words: int
    share: float
    run: int
    kind: str
    p: float
    places: tuple[tuple[int, int], ...]
    excerpt: str
    row: int

    @classmethod
    def of(cls, hit: Hit, items: Items, document: Any, excerpt: str) -> ItemHit:
        """A hit with the names of what it is about."""
        return cls(
            items.benchmarks[hit.item], items.ids[hit.item], document, hit.verdict, hit.words,
            hit.share, hit.run, hit.kind, hit.p, hit.places, excerpt, hit.row,
        )  # fmt: skip

    def values(self) -> tuple[Any, ...]:
        """In the order of `HIT_COLUMNS`."""
        places = " ".join(f"{start}-{end}" for start, end in self.places)
        return (
            self.benchmark, str(self.item), str(self.document), self.verdict, self.words,
            self.share, self.run, self.kind, self.p, places, self.excerpt,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class BenchmarkCount:
    """What was found of one benchmark.

    Attributes:
        items: of the benchmark.
        searched: those that are long enough.
        affected: those with a hit.
        documents: training documents with a hit.
        templates: those whose only matches are wording that very many documents have.
    """

    benchmark: str
    items: int
    searched: int
    affected: int
    documents: int
    templates: int


@dataclass(slots=True, repr=False, kw_only=True)
class Findings:
    """The counts of a run, and what its hits rest on.

    Attributes:
        benchmarks: counts, by name.
        recall: share of planted copies found, by level of editing.
        expected: how many hits unrelated documents would give, at most.
        templates: wording that several items have, and that is no hit by itself.
        stats: settings, counts, times and notes.
    """

    benchmarks: list[BenchmarkCount]
    recall: list[Recall]
    expected: float
    templates: list[Template] = field(default_factory=list)
    stats: Stats = field(default_factory=Stats)

    def describe_items(self, items: Items) -> None:
        """Adds templates, and notes on the items."""
        stats = self.stats
        if short := len(items) - stats.counts["items_searched"]:
            are = "is" if short == 1 else "are"
            stats.notes.append(
                f"{counted(short, 'benchmark item')} {are} not searched for: too short, or nothing "
                "but wording that several items have"
            )
        self.templates = items.templates()
        if self.templates:
            stats.notes.append(_template_note(self.templates))

    @property
    def notes(self) -> list[str]:
        return self.stats.notes

    def to_dict(self) -> dict[str, Any]:
        """Counts, recall and settings as plain values."""
        return {
            "benchmarks": [asdict(one) for one in self.benchmarks],
            "recall": [
                {
                    "level": one.level, "items": one.items, "planted": one.planted,
                    "found": one.found, "recall": one.estimate.value, "low": one.estimate.low,
                    "high": one.estimate.high,
                }
                for one in self.recall
            ],
            "expected": self.expected,
            "templates": [asdict(one) for one in self.templates],
            **self.stats.to_dict(),
        }  # fmt: skip

    def summary(self) -> list[str]:
        """A few lines in plain words."""
        counts = self.stats.counts
        hits, documents = counts["hits"], counts["documents"]
        lines = [
            f"{counted(documents, 'document')} checked against {counted(counts['items'], 'item')} "
            f"of {counted(len(self.benchmarks), 'benchmark')}: "
            f"{counted(counts['contaminated'], 'document')} with {counted(hits, 'hit')}"
        ]
        lines += [
            f"{one.benchmark}: {one.affected:,} of {counted(one.items, 'item')} in "
            f"{counted(one.documents, 'document')}"
            + (f"; {one.templates:,} only as templates" if one.templates else "")
            for one in self.benchmarks
        ]
        lines.append(f"unrelated documents would give at most {_rounded(self.expected)} hits")
        return lines + self._recall_lines()

    def _recall_lines(self) -> list[str]:
        if not self.recall:
            return []
        least = self.stats.settings["min_words"]
        lines = [f"recall of planted copies, items of at least {least} words; and of shorter ones:"]
        levels: dict[str, dict[str, str]] = {}
        for one in self.recall:
            levels.setdefault(one.level, {})[one.items] = str(one)
        return lines + [
            f"  {level:<22} {own.get('long', '-'):<32} {own.get('short', '-')}".rstrip()
            for level, own in levels.items()
        ]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary()[0]}>"


@dataclass(slots=True, repr=False, kw_only=True)
class Contamination(Findings, Frames):
    """The hits of a run, and what they rest on.

    Attributes:
        hits: by benchmark, item and document; templates among them.
    """

    hits: list[ItemHit]

    @classmethod
    def of(
        cls, detected: Detected, items: Items, stats: Stats, document: Callable[[int], Any]
    ) -> Contamination:
        """What was found; `document` gives the id of a row."""
        hits = [
            ItemHit.of(hit, items, document(hit.row), detected.excerpts[hit.row, hit.item])
            for hit in sorted(
                detected.hits, key=lambda hit: (items.benchmarks[hit.item], hit.item, hit.row)
            )
        ]
        rows = {hit.row for hit in detected.hits if hit.verdict == "hit"}
        stats.counts |= {
            "documents": detected.documents,
            "words": detected.words,
            **item_counts(items),
            "hits": sum(hit.verdict == "hit" for hit in hits),
            "templates": sum(hit.verdict == "template" for hit in hits),
            "contaminated": len(rows),
        }
        found = cls(
            hits=hits, benchmarks=_by_benchmark(hits, items), recall=detected.recall,
            expected=detected.expected, stats=stats,
        )  # fmt: skip
        found.describe_items(items)
        return found

    def places(self) -> dict[int, list[tuple[int, int]]]:
        """By row, what hits share with benchmarks, merged and in order; without templates."""
        found: dict[int, list[tuple[int, int]]] = {}
        for hit in self.hits:
            if hit.verdict == "hit":
                found.setdefault(hit.row, []).extend(hit.places)
        return {row: merged_places(found[row]) for row in sorted(found)}

    def to_arrow(self) -> pa.Table:
        """A hit per row, with the columns `HIT_COLUMNS`."""
        import pyarrow as pa

        kinds: dict[type, Any] = {str: pa.string(), int: pa.int64(), float: pa.float64()}
        values = list(zip(*(hit.values() for hit in self.hits), strict=True))
        columns: Sequence[Sequence[Any]] = values or [()] * len(HIT_COLUMNS)
        typed = zip(HIT_COLUMNS.values(), columns, strict=True)
        return pa.table([pa.array(column, kinds[kind]) for kind, column in typed], [*HIT_COLUMNS])


def _template_note(templates: Sequence[Template]) -> str:
    """The most frequent ones; without those that only go on after one of them."""
    chosen: list[Template] = []
    for one in templates[:_EXAMINED]:
        if not one.text.startswith(tuple(known.text for known in chosen)):
            chosen.append(one)
    shown = "; ".join(f'"{_shortened(one.text)}" ({one.items:,} items)' for one in chosen[:_SHOWN])
    more = " and others" if len(chosen) > _SHOWN else ""
    return f"wording of several items is no hit by itself: {shown}{more}"


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _rounded(expected: float) -> str:
    return f"{expected:,.0f}" if expected >= 10 else f"{expected:.2g}"


def merged_places(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches of a text, in order; those that touch become one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _by_benchmark(hits: Sequence[ItemHit], items: Items) -> list[BenchmarkCount]:
    rows: dict[str, set[int]] = {}
    for hit in hits:
        if hit.verdict == "hit":
            rows.setdefault(hit.benchmark, set()).add(hit.row)
    return count_by_benchmark(
        items,
        {(hit.benchmark, hit.item, hit.verdict) for hit in hits},
        {name: len(own) for name, own in rows.items()},
    )


def item_counts(items: Items) -> dict[str, int]:
    return {"items": len(items), "items_searched": int(items.searchable.sum())}


def count_by_benchmark(
    items: Items, found: Collection[tuple[str, Any, str]], documents: Mapping[str, int]
) -> list[BenchmarkCount]:
    """Counts of all benchmarks, by name.

    Args:
        found: benchmark, id of the item and verdict of all hits, each once.
        documents: how many have a hit, by benchmark.
    """
    of: dict[str, list[int]] = {}
    for item, name in enumerate(items.benchmarks):
        of.setdefault(name, []).append(item)
    ids: dict[tuple[str, str], set[Any]] = {}
    for benchmark, item, verdict in found:
        ids.setdefault((benchmark, verdict), set()).add(item)
    return [
        BenchmarkCount(
            name, len(numbers), int(np.count_nonzero(items.searchable[numbers])),
            len(ids.get((name, "hit"), ())), documents.get(name, 0),
            len(ids.get((name, "template"), set()) - ids.get((name, "hit"), set())),
        )
        for name, numbers in sorted(of.items())
    ]  # fmt: skip


def without_places(text: str, places: Sequence[tuple[int, int]]) -> str:
    """A text with some stretches cut out; what was apart stays apart, by one space."""
    made, last = "", 0
    for start, end in places:
        made += text[last:start]
        if end < len(text):
            if not made or made[-1].isspace():
                end += text[end] == " "
            elif not text[end].isspace():
                made += " "
        last = end
    return made + text[last:]


def has_words(text: str) -> bool:
    """Whether anything is left that could be read."""
    return any(character.isalnum() for character in text)
