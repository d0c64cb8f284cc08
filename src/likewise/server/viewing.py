"""What people look at, as answers: a document with its sources, and two side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likewise.evidence.passages import Passages
from likewise.search.fingerprints import DEFAULT_MIN_WORDS
from likewise.server.answer import as_json
from likewise.server.errors import ApiError, no_document
from likewise.server.library import Library, PassageSearch, Search
from likewise.threads import thread_count
from likewise.views.document import ViewedDocument
from likewise.views.measures import COLUMNS
from likewise.views.pair import pair_view
from likewise.views.shown_text import shown_texts
from likewise.views.sources import document_view, match_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likewise.index.matches import EstimatedMatch, Match
    from likewise.server.threads import Wanted

MOST_MATCHES = 100
THREADS = min(4, thread_count(None))  # somebody waits for the page
NO_TEXTS = (
    "This collection keeps no texts. Similar documents are told by their sketches, as estimates "
    "with intervals; passages cannot be shown."
)
_NOT_KEPT: dict[str, Any] = {"text": None, "words": None}
NO_PASSAGES = (
    "This collection was made without passages. Documents that are similar as a whole are listed; "
    "for shared passages, add the documents to a collection that looks for them."
)


def fetched(library: Library, id_: str) -> ViewedDocument:
    """A stored document; raises if there is none."""
    document = library.document(id_)
    if document is None:
        raise no_document(id_)
    return ViewedDocument.of_index(document)


def stored_answer(library: Library, document: ViewedDocument, wanted: Wanted) -> bytes:
    """A stored document, and what others in the index share with it."""
    if library.settings.keep_text:
        return as_json(_view(library, document, wanted, {document.id}))
    matches = library.similar(document.id, MOST_MATCHES)
    view = _without_passages(document, matches, {document.id}, NO_TEXTS)
    return as_json(view | {"document": view["document"] | _NOT_KEPT})


def text_answer(
    library: Library, document: ViewedDocument, notes: Sequence[str], wanted: Wanted
) -> bytes:
    """A text that is not stored, and what the index has in common with it."""
    view = _view(library, document, wanted, set())
    view["notes"] = [*notes, *view["notes"]]
    return as_json(view)


def _view(
    library: Library, document: ViewedDocument, wanted: Wanted, without: set[str]
) -> dict[str, Any]:
    settings = library.settings
    (matches,) = library.query([document.text], Search(top=MOST_MATCHES))
    if settings.min_words is None:
        note = NO_PASSAGES if settings.keep_text else NO_TEXTS
        return _without_passages(document, matches, without, note)
    found = library.passages(document.text, PassageSearch(), wanted, document.id, THREADS)
    view = document_view(
        document, found, profile=settings.profile, matches=matches, without=without, threads=THREADS
    )
    return view | {"searched": True}


def _without_passages(
    document: ViewedDocument, matches: Sequence[Match | EstimatedMatch], without: set[str],
    note: str,
) -> dict[str, Any]:  # fmt: skip
    view = document_view(document, Passages([]), {}, matches=matches, without=without, threads=1)
    view["notes"].append(note)
    return view | {"searched": False}


def pair_answer(library: Library, a: ViewedDocument, b: ViewedDocument) -> bytes:
    """Two stored documents side by side."""
    settings = library.settings
    if not settings.keep_text:
        return as_json(_estimated_pair(library, a, b))
    return as_json(
        pair_view(
            a,
            b,
            profile=settings.profile,
            min_words=settings.min_words or DEFAULT_MIN_WORDS,
            rates=library.rates(a.text) if settings.min_words else None,
            threads=THREADS,
        )
    )


def _estimated_pair(library: Library, a: ViewedDocument, b: ViewedDocument) -> dict[str, Any]:
    match = library.estimate(a.id, b.id)
    measures: dict[str, Any] = dict.fromkeys(COLUMNS)
    measures |= {name: value for name, value in match_view(match).items() if name in COLUMNS}
    measures |= {"size_a": match.size, "size_b": match.size_of_document}
    first, second = shown_texts((a, b))
    return {
        "a": first.to_dict() | _NOT_KEPT,
        "b": second.to_dict() | _NOT_KEPT,
        "measures": measures,
        "passages": [],
        "notes": [NO_TEXTS],
    }


def check_two(a: str, b: str) -> None:
    """Raises if a document is to be held against itself."""
    if a == b:
        raise ApiError(422, "a and b are the same document", hint="name two documents")
