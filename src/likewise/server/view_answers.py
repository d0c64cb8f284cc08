"""Pages of the app as answers: a document with its sources, and two documents side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from likewise.documents.document import Document
from likewise.index.matches import Match
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.results import Passages
from likewise.server.archives import HIDDEN_FROM_READERS, Archives
from likewise.server.index_client import IndexClient, PassageSearch
from likewise.server.jobs.job import IsCancelled
from likewise.server.json_response import as_json
from likewise.server.schemas.passages import PassageOptions
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
IN_ARCHIVE = (
    "This document is in the archive. It is compared with the documents under review, not with "
    "others of the archive."
)
_NO_TEXT: dict[str, Any] = {"text": None, "words": None, "digest": None}
NO_PASSAGES = (
    "This collection was created without passages and lists only documents that are similar as a "
    "whole. To find shared passages, add the documents to a collection with passages."
)


def stored_answer(
    client: IndexClient,
    archives: Archives,
    document: Document,
    archive: str | None,
    is_cancelled: IsCancelled,
) -> bytes:
    """A stored document, and what other documents share with it.

    One of the archive is shown with the documents under review that share text with it.
    """
    if archive is not None:
        view = _view(client, client, document, is_cancelled, set())
        view["document"]["archive"] = archive
        view["notes"] = [IN_ARCHIVE, *view["notes"]]
        return as_json(view)
    if client.settings.keep_text:
        view = _view(client, client, document, is_cancelled, {document.id})
        _add_archives(view, client, archives, document, is_cancelled)
        return as_json(view)
    matches = client.run(lambda index: index.similar(document.id, top=MAX_MATCHES))
    view = _without_passages(document, matches, {document.id}, NO_TEXTS)
    return as_json(view | {"document": view["document"] | _NO_TEXT})


def text_answer(
    client: IndexClient,
    archives: Archives,
    document: Document,
    notes: Sequence[str],
    is_cancelled: IsCancelled,
) -> bytes:
    """A text that is not stored, and what stored documents share with it."""
    view = _view(client, client, document, is_cancelled, set())
    _add_archives(view, client, archives, document, is_cancelled)
    view["notes"] = [*notes, *view["notes"]]
    return as_json(view)


def _view(
    own: IndexClient,
    searched: IndexClient,
    document: Document,
    is_cancelled: IsCancelled,
    without: set[str],
) -> dict[str, Any]:
    """What documents of an index share with one, measured as the collection `own` does."""
    settings, others = own.settings, searched.settings
    (matches,) = searched.query([document.text], SearchOptions(top=MAX_MATCHES))
    if others.min_words is None:
        note = NO_PASSAGES if others.keep_text else NO_TEXTS
        return _without_passages(document, matches, without, note)
    min_words = max(settings.min_words or DEFAULT_MIN_WORDS, others.min_words)
    search = PassageSearch(PassageOptions(min_words=min_words))
    found = searched.passages(document.text, search, is_cancelled, document.id, THREADS)
    view = document_view(
        document,
        found,
        profile=settings.profile,
        min_words=min_words,
        matches=matches,
        without=without,
        threads=THREADS,
    )
    return view | {"searched": True}


def _add_archives(
    view: dict[str, Any],
    client: IndexClient,
    archives: Archives,
    document: Document,
    is_cancelled: IsCancelled,
) -> None:
    """Adds what the archive of a collection shares with a document."""
    for name, other in archives.clients().items():
        # The document itself, if it is stored there too.
        stored = other.run(lambda index: index.get(document.id))
        itself = stored is not None and stored.to_document().text == document.text
        part = _view(client, other, document, is_cancelled, {document.id} if itself else set())
        shown = [*part["sources"], *part["matches"]]
        ids = archives.ids(name, {one["id"] for one in shown})
        for one in shown:
            one |= {"id": ids[one["id"]], "archive": name}
        view["sources"] += part["sources"]
        view["matches"] += part["matches"]
        view["notes"] += [f"{name}: {note}" for note in part["notes"]]
    if archives.has_hidden():
        view["notes"].append(HIDDEN_FROM_READERS)
    view["sources"].sort(key=lambda source: -source["pair"]["words"])
    view["matches"].sort(key=lambda match: -match["jaccard"])


def _without_passages(
    document: Document, matches: Sequence[Match], without: set[str],
    note: str,
) -> dict[str, Any]:  # fmt: skip
    view = document_view(document, Passages([]), {}, matches=matches, without=without, threads=1)
    view["notes"].append(note)
    return view | {"searched": False}


def pair_answer(
    client: IndexClient, a: Document, b: Document, archives: Sequence[str | None] = (None, None)
) -> bytes:
    """Two stored documents side by side; `archives` are the names of those that they are in."""
    settings = client.settings
    if not settings.keep_text:
        return as_json(_estimated_pair(client, a, b))
    min_words = settings.min_words or DEFAULT_MIN_WORDS
    view = pair_view(a, b, profile=settings.profile, min_words=min_words, threads=THREADS)
    view["a"]["archive"], view["b"]["archive"] = archives
    return as_json(view)


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
