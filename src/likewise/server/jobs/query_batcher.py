"""`QueryBatcher`: queries that wait together are run together.

A query of a file takes less than a millisecond, and most of that time it has Python's lock. So more
threads would only compete for the lock, and one thread that takes all waiting queries is faster.
With a database most of the time is spent waiting, and several threads help.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from likewise.server.index_client import IndexClient
from likewise.server.jobs.batcher import Batcher
from likewise.server.match_answers import match_answers
from likewise.server.schemas.query import SearchOptions

MAX_CHARACTERS = 200_000  # of the texts of a batch


class Query(NamedTuple):
    texts: Sequence[str]
    search: SearchOptions


class QueryBatcher(Batcher[Query, list[bytes]]):
    """Finds similar documents; for each text of a query an answer as JSON.

    Args:
        max_texts: maximum number of texts in a batch.
    """

    def __init__(
        self, client: IndexClient, *, threads: int, max_texts: int, max_waiting: int
    ) -> None:
        super().__init__("query", threads=threads, max_waiting=max_waiting)
        self._client = client
        self._max_texts = max_texts

    def batch_size(self, payloads: Sequence[Query]) -> int:
        """Queries with the same options, as many as are answered quickly."""
        texts = characters = 0
        for count, query in enumerate(payloads):
            texts += len(query.texts)
            characters += sum(map(len, query.texts))
            fits = texts <= self._max_texts and characters <= MAX_CHARACTERS
            if count and not (fits and query.search == payloads[0].search):
                return count
        return len(payloads)

    def run_batch(self, payloads: Sequence[Query]) -> list[list[bytes]]:
        texts = [text for query in payloads for text in query.texts]
        answers = iter(match_answers(self._client, texts, payloads[0].search))
        return [list(islice(answers, len(query.texts))) for query in payloads]
