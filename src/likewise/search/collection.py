"""`Collection`: documents added batch by batch, and what the search keeps of each.

Of a document stay a digest, a count and its band keys, some hundred bytes; its text stays in memory
while all texts together fit, and goes to a scratch file from then on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise._core import Texts
from likewise.documents.ids import RowIds
from likewise.errors import UsageError
from likewise.search.scratch import Scratch
from likewise.sketches.scan import Scan, scan
from likewise.text.displayed import LookAlikes, displayed_column
from likewise.text.inputs import GivenIds, from_arrow, id_array

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.search.groups import Groups
    from likewise.statistics.bands import Layout
    from likewise.text.profile import Profile

MAX_DOCUMENTS = 2**32 - 2
DEFAULT_MEMORY = 1 << 30


class CollectionIds:
    """Ids of documents by number, kept as the sequences they came in."""

    def __init__(self) -> None:
        self.numbered = True  # all ids are row numbers, so documents are in the order of their ids
        self._parts: list[Sequence[Any]] = []
        self._starts: list[int] = []
        self._count = 0

    def append(self, part: Sequence[Any]) -> None:
        self.numbered &= (isinstance(part, RowIds) and not part.prefix) or (
            isinstance(part, GivenIds) and part.are_row_numbers
        )
        self._parts.append(part)
        self._starts.append(self._count)
        self._count += len(part)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, document: int) -> Any:
        part = bisect_right(self._starts, document) - 1
        return self._parts[part][document - self._starts[part]]

    def take(self, documents: Sequence[int]) -> list[Any]:
        """The ids of many documents."""
        if len(self._parts) == 1:
            return list(map(self._parts[0].__getitem__, documents))
        return [self[document] for document in documents]

    def to_arrow(self, documents: Sequence[int]) -> pa.Array[Any]:
        """The ids of many documents, with the type they were given with."""
        # Ids of several types come as two collections, of which a pair has one document each.
        part = bisect_right(self._starts, documents[0] if documents else 0) - 1
        return id_array(self.take(documents), self._parts[part] if self._parts else ())


class Collection:
    """Documents that are searched together; those of a second collection come behind the first."""

    def __init__(
        self,
        profile: Profile,
        layout: Layout | None,
        *,
        values: int,
        threads: int,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        """`layout` None: no sketches, for an exact search. `memory`: bytes of text to keep."""
        self.ids = CollectionIds()
        self.profile = profile
        self.layout = layout
        self.left = 0  # documents before the second collection began; all, if there is none
        self.text_bytes = 0
        self.lookalikes = LookAlikes()
        self.groups: Groups | None = None  # which pairs to compare; all, if not given
        self._two_sided = False
        self.has_archive = False
        self.archive_size: int | None = None
        self._values = values
        self.threads = threads
        self._memory = memory
        self._columns: list[pa.LargeStringArray] = []
        self._texts: list[Texts] = []
        self._scratch: Scratch | None = None
        self._digests: list[NDArray[np.uint64]] = []
        self._counts: list[NDArray[np.uint64]] = []
        self._keys: list[NDArray[np.uint64]] = []

    def __len__(self) -> int:
        return len(self.ids)

    def begin_second(self) -> None:
        """What is added from here on is the second collection."""
        self._two_sided = True

    def begin_archive(self, size: int | None = None) -> None:
        """What is added from here on is compared with what was added before, not with itself.

        `size` is the number of documents in the archive, where only some of them are added.
        """
        self._two_sided = self.has_archive = True
        self.archive_size = size

    def add_texts(self, ids: Sequence[Any], texts: Texts) -> None:
        """Adds texts that the caller keeps in memory, with their letters as they are compared."""
        self._scan(ids, texts)
        self._texts.append(texts)

    def add_batch(self, ids: Sequence[str], texts: pa.LargeStringArray) -> None:
        """Adds a batch that was read; over the limit of memory its text goes to disk."""
        # Kept as they are compared, so that what is verified is what was sketched.
        texts, words = displayed_column(texts, self.profile, threads=self.threads)
        self.lookalikes.count(words[words > 0].tolist())
        views = from_arrow(texts)
        self._scan(ids, views)
        if self._scratch is None and self.text_bytes > self._memory:
            self._scratch = Scratch()
            for column in self._columns:
                self._scratch.append(column)
            self._columns, self._texts = [], []
        if self._scratch is not None:
            self._scratch.append(texts)
        else:
            self._columns.append(texts)
            self._texts.append(views)

    def _scan(self, ids: Sequence[Any], texts: Texts) -> None:
        if len(ids) != len(texts):
            raise UsageError(f"there are {len(ids)} ids for {len(texts)} texts")
        if len(self.ids) + len(ids) > MAX_DOCUMENTS:
            raise UsageError(f"one search takes at most {MAX_DOCUMENTS:,} documents")
        self.ids.append(ids)
        self.text_bytes += texts.nbytes
        if not self._two_sided:
            self.left = len(self.ids)
        found = self._scanned(self.layout, texts)
        self._digests.append(found.digests)
        self._counts.append(found.counts)
        if found.keys is not None:
            self._keys.append(found.keys)

    def _scanned(self, layout: Layout | None, texts: Texts) -> Scan:
        return scan(texts, self.profile, values=self._values, layout=layout, threads=self.threads)

    def rescan(self, layout: Layout | None) -> None:
        """Band keys for another layout."""
        self.layout = layout
        self._keys = [self._scanned(layout, self.texts()).band_keys] if layout else []

    def texts(self) -> Texts:
        """All texts; the same object until something is added."""
        if self._scratch is not None and not self._texts:
            self._texts = [self._scratch.texts()]
        if len(self._texts) != 1:
            self._texts = [Texts.concatenated(self._texts)]
        return self._texts[0]

    def select(self, chosen: NDArray[np.uint32]) -> Texts:
        """Some of the texts, by number."""
        if self._scratch is not None:
            return self._scratch.select(chosen)
        return self.texts().select(chosen)

    def text_sizes(self, chosen: NDArray[np.uint32]) -> NDArray[np.int64] | None:
        """Bytes of some texts, where they have to be read back from disk."""
        return None if self._scratch is None else self._scratch.sizes()[chosen]

    def digests(self) -> NDArray[np.uint64]:
        return np.concatenate(self._digests) if self._digests else np.zeros((0, 2), np.uint64)

    def copy_digests(self) -> NDArray[np.uint64]:
        """Equal for documents with the same elements, unless they are of different groups."""
        digests = self.digests()
        return digests if self.groups is None else digests ^ self.groups.salts()[:, None]

    def counts(self) -> NDArray[np.uint64]:
        return np.concatenate(self._counts) if self._counts else np.zeros(0, np.uint64)

    def keys(self) -> NDArray[np.uint64]:
        """Band keys, [bands, documents]."""
        if len(self._keys) != 1:
            self._keys = [np.concatenate(self._keys, axis=1)]
        keys = self._keys[0]
        if self.groups is not None and self.groups.rule == "within":
            keys = keys ^ self.groups.salts()  # no bucket has documents of two groups
        return np.ascontiguousarray(keys)

    def sides(self) -> NDArray[np.uint8] | None:
        """1 for documents of the first collection, 2 for the second; None if there is one only.

        3, both, for those that are compared with each other and with an archive.
        """
        if not self._two_sided:
            return None
        sides = np.full(len(self), 2, dtype=np.uint8)
        sides[: self.left] = 3 if self.has_archive else 1
        return sides
