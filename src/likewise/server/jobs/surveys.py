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

from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.run import counted
from likewise.server.answer import as_json
from likewise.server.errors import ApiError, internal_error, unavailable
from likewise.server.index_client import IndexClient
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.run import Progress

MAX_DOCUMENTS = 10_000
MAX_CHARACTERS = 50_000_000
"""Of the texts together: ten times as many bytes are in memory while the survey is made."""
THREADS = max(1, thread_count(None) // 2)  # questions of others go on meanwhile
WAITING = "waiting for another collection"
_WAIT_SECONDS = 0.2  # after which it is seen whether the server is to end
_FAILED_SECONDS = 10.0  # after which it is tried again


class _StopError(Exception):
    """The server is to end."""


@dataclass(frozen=True, slots=True)
class _Survey:
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
        client: the index.
        title: of the survey.
        lock: held while a survey of any collection is made.
    """

    def __init__(self, client: IndexClient, title: str, lock: threading.Lock) -> None:
        self._title = title
        self._survey_lock = lock
        self._client = client
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = False
        self._survey: _Survey | None = None
        self._failed: _Failed | None = None
        self._progress: tuple[str, int, int | None] = ("read", 0, None)

    @property
    def is_running(self) -> bool:
        thread = self._thread
        return thread is not None and thread.is_alive()

    def stop(self, seconds: float) -> bool:
        """Gives up what is being made; whether that has ended, in that time."""
        self._stopped = True
        if self._thread is not None:
            self._thread.join(seconds)
        return not self.is_running

    def get(self) -> bytes:
        """The survey as it is now, as JSON; begins to make one where there is none of today."""
        state = self._client.state()
        if not self._client.count():
            return as_json({"state": "empty"})
        with self._lock:
            made = self._survey
            if made is None or made.state != state:
                self._start(state)
            if made is not None:
                changed = b"true" if made.state != state else b"false"
                return b'{"state":"ready","changed":' + changed + b',"survey":' + made.survey + b"}"
            stage, done, total = self._progress
        return as_json({"state": "running", "stage": stage, "done": done, "total": total})

    def _start(self, state: tuple[object, ...]) -> None:
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
            while not self._survey_lock.acquire(timeout=_WAIT_SECONDS):
                self._report_progress(WAITING, 0, None)
            try:
                made = _Survey(
                    state, as_json(make_survey(self._client, self._title, self._report_progress))
                )
            finally:
                self._survey_lock.release()
        except _StopError:
            return
        except ApiError as error:
            self._failed = _Failed(state, error, time.monotonic())
        except Exception as error:
            internal_error(error)
            failure = unavailable("the overview could not be made")
            self._failed = _Failed(state, failure, time.monotonic())
        else:
            self._survey = made
            self._failed = None

    def _report_progress(self, stage: str, done: int, total: int | None) -> None:
        if self._stopped:
            raise _StopError
        self._progress = (stage, done, total)


def make_survey(client: IndexClient, title: str, progress: Progress) -> dict[str, Any]:
    """The survey of the newest documents."""
    from likewise.server.sketched_survey import sketched_survey
    from likewise.survey.settings import RunFacts, SurveySettings
    from likewise.survey.survey import Survey
    from likewise.survey.viewed_document import ViewedDocument

    began = time.perf_counter()
    settings, total = client.settings, client.count()
    wanted = min(total, MAX_DOCUMENTS)
    documents: dict[str, ViewedDocument] = {}
    characters = 0
    for document in client.newest(MAX_DOCUMENTS):
        if len(documents) % 100 == 0:
            progress("read", len(documents), wanted)
        characters += len(document.text or "")
        if documents and characters > MAX_CHARACTERS:
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
        return sketched_survey(client, list(documents.values()), run, progress)
    survey_settings = SurveySettings(
        profile=settings.profile,
        threads=THREADS,
        min_words=settings.min_words or DEFAULT_MIN_WORDS,
    )
    return Survey(documents.values(), survey_settings, run, progress).to_dict()
