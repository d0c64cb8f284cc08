"""`DamageError`: an index does not have the contents that likewise writes.

An index is input like any other: a file may be truncated, altered or crafted. Whatever is read from
a store is checked where it is read, so that the code behind it can rely on it.
"""

from __future__ import annotations

from likewise.errors import LikewiseError


class DamageError(LikewiseError):
    """Stored data is not as it should be. `what` is the problem, without the name of the index."""

    def __init__(self, what: str, name: str | None = None) -> None:
        where = "" if name is None else f"{name}: "
        super().__init__(
            f"{where}the index is damaged: {what}",
            hint="restore a copy (made with `likewise index copy`), or create the index again",
        )
        self.what = what
        self.name = name

    def in_index(self, name: str) -> DamageError:
        """The same error with the name of the index."""
        return self if self.name is not None else DamageError(self.what, name)
