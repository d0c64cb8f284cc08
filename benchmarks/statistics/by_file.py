"""Two files that do not fit in memory: exact by file, in how much memory and time.

The command runs in a process of its own, whose resident memory is watched; what it says is held
against hashes of all shingles, sorted in memory.

    python -m benchmarks.statistics.by_file --characters 100000000 --memory 256MB
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.texts.vocabulary import Vocabulary
from likewise import _core
from likewise._core import Texts
from likewise.text.profile import Profile

CHANGED = 0.05  # of the words of the second file
BLOCK = 100_000  # words made at once


def make_files(folder: Path, characters: int, seed: int) -> tuple[Path, Path]:
    """Two texts of so many characters; the second is the first with some words changed."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = tuple(folder / f"by-file-{characters}-{seed}-{name}.txt" for name in "ab")
    vocabulary = Vocabulary(50_000, seed)
    for path, changed in zip(paths, (0.0, CHANGED), strict=True):
        if path.exists():
            continue
        words, changes = (np.random.Generator(np.random.PCG64(seed + i)) for i in (1, 2))
        written = 0
        with path.with_suffix(".part").open("w") as file:
            while written < characters:
                numbers = vocabulary.draw(words, BLOCK)
                other = changes.random(BLOCK) < changed
                numbers = np.where(other, vocabulary.draw(changes, BLOCK), numbers)
                written += file.write((vocabulary.text(numbers) + "\n")[: characters - written])
        path.with_suffix(".part").rename(path)
    return paths[0], paths[1]


def by_command(paths: tuple[Path, Path], profile: str, memory: str) -> dict[str, Any]:
    """What `likewise compare` says, how long it took, and how much was resident at most."""
    command = [sys.executable, "-m", "likewise", "compare", *map(str, paths), "--profile", profile]
    start = time.perf_counter()
    process = subprocess.Popen(
        [*command, "--memory", memory, "--format", "jsonl", "--quiet"], stdout=subprocess.PIPE
    )
    output, _ = process.communicate()
    seconds = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6
    return {"answer": json.loads(output), "seconds": seconds, "peak_mb": peak}


def in_memory(paths: tuple[Path, Path], profile: str) -> dict[str, dict[str, int]]:
    """The same counts from all hashes at once."""
    rules = Profile.of(profile).rules()
    counted = [
        np.unique(
            _core.shingle_hashes(Texts.from_strings([path.read_text()]), rules)[0],
            return_counts=True,
        )
        for path in paths
    ]
    (hashes_a, counts_a), (hashes_b, counts_b) = counted
    _, at_a, at_b = np.intersect1d(hashes_a, hashes_b, assume_unique=True, return_indices=True)
    return {
        "shingles": {
            "size_a": len(hashes_a), "size_b": len(hashes_b), "shared": len(at_a),
        },
        "shingle_bag": {
            "size_a": int(counts_a.sum()), "size_b": int(counts_b.sum()),
            "shared": int(np.minimum(counts_a[at_a], counts_b[at_b]).sum()),
        },
    }  # fmt: skip


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--characters", type=int, default=100_000_000, help="of each file")
    parser.add_argument("--profile", default="char:9")
    parser.add_argument("--memory", default="256MB")
    given = parser.parse_args()
    characters, memory = given.characters, given.memory
    if given.tiny:
        characters, memory = 1_000_000, "16MiB"
    known = machine.facts()
    paths = make_files(given.data, characters, given.seed)
    found = by_command(paths, given.profile, memory)
    settings.say(f"by file: {found['seconds']:.1f} s, {found['peak_mb']:.0f} MB")
    expected = in_memory(paths, given.profile)
    answer = {
        name: {part: found["answer"][name][part] for part in parts}
        for name, parts in expected.items()
    }
    if answer != expected:
        raise SystemExit(f"by file {answer}, in memory {expected}")
    rows = [
        [name, *(f"{parts[part]:,}" for part in ("size_a", "size_b", "shared")),
         f"{found['answer'][name]['jaccard']:.6f}"]
        for name, parts in answer.items()
    ]  # fmt: skip
    table = markdown(["", "a", "b", "shared", "Jaccard"], rows)
    text = (
        f"# Two files of {characters:,} characters, {given.profile}, by file\n\n"
        f"`likewise compare --memory {memory}` took {found['seconds']:.1f} s and at most "
        f"{found['peak_mb']:.0f} MB of resident memory (the whole process, Python and all). Its "
        "counts are those of all hashes in memory, set and bag.\n\n"
        f"{table}\n\n{machine.summary(known)}"
    )
    del found["answer"]
    facts = {"machine": known, "characters": characters, "memory": memory} | found | answer
    settings.save(settings.results(given), "by-file", facts, text)


if __name__ == "__main__":
    main()
