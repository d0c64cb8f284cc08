"""The compiled core where its callers cannot protect it: interpreters, threads, sizes, Ctrl-C."""

from __future__ import annotations

import _thread
import mmap
import subprocess
import sys
import threading

import numpy as np
import pytest

from likewise import _core
from likewise.text.profile import Profile


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
import _xxsubinterpreters as interpreters
try:
    interpreters.run_string(interpreters.create(), "import likewise._core")
except interpreters.RunFailedError as error:
    print(error)
print(likewise.find_pairs(["a b c d", "a b c d"]))
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module has another name there")
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
    rules = Profile().rules
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
