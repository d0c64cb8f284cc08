"""Copied passages of one text, as an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.documents.document import Document as QueryDocument
from likewise.documents.document import Places
from likewise.output.passages import notes
from likewise.passages.pair_passages import matched_words
from likewise.server.answer import as_json
from likewise.server.index_client import THE_TEXT, IndexClient, PassageSearch
from likewise.server.schemas.passages import MAX_EXCERPT
from likewise.text.words import words_of

if TYPE_CHECKING:
    from likewise.index.document import Document
    from likewise.index.passage_question import IndexPassages
    from likewise.passages.passage import Passage
    from likewise.passages.results import PassagePair
    from likewise.server.jobs.job import IsCancelled

_SIDES = {"a": "text", "b": "document"}


def passages_answer(
    client: IndexClient, document: QueryDocument, search: PassageSearch, is_cancelled: IsCancelled
) -> bytes:
    """What stored documents share with a text, as `schemas.passages.PassageAnswer` describes it."""
    found = client.passages(document.text, search, is_cancelled)
    about = found.about.get(THE_TEXT)
    own = words_of(document.text if about is None else about.text)
    is_matched = matched_words(own, (passage for pair in found for passage in pair.passages))
    matched = int(np.count_nonzero(is_matched))
    text = _Shown(document.text, document.page_starts, search.excerpts)
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
        cut = min(end, start + MAX_EXCERPT)
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
        "p": pair.p,
        "passages": [_passage(passage, text, other) for passage in pair.passages],
        "reworded": [_passage(passage, text, other) for passage in pair.reworded],
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
