"""Pages of the app as answers: a document with its sources, and two documents side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from likewise.documents.document import Document
from likewise.index.matches import EstimatedMatch, Match
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.results import Passages
from likewise.server.index_client import IndexClient, PassageSearch
from likewise.server.jobs.job import IsCancelled
from likewise.server.json_response import as_json
from likewise.server.schemas.query import SearchOptions
from likewise.survey.document_view import document_view, match_view
from likewise.survey.measures import COLUMNS
from likewise.survey.pair_view import pair_view
from likewise.survey.shown_text import shown_texts
from likewise.threads import thread_count

MAX_MATCHES = 100
THREADS = min(4, thread_count(None))  # a user waits for the page
NO_TEXTS = (
    "This collection stores no texts. Similarities are estimates with intervals; passages cannot "
    "be shown."
)
_NO_TEXT: dict[str, Any] = {"text": None, "words": None}
NO_PASSAGES = (
    "This collection was created without passages and lists only documents that are similar as a "
    "whole. To find shared passages, add the documents to a collection with passages."
)


def stored_answer(client: IndexClient, document: Document, is_cancelled: IsCancelled) -> bytes:
    """A stored document, and what other documents share with it."""
    if client.settings.keep_text:
        return as_json(_view(client, document, is_cancelled, {document.id}))
    matches = client.run(lambda index: index.similar(document.id, top=MAX_MATCHES))
    view = _without_passages(document, matches, {document.id}, NO_TEXTS)
    return as_json(view | {"document": view["document"] | _NO_TEXT})


def text_answer(
    client: IndexClient, document: Document, notes: Sequence[str], is_cancelled: IsCancelled
) -> bytes:
    """A text that is not stored, and what stored documents share with it."""
    view = _view(client, document, is_cancelled, set())
    view["notes"] = [*notes, *view["notes"]]
    return as_json(view)


def _view(
    client: IndexClient, document: Document, is_cancelled: IsCancelled, without: set[str]
) -> dict[str, Any]:
    settings = client.settings
    (matches,) = client.query([document.text], SearchOptions(top=MAX_MATCHES))
    if settings.min_words is None:
        note = NO_PASSAGES if settings.keep_text else NO_TEXTS
        return _without_passages(document, matches, without, note)
    found = client.passages(document.text, PassageSearch(), is_cancelled, document.id, THREADS)
    view = document_view(
        document,
        found,
        profile=settings.profile,
        min_words=settings.min_words,
        matches=matches,
        without=without,
        threads=THREADS,
    )
    return view | {"searched": True}


def _without_passages(
    document: Document, matches: Sequence[Match | EstimatedMatch], without: set[str],
    note: str,
) -> dict[str, Any]:  # fmt: skip
    view = document_view(document, Passages([]), {}, matches=matches, without=without, threads=1)
    view["notes"].append(note)
    return view | {"searched": False}


def pair_answer(client: IndexClient, a: Document, b: Document) -> bytes:
    """Two stored documents side by side."""
    settings = client.settings
    if not settings.keep_text:
        return as_json(_estimated_pair(client, a, b))
    min_words = settings.min_words or DEFAULT_MIN_WORDS
    return as_json(pair_view(a, b, profile=settings.profile, min_words=min_words, threads=THREADS))


def _estimated_pair(client: IndexClient, a: Document, b: Document) -> dict[str, Any]:
    match = client.run(lambda index: index.estimate(a.id, b.id))
    measures: dict[str, Any] = dict.fromkeys(COLUMNS)
    measures |= {name: value for name, value in match_view(match).items() if name in COLUMNS}
    measures |= {"size_a": match.size, "size_b": match.size_of_document}
    first, second = shown_texts((a, b))
    return {
        "a": first.to_dict() | _NO_TEXT,
        "b": second.to_dict() | _NO_TEXT,
        "measures": measures,
        "passages": [],
        "reworded": [],
        "notes": [NO_TEXTS],
    }
