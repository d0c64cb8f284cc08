"""Copied passages of one text, as an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.documents.extracted import Extracted, Places
from likewise.evidence.scores import words_within
from likewise.evidence.words import words_of
from likewise.report.passages import notes
from likewise.server.answer import as_json
from likewise.server.library import THE_TEXT, Library, PassageSearch
from likewise.server.schemas.passages import MOST_EXCERPT

if TYPE_CHECKING:
    from likewise.evidence.passage import Passage
    from likewise.evidence.passages import PassagePair
    from likewise.index.document import Document
    from likewise.index.passage_question import IndexPassages
    from likewise.server.threads import Wanted

_SIDES = {"a": "text", "b": "document"}


def passages_answer(
    library: Library, asked: Extracted, search: PassageSearch, wanted: Wanted
) -> bytes:
    """What stored documents share with a text, as `schemas.passages.PassageAnswer` describes it."""
    found = library.passages(asked.text, search, wanted)
    about = found.about.get(THE_TEXT)
    own = words_of(asked.text if about is None else about.text)
    held = words_within(own, (passage for pair in found for passage in pair.passages))
    matched = int(np.count_nonzero(held))
    text = _Shown(asked.text, asked.page_starts, search.excerpts)
    return as_json(
        {
            "words": len(own),
            "matched": matched,
            "share": matched / len(own) if len(own) else 0.0,
            "documents": len(found),
            "sources": [
                _source(pair, text, found.documents[pair.b], search.excerpts)
                for pair in found[: search.top]
            ],
            "notes": _notes(found),
            "flags": [flag._asdict() for flag in about.tricks.flags] if about else [],
            "flag_counts": dict(about.tricks.counts) if about else {},
        }
    )


class _Shown:
    """One of the two texts of a passage."""

    def __init__(self, text: str, page_starts: tuple[int, ...] | None, excerpts: bool) -> None:
        self._text = text
        self._places = Places(text, page_starts)
        self._excerpts = excerpts

    def side(self, start: int, end: int) -> dict[str, Any]:
        page, line = self._places.at(start)
        cut = min(end, start + MOST_EXCERPT)
        return {"page": page, "line": line,
                "excerpt": self._text[start:cut] if self._excerpts else None}  # fmt: skip


def _source(pair: PassagePair, text: _Shown, document: Document, excerpts: bool) -> dict[str, Any]:
    other = _Shown(document.text or "", document.page_starts, excerpts)
    return {
        "id": pair.b,
        "metadata": document.metadata,
        "words": pair.words,
        "share": pair.share_a,
        "share_of_document": pair.share_b,
        "longest_run": pair.longest_run,
        "chance_run": pair.chance_run,
        "passages": [_passage(passage, text, other) for passage in pair.passages],
    }


def _passage(passage: Passage, text: _Shown, document: _Shown) -> dict[str, Any]:
    """All that a passage tells; what it tells of one side alone, with that side."""
    sides: dict[str, dict[str, Any]] = {"text": {}, "document": {}}
    both: dict[str, Any] = {}
    for name, value in passage.to_dict().items():
        letter, _, rest = name.partition("_")
        if rest and letter in _SIDES:
            sides[_SIDES[letter]][rest] = value
        else:
            both[name] = value
    sides["text"] |= text.side(passage.a_start, passage.a_end)
    sides["document"] |= document.side(passage.b_start, passage.b_end)
    return {**sides, **both}


def _notes(found: IndexPassages) -> list[str]:
    """As on the command line, but for what it calls documents of the index."""
    about = {
        id_ if id_ == THE_TEXT else id_.replace("against", "document", 1): one
        for id_, one in found.about.items()
    }
    return list(notes(replace(found, about=about)))
