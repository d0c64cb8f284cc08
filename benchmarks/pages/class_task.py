"""A class in the app, from the empty app to evidence on paper: clicks, and seconds of each step.

The class of `tools/classroom`: 120 essays of this year with a table of names and two files that
cannot be read, and 80 of last year. `tests/browser/class_task.py` does what a teacher would, in
Chromium; `tests/browser/test_class_task.py` checks what it sees. Choosing a file is three clicks,
choosing from a list two. Words that are typed and the time to read are not counted.

    python -m benchmarks.pages.class_task
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.pages.chromium import chromium
from tools.classroom.files import write_class
from tools.classroom.school_class import make_class

if TYPE_CHECKING:
    from tests.browser.class_task import Step

TINY = {"essays": 24, "last_year": 8, "long_words": 8_000}


def main() -> None:
    given = settings.parser(__doc__ or "").parse_args()
    known = machine.facts()
    with chromium() as browser, tempfile.TemporaryDirectory(prefix="likewise-class-") as name:
        if browser is None:
            return
        from tests.browser.class_task import ClassTask, do_class_task, started_app, teachers_folders
        from tests.browser.window import Window

        folder = Path(name)
        write_class(make_class(given.seed, **(TINY if given.tiny else {})), folder / "class")
        folders = teachers_folders(folder / "class", folder)
        task = ClassTask(Window(browser.new_context(reduced_motion="reduce")))
        with started_app(folder / "data") as address:
            do_class_task(task, address, *folders, folder / "class" / "assignment.txt")
        version = browser.version
    facts = {"machine": known, "browser": version, "steps": [vars(step) for step in task.steps]}
    settings.save(settings.results(given), "class-task", facts, _report(task.steps, facts))


def _report(steps: list[Step], facts: dict[str, Any]) -> str:
    rows = [[one.name, f"{one.clicks}", f"{one.drops}", f"{one.seconds:.1f}"] for one in steps]
    return "\n\n".join(
        [
            "# A class in the app",
            "120 essays of this year with a table of names, 80 of last year and a PDF of 80,000 "
            "words, as a teacher has them: from the empty app to evidence on paper.",
            markdown(["step", "clicks until then", "drops", "seconds"], rows),
            "*Seconds* are those of the step, with the clicks of a machine: what a person waits "
            "for, without reading. Choosing a file counts as three clicks, choosing from a list "
            "as two. Most of the time is spent on comparing the documents, with the assignment "
            "that all of them contain, and again for each report that is saved.",
            f"Chromium {facts['browser']}. The files come from `python -m tools.classroom`.",
            machine.summary(facts["machine"]),
        ]
    )


if __name__ == "__main__":
    main()
