"""Files that could not be read for an index, with their reasons: a list in its facts.

A file leaves the list when a document of the same name is stored, or one from the archive of that
name, or when the user dismisses it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from likewise.index.damage import DamageError
from likewise.index.stores.transaction import Snapshot, Transaction

MAX_FILES = 1000
"""Files in the list; of more, the latest are listed and the others counted."""
MAX_BYTES = 1000  # of a name or a reason
_FACT = "unread"


@dataclass(frozen=True, slots=True)
class UnreadFiles:
    """Reasons by file, the latest last; `unlisted` counts those beyond `MAX_FILES`."""

    files: dict[str, str] = field(default_factory=dict)
    unlisted: int = 0

    @classmethod
    def read(cls, snapshot: Snapshot) -> UnreadFiles:
        stored = snapshot.fact(_FACT)
        if not stored:
            return cls()
        try:
            unlisted, files = json.loads(stored)
            if type(unlisted) is int and unlisted >= 0 and _is_list(files):
                return cls(dict(files), unlisted)
        except (ValueError, TypeError, RecursionError):
            pass
        raise DamageError("the list of files that could not be read is not as it was written")

    def write(self, transaction: Transaction) -> None:
        kept = list(self.files.items())[-MAX_FILES:]
        unlisted = self.unlisted + len(self.files) - len(kept) if kept else 0
        transaction.set_fact(_FACT, json.dumps([unlisted, kept]))


def note_unread(transaction: Transaction, reasons: Mapping[str, str]) -> None:
    """Adds files to the list; one that is in it gets the new reason."""
    known = UnreadFiles.read(transaction)
    new = {_short(name): _short(reason) for name, reason in reasons.items()}
    rest = {name: reason for name, reason in known.files.items() if name not in new}
    UnreadFiles(rest | new, known.unlisted).write(transaction)


def forget_unread(transaction: Transaction, names: Iterable[str] | None = None) -> None:
    """Removes the files with these names from the list, or all."""
    known = UnreadFiles.read(transaction)
    if not known.files:
        return
    gone = set(known.files) if names is None else set(map(_short, names))
    if not gone.isdisjoint(known.files):
        rest = {name: reason for name, reason in known.files.items() if name not in gone}
        UnreadFiles(rest, known.unlisted).write(transaction)


def _short(text: str) -> str:
    return text.encode("utf-8", "replace")[:MAX_BYTES].decode("utf-8", "ignore")


def with_archives(ids: Iterable[str]) -> Iterator[str]:
    """Ids, and the paths before their slashes: of a document in an archive, the archive."""
    for id_ in ids:
        parts = id_.split("/")
        yield from ("/".join(parts[:end]) for end in range(1, len(parts) + 1))


def _is_list(files: object) -> bool:
    return (
        isinstance(files, list)
        and len(files) <= MAX_FILES
        and all(
            isinstance(one, list) and len(one) == 2 and all(isinstance(text, str) for text in one)
            for one in files
        )
    )
