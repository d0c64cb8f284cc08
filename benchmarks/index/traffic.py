"""One writer and many readers of one index, each a process; readers check every answer."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.index.groups import STATES, Group, Page, filler
from likewise.errors import UsageError
from likewise.index.index import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from likewise.index.matches import Match

TOLD = 20  # errors and wrong answers of one process that are kept
MAX_FILLERS = 3_000
BATCH = 5  # texts in one question, now and then


@dataclass(frozen=True)
class Shared:
    """What the processes share.

    Attributes:
        begun, done: of each group, the step that was last begun and last done.
        ready: passed when all processes have opened the index.
        stop: set when time is up.
    """

    path: str
    pages: int
    begun: Any
    done: Any
    ready: Any
    stop: Any


@dataclass
class Seen:
    """What a process did and saw; seconds by kind of call."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    documents: int = 0
    errors: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    errors_counted: int = 0
    wrong_counted: int = 0

    def error(self, kind: str, error: BaseException) -> None:
        self.errors_counted += 1
        if len(self.errors) < TOLD:
            self.errors.append(f"{kind}: {type(error).__name__}: {error}")

    def check(self, right: bool, said: Callable[[], str]) -> None:
        if not right:
            self.wrong_counted += 1
            if len(self.wrong) < TOLD:
                self.wrong.append(said())

    def add(self, other: Seen) -> None:
        for kind, seconds in other.seconds.items():
            self.seconds.setdefault(kind, []).extend(seconds)
        self.documents += other.documents
        self.errors += other.errors
        self.wrong += other.wrong
        self.errors_counted += other.errors_counted
        self.wrong_counted += other.wrong_counted


# --- the writer


@dataclass(frozen=True)
class Change:
    """One call of the writer; ``groups`` go to their next state by it."""

    kind: str
    ids: Sequence[str] = ()
    texts: Sequence[str] = ()
    groups: Sequence[Group] = ()

    def apply(self, index: Index) -> None:
        if self.kind == "compact":
            index.compact()
        elif self.kind == "remove":
            index.remove(self.ids)
        else:
            index.add(self.texts, self.ids)


def write(shared: Shared, seed: int, results: Any) -> None:
    """Change groups and fillers until time is up."""
    seen = Seen()
    groups = [Group(number) for number in range(len(shared.done))]
    for group in groups:
        _ = group.versions  # made before time runs
    changes = _changes(shared, groups, random.Random(seed))
    with Index(shared.path) as index:
        shared.ready.wait()
        while not shared.stop.is_set():
            change = next(changes)
            for group in change.groups:
                shared.begun[group.number] += 1
            start = time.perf_counter()
            try:
                change.apply(index)
            except Exception as error:
                seen.error(change.kind, error)
                break  # what is there now is not known to the readers
            seen.seconds.setdefault(change.kind, []).append(time.perf_counter() - start)
            seen.documents += len(change.ids)
            for group in change.groups:
                shared.done[group.number] += 1
    results.put(seen)


def _changes(shared: Shared, groups: Sequence[Group], chance: random.Random) -> Iterator[Change]:
    made, removed = 0, 0
    while True:
        kind = chance.random()
        if kind < 0.02:
            yield Change("compact")
        elif kind < 0.1 and made - removed > MAX_FILLERS:
            yield Change("remove", [f"filler{number}" for number in range(removed, made)])
            removed = made
        elif kind < 0.2:
            # Above and below the least size of a segment.
            count = chance.choice([chance.randrange(1, 300), chance.randrange(1_000, 1_500)])
            numbers = range(made, made + count)
            made += count
            ids = [f"filler{number}" for number in numbers]
            yield Change("add", ids, [filler(number) for number in numbers])
        else:
            yield from _steps(
                shared, chance.sample(groups, chance.randrange(1, 1 + min(20, len(groups))))
            )


def _steps(shared: Shared, chosen: Sequence[Group]) -> Iterator[Change]:
    """Bring groups to their next state: those that are to go in one call, the others in another."""
    states = {group: (shared.done[group.number] + 1) % STATES for group in chosen}
    going = [group for group, state in states.items() if state == STATES - 1]
    coming = [group for group, state in states.items() if state < STATES - 1]
    if going:
        yield Change("remove", [id_ for group in going for id_ in group.ids], (), going)
    if coming:
        texts = [text for group in coming for text in group.versions[states[group]]]
        yield Change("replace", [id_ for group in coming for id_ in group.ids], texts, coming)


# --- the readers


def read(shared: Shared, seed: int, threads: int, share: bool, results: Any) -> None:
    """Ask until time is up, on several threads with an index of their own or with one for all."""
    pages = [Page(number) for number in range(shared.pages)]
    groups = [Group(number) for number in range(len(shared.done))]
    for page in pages:
        _ = page.answer  # made before time runs
    for group in groups:
        _ = group.answers
    held = Index(shared.path) if share else None
    readers = [
        _Reader(shared, pages, groups, held, random.Random(f"{seed} {thread}"))
        for thread in range(threads)
    ]
    shared.ready.wait()
    running = [threading.Thread(target=reader.run) for reader in readers[1:]]
    for thread in running:
        thread.start()
    readers[0].run()
    for thread in running:
        thread.join()
    if held is not None:
        held.close()
    whole = Seen()
    for reader in readers:
        whole.add(reader.seen)
    results.put(whole)


class _Reader:
    """One thread that asks and checks."""

    def __init__(
        self,
        shared: Shared,
        pages: Sequence[Page],
        groups: Sequence[Group],
        held: Index | None,
        chance: random.Random,
    ) -> None:
        self._shared, self._pages, self._groups, self._chance = shared, pages, groups, chance
        self._held = held
        self.seen = Seen()

    def run(self) -> None:
        kinds = {
            "query, a page": (self._page, 45),
            "query, a group": (self._group, 35),
            "query, a stranger": (self._stranger, 5),
            "query, five texts": (self._several, 5),
            "text": (self._text, 5),
            "text of a group": (self._text_of_group, 4),
            "open": (self._open, 1),
            "query, on a new thread": (self._elsewhere, 1),
        }
        weights = [weight for _, weight in kinds.values()]
        self._index = self._held or Index(self._shared.path)
        try:
            while not self._shared.stop.is_set():
                (kind,) = self._chance.choices(list(kinds), weights)
                try:
                    kinds[kind][0](kind)
                except Exception as error:
                    self.seen.error(kind, error)
        finally:
            if self._index is not self._held:
                self._index.close()

    def _timed(self, kind: str, call: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        try:
            return call()
        finally:
            self.seen.seconds.setdefault(kind, []).append(time.perf_counter() - start)

    def _page(self, kind: str) -> None:
        page = self._chance.choice(self._pages)
        (found,) = self._timed(kind, lambda: self._index.query([page.question], threads=1))
        scores = _scores(found)
        self.seen.check(scores == page.answer, lambda: f"{page.id}: {scores}, not {page.answer}")

    def _several(self, kind: str) -> None:
        pages = self._chance.sample(self._pages, BATCH)
        questions = [page.question for page in pages]
        found = self._timed(kind, lambda: self._index.query(questions, threads=1))
        answers = [page.answer for page in pages]
        scores = [_scores(part) for part in found]
        self.seen.check(scores == answers, lambda: f"several: {scores}, not {answers}")

    def _stranger(self, kind: str) -> None:
        text = filler(-self._chance.randrange(1, 10**9))
        (found,) = self._timed(kind, lambda: self._index.query([text], threads=1))
        self.seen.check(not found, lambda: f"a stranger: {_scores(found)}")

    def _group(self, kind: str) -> None:
        group = self._chance.choice(self._groups)
        first = self._shared.done[group.number]
        (found,) = self._timed(kind, lambda: self._index.query([group.question], threads=1))
        last = self._shared.begun[group.number]
        scores = _scores(found)
        self.seen.check(
            scores in group.allowed(first, last),
            lambda: f"group {group.number}, steps {first} to {last}: {scores}",
        )

    def _text(self, kind: str) -> None:
        page = self._chance.choice(self._pages)
        text = self._timed(kind, lambda: self._index.text(page.id))
        self.seen.check(text == page.text, lambda: f"{page.id}: another text")

    def _text_of_group(self, kind: str) -> None:
        group = self._chance.choice(self._groups)
        member = self._chance.randrange(len(group.ids))
        first = self._shared.done[group.number]
        try:
            text = self._timed(kind, lambda: self._index.text(group.ids[member]))
        except UsageError:
            text = None  # not there
        last = self._shared.begun[group.number]
        states = {step % STATES for step in range(first, last + 1)}
        allowed = [None if s == STATES - 1 else group.versions[s][member] for s in states]
        self.seen.check(
            text in allowed, lambda: f"text of {group.ids[member]}, steps {first} to {last}: {text}"
        )

    def _elsewhere(self, kind: str) -> None:
        """Ask on a thread that ends with the answer, as servers do."""
        page = self._chance.choice(self._pages)
        with ThreadPoolExecutor(1) as pool:
            (found,) = self._timed(
                kind,
                lambda: pool.submit(self._index.query, [page.question], threads=1).result(),
            )
        scores = _scores(found)
        self.seen.check(scores == page.answer, lambda: f"{page.id}: {scores}, not {page.answer}")

    def _open(self, kind: str) -> None:
        if self._held is not None:
            return  # others use it
        self._index.close()
        self._index = self._timed(kind, lambda: Index(self._shared.path))


def _scores(found: Sequence[Match]) -> dict[str, Any]:
    """Similarities by id; an id that came twice would not equal any answer."""
    scores = {match.id: match.jaccard for match in found}
    return scores if len(scores) == len(found) else {"twice": found}
