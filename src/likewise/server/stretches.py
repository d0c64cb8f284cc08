"""`stretches_answer`: the wording of places in stored documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from likewise.documents.document import Document
from likewise.server.archives import Archives
from likewise.server.errors import ApiError
from likewise.server.index_client import AbandonedError
from likewise.server.jobs.job import IsCancelled
from likewise.server.json_response import as_json
from likewise.server.schemas.views import Stretch
from likewise.survey.stretches import WordStretches


def stretches_answer(
    archives: Archives, places: Sequence[Stretch], is_cancelled: IsCancelled
) -> bytes:
    """The text of each place and where it is; None for what is not stored, or not to be seen."""
    known: dict[str, WordStretches | None] = {}
    found: list[dict[str, Any] | None] = []
    for place in places:
        if is_cancelled():
            raise AbandonedError
        if place.id not in known:
            document = _document(archives, place.id)
            known[place.id] = None if document is None else WordStretches(document)
        words = known[place.id]
        found.append(None if words is None else words.view(place.first, place.last))
    return as_json({"stretches": found})


def _document(archives: Archives, id_: str) -> Document | None:
    try:
        return archives.find(id_)[1]
    except ApiError:
        return None
