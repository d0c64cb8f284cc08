"""Every command, ended by SIGINT or SIGTERM at random moments: how soon, and what it leaves.

A run counts if the signal came before its end. Looked for afterwards: new files (temporary ones,
incomplete outputs; not the folder that `dedup` resumes from), processes of its session, tracebacks,
and other exit statuses than those of the signal. Spark is left out: it is another program's
process, and takes seconds to end.

python -m benchmarks.commands.signals --documents 60000 --signals 20
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.commands.inputs import make_inputs
from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown

PATIENCE_SECONDS = 60.0
AIM_SECONDS = 0.5
START_SECONDS = 3.0
STATUSES = {signal.SIGINT: {130}, signal.SIGTERM: {143}}
SERVER_STATUSES = {0, 130, 143}

# Each with its options. `out` and `new.db` are what a command writes; `own.db` is a fresh copy of
# an index that it may change. The inputs are made by `make_inputs`.
COMMANDS = (
    "report texts -o out.html",
    "passages texts --format jsonl -o out",
    "passages pages.parquet --format parquet -o out",
    "pairs pages.parquet --format parquet -o out",
    "pairs pages.parquet --exact --measure containment --format csv -o out",
    "pairs html --no-cache --format csv -o out",
    "compare a.txt b.txt -o out",
    "compare a.txt b.txt --memory 16MiB -o out",
    "dedup pages.parquet -o out.parquet",
    "dedup pages.parquet -o out.parquet --annotate --against stored.db --save-signatures out.s",
    "dedup html -o out",
    "index create new.db pages.parquet",
    "index add own.db more.parquet",
    "index query stored.db more.parquet --format csv -o out",
    "index passages stored.db more.parquet --format jsonl -o out",
    "index remove own.db --from ids.txt",
    "index list stored.db --format csv -o out",
    "index info stored.db",
    "index verify stored.db",
    "index compact own.db",
    "index copy stored.db new.db",
    "index export stored.db out.parquet",
    "index import own.db exported.parquet",
    "serve --index own.db --port 0",
    "serve --index own.db --port 0 --workers 2",
    "tune --plot out.svg",
    "study pair a.txt b.txt -o out",
    "study chance a.txt b.txt -o out",
    "study law --plot out.svg",
    "study estimators a.txt b.txt -o out",
    "study detection texts -o out",
    "study timing texts -o out",
)


@dataclass
class Outcome:
    """What became of one command."""

    command: str
    whole_seconds: float
    seconds: list[float] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    before_start: int = 0


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=60_000, help="pages of the table")
    parser.add_argument("--signals", type=int, default=20, help="per command")
    parser.add_argument("--longest", type=float, default=20.0, help="seconds that a run may take")
    parser.add_argument("--only", help="commands that start with this")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.signals, given.longest = 300, 1, 3.0
    known = machine.facts()
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="signals-") as name:
        inputs = Path(name, "inputs")
        make_inputs(inputs, given.documents, given.words, given.seed)
        for command in COMMANDS:
            if command.startswith(given.only or ""):
                outcomes.append(_trial(command, inputs, Path(name), given))
                settings.say(_line(outcomes[-1]))
    facts = {
        "machine": known, "documents": given.documents, "signals": given.signals,
        "seed": given.seed, "outcomes": [vars(one) for one in outcomes],
    }  # fmt: skip
    settings.save(settings.results(given), "signals", facts, _report(facts, outcomes))
    if any(one.faults for one in outcomes):
        sys.exit("something was left behind, or a run ended in another way")


def _trial(command: str, inputs: Path, folder: Path, given: Any) -> Outcome:
    draw = random.Random(f"{given.seed} {command}")
    whole = _run(command, inputs, folder / "whole", given.longest, signal.SIGTERM)
    if whole.exit_seconds is None and whole.status != 0:
        sys.exit(f"{command}: exit status {whole.status}: {whole.messages}")
    outcome = Outcome(command, min(whole.elapsed, given.longest))
    for number in range(given.signals * 4):  # some runs are over before their signal
        if len(outcome.seconds) == given.signals:
            break
        stop = (signal.SIGINT, signal.SIGTERM)[number % 2]
        moment = draw.uniform(0.0, outcome.whole_seconds)
        run = _run(command, inputs, folder / "stopped", moment, stop)
        if run.exit_seconds is None:
            continue
        outcome.moments.append(round(moment, 3))
        outcome.seconds.append(round(run.exit_seconds, 3))
        faults = [f"{stop.name} after {moment:.2f} s: {fault}" for fault in run.faults(stop)]
        outcome.faults += faults
        outcome.before_start += run.is_early
    return outcome


@dataclass
class _Run:
    """One run, and what there was after it."""

    command: str
    elapsed: float
    exit_seconds: float | None
    status: int
    messages: str
    new_files: list[str]
    processes: int

    @property
    def is_early(self) -> bool:
        """Whether Python itself was still starting, or importing the module with the handlers."""
        said = "likewise: error:" in self.messages
        return not said and self.status in (-2, -15, 1) and self.elapsed < START_SECONDS

    def faults(self, stop: signal.Signals) -> list[str]:
        allowed = SERVER_STATUSES if self.command.startswith("serve") else STATUSES[stop]
        found = [] if self.status in allowed or self.is_early else [f"exit status {self.status}"]
        if "Traceback" in self.messages and not self.is_early:
            found.append(f"traceback: {self.messages.splitlines()[-1]}")
        found += [f"left {name}" for name in self.new_files]
        return found + ([f"left {self.processes} processes"] if self.processes else [])


def _run(command: str, inputs: Path, folder: Path, moment: float, stop: signal.Signals) -> _Run:
    """Runs a command in a fresh folder, and sends a signal if it has not ended by then."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "tmp").mkdir(parents=True)
    for path in inputs.iterdir():
        if path.name == "stored.db":
            shutil.copy(path, folder / "own.db")
            shutil.copy(path, folder / "stored.db")
        else:
            (folder / path.name).symlink_to(path)
    before = _files(folder)
    environment = os.environ | {
        "TMPDIR": str(folder / "tmp"), "HOME": str(folder / "tmp"),
        "XDG_CACHE_HOME": str(folder / "tmp/cache"), "XDG_STATE_HOME": str(folder / "tmp/state"),
    }  # fmt: skip
    with (folder.parent / "messages").open("w+") as messages:
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "likewise", *command.split()],
            cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=messages,
            start_new_session=True,
        )  # fmt: skip
        sent: list[float] = []

        def send() -> None:
            sent.append(time.perf_counter())
            process.send_signal(stop)

        timers = [threading.Timer(moment, send)]
        timers.append(threading.Timer(moment + PATIENCE_SECONDS, process.kill))
        for timer in timers:
            timer.start()
        status = process.wait()  # without a timeout, which would ask only now and then
        end = time.perf_counter()
        for timer in timers:
            timer.cancel()
            timer.join()
        messages.seek(0)
        text = messages.read()
    stopped = bool(sent) and (status != 0 or command.startswith("serve"))
    return _Run(
        command, end - start, end - sent[0] if stopped else None, status, text,
        sorted(name for name in _files(folder) - before if not _is_expected(name)),
        _processes(process.pid),
    )  # fmt: skip


def _files(folder: Path) -> set[str]:
    return {
        os.path.relpath(os.path.join(where, name), folder)
        for where, _, names in os.walk(folder)
        for name in names
    }


def _is_expected(name: str) -> bool:
    """Whether a file may be there after a signal: to resume from, an entry of the cache, or a new
    index with the documents that were added in whole batches."""
    top = name.split("/")[0]
    cached = name.startswith("tmp/cache") and name.endswith((".text", ".json"))
    return top.endswith(".likewise") or cached or name == "new.db"


def _processes(session: int) -> int:
    """How many processes of a session there are, after a moment to end in."""
    for _ in range(20):
        count = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                facts = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            count += facts[3] == str(session) and facts[0] != "Z"
        if count == 0:
            break
        time.sleep(0.05)
    return count


def _line(outcome: Outcome) -> str:
    figures = f"largest {max(outcome.seconds, default=0):.2f} s" if outcome.seconds else "no signal"
    return f"{outcome.command}: {figures}" + "".join(f"\n  {fault}" for fault in outcome.faults)


def _report(facts: dict[str, Any], outcomes: list[Outcome]) -> str:
    rows = [
        (
            f"`{one.command}`", f"{one.whole_seconds:.1f}", str(len(one.seconds)),
            f"{median(one.seconds):.2f}" if one.seconds else "–",
            f"{max(one.seconds):.2f}" if one.seconds else "–", str(len(one.faults)),
        )
        for one in outcomes
    ]  # fmt: skip
    every = [seconds for one in outcomes for seconds in one.seconds]
    late = sum(seconds > AIM_SECONDS for seconds in every)
    early = sum(one.before_start for one in outcomes)
    faults = [f"- `{one.command}`: {fault}" for one in outcomes for fault in one.faults]
    return "\n\n".join(filter(None, [
        "# Commands ended by signals at random moments",
        f"{len(every)} runs on {facts['documents']:,} pages, 2,000 texts and two long texts, ended "
        "by SIGINT and SIGTERM in turns. Time from the signal to the end of the process: median "
        f"{median(every):.2f} s, largest {max(every):.2f} s; {late} longer than {AIM_SECONDS} s. "
        "Faults: files or processes left behind, tracebacks, other exit statuses. "
        f"{early} signals came before Python had loaded the program, which ends it at once, with "
        "Python's own message. Spark is not included.",
        markdown(("command", "whole run, s", "signals", "median, s", "largest, s", "faults"), rows),
        "\n".join(faults),
        machine.summary(facts["machine"]),
    ]))  # fmt: skip


if __name__ == "__main__":
    main()
