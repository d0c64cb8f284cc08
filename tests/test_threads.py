"""Threads that an interruption does not wait for."""

from __future__ import annotations

import threading

import pytest

from likewise.threads import thread_pool


def test_work_is_finished_at_the_end_of_the_block() -> None:
    done: list[int] = []
    with thread_pool(2, "test") as pool:
        for number in range(20):
            pool.submit(done.append, number)
    assert sorted(done) == list(range(20))


def test_an_interruption_waits_for_nothing() -> None:
    go_on, begun = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go_on.wait(60)

    futures = []

    def interrupted() -> None:
        with thread_pool(1, "test") as pool:
            futures.extend([pool.submit(work), pool.submit(work)])
            begun.wait(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    running, waiting = futures
    assert waiting.cancelled()
    assert not running.done()
    go_on.set()
    running.result(60)
