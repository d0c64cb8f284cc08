"""`Archives`: the other collections that the documents of a collection are compared with."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from operator import methodcaller

from likewise.documents.document import Document
from likewise.run import Progress
from likewise.server.collections import Collections
from likewise.server.errors import ApiError, no_collection, no_document
from likewise.server.index_client import IndexClient
from likewise.server.log import ThrottledLog
from likewise.server.sharing import Sharing
from likewise.survey.archive import Archive, prefixed, without_prefix
from likewise.survey.indexed_archive import archive_in_index
from likewise.survey.settings import SurveySettings

MAX_COLLECTIONS = 20
HIDDEN_FROM_READERS = (
    "Part of the archive is not shared with readers: it was not searched, and figures may be lower "
    "than those of a reviewer."
)


class Archives:
    """The archive of the collection `name`, whose index stores what it is. Used by many threads.

    With `only_shared`, it is as readers see it: collections that are not shared with them are
    neither in it nor known to exist.
    """

    def __init__(
        self, index: IndexClient, name: str, collections: Collections, *, only_shared: bool = False
    ) -> None:
        self._own = index
        self._name = name
        self._collections = collections
        self._only_shared = only_shared
        self._lock = threading.Lock()
        # With their addresses.
        self._clients: dict[str, tuple[str, IndexClient, Sharing]] = {}

    def close(self) -> None:
        with self._lock:
            for _, client, _ in self._clients.values():
                client.close()
            self._clients.clear()

    def names(self) -> list[str]:
        """The collections that were chosen and still exist."""
        return [name for name in self._chosen() if self._is_visible(name)]

    def has_hidden(self) -> bool:
        """Whether some that were chosen are left out, since they are not shared with readers."""
        return any(
            self._address(name) is not None and not self._is_visible(name)
            for name in self._chosen()
        )

    def others(self) -> list[str]:
        """All collections that can be chosen."""
        return [name for name in self._collections.names() if self._is_visible(name)]

    def choose(self, names: Sequence[str]) -> None:
        """Store which collections are the archive. Raises `ApiError` for one that cannot be."""
        chosen = list(dict.fromkeys(names))
        if len(chosen) > MAX_COLLECTIONS:
            raise ApiError(422, f"an archive can have at most {MAX_COLLECTIONS} collections")
        for name in chosen:
            if name == self._name:
                raise ApiError(422, "a collection cannot be its own archive")
            if self._address(name) is None:
                raise no_collection(name)
        self._own.run(lambda index: index.set_archive(chosen))

    def clients(self) -> dict[str, IndexClient]:
        """The indexes of the archive by the name of their collection."""
        opened = {name: self._open(name) for name in self.names()}
        return {name: known[0] for name, known in opened.items() if known is not None}

    def state(self) -> tuple[object, ...]:
        """Differs after a collection of the archive was changed, or another one chosen."""
        return tuple((name, client.state()) for name, client in self.clients().items())

    def find(self, id_: str) -> tuple[str | None, Document]:
        """A document of the collection or of its archive, and the name of the archive it is in.

        Those of the archive have the ids of the survey, with the names of their collections.
        """
        own = self._own.run(lambda index: index.get(id_))
        if own is not None:
            return None, own.to_document()
        for name, client in self.clients().items():
            inner = without_prefix(name, id_)
            stored = None if inner is None else client.run(methodcaller("get", inner))
            if stored is not None:
                return name, replace(stored.to_document(), id=id_)
        raise no_document(id_)

    def existing(self, ids: Iterable[str]) -> set[str]:
        """Which of the ids are of documents of the collection or of its archive."""
        wanted = set(ids)
        found = self._own.run(lambda index: set(index.numbers(wanted)))
        for name, client in self.clients().items():
            inner = {id_: without_prefix(name, id_) for id_ in wanted - found}
            own = [id_ for id_ in inner.values() if id_ is not None]
            stored = client.run(methodcaller("numbers", own))
            found.update(id_ for id_, original in inner.items() if original in stored)
        return found

    def ids(self, name: str, ids: Iterable[str]) -> dict[str, str]:
        """The ids that documents of an archive have in the survey, by their own."""
        return self._own.run(lambda index: {id_: prefixed(name, id_, index) for id_ in ids})

    def search(
        self, documents: Sequence[Document], settings: SurveySettings, progress: Progress
    ) -> Archive | None:
        """The documents of the archive that share text with these; None if there is no archive."""
        found: list[Archive] = []
        notes: list[str] = []
        for name, client in self.clients().items():
            if not client.settings.keep_text:
                notes.append(f"{name} stores no texts, so it was not searched")
                continue
            search = partial(
                archive_in_index,
                name=name, documents=documents, settings=settings, progress=progress,
            )  # fmt: skip
            found.append(client.run(search))
        if not found and not notes:
            return None
        return Archive(
            {name: part for one in found for name, part in one.collections.items()},
            sum(map(len, found)),
            prefix_all=True,
            notes=[*notes, *(note for one in found for note in one.notes)],
        )

    def _chosen(self) -> list[str]:
        return self._own.run(lambda index: index.archive)

    def _address(self, name: str) -> str | None:
        return None if name == self._name else self._collections.address(name)

    def _is_visible(self, name: str) -> bool:
        if not self._only_shared:
            return self._address(name) is not None
        known = self._open(name)
        return known is not None and known[1].is_on()

    def _open(self, name: str) -> tuple[IndexClient, Sharing] | None:
        address = self._address(name)
        if address is None:
            return None
        with self._lock:
            known = self._clients.get(name)
            if known is None or known[0] != address:
                client = IndexClient(address, ThrottledLog().write)
                always = name in self._collections.shared
                known = self._clients[name] = address, client, Sharing(client, always=always)
            return known[1], known[2]
