"""`IndexClient`: the index as the service uses it; it may go away, and comes back by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from likewise.errors import LikewiseError
from likewise.index.index import Index
from likewise.index.passage_query import NO_EXCLUSIONS
from likewise.passages.matching_text import Exclusions
from likewise.server.errors import is_lost_connection, to_api_error

if TYPE_CHECKING:
    from likewise.index.document import Document
    from likewise.index.matches import EstimatedMatch, Match
    from likewise.index.passage_results import IndexPassages
    from likewise.index.settings import IndexSettings
    from likewise.server.jobs.job import IsCancelled

T = TypeVar("T")
Outcome = Literal["added", "replaced", "unchanged"]
THE_TEXT = "the text"
"""What notes call a text that passages are asked for."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document that is to be stored."""

    id: str
    text: str
    metadata: dict[str, Any] | None = None
    page_starts: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """What similarity is asked for; see `Index.query`."""

    threshold: float | None = None
    top: int = 100
    scan: bool = False
    level: float = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class PassageSearch:
    """What passages are asked for; see `Index.passages`.

    Attributes:
        top: at most so many documents for each text.
        excerpts: the text of both sides of each passage is wanted.
        metadata: of each text.
    """

    min_words: int | None = None
    edited: bool = True
    top: int = 100
    excerpts: bool = False
    exclude: Exclusions = NO_EXCLUSIONS
    metadata: dict[str, Any] | None = None


class AbandonedError(Exception):
    """Nobody waits for the answer any more."""


class IndexClient:
    """One index. Used by many threads; raises `ApiError` where something is wrong.

    Args:
        address: a file, or that of a database.
        on_store_error: told what is wrong with the store, for the operator.
    """

    def __init__(self, address: str, on_store_error: Callable[[str], object]) -> None:
        self._address = address
        self._on_trouble = on_store_error
        self._index: Index | None = None
        self._opening = threading.Lock()

    def open(self) -> Index:
        """The index, opened if it is not open."""
        with self._opening:
            if self._index is None:
                self._index = Index(self._address)
            return self._index

    def close(self) -> None:
        with self._opening:
            if self._index is not None:
                self._index.close()
            self._index = None

    def query(self, texts: Sequence[str], search: Search) -> list[list[Match | EstimatedMatch]]:
        """As `Index.query`, on the thread that asks."""
        return self._ask(
            lambda index: index.query(
                texts, threshold=search.threshold, top=search.top, scan=search.scan,
                level=search.level, threads=1,
            )
        )  # fmt: skip

    def promise(self, search: Search) -> dict[str, Any]:
        """What is looked for, and which share of it is found."""
        settings = self._ask(lambda index: index.settings)
        threshold = settings.threshold if search.threshold is None else search.threshold
        return {
            "profile": str(settings.profile),
            "threshold": threshold,
            "top": search.top,
            "recall": 1.0 if search.scan else settings.layout.recall(threshold),
            "scan": search.scan,
        }

    def passages(
        self,
        text: str,
        search: PassageSearch,
        is_cancelled: IsCancelled,
        id_: str = THE_TEXT,
        threads: int = 1,
    ) -> IndexPassages:
        """As `Index.passages` for one text.

        Raises `AbandonedError` as soon as it is seen that nobody waits any more.
        """

        def go_on(stage: str, done: int, total: int | None) -> None:
            if is_cancelled():
                raise AbandonedError

        return self._ask(
            lambda index: index.passages(
                [text], ids=[id_], min_words=search.min_words, edited=search.edited,
                exclude=search.exclude, metadata=[search.metadata], threads=threads, progress=go_on,
            )
        )  # fmt: skip

    def passage_promise(self, search: PassageSearch) -> dict[str, Any]:
        """What is looked for."""
        own = self._ask(lambda index: index.settings.min_words)
        min_words = own if search.min_words is None else search.min_words
        return {"min_words": min_words, "edited": search.edited, "top": search.top}

    def document(self, id_: str) -> Document | None:
        """A stored document; None if there is none of that id."""
        return self._ask(lambda index: index.get(id_))

    def similar(self, id_: str, top: int | None) -> list[EstimatedMatch]:
        """As `Index.similar`."""
        return self._ask(lambda index: index.similar(id_, top=top))

    def estimate(self, a: str, b: str) -> EstimatedMatch:
        """As `Index.estimate`."""
        return self._ask(lambda index: index.estimate(a, b))

    def newest(self, most: int) -> Iterator[Document]:
        """The documents that were added last, the newest first."""
        walk = self._ask(lambda index: index.newest(most))
        while (document := self._ask(lambda index: next(walk, None), tries=1)) is not None:
            yield document

    def page(
        self, after: int, limit: int, contains: str | None = None
    ) -> tuple[list[Document], int | None]:
        """Documents without their texts, in the order of adding, and where the next ones begin."""
        part = self._ask(
            lambda index: list(
                islice(index.documents(text=False, after=after, contains=contains), limit + 1)
            )
        )
        more = len(part) > limit
        return part[:limit], part[limit - 1].number if more else None

    def count(self) -> int:
        return self._ask(len)

    @property
    def settings(self) -> IndexSettings:
        """What the index was made for."""
        return self._ask(lambda index: index.settings)

    def state(self) -> tuple[object, ...]:
        """As `Index.state`."""
        return self._ask(lambda index: index.state())

    def info(self) -> dict[str, Any]:
        """Settings and counts, without the place where the index lies."""
        return {k: v for k, v in self._ask(lambda index: index.info()).items() if k != "index"}

    def check(self) -> None:
        """Raises if the index cannot be read."""
        self._ask(lambda index: "" in index)

    def add(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Stores all or none in one transaction, and says what became of each."""
        ids = [entry.id for entry in entries]

        def put(index: Index) -> list[Outcome]:
            before = index.numbers(ids)
            index.add(
                [entry.text for entry in entries], ids,
                metadata=[entry.metadata for entry in entries],
                page_starts=[entry.page_starts for entry in entries], threads=1,
            )  # fmt: skip
            after = index.numbers(ids)
            return [_outcome(before.get(id_), after.get(id_)) for id_ in ids]

        # What is stored already is left as it is, so this too may be tried again.
        return self._ask(put)

    def remove(self, ids: Sequence[str]) -> list[str]:
        """Removes documents, and says which of them were there."""
        # Not tried again: what the first try removed would be told as not there.
        self.check()
        return self._ask(lambda index: index.remove(ids), tries=1)

    def _ask(self, ask: Callable[[Index], T], tries: int = 2) -> T:
        """Asks; once more if the connection was one of before the database was started again."""
        try:
            return ask(self.open())
        except LikewiseError as error:
            if tries > 1 and is_lost_connection(error):
                return self._ask(ask, tries - 1)
            answer = to_api_error(error, self._name())
            if answer.status_code >= 500:
                self._on_trouble(str(error))
            raise answer from error

    def _name(self) -> str:
        return self._address if self._index is None else self._index.name


def _outcome(before: int | None, after: int | None) -> Outcome:
    if before is None:
        return "added"
    return "unchanged" if before == after else "replaced"
