"""`Sharing`: whether readers see a collection."""

from __future__ import annotations

from likewise.server.errors import ApiError
from likewise.server.index_client import IndexClient


class Sharing:
    """Whether readers see the collection of an index. Used by many threads.

    Reviewers choose, and the index stores it; until then a collection is private. `always` is the
    choice of whoever runs the server, which reviewers cannot take back.
    """

    def __init__(self, index: IndexClient, *, always: bool) -> None:
        self._index = index
        self.always = always
        self._known = False

    def is_on(self) -> bool:
        """Read each time: what a reviewer of any process takes back is private at once.

        While the index cannot be read, a collection that was private stays so, and one that was
        shared raises `ApiError`.
        """
        if self.always:
            return True
        try:
            self._known = self._index.run(lambda index: index.shared_with_readers)
        except ApiError:
            if self._known:
                raise
        return self._known

    def choose(self, on: bool) -> None:
        """Store the choice of a reviewer."""
        self._index.run(lambda index: index.share_with_readers(on))
