"""`Report`: what a run read, removed and kept, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from likewise.run import Stats, counted

EXCERPT = 300  # characters


@dataclass(slots=True, repr=False)
class Report:
    """The result of a run.

    Attributes:
        seconds: by stage; one that an earlier run had finished takes none.
        cluster_sizes: the number of clusters by their number of documents.
        largest: the clusters with most documents.
        most_chained: those with the lowest similarity inside.
        examples: removed documents, each with the kept one it is similar to.
        against: documents that were removed because a stored one is similar, with the interval
            where that is an estimate.
        peak_memory: the most bytes that the process had in memory.
        resumed: whether an earlier run was resumed.
    """

    settings: dict[str, Any]
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    cluster_sizes: dict[str, int] = field(default_factory=dict)
    largest: list[dict[str, Any]] = field(default_factory=list)
    most_chained: list[dict[str, Any]] = field(default_factory=list)
    examples: list[dict[str, Any]] = field(default_factory=list)
    against: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    peak_memory: int = 0
    resumed: bool = False

    @property
    def stats(self) -> Stats:
        """Settings, counts, seconds and notes, as of every other result."""
        return Stats(self.settings, self.counts, self.seconds, self.notes)

    def __repr__(self) -> str:
        return f"<Report: {self.summary()[0]}>"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"

    def summary(self) -> list[str]:
        """A few lines in plain words."""
        counts = self.counts
        documents = counts["documents"]
        share = f" ({counts['removed'] / documents:.1%})" if documents else ""
        lines = [
            f"{counted(documents, 'document')} read, {counts['kept']:,} kept, "
            f"{counts['removed']:,} removed{share}"
        ]
        if counts["removed"]:
            parts = []
            if counts.get("removed_against"):
                parts.append(f"{counts['removed_against']:,} similar to stored documents")
            parts.append(f"{counts['removed_copies']:,} with the same shingles as a kept one")
            parts.append(f"{counts['removed_similar']:,} {self._reason()}")
            lines.append(f"removed: {', '.join(parts)}")
        if self.largest:
            line = (
                f"{counted(counts['clusters'], 'cluster')}, the largest of "
                f"{counted(self.largest[0]['documents'], 'document')}"
            )
            # The documents in a container need not have anything in common.
            if self.settings["measure"] == "jaccard":
                lowest = self.most_chained[0]["lowest_inside"]
                line += f"; lowest similarity within a cluster: {lowest:.3f}"
            lines.append(line)
        return lines

    def _reason(self) -> str:
        """Why documents were removed that are no copies."""
        threshold = f"{self.settings['threshold']:g} or more"
        if self.settings["measure"] == "containment":
            return f"with {threshold} of their shingles in a kept one"
        if self.settings["chains"] == "split":
            return f"with a similarity of {threshold}"
        return "connected with a kept one"


def excerpt(text: str | None) -> str | None:
    """The beginning of a text."""
    if text is None:
        return None
    plain = " ".join(text[: 4 * EXCERPT].split())
    return plain if len(plain) <= EXCERPT and len(text) <= 4 * EXCERPT else plain[:EXCERPT] + "…"
