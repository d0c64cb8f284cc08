"""Worker processes: what hangs, crashes or eats memory costs itself alone."""

import io
import os
import signal
import subprocess
import sys
import time
import zipfile

import pytest

from likewise.documents.document import Document
from likewise.documents.extraction.pool import CRASHED, Pool
from likewise.documents.unreadable import UnreadableError

AWKWARD = "tests.documents.awkward:extract"


@pytest.fixture
def open_pool():
    pools = []

    def open_pool(**options):
        pools.append(Pool(extract=AWKWARD, **options))
        return pools[-1]

    yield open_pool
    for pool in pools:
        pool.close()


def outcomes(pool, documents):
    """What becomes of each document, in order; a text without the number of its process."""
    tasks = [pool.submit("pdf", document.encode()) for document in documents]
    told = []
    for task in tasks:
        outcome = pool.wait(task)
        if isinstance(outcome, UnreadableError):
            told.append(outcome.reason)
        else:
            told.append(outcome.text.partition(" ")[2])
    return told


def is_alive(process_id):
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(process_ids, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end and any(map(is_alive, process_ids)):
        time.sleep(0.02)
    return [one for one in process_ids if is_alive(one)]


def test_no_worker_is_started_before_there_is_work(open_pool):
    pool = open_pool(workers=3)
    assert pool.process_ids == []
    task = pool.submit("pdf", b"ok a")
    assert len(pool.process_ids) == 1
    assert isinstance(pool.wait(task), Document)


def test_texts_come_in_the_order_they_are_asked_for_from_several_workers(open_pool):
    pool = open_pool(workers=2)
    documents = ["sleep 0.3", *(f"ok {i}" for i in range(20))]
    assert outcomes(pool, documents) == ["pdf 0.3", *(f"pdf {i}" for i in range(20))]
    assert len(pool.process_ids) == 2


def test_a_crash_costs_one_document_and_the_worker_is_replaced(open_pool):
    pool = open_pool(workers=1)
    (before,) = [pool.wait(pool.submit("pdf", b"ok a")).text.split()[0]]
    told = outcomes(pool, ["ok 1", "crash", "ok 2", "crash", "crash", "ok 3"])
    assert told == ["pdf 1", CRASHED, "pdf 2", CRASHED, CRASHED, "pdf 3"]
    assert pool.process_ids != [int(before)]


def test_what_takes_too_long_is_ended_and_the_rest_goes_on(open_pool):
    pool = open_pool(workers=1, seconds=0.7)
    assert outcomes(pool, ["ok 1", "hang", "ok 2"]) == [
        "pdf 1",
        "took longer than 0.7 s to read",
        "pdf 2",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_what_takes_too_much_memory_is_refused_and_the_rest_goes_on(open_pool):
    pool = open_pool(workers=1, memory=1 << 30)
    told = outcomes(pool, ["ok 1", "hog", "ok 2"])
    assert told == ["pdf 1", "needs more than 1 GiB of memory to read", "pdf 2"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_parsers_that_run_out_of_memory_say_so():
    paragraph = b"<h1>a title</h1><p>And so the river ran until the sea was all it knew.</p>"
    html = b"<html><body>" + paragraph * 800_000 + b"</body></html>"
    tei = b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text n="' + b"x" * 120_000_000 + b'"/></TEI>'
    docx = io.BytesIO()
    with zipfile.ZipFile(docx, "w") as package:
        body = b"<w:p><w:r><w:t>And so the river ran</w:t></w:r></w:p>" * 1_000_000
        package.writestr(
            "word/document.xml",
            b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
            b"<w:body>" + body + b"</w:body></w:document>",
        )
    pool = Pool(workers=1, memory=500 << 20)
    try:
        for kind, data in (("html", html), ("xml", tei), ("docx", docx.getvalue())):
            outcome = pool.wait(pool.submit(kind, data))
            assert isinstance(outcome, UnreadableError)
            assert outcome.reason == "needs more than 500 MiB of memory to read", kind
    finally:
        pool.close()


def test_reasons_that_lie_in_the_document_last_and_others_do_not(open_pool):
    pool = open_pool(workers=1, seconds=0.7)
    lasting = {
        document: pool.wait(pool.submit("pdf", document.encode())).lasting
        for document in ("refuse encrypted", "crash", "hang", "fail")
    }
    assert lasting == {"refuse encrypted": True, "crash": False, "hang": False, "fail": False}


def test_a_worker_killed_while_it_is_idle_costs_nothing(open_pool):
    pool = open_pool(workers=1)
    assert outcomes(pool, ["ok 1"]) == ["pdf 1"]
    (idle,) = pool.process_ids
    os.kill(idle, signal.SIGKILL)
    time.sleep(0.1)
    assert outcomes(pool, ["ok 2", "ok 3"]) == ["pdf 2", "pdf 3"]


def test_workers_that_cannot_start_are_reported_and_not_tried_for_ever():
    pool = Pool(extract="tests.documents.nowhere:extract", workers=1)
    reason = pool.wait(pool.submit("pdf", b"ok")).reason
    pool.close()
    assert reason == "the reader could not be started"


def test_a_large_document_passes_through_the_pipe_both_ways(open_pool):
    pool = open_pool(workers=1)
    text = "é" * 3_000_000
    assert outcomes(pool, [f"ok {text}"]) == [f"pdf {text}"]


def test_closing_ends_workers_whatever_they_do(open_pool):
    pool = open_pool(workers=2)
    pool.wait(pool.submit("pdf", b"ok"))
    for _ in range(2):
        pool.submit("pdf", b"hang")
    started = pool.process_ids
    pool.close()
    assert len(started) == 2
    assert [one for one in started if is_alive(one)] == []


SCRIPT = """
import sys, time
from likewise.documents.extraction.pool import Pool
pool = Pool(extract="tests.documents.awkward:extract", workers=2, seconds=3)
pool.wait(pool.submit("pdf", b"ok"))
tasks = []
while len(pool.process_ids) < 2 or any(w.task is None for w in pool._workers):
    # Where the machine is busy, one may have been ended before the other has begun.
    tasks = [task for task in tasks if task.outcome is None]
    tasks += [pool.submit("pdf", b"hang") for _ in range(2 - len(tasks))]
    pool._step(0.05)
print(*pool.process_ids, flush=True)
{end}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "signal_"),
    [
        ("raise RuntimeError", None),
        ("time.sleep(60)", signal.SIGINT),
        # The workers are busy and nobody is left to end them: their own clock does.
        ("time.sleep(60)", signal.SIGKILL),
    ],
)
def test_no_process_is_left_behind(tmp_path, end, signal_):
    path = tmp_path / "script.py"  # without a guard for __main__, and not run by workers again
    path.write_text(SCRIPT.format(end=end))
    with subprocess.Popen(
        [sys.executable, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    ) as program:
        workers = [int(one) for one in program.stdout.readline().split()]
        if signal_ == signal.SIGINT:
            os.killpg(program.pid, signal_)  # as a terminal does: to the workers too
        elif signal_ is not None:
            program.send_signal(signal_)
        program.wait(timeout=30)
    assert len(workers) == 2
    assert wait_until_gone(workers) == []
