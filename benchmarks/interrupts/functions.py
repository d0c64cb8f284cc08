"""Functions of the core and of Python, interrupted at random moments.

python -m benchmarks.interrupts.functions --megabytes 100 --times 10
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from benchmarks.harness import settings
from benchmarks.interrupts import core_stages, python_stages
from benchmarks.interrupts.answers import Answers, save
from benchmarks.interrupts.sender import Sender

if TYPE_CHECKING:
    from collections.abc import Callable

    Stage = tuple[str, Callable[[], object]]  # its input in words, and the work

MAX_STEPS = 6_000
MAX_TRIES = 3  # for each interruption: the work may end before it


def interrupted(
    name: str, stage: Stage, times: int, chance: random.Random, sender: Sender
) -> Answers:
    """Do the work once, then interrupt it `times` times."""
    words, work = stage
    start = time.monotonic()
    work()
    row = Answers(name, words, time.monotonic() - start)
    for _ in range(MAX_TRIES * times):
        if len(row.answers) == times:
            break
        finished = False
        try:
            sender.send_after(chance.uniform(0, 0.9 * row.seconds))
            work()
            finished = True
            # Until the signal comes; in short steps, since one just before a sleep waits for it.
            for _ in range(MAX_STEPS):
                time.sleep(0.01)
            raise RuntimeError(f"{name}: an interruption was lost")
        except KeyboardInterrupt:
            now, cpu = time.monotonic(), time.process_time()
        sent, sent_cpu = sender.sent()
        if not finished:
            row.answers.append(now - sent)
            row.cpu.append(cpu - sent_cpu)
    return row


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--megabytes", type=float, default=100.0, help="of text, for most")
    parser.add_argument("--times", type=int, default=10, help="interruptions of each")
    parser.add_argument("--only", nargs="*", help="names of functions")
    given = parser.parse_args()
    if given.tiny:
        given.megabytes, given.times = 1.0, 2
    chance, sender = random.Random(given.seed), Sender()
    for section, stages in (("core", core_stages.STAGES), ("python", python_stages.STAGES)):
        rows = []
        for name, make in stages.items():
            if given.only and name not in given.only:
                continue
            rows.append(interrupted(name, make(given.megabytes), given.times, chance, sender))
            settings.say(" | ".join(rows[-1].cells()))
        if not given.only:
            save(given, section, rows)
    sender.end()


if __name__ == "__main__":
    main()
