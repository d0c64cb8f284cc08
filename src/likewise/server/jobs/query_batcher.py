"""`QueryBatcher`: queries that wait together are put to the index together.

A query to a file takes less than a millisecond, and most of that time Python's lock is held. So
more threads would only take the lock from each other, and one that takes all that waits is done
sooner. With a database most of the time is spent waiting, and there several threads help.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from likewise.server.answer import as_json, as_match
from likewise.server.index_client import IndexClient, Search
from likewise.server.jobs.batcher import Batcher

MAX_CHARACTERS = 200_000  # of the texts of a batch


class Query(NamedTuple):
    texts: Sequence[str]
    search: Search


class QueryBatcher(Batcher[Query, list[bytes]]):
    """Finds similar documents; for each text of a query an answer as JSON.

    Args:
        client: the index.
        threads: how many.
        max_texts: of a batch.
        max_waiting: how many queries may be queued.
    """

    def __init__(
        self, client: IndexClient, *, threads: int, max_texts: int, max_waiting: int
    ) -> None:
        super().__init__("query", threads=threads, max_waiting=max_waiting)
        self._client = client
        self._max_texts = max_texts

    def batch_size(self, payloads: Sequence[Query]) -> int:
        """Queries with the same settings, as many as are answered quickly."""
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
        found = iter(answers(self._client, texts, payloads[0].search))
        return [list(islice(found, len(query.texts))) for query in payloads]


def answers(client: IndexClient, texts: Sequence[str], search: Search) -> list[bytes]:
    """For each text an answer as JSON."""
    found = client.query(texts, search)
    return [as_json({"matches": list(map(as_match, matches))}) for matches in found]
