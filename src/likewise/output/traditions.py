"""The traditions of a synopsis as text and as rows: how many words agree in which texts."""

from __future__ import annotations

from collections.abc import Iterator

from likewise.output.passages import titled
from likewise.output.rows import Columns, Rows
from likewise.output.table import aligned, percent
from likewise.survey.synopsis.synopsis import Synopsis, TextWords

_COLUMNS: Columns = {
    "tradition": (str, "tradition"),
    "kind": (str, "kind"),
    "label": (str, "label"),
    "document": (str, "document"),
    "words": (int, "words"),
    "share": (float, "share"),
    "wider": (int, "wider"),
}


def traditions_text(synopsis: Synopsis) -> Iterator[str]:
    """A table with a column per text, below the names of the texts."""
    labels = synopsis.labels
    for label, one in zip(labels, synopsis.texts, strict=True):
        yield f"{label}  {titled(one.document.id, one.document)}\n"
    yield "\n"
    header = ("words in", "tradition", *labels)
    rows = []
    for tradition in synopsis.traditions:
        words = {one.label: one for one in synopsis.words_of(tradition)}
        name = " ".join(labels[text] for text in tradition.texts)
        cells = [
            f"{words[label].words:,} ({percent(words[label].share)})" if label in words else ""
            for label in labels
        ]
        rows.append((name, tradition.kind, *cells))
    rows.append(("all words", "", *(f"{size:,}" for size in synopsis.sizes)))
    yield aligned(header, rows, labels)


def tradition_rows(synopsis: Synopsis) -> Rows:
    """One row per tradition and text."""
    records: list[TextWords] = [
        one for tradition in synopsis.traditions for one in synopsis.words_of(tradition)
    ]
    return Rows.of(records, _COLUMNS, "traditions")
