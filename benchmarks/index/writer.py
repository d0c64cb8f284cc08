"""A process that changes an index until it is killed, and says on stdout what it does.

    python -m benchmarks.index.writer INDEX STATE.json SEED

STATE.json is what the index holds, by id and version. Lines: ``ready``, then for each operation
``begin`` with the operation as JSON, ``phase`` with its name as it goes on, and ``done`` when the
call has returned. A line is one ``write`` of the system: it is read even if the process is killed.

The phases come from a look at the calls that the index makes to its store.
"""

from __future__ import annotations

import json
import os
import random
import sys
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likewise.index.index import Index

State = dict[str, int]  # the version of every document that is there

MOST = 5_000  # documents; beyond, the next operation removes some
WORDS = (*(f"v{number}" for number in range(5_000)), "été", "слово", "四五六", "a\nb", "ﬁ")
PAGES = 5  # texts that many documents share

# In the order in which a change goes through them; "vacuum" gives back room after a compaction.
PHASES = ("prepare", "documents", "entries", "merge", "commit", "vacuum")
_OF_CALL = {
    "delete": "documents",
    "insert_documents": "documents",
    "put_waiting": "entries",
    "clear_waiting": "entries",
    "put_segment": "entries",
    "buckets": "merge",
    "drop_segments": "merge",
}


@dataclass(frozen=True)
class Content:
    """What a document holds in one version."""

    text: str
    metadata: dict[str, Any] | None
    page_starts: tuple[int, ...] | None


@lru_cache(maxsize=4 * MOST)
def content(id_: str, version: int) -> Content:
    """Return the document; the same id and version give the same one."""
    chance = random.Random(f"{id_} {version}")
    kind = chance.random()
    if kind < 0.01:
        return Content("", None, None)
    if kind < 0.05:
        chance = random.Random(chance.randrange(PAGES))
    text = " ".join(chance.choices(WORDS, k=chance.randrange(20, 120)))
    metadata = {"title": f"{id_}, {version}"} if kind > 0.7 else None
    starts = (0, len(text) // 2) if kind > 0.8 else None
    return Content(text, metadata, starts)


@dataclass(frozen=True)
class Operation:
    """One call: documents to add or replace by version, ids to remove, or a compaction."""

    kind: str
    documents: State

    def after(self, state: State) -> State:
        """Return what is there once it is done."""
        if self.kind == "add":
            return state | self.documents
        return {id_: version for id_, version in state.items() if id_ not in self.documents}

    def line(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, line: str) -> Operation:
        return cls(**json.loads(line))


def drawn(chance: random.Random, state: State) -> Operation:
    """Return the next operation: batches below and above a segment's least size, and others."""
    ids = list(state)
    if len(ids) > MOST:
        return Operation("remove", dict.fromkeys(chance.sample(ids, len(ids) // 2), 0))
    kind = chance.random()
    if kind < 0.05:
        return Operation("compact", {})
    if kind < 0.2 and ids:
        return Operation(
            "remove", dict.fromkeys(chance.sample(ids, min(len(ids), size(chance))), 0)
        )
    count = size(chance)
    known = chance.sample(ids, min(len(ids), chance.randrange(count + 1) // 2))
    documents = {id_: state[id_] + chance.randrange(2) for id_ in known}  # the same, or replaced
    while len(documents) < count:
        documents[f"d{chance.randrange(10**9)}"] = 0
    return Operation("add", documents)


def size(chance: random.Random) -> int:
    """Return how many documents a call is about."""
    low, high = chance.choice([(1, 2), (2, 50), (200, 900), (1_000, 2_000)])
    return chance.randrange(low, high)


def apply(index: Index, operation: Operation) -> None:
    """Do it."""
    if operation.kind == "compact":
        index.compact()
    elif operation.kind == "remove":
        index.remove(list(operation.documents))
    else:
        made = [content(*item) for item in operation.documents.items()]
        index.add(
            [one.text for one in made], list(operation.documents),
            metadata=[one.metadata for one in made],
            page_starts=[one.page_starts for one in made],
        )  # fmt: skip


def tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


class _Told:
    """A store, or a transaction of it, that tells the phases of a change."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._reached = 0

    def __getattr__(self, name: str) -> Any:
        phase = _OF_CALL.get(name)
        if phase and PHASES.index(phase) > self._reached:  # a merge puts segments too
            self._reached = PHASES.index(phase)
            tell(f"phase {phase}")
        return getattr(self._inner, name)

    @contextmanager
    def write(self) -> Iterator[Any]:
        with self._inner.write() as transaction:
            yield _Told(transaction)
            tell("phase commit")

    def compact(self) -> None:
        tell("phase vacuum")
        self._inner.compact()


def main() -> None:
    path, state_file, seed = sys.argv[1:]
    from likewise.index.index import Index

    index = Index(path)
    told: Any = index
    told._store = _Told(told._store)
    state: State = json.loads(Path(state_file).read_text())
    chance = random.Random(int(seed))
    tell("ready")
    while True:
        operation = drawn(chance, state)
        tell(f"begin {operation.line()}")
        for item in operation.documents.items():
            content(*item)  # held, so that the next phase is the index's own
        tell("phase prepare")
        apply(index, operation)
        tell("done")
        state = operation.after(state)


if __name__ == "__main__":
    main()
