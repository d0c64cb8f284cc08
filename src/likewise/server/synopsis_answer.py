"""A synopsis of stored documents as an answer."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.comparison.comparison import MAX_PASSAGE_CHARACTERS
from likewise.documents.document import Document
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.settings import Exclusions
from likewise.server.errors import ApiError
from likewise.server.index_client import AbandonedError, IndexClient
from likewise.server.jobs.job import IsCancelled
from likewise.server.json_response import as_json
from likewise.server.view_answers import THREADS
from likewise.survey.synopsis.synopsis import make_synopsis


def synopsis_answer(
    client: IndexClient,
    documents: Sequence[tuple[str | None, Document]],
    exclude: Exclusions,
    is_cancelled: IsCancelled,
) -> bytes:
    """Documents in parallel, each with the name of the archive that it is in."""
    if not client.settings.keep_text:
        raise ApiError(
            422,
            "this collection stores no texts, so it has no synopsis",
            hint="add the documents to a collection that stores texts",
        )
    if sum(len(one.text) for _, one in documents) > MAX_PASSAGE_CHARACTERS:
        raise ApiError(
            422,
            f"these texts have more than {MAX_PASSAGE_CHARACTERS:,} characters in total",
            hint="choose fewer or shorter texts, or use the command `likewise synopsis`",
        )

    def check(stage: str, done: int, total: int | None) -> None:
        if is_cancelled():
            raise AbandonedError

    made = make_synopsis(
        [one for _, one in documents],
        min_words=client.settings.min_words or DEFAULT_MIN_WORDS,
        exclude=exclude,
        threads=THREADS,
        progress=check,
    )
    view = made.to_dict()
    for shown, (archive, _) in zip(view["texts"], documents, strict=True):
        shown["archive"] = archive
    return as_json(view)
