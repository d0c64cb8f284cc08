"""A deduplication killed at random moments and begun again: the output has the same bytes.

python -m benchmarks.dedup.kills pan13-train.tar.xz --documents 100000 --kills 10
"""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.dedup import pages
from benchmarks.harness import machine, settings
from benchmarks.harness.trial import ROOT

MAX_TRIES = 1_000


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--page-words", type=int, default=500, help="of a page, on average")
    parser.add_argument("--kills", type=int, default=10)
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.page_words, given.kills = 300, 60, 3
    elif given.corpus is None:
        parser.error("name the corpus, or run --tiny")
    known = machine.facts()
    chain = pages.chain_of(given.corpus, given.tiny)
    source = pages.ensure(chain, given.data, given.documents, given.page_words)
    with tempfile.TemporaryDirectory() as name:
        facts = _trial(source, Path(name), given.kills, given.seed)
    facts |= {"machine": known, "documents": given.documents, "page_words": given.page_words}
    settings.save(settings.results(given), "dedup-kills", facts, _report(facts))
    if not facts["equal"] or facts["left_behind"]:
        sys.exit("the output is another, or something was left behind")


def _trial(source: Path, folder: Path, kills: int, seed: int) -> dict[str, Any]:
    """One run undisturbed, then one that is killed again and again."""
    start = time.perf_counter()
    _started(source, folder / "whole").wait()
    seconds = time.perf_counter() - start
    whole = _digest(folder / "whole")
    draw = random.Random(seed)
    moments: list[float] = []
    for _ in range(MAX_TRIES):
        shutil.rmtree(folder / "killed", ignore_errors=True)
        process = _started(source, folder / "killed")
        if len(moments) == kills:
            process.wait()
            break
        moment = draw.uniform(0.1 * seconds, 0.9 * seconds)
        try:
            process.wait(moment)  # one that is quicker begins anew
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            moments.append(moment)
            # Killed behind the last step, while working files were removed: it must be whole.
            if (folder / "killed").exists() and _digest(folder / "killed") != whole:
                sys.exit("a killed run left a part of the output under the final name")
    digests = [whole, _digest(folder / "killed")]
    left = sorted(path.name for path in folder.iterdir() if path.name not in ("whole", "killed"))
    return {
        "seconds": seconds, "moments": moments, "equal": digests[0] == digests[1],
        "sha256": digests, "left_behind": left,
    }  # fmt: skip


def _started(source: Path, out: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable, "-m", "likewise", "dedup", str(source), "-o", str(out), "--text",
            "text", "--id", "id", "--quiet",
        ],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _digest(folder: Path) -> str:
    """Of the names and bytes of all files."""
    made = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            made.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
            made.update(path.read_bytes())
    return made.hexdigest()


def _report(facts: dict[str, Any]) -> str:
    moments = ", ".join(f"{moment:.1f}" for moment in facts["moments"])
    outcome = "the same bytes" if facts["equal"] else "OTHER BYTES"
    return "\n\n".join([
        "# Deduplication, killed and begun again",
        f"{facts['documents']:,} pages of {facts['page_words']} words, Parquet to Parquet, "
        f"{facts['seconds']:.1f} s undisturbed. Killed by SIGKILL {len(facts['moments'])} times, "
        f"after {moments} s, and begun again each time: {outcome} as undisturbed; left behind: "
        f"{', '.join(facts['left_behind']) or 'nothing'}.",
        machine.summary(facts["machine"]),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
