"""`make_synopsis`: documents in parallel columns, as plain values that pages and programs show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.passages.excluded_words import Mask, mask_of
from likewise.passages.families.find import find_families
from likewise.passages.find import find_passages
from likewise.passages.settings import (
    DEFAULT_MIN_WORDS,
    NOTHING,
    Exclusions,
    PassageSettings,
    Spelling,
)
from likewise.run import Progress, counted, silent
from likewise.survey.reference_marks import reference_marks
from likewise.survey.shown_text import ShownText, shown_texts
from likewise.survey.synopsis.agreement import Agreements, Tradition
from likewise.survey.synopsis.breaks import Breaks, cut_place, shown_text
from likewise.survey.synopsis.columns import agreeing_words, shared_wordings
from likewise.survey.synopsis.links import Links
from likewise.survey.synopsis.rows import Row, make_rows
from likewise.survey.synopsis.units import Column, SharedWording, Stretch, cut_into_units

MIN_TEXTS, MAX_TEXTS = 2, 5
LABELS = "ABCDE"
"""What the texts are called beside their names, by their columns."""


def make_synopsis(
    documents: Sequence[Document],
    *,
    min_words: int = DEFAULT_MIN_WORDS,
    spelling: Spelling = "exact",
    exclude: Exclusions = NOTHING,
    threads: int | None = None,
    progress: Progress = silent,
) -> Synopsis:
    """Two to five documents in parallel.

    Args:
        documents: in the order of the columns.
        min_words: every run of at least this many identical words is a passage.
        spelling: "similar" for words of similar spelling to agree, too.
        exclude: text and passages to exclude.
        threads: how many to use; all processors, if not given.
        progress: called with the name of a stage, how much of it is done, and how much there is.

    Words agree where they are matched in passages of two texts (`find_pair_passages`).
    Raises `UsageError` for another number of documents.
    """
    if not MIN_TEXTS <= len(documents) <= MAX_TEXTS:
        raise UsageError(
            f"a synopsis shows {MIN_TEXTS} to {MAX_TEXTS} texts, not {len(documents):,}"
        )
    PassageSettings(min_words, spelling=spelling)
    passages = find_passages(
        [one.text for one in documents],
        ids=range(len(documents)),
        min_words=min_words,
        spelling=spelling,
        exclude=exclude,
        metadata=[one.metadata for one in documents],
        threads=threads,
        progress=progress,
    )
    families = shared_wordings(find_families(passages, progress=progress))
    texts = shown_texts(documents, exclude)
    pairs = {(pair.a, pair.b): pair for pair in passages}
    columns = agreeing_words(families, pairs, [one.words for one in texts])
    return Synopsis(texts, families, columns, min_words, _similar_words(columns, texts))


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of one text that belong to a tradition.

    Attributes:
        tradition: the labels of its texts, as in "ABC".
        kind: "single", "double", "triple", …
        label, document: of the text; the document by its id.
        words, share: its words, and their share of all words of the text.
        wider: those of them that are in passages which more texts share.
    """

    tradition: str
    kind: str
    label: str
    document: str
    words: int
    share: float
    wider: int


@dataclass(frozen=True, eq=False)
class Synopsis:
    """Texts in parallel.

    Attributes:
        texts: in the order of the columns.
        families: the passages that they share.
        columns: the words that agree, in order.
        min_words: of the search for it.
        similar: how many of the columns have words that are not identical.
    """

    texts: Sequence[ShownText]
    families: Sequence[SharedWording]
    columns: Sequence[Column]
    min_words: int
    similar: int = 0

    @cached_property
    def displayed(self) -> list[str]:
        return [shown_text(one.document) for one in self.texts]

    @cached_property
    def breaks(self) -> list[Breaks]:
        return [
            Breaks.of(text, one.words, one.document.references)
            for text, one in zip(self.displayed, self.texts, strict=True)
        ]

    @cached_property
    def links(self) -> Links:
        """The units of the texts, and the words that agree in them."""
        return Links(self.columns, cut_into_units(self.columns, self.breaks))

    @cached_property
    def agreements(self) -> Agreements:
        """Which words agree in which texts."""
        return Agreements(
            self.columns,
            self.families,
            [len(one.words) for one in self.texts],
            [_excluded_words(one) for one in self.texts],
        )

    @cached_property
    def traditions(self) -> list[Tradition]:
        """How many words agree in which texts, those of most texts first."""
        return self.agreements.traditions()

    @property
    def labels(self) -> str:
        """What the texts are called beside their names: a letter each."""
        return LABELS[: len(self.texts)]

    @cached_property
    def sizes(self) -> list[int]:
        """The words of each text, without excluded ones."""
        return [one.size for one in self.texts]

    def words_of(self, tradition: Tradition) -> list[TextWords]:
        """How many words of each text of a tradition belong to it."""
        name = "".join(self.labels[text] for text in tradition.texts)
        return [
            TextWords(
                name, tradition.kind, self.labels[text], self.texts[text].document.id, words,
                words / self.sizes[text] if self.sizes[text] else 0.0, wider,
            )
            for text, words, wider in zip(
                tradition.texts, tradition.words, tradition.wider, strict=True
            )
        ]  # fmt: skip

    @cached_property
    def rows(self) -> list[Row]:
        """The rows; in their order, the cells of each text are the whole of it."""
        return make_rows(self.links, self.breaks)

    def summary(self) -> str:
        """What was found, in a line."""
        in_all = self.traditions[0].words
        least, most = min(in_all), max(in_all)
        words = counted(most, "word") if least == most else f"{least:,} to {most:,} words"
        verb = "agrees" if most == 1 else "agree"
        texts = "both texts" if len(self.texts) == 2 else f"all {len(self.texts)} texts"
        parallel = sum(row.kind == "parallel" for row in self.rows)
        moved = sum(any(one.shown for one in row.elsewhere) for row in self.rows)
        return (
            f"{counted(len(self.rows), 'row')}, {parallel:,} with parallels and {moved:,} out of "
            f"order; {words} {verb} in {texts}"
        )

    def notes(self) -> list[str]:
        """What a reader should know about these texts."""
        notes = []
        if empty := [one.document.id for one in self.texts if not len(one.words)]:
            notes.append(f"Without any words: {', '.join(empty)}.")
        if self.similar:
            notes.append(
                f"Words of similar spelling agree, too: at {self.similar:,} of "
                f"{counted(len(self.columns), 'place')} where texts agree, the words are not "
                "identical."
            )
        if not self.columns:
            notes.append(
                f"The texts share no passages: no run of {self.min_words:,} identical words, and "
                "no edited passage."
            )
        return notes

    def to_dict(self) -> dict[str, Any]:
        """The data of a page, as plain values; see `SynopsisView` of the API for its fields."""
        return {
            "min_words": self.min_words,
            "texts": [self._text(number) for number in range(len(self.texts))],
            "traditions": [
                {
                    "texts": list(one.texts),
                    "kind": one.kind,
                    "words": list(one.words),
                    "wider": list(one.wider),
                }
                for one in self.traditions
            ],
            "agreements": self._agreements(),
            "rows": [self._row(number) for number in range(len(self.rows))],
            "notes": self.notes(),
        }

    def _text(self, number: int) -> dict[str, Any]:
        one = self.texts[number]
        excluded = one.matching.excluded_ranges
        return {
            **one.document.described(),
            "archive": one.archive,
            "label": LABELS[number],
            "words": len(one.words),
            "counted": self.sizes[number],
            "text": self.displayed[number],
            "unspaced": one.unspaced,
            "references": reference_marks(one.document.references),
            "excluded": [list(place) for place in excluded],
        }

    def _agreements(self) -> list[list[int]]:
        """[words, text, start, end, text, start, end, …] of each run, in characters."""
        found = []
        for run in self.agreements.runs:
            flat = [run.words]
            for text, first in run.places:
                words = self.texts[text].words
                flat += [text, int(words.begins[first]), int(words.ends[first + run.words - 1])]
            found.append(flat)
        return found

    def _row(self, number: int) -> dict[str, Any]:
        row = self.rows[number]
        return {
            "kind": row.kind,
            "cells": [
                self._cell(row.cells[text]) if text in row.cells else None
                for text in range(len(self.texts))
            ],
            "elsewhere": [
                {
                    **self._cell(one.stretch),
                    "text": one.stretch.text,
                    "row": one.row,
                    "agree": one.words,
                    "shown": one.shown,
                }
                for one in row.elsewhere
            ],
        }

    def _cell(self, stretch: Stretch) -> dict[str, Any]:
        """Where words are, without the spaces around them, and what that place is called."""
        text, words = self.displayed[stretch.text], self.texts[stretch.text].words
        start, end = (cut_place(text, words, at) for at in (stretch.first, stretch.stop))
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        document = self.texts[stretch.text].document
        return {
            "start": start,
            "end": end,
            "words": stretch.words,
            "place": place_words(document, int(words.begins[stretch.first]), end),
        }


def _similar_words(columns: Sequence[Column], texts: Sequence[ShownText]) -> int:
    """How many columns have words that are not identical."""
    return sum(
        len({int(texts[text].words.hashes[word]) for text, word in column}) > 1
        for column in columns
    )


def _excluded_words(text: ShownText) -> Mask:
    mask = mask_of(text.words, text.matching.excluded_ranges)
    return np.zeros(len(text.words), np.bool_) if mask is None else mask


def place_words(document: Document, start: int, end: int) -> str:
    """What readers call a part of a document: chapter and verse, page, or lines."""
    first, last = document.place(start), document.place(max(start, end - 1))
    if cited := document.reference(start, end):
        return cited if first.page is None else f"{cited}, page {first.page}"
    if first == last:
        return str(first)
    if first.page == last.page and first.page is None:
        return f"lines {first.line:,}–{last.line:,}"
    return str(first)
