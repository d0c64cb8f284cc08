"""`PendingUploads`: uploads that were begun, noted on this machine until they are settled.

Parts of an upload that is neither completed nor aborted are invisible, and are paid for. A process
that is killed can do neither; the next one that writes to the same address aborts what it finds
noted here.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from typing import IO

from likewise.errors import UsageError
from likewise.storage.address import shown


class PendingUploads:
    """The notes on uploads to one address.

    Attributes:
        left: addresses and ids of uploads that an earlier process has left.
    """

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file
        self.left: list[tuple[str, str]] = []
        if file is not None:
            file.seek(0)
            for line in file:
                with contextlib.suppress(ValueError):  # the last one may be cut
                    self.left.append(tuple(json.loads(line)))

    def add(self, address: str, upload: str) -> None:
        """Note an upload that has begun."""
        if self._file is not None:
            self._file.write(json.dumps([address, upload]) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def clear(self) -> None:
        """Forget them all: they are completed or aborted."""
        if self._file is not None:
            self._file.truncate(0)


@contextlib.contextmanager
def pending_uploads(address: str) -> Iterator[PendingUploads]:
    """Open the notes on an address for this process alone.

    Without a folder to write to there are none. Raises `UsageError` where another process on this
    machine is writing to the address.
    """
    from platformdirs import user_state_dir

    name = hashlib.sha256(address.encode()).hexdigest()[:32] + ".jsonl"
    folder = os.path.join(user_state_dir("likewise", appauthor=False), "uploads")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        file = open(os.path.join(folder, name), "a+", encoding="utf-8")  # noqa: SIM115
    except OSError:
        yield PendingUploads(None)
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"{shown(address)}: another run is writing to it",
                hint="wait until it has finished, or choose another output",
            ) from None
        yield PendingUploads(file)
        if not os.fstat(file.fileno()).st_size:
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, name))
