"""Deduplication from Parquet to Parquet: time by stage and memory as the collection grows; peers.

Pages of real-looking text, a fifth of them near-copies (``pages.py``). Every run is a fresh
process of the command, or of a peer by its documented recipe, on the first pages of the same
folder; beside the peers also pyarrow alone, which reads and writes the same bytes. Peers live in
environments of their own, named by their Python:

    python -m benchmarks.dedup.scale pan13-train.tar.xz --documents 10000 100000 1000000 \
        --short 10000 100000 1000000 10000000 \
        --text-dedup VENV/bin/python --datatrove VENV/bin/python
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.dedup import pages
from benchmarks.harness import machine, memory, settings
from benchmarks.harness.table import markdown, short
from benchmarks.harness.trial import ROOT

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

POLL_SECONDS = 0.05
LONG_SECONDS = 100  # a peer that takes longer is not run again
HERE = Path(__file__).resolve().parents[1]
FLOOR = "pyarrow: read and write"


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--page-words", type=int, default=500, help="of a page, on average")
    parser.add_argument(
        "--short", type=int, nargs="*", default=[], help="also so many pages of 20 words"
    )
    parser.add_argument("--memory", default="4GB", help="budget of a run")
    parser.add_argument("--short-memory", default="6GB", help="budget of the run on short pages")
    parser.add_argument("--peer-documents", type=int, nargs="+", default=[20_000, 200_000])
    parser.add_argument(
        "--text-dedup-documents", type=int, default=200_000, help="most that text-dedup gets"
    )
    parser.add_argument(
        "--datatrove-documents", type=int, default=20_000, help="most that datatrove gets"
    )
    parser.add_argument("--text-dedup", help="Python with text-dedup 0.4.0")
    parser.add_argument("--datatrove", help="Python with datatrove 0.10.1 and spacy")
    parser.add_argument("--repeat", type=int, default=3, help="rounds beside the peers")
    parser.add_argument("--scratch", type=Path, help="folder for outputs (default: TMPDIR)")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.peer_documents, given.page_words = [300, 600], [200, 300], 60
        given.repeat = 1
    elif given.corpus is None:
        parser.error("name the corpus, or run --tiny")
    known = machine.facts()
    chain = pages.chain_of(given.corpus, given.tiny)
    with tempfile.TemporaryDirectory(dir=given.scratch) as name:
        scratch = Path(name)
        peers = [
            one
            for size in given.peer_documents
            for one in _beside_peers(given, chain, scratch, size)
        ]
        rows = []
        for size in given.documents:
            source = _source(chain, given.data, size, given.page_words, given.documents)
            rows.append(_ours(source, scratch, size, given.page_words, given.memory))
        for size in given.short:
            source = _source(chain, given.data, size, 20, given.short)
            rows.append(_ours(source, scratch, size, 20, given.short_memory))
    facts = {"machine": known, "rows": rows, "peers": peers}
    settings.save(settings.results(given), "dedup-scale", facts, _report(facts, given))
    if any(row["failure"] for row in [*rows, *peers]):
        sys.exit("a run failed")


def _source(chain: pages.Chain, folder: Path, size: int, words: int, sizes: Sequence[int]) -> Path:
    """The folder of pages; of a size that is a multiple of a file, the first files of the most."""
    most = max(sizes)
    if size == most or size % pages.IN_A_FILE:
        return pages.ensure(chain, folder, size, words)
    whole = pages.ensure(chain, folder, most, words)
    part = folder / f"{whole.name}-first{size}"
    part.mkdir(exist_ok=True)
    for file in sorted(whole.iterdir())[: size // pages.IN_A_FILE]:
        if not (part / file.name).exists():
            os.link(file, part / file.name)
    return part


def _watched(command: Sequence[str], log: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Seconds, those of processors, and the most that the process and its children had resident
    together, in MB."""
    # Modules are compiled once, by the first run, as on every machine.
    inherited = {name: own for name, own in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(log.parent / "pycache")}
    start, most, before = time.perf_counter(), 0.0, _processor_seconds()
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=said, stderr=subprocess.STDOUT, env=inherited | environment
        )
        while process.poll() is None:
            most = max(most, sum(_resident(pid) for pid in _family(process.pid)))
            time.sleep(POLL_SECONDS)
    failure = ""
    if process.returncode:
        last = log.read_text(errors="replace").strip().splitlines()[-1:] or [""]
        failure = f"status {process.returncode}: {last[0]}"
    seconds = time.perf_counter() - start
    cpu = _processor_seconds() - before
    return {"seconds": seconds, "cpu": cpu, "peak_mb": most, "failure": failure}


def _processor_seconds() -> float:
    """Of all processes that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def _family(pid: int) -> list[int]:
    found = [pid]
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text().split():
                found += _family(int(child))
    except OSError:
        pass
    return found


def _resident(pid: int) -> float:
    return memory.fields(Path(f"/proc/{pid}/status")).get("VmRSS", 0.0)


def _ours(source: Path, scratch: Path, size: int, words: int, budget: str) -> dict[str, Any]:
    out, told = scratch / "ours", scratch / "report.json"
    row: dict[str, Any] = {"documents": size, "words": words, "budget": budget}
    row |= _watched(
        [
            sys.executable, "-m", "likewise", "dedup", str(source), "-o", str(out), "--text",
            "text", "--id", "id", "--memory", budget, "--report", str(told), "--quiet",
        ],
        scratch / "ours.log", {},
    )  # fmt: skip
    if not row["failure"]:
        report = json.loads(told.read_text())
        row |= {name: report[name] for name in ("counts", "seconds")} | {"wall": row["seconds"]}
        row |= {"bytes": _size(source)}
    shutil.rmtree(out, ignore_errors=True)
    settings.say(f"{size:,} pages of {words} words: {row['failure'] or round(row['wall'], 1)}")
    return row


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def _beside_peers(
    given: argparse.Namespace, chain: pages.Chain, scratch: Path, size: int
) -> list[dict[str, Any]]:
    """The same pages by each, round after round; the best of each."""
    source = pages.ensure(chain, given.data, size, given.page_words)
    copy = str(HERE / "runners" / "parquet_copy.py")
    ways = {FLOOR: [sys.executable, copy, str(source), "{work}/out"]}
    if given.text_dedup and size <= given.text_dedup_documents:
        ways["text-dedup 0.4.0"] = [
            given.text_dedup, "-m", "text_dedup.minhash", "--path", "parquet", "--data_files",
            f"{source}/*.parquet", "--split", "train", "--cache_dir", "{work}/cache", "--output",
            "{work}/out", "--column", "text", "--ngram", "3", "--num_perm", "128", "--threshold",
            "0.8", "--batch_size", "10000", "--num_proc", "2",
        ]  # fmt: skip
    if given.datatrove and size <= given.datatrove_documents:
        runner = HERE / "runners" / "datatrove_dedup.py"
        ways["datatrove 0.10.1"] = [
            given.datatrove, str(runner), str(source), "{work}/work", "{work}/out"
        ]  # fmt: skip
    best: dict[str, dict[str, Any]] = {}
    for _ in range(given.repeat):
        done = {"likewise": _ours(source, scratch, size, given.page_words, given.memory)}
        for name, command in ways.items():
            if name in best and best[name]["seconds"] > LONG_SECONDS:
                continue
            work = scratch / "peer"
            filled = [part.replace("{work}", str(work)) for part in command]
            done[name] = {"documents": size} | _watched(
                filled, scratch / "peer.log", {"HF_HOME": str(work / "hf"), "HF_HUB_OFFLINE": "1"}
            )
            shutil.rmtree(work, ignore_errors=True)
            settings.say(f"{name}: {done[name]['failure'] or round(done[name]['seconds'], 1)}")
        for name, one in done.items():
            if name not in best or _wall(one) < _wall(best[name]):
                best[name] = one | {"name": name}
    return list(best.values())


def _wall(one: dict[str, Any]) -> float:
    return float(one.get("wall", one["seconds"]) if not one["failure"] else 1e9)


def _report(facts: dict[str, Any], given: argparse.Namespace) -> str:
    stages = list(dict.fromkeys(s for row in facts["rows"] for s in row.get("seconds", {})))
    head = ["pages", "words", *stages, "all, s", "CPU s", "pages/s", "µs a page", "removed",
            "peak MB", "budget"]  # fmt: skip
    table = []
    for row in facts["rows"]:
        cells = [f"{row['documents']:,}", str(row["words"])]
        if row["failure"]:
            table.append([*cells, row["failure"]])
            continue
        cells += [short(row["seconds"].get(stage)) for stage in stages]
        size, wall = row["documents"], row["wall"]
        cells += [short(wall), short(row["cpu"]), short(size / wall), short(1e6 * wall / size)]
        removed = f"{row['counts']['removed']:,}"
        table.append([*cells, removed, short(row["peak_mb"]), row["budget"]])
    parts = [
        "# Deduplication, Parquet to Parquet",
        "`likewise dedup` with its usual settings (word:3, similarity 0.8, recall 0.99, verified), "
        "start of the process included. Seconds by stage; *peak* is what the process and its "
        "children had resident at most.",
        machine.summary(facts["machine"]),
        markdown(head, table),
    ]
    if facts["peers"]:
        parts += [
            f"The same pages by others, in one run, best of {given.repeat} (of one, where that "
            f"took more than {LONG_SECONDS} s); *CPU s* is the time of all processors. pyarrow: "
            "the same files read and written, and nothing else, a thread for each file. "
            "text-dedup: its `minhash` command, 3-grams, 128 permutations, 0.8, two processes; "
            "datatrove: its example of four steps, 5-grams, 14 buckets of 8, two tasks at once. "
            "Neither verifies.",
            _peer_table(facts["peers"]),
            *_steady_rates(facts["peers"]),
        ]
    return "\n\n".join(parts)


def _peer_table(peers: list[dict[str, Any]]) -> str:
    ours = {one["documents"]: one for one in peers if one["name"] == "likewise"}
    rows = []
    for one in peers:
        size, reference = one["documents"], ours[one["documents"]]
        row = [f"{size:,}", one["name"]]
        if one["failure"] or reference["failure"]:
            rows.append([*row, one["failure"]])
            continue
        row += [short(_wall(one)), short(one["cpu"]), short(size / _wall(one))]
        row += [f"{short(_wall(one) / _wall(reference))} ×"]
        rows.append([*row, f"{short(one['cpu'] / reference['cpu'])} ×", short(one["peak_mb"])])
    head = ["pages", "", "seconds", "CPU s", "pages/s", "of our time", "of our CPU time", "peak MB"]
    return markdown(head, rows)


def _steady_rates(peers: list[dict[str, Any]]) -> list[str]:
    """Pages per second between the smallest and the largest collection, so without the start."""
    rates: dict[str, tuple[float, float]] = {}
    for name in dict.fromkeys(one["name"] for one in peers):
        own = [one for one in peers if one["name"] == name and not one["failure"]]
        if len(own) > 1 and _wall(own[-1]) > _wall(own[0]) and own[-1]["cpu"] > own[0]["cpu"]:
            more = own[-1]["documents"] - own[0]["documents"]
            rates[name] = (
                more / (_wall(own[-1]) - _wall(own[0])), more / (own[-1]["cpu"] - own[0]["cpu"])
            )  # fmt: skip
    if "likewise" not in rates:
        return []
    rows = [
        [name, short(rate), f"{short(rates['likewise'][0] / rate)} ×", short(by_cpu),
         f"{short(rates['likewise'][1] / by_cpu)} ×"]
        for name, (rate, by_cpu) in rates.items()
    ]  # fmt: skip
    head = ["", "pages/s", "we are", "pages per CPU s", "we are"]
    return [
        "Steady rates, without the start: between the smallest and the largest collection that "
        "each was given.",
        markdown(head, rows),
    ]


if __name__ == "__main__":
    main()
