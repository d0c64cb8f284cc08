"""`Asker`: threads that ask the index; questions that wait together are asked together.

A question to a file takes less than a millisecond, and most of that time Python's lock is held. So
more threads would only take the lock from each other, and one that takes all that waits has done
sooner. A database is mostly waited for, and there several threads help.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from itertools import islice

from likewise.server.answer import as_json, as_match
from likewise.server.errors import may_concern_one
from likewise.server.library import Library, Search
from likewise.server.line import Line
from likewise.server.promise import Promise
from likewise.server.threads import all_ended

MOST_CHARACTERS = 200_000  # of texts that are asked about together


class _Question(Promise[Sequence[str], list[bytes]]):
    """Texts that are asked about."""

    def __init__(self, texts: Sequence[str], search: Search) -> None:
        super().__init__(texts)
        self.search = search


_Taken = list[tuple[_Question, Sequence[str]]]


class Asker:
    """Asks for what is similar.

    Args:
        library: what is asked.
        threads: how many.
        together: how many texts a thread asks about at a time.
        most: how many questions may wait.
    """

    def __init__(self, library: Library, *, threads: int, together: int, most: int) -> None:
        self._library = library
        self._together = together
        self._line: Line[_Question] = Line(most)
        self._threads = [
            threading.Thread(target=self._serve, name="likewise-asker", daemon=True)
            for _ in range(threads)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    async def ask(self, texts: Sequence[str], search: Search, seconds: float) -> list[bytes]:
        """For each text the documents that are similar to it, as JSON."""
        question = _Question(texts, search)
        self._line.put(question)
        return await question.wait(seconds)

    def stop(self, seconds: float) -> bool:
        """Lets questions be answered; whether they have been, in that time."""
        self._line.close()
        return all_ended(self._threads, seconds)

    def _serve(self) -> None:
        while (taken := self._line.take(self._take)) is not None:
            if taken:
                self._answer(taken)
            del taken  # texts are not held while there is nothing to do

    def _answer(self, taken: _Taken) -> None:
        try:
            asked = [text for _, texts in taken for text in texts]
            found = answers(self._library, asked, taken[0][0].search)
        except BaseException as error:
            if len(taken) > 1 and may_concern_one(error):
                for one in taken:
                    self._answer([one])
            else:
                for question, _ in taken:
                    question.fail(error)
            return
        each = iter(found)
        for question, texts in taken:
            question.keep(list(islice(each, len(texts))))

    def _take(self, waiting: deque[_Question]) -> _Taken:
        """Those in front that ask for the same, as many as are quickly answered."""
        taken: _Taken = []
        count = characters = 0
        while waiting:
            question = waiting[0]
            texts = question.asked or ()  # none, if nobody waits for it any more
            count += len(texts)
            characters += sum(map(len, texts))
            fits = count <= self._together and characters <= MOST_CHARACTERS
            if taken and not (fits and question.search == taken[0][0].search):
                break
            waiting.popleft()
            if texts:
                taken.append((question, texts))
        return taken


def answers(library: Library, texts: Sequence[str], search: Search) -> list[bytes]:
    """For each text an answer as JSON."""
    found = library.query(texts, search)
    return [as_json({"matches": list(map(as_match, matches))}) for matches in found]
