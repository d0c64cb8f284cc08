"""How long Ctrl-C takes to be heard: the rows of the table, by section."""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown, short

if TYPE_CHECKING:
    import argparse

SECTIONS = {"core": "Functions of the core", "python": "Functions in Python"}


@dataclass
class Answers:
    """Seconds from each interruption until the work had ended, and CPU seconds of all threads."""

    name: str
    input: str
    seconds: float  # of the work when it is not interrupted
    answers: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def cells(self) -> list[str]:
        """Return a row of the table."""
        middle = statistics.median(self.answers) if self.answers else None
        slowest = max(self.answers, default=None)
        return [
            self.name,
            self.input,
            short(self.seconds),
            str(len(self.answers)),
            short(middle),
            short(slowest),
            short(max(self.cpu, default=None)),
        ]


def save(given: argparse.Namespace, section: str, rows: list[Answers]) -> None:
    """Write the rows of a section; those of the other sections stay as they are."""
    folder = settings.results(given)
    path = folder / "interrupts.json"
    facts: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    facts[section] = {"machine": machine.facts(), "rows": [asdict(row) for row in rows]}
    parts = [
        "# Ctrl-C",
        "Seconds from a signal, at a random moment of the work, until the function has raised"
        " KeyboardInterrupt. On a busy machine the work waits for others; *CPU s* is what its own"
        " threads took meanwhile, the most of all interruptions. `results/signals.md` has the"
        " seconds of commands.",
    ]
    for key in SECTIONS:
        if key not in facts:
            continue
        head = ["function", "input", "s in all", "interrupted", "median s", "slowest s", "CPU s"]
        table = markdown(head, [Answers(**row).cells() for row in facts[key]["rows"]])
        parts += [f"## {SECTIONS[key]}", table, machine.summary(facts[key]["machine"])]
    settings.save(folder, "interrupts", facts, "\n\n".join(parts))
