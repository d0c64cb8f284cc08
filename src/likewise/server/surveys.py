"""`Surveys`: the overview of a collection, made in the background and kept until it is out of date.

It is made on a thread of its own when it is asked for, one at a time in the whole process, since it
takes much memory; whoever asks meanwhile is told how far it is, or gets the one of before. With
several processes each makes its own.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likewise.search.fingerprints import DEFAULT_MIN_WORDS
from likewise.search.stats import counted
from likewise.server.answer import as_json
from likewise.server.errors import ApiError, unavailable, unforeseen
from likewise.server.library import Library
from likewise.server.threads import all_ended
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.search.verification import Progress

MOST_DOCUMENTS = 10_000
MOST_CHARACTERS = 50_000_000
"""Of the texts together: ten times as many bytes are in memory while the survey is made."""
THREADS = max(1, thread_count(None) // 2)  # questions of others go on meanwhile
WAITING = "waiting for another collection"
_WAIT_SECONDS = 0.2  # after which it is seen whether the server is to end
_FAILED_SECONDS = 10.0  # after which it is tried again


class _StopError(Exception):
    """The server is to end."""


@dataclass(frozen=True, slots=True)
class _Made:
    state: tuple[object, ...]
    survey: bytes


@dataclass(frozen=True, slots=True)
class _Failed:
    state: tuple[object, ...]
    error: ApiError
    when: float


class Surveys:
    """That of one index.

    Args:
        library: the index.
        title: of the survey.
        turn: held while one is made, by whichever collection.
    """

    def __init__(self, library: Library, title: str, turn: threading.Lock) -> None:
        self._title = title
        self._turn = turn
        self._library = library
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = False
        self._made: _Made | None = None
        self._failed: _Failed | None = None
        self._progress: tuple[str, int, int | None] = ("read", 0, None)

    @property
    def is_running(self) -> bool:
        thread = self._thread
        return thread is not None and thread.is_alive()

    def start(self) -> None:
        """Nothing is made before it is asked for."""

    def stop(self, seconds: float) -> bool:
        """Gives up what is being made; whether that has ended, in that time."""
        self._stopped = True
        thread = self._thread
        return thread is None or all_ended([thread], seconds)

    def ask(self) -> bytes:
        """The survey as it is now, as JSON; begins to make one where there is none of today."""
        state = self._library.state()
        if not self._library.count():
            return as_json({"state": "empty"})
        with self._lock:
            made = self._made
            if made is None or made.state != state:
                self._begin(state)
            if made is not None:
                changed = b"true" if made.state != state else b"false"
                return b'{"state":"ready","changed":' + changed + b',"survey":' + made.survey + b"}"
            stage, done, total = self._progress
        return as_json({"state": "running", "stage": stage, "done": done, "total": total})

    def _begin(self, state: tuple[object, ...]) -> None:
        """Starts the thread, unless it runs; raises what went wrong just now with the same."""
        if self.is_running or self._stopped:
            return
        failed = self._failed
        if failed is not None and failed.state == state:
            if time.monotonic() - failed.when < _FAILED_SECONDS:
                raise failed.error
            self._failed = None
        self._progress = ("read", 0, None)
        self._thread = threading.Thread(
            target=self._make, args=(state,), name="likewise-survey", daemon=True
        )
        self._thread.start()

    def _make(self, state: tuple[object, ...]) -> None:
        try:
            while not self._turn.acquire(timeout=_WAIT_SECONDS):
                self._tell(WAITING, 0, None)
            try:
                made = _Made(state, as_json(make_survey(self._library, self._title, self._tell)))
            finally:
                self._turn.release()
        except _StopError:
            return
        except ApiError as error:
            self._failed = _Failed(state, error, time.monotonic())
        except Exception as error:
            unforeseen(error)
            told = unavailable("the overview could not be made")
            self._failed = _Failed(state, told, time.monotonic())
        else:
            self._made = made
            self._failed = None

    def _tell(self, stage: str, done: int, total: int | None) -> None:
        if self._stopped:
            raise _StopError
        self._progress = (stage, done, total)


def make_survey(library: Library, title: str, progress: Progress) -> dict[str, Any]:
    """The survey of the newest documents."""
    from likewise.server.sketched_survey import sketched_survey
    from likewise.views.document import ViewedDocument
    from likewise.views.settings import RunFacts, SurveySettings
    from likewise.views.survey import survey

    began = time.perf_counter()
    settings, total = library.settings, library.count()
    wanted = min(total, MOST_DOCUMENTS)
    documents: dict[str, ViewedDocument] = {}
    characters = 0
    for document in library.newest(MOST_DOCUMENTS):
        if len(documents) % 100 == 0:
            progress("read", len(documents), wanted)
        characters += len(document.text or "")
        if documents and characters > MOST_CHARACTERS:
            break
        # One that was replaced meanwhile comes twice, the newest first.
        documents.setdefault(document.id, ViewedDocument.of_index(document))
    read = time.perf_counter() - began
    left_out, notes = [], []
    if len(documents) < total:
        left_out.append(
            f"The collection has {counted(total, 'document')}; the {len(documents):,} that were "
            "added last are looked at here."
        )
    if settings.min_words is None and settings.keep_text:
        notes.append(
            "The collection was made without passages; here they were looked for nevertheless."
        )
    run = RunFacts(
        title=title,
        made=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        documents=total,
        left_out=left_out,
        notes=notes,
        seconds={"read": read},
    )
    if not settings.keep_text:
        return sketched_survey(library, list(documents.values()), run, progress)
    return survey(
        documents.values(),
        SurveySettings(
            profile=settings.profile,
            threads=THREADS,
            min_words=settings.min_words or DEFAULT_MIN_WORDS,
        ),
        run=run,
        progress=progress,
    )
