"""`write_class`: a class as files in a folder, with the tables that tell the truth about it."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.classroom.assignment import assignment_text
from tools.classroom.docx import docx_of
from tools.classroom.essay import Essay, text_of
from tools.classroom.pdf import pdf_of
from tools.classroom.school_class import SchoolClass
from tools.classroom.truth import Truth

_COLUMNS = 72  # of text files with line breaks


def write_class(school_class: SchoolClass, folder: Path) -> None:
    """Writes documents, metadata, assignment, and the tables of planted copies and shared words.

    Word ranges count every word of a document, those of the title page too, from 0, and exclude
    their end. Pairs that are in no row of `pairs.csv` share nothing. The assignment counts neither
    as shared nor as words of a document in `pairs.csv` and `documents.csv`.
    """
    for essay in school_class.essays:
        path = folder / essay.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_file_of(essay))
    (folder / "assignment.txt").write_text(assignment_text(), encoding="utf-8", newline="\n")
    _write(
        folder / "metadata.csv",
        ("id", "author", "group", "title", "date"),
        [(one.id, one.author, one.group, one.title, one.date) for one in school_class.essays],
    )
    _write(
        folder / "planted.csv",
        ("number", "kind", "copy", "copy_first", "copy_last", "source", "source_first",
         "source_last"),
        [
            (one.number, one.kind, one.copy.path, *one.copy_range, one.source.path,
             *one.source_range)
            for one in school_class.planted
        ],
    )  # fmt: skip
    _write_truth(school_class, folder)


def _write_truth(school_class: SchoolClass, folder: Path) -> None:
    this_year = school_class.this_year
    inside = Truth(this_year, template=False)
    other = Truth(this_year, [*school_class.last_year, school_class.long], template=False)
    _write(
        folder / "pairs.csv",
        ("a", "b", "words", "share_a", "share_b"),
        [
            (a.path, b.path, words, f"{truth.share(words, a):.6f}", f"{truth.share(words, b):.6f}")
            for truth in (inside, other)
            for a, b in truth.pairs
            if (words := truth.words(a, b))
        ],
    )
    _write(
        folder / "documents.csv",
        ("id", "words", "shared_this_year", "shared_with_others"),
        [
            (one.id, one.size(template=False), inside.of_document(one), other.of_document(one))
            for one in this_year
        ],
    )


def _write(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerows([head, *rows])


def _file_of(essay: Essay) -> bytes:
    if essay.format == "docx":
        return docx_of(essay)
    return pdf_of(essay) if essay.format == "pdf" else txt_of(essay)


def txt_of(essay: Essay) -> bytes:
    """Text: half of the files with line breaks, a third of those that can be in cp1252."""
    number = int(essay.id.rpartition("/")[2].removesuffix(".txt"))
    paragraphs = [text_of(paragraph) for paragraph in (*essay.title_page, *essay.body)]
    if number % 2:
        paragraphs = ["\n".join(_wrapped(text)) for text in paragraphs]
    text = "\n\n".join(paragraphs) + "\n"
    if number % 3 == 0:
        try:
            return text.replace("\n", "\r\n").encode("cp1252")
        except UnicodeEncodeError:
            pass
    return text.encode("utf-8")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _COLUMNS, break_long_words=False, break_on_hyphens=False)
