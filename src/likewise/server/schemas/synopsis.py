"""Texts in parallel columns. Fields may be added; the documented ones stay."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from likewise.server.schemas.common import Count
from likewise.server.schemas.views import DescribedDocument, Range, ViewModel


class SynopsisText(DescribedDocument):
    """A text, as a column of a synopsis; offsets are in code points."""

    label: str = Field(description="The letter of the column, from A to E.")
    words: Count
    counted: Count = Field(description="Words that are not excluded.")
    text: str
    references: dict[str, Any] | None = Field(description="Chapters and verses, if it has any.")
    unspaced: bool = Field(description="Whether its script has no spaces between words.")
    excluded: list[Range] = Field(description="Excluded text, which agrees with nothing.")


class SynopsisTradition(ViewModel):
    """Words that the same texts have."""

    texts: list[Count] = Field(description="By their columns, from 0.")
    kind: Literal["single", "double", "triple", "quadruple", "quintuple"]
    words: list[Count] = Field(description="The words of each of these texts.")
    wider: list[Count] = Field(description="Those in passages that more texts share.")


class SynopsisCell(ViewModel):
    """A part of a text."""

    start: Count
    end: Count
    words: Count
    place: str = Field(description="What readers call it, such as “lines 3–5”.")


class SynopsisElsewhere(SynopsisCell):
    """Wording of a row that a text has in another row."""

    text: Count = Field(description="Its column.")
    row: Count = Field(description="The row that it is in.")
    agree: Count = Field(description="How many of its words agree with this row.")
    shown: bool = Field(description="Shown in parallel; if not, there is only a link.")


class SynopsisRow(ViewModel):
    """A row: for each column a part of its text, or null for a gap."""

    kind: Literal["parallel", "moved", "beside", "alone"]
    cells: list[SynopsisCell | None]
    elsewhere: list[SynopsisElsewhere]


class SynopsisView(ViewModel):
    """Two to five texts in parallel."""

    min_words: Count = Field(description="Minimum words in a run of the search for passages.")
    texts: list[SynopsisText]
    traditions: list[SynopsisTradition] = Field(description="Those of most texts first.")
    agreements: list[list[Count]]
    """[words, text, start, end, text, start, end, …] of each run of words that the same texts have:
    in each of them its place, in characters."""
    rows: list[SynopsisRow] = Field(description="Together, the cells of a text are all of it.")
    notes: list[str]
