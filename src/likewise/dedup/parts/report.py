"""`PartReport`: what a run removed of documents, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from likewise.dedup.report import Report
from likewise.run import counted

EXCERPT = 100  # characters of a template in the summary
_SHOWN = 3


def ungrouped_notes(missing: int) -> list[str]:
    """One sentence on documents without a group; nothing, if there are none."""
    if not missing:
        return []
    have = "1 document has" if missing == 1 else f"{missing:,} documents have"
    return [f"{have} no group; only their own repetitions are removed"]


@dataclass(slots=True, repr=False)
class PartReport(Report):
    """The result of a run that removed repeated paragraphs, lines or passages.

    Attributes:
        templates: the paragraphs or lines removed most often: `removed`, how often; `document`,
            `start` and `end`, where the one that is kept is, in characters; and its `text`.
    """

    templates: list[dict[str, Any]] = field(default_factory=list)

    def summary(self) -> list[str]:
        """A few lines in plain words."""
        counts, unit = self.counts, self.settings["unit"]
        words, removed = counts["words"], counts["removed_words"]
        share = f" ({removed / words:.1%})" if words else ""
        lines = [
            f"{counted(counts['documents'], 'document')} read: {counted(removed, 'word')} of "
            f"{words:,} removed{share}, from {counted(counts['changed'], 'document')}"
        ]
        if unit == "passage":
            lines.append(
                f"removed: {counted(counts['removed_parts'], 'passage')} of at least "
                f"{self.settings['min_words']} words that occur elsewhere"
                if self.settings["cut_at"] == "word"
                else f"removed: {counted(counts['removed_parts'], 'range')} of whole "
                f"{self.settings['cut_at']}s, inside passages of at least "
                f"{self.settings['min_words']} words that occur elsewhere"
            )
        else:
            lines.append(
                f"removed: {counted(counts['removed_parts'], 'repetition')} of "
                f"{counted(counts['repeated'], unit)} of at least "
                f"{counted(self.settings['min_words'], 'word')}"
            )
        if counts["removed"]:
            lines.append(f"documents dropped because nothing was left: {counts['removed']:,}")
        for template in self.templates[:_SHOWN]:
            plain = " ".join(template["text"].split())
            shown = plain if len(plain) <= EXCERPT else f"{plain[:EXCERPT]}…"
            lines.append(f"removed {counted(template['removed'], 'time')}: {shown}")
        return lines
