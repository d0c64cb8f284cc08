"""Copied passages of one text, as an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from likewise.documents.document import Document
from likewise.index.passage_results import IndexPassages
from likewise.output.passages import notes
from likewise.passages.excluded_words import remaining_words
from likewise.passages.pair_passages import matched_words
from likewise.passages.passage import Passage
from likewise.passages.results import PassagePair
from likewise.server.index_client import THE_TEXT, IndexClient, PassageSearch
from likewise.server.jobs.job import IsCancelled
from likewise.server.json_response import as_json
from likewise.server.schemas.passages import MAX_EXCERPT
from likewise.text.words import words_of


def passage_search(client: IndexClient, search: PassageSearch) -> dict[str, Any]:
    """The search, in the form of `schemas.passages.PassagePromise`."""
    own, options = client.settings.min_words, search.options
    min_words = own if options.min_words is None else options.min_words
    return {"min_words": min_words, "edited": options.edited, "top": options.top}


def passage_answer(
    client: IndexClient, document: Document, search: PassageSearch, is_cancelled: IsCancelled
) -> bytes:
    """The documents that share passages, in the form of `schemas.passages.PassageAnswer`."""
    found = client.passages(document.text, search, is_cancelled)
    about = found.about.get(THE_TEXT)
    own = words_of(document.text if about is None else about.text)
    size = len(own) if about is None else remaining_words(own, about.excluded_ranges)
    is_matched = matched_words(own, (passage for pair in found for passage in pair.passages))
    matched = int(np.count_nonzero(is_matched))
    text = _Side(document, search.options.excerpts)
    return as_json(
        {
            "words": size,
            "matched": matched,
            "share": matched / size if size else 0.0,
            "documents": len(found),
            "sources": [
                _source(pair, text, found.documents[pair.b].to_document())
                for pair in found[: search.options.top]
            ],
            "notes": _notes(found),
            "flags": [flag._asdict() for flag in about.tricks.flags] if about else [],
            "flag_counts": dict(about.tricks.counts) if about else {},
        }
    )


class _Side:
    """One of the two texts of a passage."""

    def __init__(self, document: Document, excerpts: bool) -> None:
        self.excerpts = excerpts
        self.document = document

    def describe(self, passage: dict[str, Any], prefix: str) -> dict[str, Any]:
        """The fields of a passage that are about this side, and where it is in the text."""
        own = {name[2:]: value for name, value in passage.items() if name.startswith(prefix)}
        start, end = own["start"], min(own["end"], own["start"] + MAX_EXCERPT)
        page, line = self.document.place(start)
        reference = self.document.reference(start, own["end"]) or None
        excerpt = self.document.text[start:end] if self.excerpts else None
        return own | {"page": page, "line": line, "excerpt": excerpt, "reference": reference}


def _source(pair: PassagePair, text: _Side, document: Document) -> dict[str, Any]:
    other = _Side(document, text.excerpts)
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


def _passage(passage: Passage, text: _Side, document: _Side) -> dict[str, Any]:
    fields = passage.to_dict()
    sides = {"text": text.describe(fields, "a_"), "document": document.describe(fields, "b_")}
    return sides | {name: fields[name] for name in fields if name[:2] not in ("a_", "b_")}


def _notes(found: IndexPassages) -> list[str]:
    """As on the command line, with stored documents called documents."""
    about = {
        id_ if id_ == THE_TEXT else id_.replace("against", "document", 1): one
        for id_, one in found.about.items()
    }
    return list(notes(replace(found, about=about)))
