"""`Surveys`: the survey of a collection, made in the background and kept until it is out of date.

The first request starts a thread; requests in the meantime get its progress, or the survey of
before. A process makes one survey at a time, since it takes much memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from likewise.documents.document import Document
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.run import Progress, counted
from likewise.server.archives import HIDDEN_FROM_READERS, Archives
from likewise.server.errors import ApiError, internal_error, unavailable
from likewise.server.index_client import IndexClient
from likewise.server.json_response import as_json
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.survey.survey import Survey

MAX_DOCUMENTS = 10_000
MAX_CHARACTERS = 50_000_000
"""Of all texts together; ten times as many bytes are in memory while the survey is made."""
MAX_PAIRS = 20_000
"""So many are listed that what remains is there when an assignment that all share is excluded."""
THREADS = max(1, thread_count(None) // 2)  # the others are for requests
NO_ARCHIVE = "The collection stores no texts, so it is not compared with its archive."
WAITING = "waiting for another collection"
_WAIT_SECONDS = 0.2  # between two checks whether the server stops
_FAILED_SECONDS = 10.0  # before the next try


class _StopError(Exception):
    """The server stops."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A survey as JSON, the state that it shows, and the names of the archives in it.

    Of a report, `data` is the page, and `key` its key.
    """

    state: tuple[object, ...]
    archives: set[str]
    data: bytes
    key: bytes = b""


@dataclass(frozen=True, slots=True)
class _Failure:
    state: tuple[object, ...]
    error: ApiError
    time: float


class Surveys:
    """The survey of one index; `survey_lock` is that of all surveys of the process.

    Where nothing of the archive is hidden from readers, they get the survey of reviewers,
    `instead` of another one.
    """

    what = "overview"

    def __init__(
        self,
        client: IndexClient,
        archives: Archives,
        title: str,
        survey_lock: threading.Lock,
        instead: Surveys | None = None,
    ) -> None:
        self._instead = instead
        self._title = title
        self._survey_lock = survey_lock
        self._client = client
        self._archives = archives
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = False
        self._survey: _Made | None = None
        self._failure: _Failure | None = None
        self._progress: tuple[str, int, int | None] = ("read", 0, None)

    @property
    def is_running(self) -> bool:
        thread = self._thread
        return thread is not None and thread.is_alive()

    def stop(self, seconds: float) -> bool:
        """Cancel the thread; whether it has ended in that time."""
        self._stopped = True
        if self._thread is not None:
            self._thread.join(seconds)
        return not self.is_running

    def get(self) -> bytes:
        """The survey or the progress of making it, as JSON; starts to make it if necessary."""
        if not self._client.count():
            return as_json({"state": "empty", "unread": self._client.unread()})
        latest, is_new, progress = self._latest()
        if latest is None:
            return progress
        about = as_json({"changed": not is_new, "unread": self._client.unread()})
        return b'{"state":"ready",' + about[1:-1] + b',"survey":' + latest.data + b"}"

    def _latest(self, *options: object) -> tuple[_Made | None, bool, bytes]:
        """What was made last, whether it is of the present state, and the progress as JSON."""
        if self._instead is None:
            return self._own_latest(None, options)
        # What was made before may show an archive that readers no longer see, or never saw.
        visible = self._archives.names()
        hidden = self._archives.has_hidden()
        return (self if hidden else self._instead)._own_latest(visible, options)

    def _own_latest(
        self, visible: Sequence[str] | None, options: Sequence[object]
    ) -> tuple[_Made | None, bool, bytes]:
        """As `_latest`; with `visible`, nothing with another archive than these."""
        state = *self._client.state(), *self._archives.state(), *options
        with self._lock:
            latest = self._survey
            is_new = latest is not None and latest.state == state
            if not is_new:
                self._start(state)
            if latest is not None and visible is not None and latest.archives - set(visible):
                latest, is_new = None, False
            stage, done, total = self._progress
        running = {"state": "running", "stage": stage, "done": done, "total": total}
        return latest, is_new, as_json(running)

    def _start(self, state: tuple[object, ...]) -> None:
        """Start the thread unless it runs; raises the error of a recent try with the same state."""
        if self.is_running or self._stopped:
            return
        failure = self._failure
        if failure is not None and failure.state == state:
            if time.monotonic() - failure.time < _FAILED_SECONDS:
                raise failure.error
            self._failure = None
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
                archives = set(self._archives.names())
                data, key = self._compute(state)
                archives.update(self._archives.names())  # one may have been chosen meanwhile
                self._survey, self._failure = _Made(state, archives, data, key), None
            finally:
                self._survey_lock.release()
        except _StopError:
            return
        except ApiError as error:
            self._failure = _Failure(state, error, time.monotonic())
        except Exception as error:
            internal_error(error)
            failed = unavailable(f"the {self.what} could not be computed")
            self._failure = _Failure(state, failed, time.monotonic())

    def _compute(self, state: tuple[object, ...]) -> tuple[bytes, bytes]:
        made = make_survey(self._client, self._archives, self._title, self._report_progress)
        return as_json(made if isinstance(made, dict) else made.to_dict()), b""

    def _report_progress(self, stage: str, done: int, total: int | None) -> None:
        if self._stopped:
            raise _StopError
        self._progress = (stage, done, total)


def make_survey(
    client: IndexClient, archives: Archives, title: str, progress: Progress
) -> Survey | dict[str, Any]:
    """The survey of the newest documents, and of what the archive shares with them.

    As plain values where no texts are stored.
    """
    from likewise.server.sketched_survey import sketched_survey
    from likewise.survey.settings import RunFacts, SurveySettings
    from likewise.survey.survey import Survey

    began = time.perf_counter()
    settings, total = client.settings, client.count()
    wanted = min(total, MAX_DOCUMENTS)
    documents: dict[str, Document] = {}
    characters = 0
    for document in client.newest(MAX_DOCUMENTS):
        if len(documents) % 100 == 0:
            progress("read", len(documents), wanted)
        characters += len(document.text or "")
        if documents and characters > MAX_CHARACTERS:
            break
        # A document that is replaced in the meantime comes twice, the newest first.
        documents.setdefault(document.id, document.to_document())
    read = time.perf_counter() - began
    older = (
        f"The collection has {counted(total, 'document')}; this overview covers the "
        f"{len(documents):,} that were added last."
    )
    no_passages = "The collection was created without passages; this overview searched for them."
    run = RunFacts(
        title=title,
        made=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        documents=total,
        left_out=[
            *([older] if len(documents) < total else []),
            *([HIDDEN_FROM_READERS] if archives.has_hidden() else []),
        ],
        notes=[no_passages] if settings.min_words is None and settings.keep_text else [],
        seconds={"read": read},
    )
    if not settings.keep_text:
        if archives.names():
            run = replace(run, notes=[*run.notes, NO_ARCHIVE])
        return sketched_survey(client, list(documents.values()), run, progress)
    survey_settings = SurveySettings(
        profile=settings.profile,
        threads=THREADS,
        min_words=settings.min_words or DEFAULT_MIN_WORDS,
        max_pairs=MAX_PAIRS,
    )
    archive = archives.search(list(documents.values()), survey_settings, progress)
    if archive is not None:
        run = replace(run, notes=[*run.notes, *archive.notes])
    return Survey(documents.values(), survey_settings, run, progress, archive)
