"""Where phrases, templates and passages are in the documents of a collection and its archive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from likewise.documents.document import Document
from likewise.server.archives import Archives
from likewise.server.errors import ApiError
from likewise.server.index_client import AbandonedError, IndexClient
from likewise.server.jobs.job import IsCancelled
from likewise.server.jobs.surveys import MAX_CHARACTERS, MAX_DOCUMENTS
from likewise.server.json_response import as_json
from likewise.server.schemas.exclusions import WantedExclusions
from likewise.survey.exclusion_search import ExcludedTexts, text_of_words


def excluded_words_answer(
    client: IndexClient,
    archives: Archives,
    wanted: WantedExclusions,
    is_cancelled: IsCancelled,
) -> bytes:
    """For the documents that a survey has: those added last, and those of the archive given."""
    missing = 0
    known = client.run(lambda index: index.exclusion_texts)
    passages: list[str] = []
    for passage in wanted.passages:
        text = ""
        with suppress(ApiError):
            text = archives.find(passage.id)[1].text
        if found := text_of_words(text, passage.first, passage.last):
            passages.append(found)
        else:
            missing += 1
    search = ExcludedTexts(
        known.phrases if wanted.phrases else (),
        tuple(known.templates.values()) if wanted.template else (),
        tuple(passages),
    )
    documents: dict[str, Any] = {}
    for document in _documents(client):
        if is_cancelled():
            raise AbandonedError
        if words := search.words_in(document.text):
            documents.setdefault(document.id, words)
    for id_ in wanted.archive:
        if is_cancelled():
            raise AbandonedError
        try:
            words = search.words_in(archives.find(id_)[1].text)
        except ApiError:
            missing += 1
            continue
        if words:
            documents[id_] = words
    return as_json({"documents": documents, "missing": missing})


def _documents(client: IndexClient) -> Iterator[Document]:
    characters = 0
    for number, stored in enumerate(client.newest(MAX_DOCUMENTS)):
        document = stored.to_document()
        characters += len(document.text)
        if number and characters > MAX_CHARACTERS:
            return
        yield document
