"""`archive_in_index`: the documents of an index that share text with those under review."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.run import Progress, counted, silent
from likewise.survey.archive import Archive
from likewise.survey.settings import SurveySettings

if TYPE_CHECKING:
    from likewise.index.index import Index


def archive_in_index(
    index: Index,
    name: str,
    documents: Sequence[Document],
    settings: SurveySettings,
    progress: Progress = silent,
) -> Archive:
    """Stored documents that are similar to one of `documents` or share a passage with it.

    `name` is what the page calls the index. A stored document with the id and the text of one of
    `documents` is that document, and not in the archive. Raises `UsageError` for an index without
    texts.
    """
    if not index.settings.keep_text:
        raise UsageError(
            f"{index.name} stores no texts, so no passages can be shown",
            hint="use an index that stores texts, or --against FOLDER",
        )
    texts = [document.text for document in documents]
    found: dict[str, Document] = {}
    notes: list[str] = []
    if index.settings.min_words is None:
        notes.append(
            f"{name} was created without passages: only documents that are similar as a "
            "whole were found in it"
        )
    else:
        # Which passages and pairs are too short or too many is decided on all pairs together.
        exclude = replace(settings.exclude, min_share=0.0, max_sources=None)
        min_words = max(settings.min_words, index.settings.min_words)
        if min_words > settings.min_words:
            notes.append(
                f"{name} was created for runs of {min_words} words or more: its documents that "
                "share shorter runs only may be missing"
            )
        passages = index.passages(
            texts, ids=[document.id for document in documents], min_words=min_words,
            exclude=exclude, metadata=[document.metadata for document in documents],
            threads=settings.threads, progress=progress,
        )  # fmt: skip
        found = {id_: one.to_document() for id_, one in passages.documents.items()}
    threshold = max(settings.threshold, index.settings.threshold)
    for matches in index.query(texts, threshold=threshold, threads=settings.threads):
        for match in matches:
            stored = None if match.id in found else index.get(match.id)
            if stored is not None:
                found[match.id] = stored.to_document()
    if settings.threshold < threshold:
        notes.append(
            f"documents of {name} that share no passage are listed from a similarity of "
            f"{threshold:g}, the threshold of the index"
        )
    own = {
        document.id
        for document in documents
        if document.id in found and found[document.id].text == document.text
    }
    if own:
        notes.append(
            f"{counted(len(own), 'document')} under review {'is' if len(own) == 1 else 'are'} also "
            f"in {name}, with the same id and text, and not compared with "
            f"{'itself' if len(own) == 1 else 'themselves'}"
        )
    others = [document for id_, document in found.items() if id_ not in own]
    return Archive({name: others}, len(index) - len(own), notes=notes)


def archive_name(address: str) -> str:
    """What an index is called: the name of its file, or of its schema in a database."""
    name = re.split(r"[/\\#]", address.partition("?")[0])[-1]
    return name.removesuffix(".db") or "index"
