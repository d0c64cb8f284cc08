"""The compiled core where its callers cannot protect it: interpreters, threads, sizes, Ctrl-C."""

from __future__ import annotations

import _thread
import mmap
import operator
import subprocess
import sys
import threading
import time
from collections import deque
from functools import partial

import numpy as np
import pytest

from benchmarks.interrupts.core_stages import STAGES
from likewise import Profile, _core


def test_documents_on_both_sides_share_fingerprints_with_either() -> None:
    hashes = np.array([5, 5, 5], np.uint64)
    a, b, shared, set_aside = _core.share_fingerprints(
        hashes,
        np.array([0, 1, 2, 3], np.uint64),
        np.array([3, 3, 3], np.uint8),
        most_documents=10,
        threads=1,
    )
    assert list(zip(a, b, shared, strict=True)) == [(0, 1, 1), (0, 2, 1), (1, 2, 1)]
    assert set_aside == 0


def test_a_text_of_4_gib_is_refused_where_positions_have_32_bits() -> None:
    with mmap.mmap(-1, 2**32) as data:  # never read, so it takes no memory
        texts = _core.Texts.from_buffers(data, np.array([0, 2**32], np.int64), True)
        with pytest.raises(ValueError, match="4 GiB"):
            _core.words_with_places(texts, stem_letters=7)
        del texts


IN_A_SUBINTERPRETER = """
import likewise
try:
    import _interpreters as interpreters
except ImportError:  # before Python 3.13
    import _xxsubinterpreters as interpreters

interpreters.run_string(interpreters.create(), '''
try:
    import likewise._core
except ImportError as error:
    print(error, flush=True)
''')
print(likewise.find_pairs(["a b c d", "a b c d"]))
"""


def test_a_subinterpreter_gets_an_import_error_and_the_main_one_goes_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_A_SUBINTERPRETER], capture_output=True, text=True, timeout=60
    )
    assert "likewise cannot be used in a subinterpreter" in done.stdout
    assert "<Pairs: 1 of 2 documents>" in done.stdout
    assert done.returncode == 0, done.stderr


def test_an_array_that_another_thread_changes_breaks_nothing() -> None:
    chosen = np.zeros(200_000, np.uint32)
    texts = _core.Texts.from_strings(["a b c d"])
    rules = Profile().rules()
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            chosen[:] = 2**32 - 1
            chosen[:] = 0

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for _ in range(20):
            try:
                counts = _core.count_distinct(texts, rules, chosen, threads=2)
            except ValueError:  # seen before the work began
                continue
            assert set(counts) == {2}
    finally:
        done.set()
        changing.join()


@pytest.mark.parametrize("name", STAGES)
def test_every_function_hears_an_interruption(name: str) -> None:
    _, work = STAGES[name](1.0)
    results: deque[object] = deque()
    time.sleep(0.11)  # signals are asked for every tenth of a second
    # All in C, with no bytecode between: the interruption is heard by the work, or by nobody before
    # its result is there.
    with pytest.raises(KeyboardInterrupt):
        results.extend(map(operator.call, [_thread.interrupt_main, work]))
    assert len(results) == 1  # of interrupt_main alone


def test_an_interruption_is_heard_while_another_thread_has_a_long_document() -> None:
    texts = _core.Texts.from_strings(["a b c", "word " * 10_000_000])
    chosen, rules = np.array([1, 0], np.uint32), Profile(unit="char", k=5).rules()
    work = partial(_core.count_distinct, texts, rules, chosen, threads=2)
    results: deque[object] = deque()
    timer = threading.Timer(0.1, _thread.interrupt_main)

    def interrupted() -> None:
        timer.start()  # in here: on a busy machine it may be heard before the work begins
        results.extend(map(operator.call, [work]))
        timer.join()
        time.sleep(1)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not results
