"""Lists of `str` in several scripts, beside ASCII and beside peers; crafted texts; memory.

Texts are made, with as many characters in each script: words of letters as common as in the
language. *French* has typographic apostrophes, so that Python stores two bytes per character;
*French, Latin-1* has none. Peers take tokens: for them, Chinese characters are separated by spaces
beforehand.

    python -m benchmarks.search.scripts
"""

from __future__ import annotations

import random
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import likewise
from benchmarks.harness import machine, memory, settings
from benchmarks.harness.table import markdown, short
from benchmarks.runners import CONTENDERS
from benchmarks.runners.contender import Task
from benchmarks.runners.stopwatch import Stopwatch
from benchmarks.search.kernels import PUNCTUATION, made_text
from benchmarks.texts.vocabulary import Vocabulary
from likewise import Profile, _core
from likewise._core import Texts

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from numpy.typing import NDArray

CHARACTERS = 1_500  # of a document
PEERS = ("rensa-pairs", "datasketch")
# Letters per thousand in French prose.
FRENCH = {
    "e": 145, "s": 79, "a": 75, "i": 74, "t": 73, "n": 71, "r": 66, "u": 62, "l": 55, "o": 53,
    "d": 37, "c": 33, "p": 30, "m": 28, "é": 19, "v": 16, "q": 13, "f": 11, "b": 9, "g": 9, "h": 7,
    "j": 6, "à": 5, "x": 4.2, "è": 3.5, "y": 2.5, "ê": 2.4, "z": 2, "ç": 1, "ô": 0.8, "ù": 0.6,
    "î": 0.5, "û": 0.5, "k": 0.5, "w": 0.3,
}  # fmt: skip


def french(size: int, chance: random.Random, marks: tuple[str, ...]) -> str:
    """About `size` characters of sentences; `marks` between some words, spaces between others."""
    lengths = [2, 3, 4, 5, 6, 7, 8, 9, 11]
    vocabulary = [
        "".join(chance.choices(list(FRENCH), list(FRENCH.values()), k=chance.choice(lengths)))
        for _ in range(20_000)
    ]
    rank = [1 / (n + 1) for n in range(len(vocabulary))]
    pieces = []
    for number, word in enumerate(chance.choices(vocabulary, rank, k=size // 6)):
        pieces.append(word.capitalize() if number % 12 == 0 else word)
        pieces.append(chance.choice(marks) if number % 6 == 5 else " ")
    return "".join(pieces)


def made_lists(documents: int, chance: random.Random) -> dict[str, list[str]]:
    """As many documents of as many characters in each script."""
    size = documents * CHARACTERS
    curly = (*PUNCTUATION, "’", "’", " « ", " » ", " – ")
    long = {
        "ASCII": made_text("ASCII", 2 * size, chance),
        "French, Latin-1": french(2 * size, chance, PUNCTUATION),
        "French": french(2 * size, chance, curly),
        "Russian": made_text("Russian", 3 * size, chance),
        "Chinese": made_text("Chinese", 4 * size, chance),
    }
    made = {
        name: [text[i : i + CHARACTERS] for i in range(0, size, CHARACTERS)]
        for name, text in long.items()
    }
    quarter = CHARACTERS // 4
    made["mixed"] = [
        "\n".join(text[:quarter] for text in texts)
        for texts in zip(
            made["ASCII"], made["French"], made["Russian"], made["Chinese"], strict=True
        )
    ]
    return made


def best_seconds(work: dict[Any, Callable[[], object]], turns: int) -> dict[Any, float]:
    """CPU seconds; interleaved, since machines are noisy."""
    best = dict.fromkeys(work, float("inf"))
    for _ in range(turns):
        for name, call in work.items():
            start = time.process_time()
            call()
            best[name] = min(best[name], time.process_time() - start)
    return best


def measure_scripts(lists: dict[str, list[str]], given: argparse.Namespace) -> list[dict[str, Any]]:
    """Nanoseconds per character of ours and of the peers."""
    work: dict[Any, Callable[[], object]] = {}
    for name, texts in lists.items():
        work[name, "sketch"] = partial(likewise.sketch, texts, threads=1)
        work[name, "find_pairs"] = partial(likewise.find_pairs, texts, threads=1)
    seconds = best_seconds(work, given.turns)
    rows = []
    for name, texts in lists.items():
        characters = sum(map(len, texts))
        row: dict[str, Any] = {"texts": name, "characters": characters}
        for call in ("sketch", "find_pairs"):
            row[call] = seconds[name, call] / characters * 1e9
        for peer in PEERS:
            row[peer] = None
            if CONTENDERS[peer].installed():
                row[peer] = peer_seconds(peer, texts, given.threshold) / characters * 1e9
        settings.say(str(row))
        rows.append(row)
    return rows


def peer_seconds(peer: str, texts: list[str], threshold: float) -> float:
    """CPU seconds from texts to pairs, once."""
    tokens = [_spaced(text) for text in texts]
    run, watch = CONTENDERS[peer].load(), Stopwatch()
    start = time.process_time()
    run(tokens, Task(threshold, threads=1), watch)
    return time.process_time() - start


def _spaced(text: str) -> str:
    return "".join(f" {c}" if "\u4e00" <= c <= "\u9fff" else c for c in text)


def crafted_words(count: int, bits: int) -> tuple[str, str]:
    """Two texts of so many different words: those of the first have hashes whose low bits are 0.

    With tables that take the low bits as they are, all of them would begin at few slots.
    """
    rules = Profile(k=1).rules()
    found: list[str] = []
    ordinary: list[str] = []
    start = 0
    while len(found) < count:
        words = _words(start, 1 << 20)
        start += len(words)
        hashes, _ = _core.shingle_hashes(Texts.from_strings([" ".join(words)]), rules)
        found += [words[i] for i in np.flatnonzero(hashes & np.uint64((1 << bits) - 1) == 0)]
        ordinary += words[: max(0, count - len(ordinary))]
    return " ".join(found[:count]), " ".join(ordinary)


def _words(start: int, count: int) -> list[str]:
    """Different words of eight letters, by their numbers."""
    numbers = np.arange(start, start + count)[:, None] // 26 ** np.arange(7, -1, -1) % 26
    letters: NDArray[np.uint8] = (numbers + ord("a")).astype(np.uint8)
    text = letters.tobytes().decode()
    return [text[i : i + 8] for i in range(0, len(text), 8)]


def measure_crafted(given: argparse.Namespace) -> dict[str, Any]:
    """Seconds to count and to join a crafted text and an ordinary one of the same size."""
    crafted, ordinary = crafted_words(given.crafted, given.bits)
    rules = Profile(k=1).rules()
    work: dict[Any, Callable[[], object]] = {}
    one, both = np.zeros(1, np.uint32), np.arange(2, dtype=np.uint32)
    for name, text in (("crafted", crafted), ("ordinary", ordinary)):
        texts = Texts.from_strings([text, text])
        work[name, "count_distinct"] = partial(_core.count_distinct, texts, rules, one, threads=1)
        work[name, "exact_join"] = partial(
            _core.exact_join, texts, rules, both, None, measure="jaccard", threshold=0.5, threads=1
        )
    seconds = best_seconds(work, given.turns)
    return {
        "words": given.crafted, "bits": given.bits, "bytes": len(crafted),
        **{f"{name} {call}": value for (name, call), value in seconds.items()},
    }  # fmt: skip


def measure_memory(given: argparse.Namespace) -> dict[str, Any]:
    """Most bytes that verifying two long documents takes for each byte of text, on one thread."""
    size = int(given.memory_mb * 1e6)
    vocabulary = Vocabulary(50_000, 1)
    text = vocabulary.text(vocabulary.draw(np.random.default_rng(1), size // 5))[:size]
    texts = Texts.from_strings([text, text[100:] + text[:100]])
    found: dict[str, Any] = {"bytes": texts.nbytes // 2}
    for name in ("word:3", "char:5"):
        rules = Profile.parse(name).rules()
        memory.reset_peak()
        before = memory.resident()
        offsets, others = np.array([0, 1, 1], np.uint64), np.array([1], np.uint32)
        _core.verify(
            texts, rules, offsets, others, begin=0, end=2, measure="jaccard", threshold=0.5,
            threads=1,
        )  # fmt: skip
        found[name] = (memory.peak() - before) * 1e6 / size
    return found


def report(facts: dict[str, Any], given: argparse.Namespace) -> str:
    base = facts["rows"][0]
    head = ["texts", "sketch", "of ASCII", "find_pairs", "of ASCII"]
    head += [CONTENDERS[peer].title for peer in PEERS]
    table = [
        [
            row["texts"],
            short(row["sketch"]), f"{row['sketch'] / base['sketch']:.2f}",
            short(row["find_pairs"]), f"{row['find_pairs'] / base['find_pairs']:.2f}",
            *(short(row[peer]) for peer in PEERS),
        ]
        for row in facts["rows"]
    ]  # fmt: skip
    crafted, held = facts["crafted"], facts["memory"]
    calls = ("count_distinct", "exact_join")
    flood = [
        [
            call, short(1e3 * crafted[f"ordinary {call}"]), short(1e3 * crafted[f"crafted {call}"]),
            f"{crafted[f'crafted {call}'] / crafted[f'ordinary {call}']:.2f}",
        ]
        for call in calls
    ]  # fmt: skip
    return "\n\n".join(
        (
            "# Other scripts than ASCII",
            f"CPU nanoseconds per character, one thread: {given.documents:,} documents of"
            f" {CHARACTERS:,} characters as a list of `str`. Ours: best of {given.turns}"
            " interleaved turns; peers, from the list to pairs: once. *French* has typographic"
            " apostrophes and quotation marks, *French, Latin-1* has not; *mixed* has a quarter of"
            " each script in every document.",
            markdown(head, table),
            "## Crafted texts",
            f"A text of {crafted['words']:,} different words whose hashes all end in"
            f" {crafted['bits']} zero bits, beside as many ordinary words; milliseconds.",
            markdown(["", "ordinary", "crafted", "ratio"], flood),
            "## Memory of verification",
            f"Two documents of {held['bytes'] / 1e6:,.0f} MB, one thread: bytes per byte of one"
            f" text: {held['word:3']:.1f} (`word:3`), {held['char:5']:.1f} (`char:5`).",
            machine.summary(facts["machine"]),
        )
    )


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--crafted", type=int, default=40_000, help="words of a crafted text")
    parser.add_argument("--bits", type=int, default=9, help="of their hashes that are 0")
    parser.add_argument("--memory-mb", type=float, default=20.0, help="of a text")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.turns, given.crafted, given.bits = 50, 2, 1_000, 4
        given.memory_mb = 1.0
    facts: dict[str, Any] = {"machine": machine.facts()}
    facts["rows"] = measure_scripts(made_lists(given.documents, random.Random(given.seed)), given)
    facts["crafted"] = measure_crafted(given)
    facts["memory"] = measure_memory(given)
    settings.save(settings.results(given), "scripts", facts, report(facts, given))


if __name__ == "__main__":
    main()
