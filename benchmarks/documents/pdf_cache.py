"""A folder of PDFs read twice: how much the cache of extracted text saves.

The whole command, `likewise pairs FOLDER`, in processes of their own, with an empty cache and with
a full one. Folders of more PDFs are made by repeating the files with a comment behind the end,
which makes each a file of its own for the cache and changes nothing that is read.

    python -m benchmarks.documents.pdf_cache FOLDER --times 1 20
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "journal"


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("folder", type=Path, nargs="?", default=SAMPLES)
    parser.add_argument("--times", type=int, nargs="+", default=[1, 20])
    parser.add_argument("--repeat", type=int, default=5, help="rounds")
    given = parser.parse_args()
    if given.tiny:
        given.times, given.repeat = [1], 1
    known = machine.facts()
    rows = [_measured(given.folder, times, given.repeat) for times in given.times]
    floor = median(_seconds([sys.executable, "-c", "import numpy, pyarrow"]) for _ in range(5))
    settings.save(
        settings.results(given),
        "pdf-cache",
        {"machine": known, "rows": rows, "python_and_libraries": floor},
        _report(rows, floor, known),
    )


def _measured(folder: Path, times: int, repeat: int) -> dict[str, Any]:
    """The same folder read with an empty cache and then with a full one, several times."""
    with tempfile.TemporaryDirectory() as place:
        many = Path(place) / "pdfs"
        files = _multiply(folder, many, times)
        time.sleep(3)  # a file that has just been written is not trusted to stay as it is
        trials = []
        for turn in range(repeat):
            settings.say(f"{files} files, round {turn + 1}")
            cache = Path(place) / f"cache-{turn}"
            trials.append((_pairs(many, cache), _pairs(many, cache)))
    assert all(first["said"] == second["said"] for first, second in trials), "another answer"
    best = {
        f"{name}_{what}": min(trial[at][what] for trial in trials)
        for at, name in enumerate(("first", "second"))
        for what in ("command", "read")
    }
    return {"files": files, "skipped": trials[0][0]["skipped"], **best}


def _multiply(folder: Path, many: Path, times: int) -> int:
    found = sorted(folder.rglob("*.pdf"))
    for number in range(times):
        (many / str(number)).mkdir(parents=True)
        for at, path in enumerate(found):
            data = path.read_bytes() + (b"%%%d\n" % number if number else b"")
            (many / str(number) / f"{at:03}-{path.name}").write_bytes(data)
    return times * len(found)


def _pairs(folder: Path, cache: Path) -> dict[str, Any]:
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "likewise", "pairs", str(folder), "--threshold", "0.5", "--stats"],
        env=os.environ | {"LIKEWISE_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - start
    read = re.search(r"^  read: ([0-9.]+)$", done.stderr, re.MULTILINE)
    skipped = re.search(r"^  skipped: ([0-9]+)$", done.stderr, re.MULTILINE)
    assert read is not None
    assert skipped is not None
    told = [line for line in done.stderr.splitlines() if "skipped" in line]
    return {
        "command": seconds,
        "read": float(read[1]),
        "skipped": int(skipped[1]),
        "said": json.dumps([done.stdout, told]),
    }


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start


def _report(rows: list[dict[str, Any]], floor: float, known: dict[str, Any]) -> str:
    table = [
        [
            f"{row['files']:,}",
            f"{row['skipped']:,}",
            *(
                value
                for what in ("read", "command")
                for value in (
                    f"{row[f'first_{what}']:.2f} s",
                    f"{row[f'second_{what}']:.3f} s",
                    f"{row[f'first_{what}'] / row[f'second_{what}']:.1f} ×",
                )
            ),
        ]
        for row in rows
    ]
    head = ["PDFs", "skipped", "reading, first", "second", "ratio", "command, first", "second",
            "ratio"]  # fmt: skip
    return "\n\n".join(
        [
            "# A folder of PDFs, read twice",
            markdown(head, table),
            "Best of the rounds; the same pairs and the same skipped files each time. Of every "
            f"command {floor:.2f} s go to starting Python and loading NumPy and Arrow alone.",
            machine.summary(known),
        ]
    )


if __name__ == "__main__":
    main()
