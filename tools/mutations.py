"""Deliberate faults, at least one per part: does the short test run notice each?

    .venv-test/bin/python -m tools.mutations                   all of them
    .venv-test/bin/python -m tools.mutations spark index       those of some parts
    .venv-test/bin/python -m tools.mutations -o benchmarks/results/mutations.md

Each fault is one small change to one file. It is applied to a temporary copy of the repository,
where the tests of that part run without --slow until the first failure. A fault in core/ is
compiled by the commands of the last `pip install -e`, and so needs its build folder and ninja.
The exit status is 1 if a fault was not noticed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
COPIED = ("src", "core", "tests", "tools", "samples", "docs", "benchmarks")
# The installed package leads to this repository; the copy has to come first, also in processes
# that tests start.
_SITE = """\
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "_editable" not in type(f).__module__]
"""


@dataclass(frozen=True)
class Fault:
    """A change that tests must notice; `old` occurs once in the file."""

    part: str
    what: str
    file: str
    old: str
    new: str
    tests: str


FAULTS = (
    Fault("core", "the last pair of each bucket is no candidate", "core/candidates.cpp",
          "for (std::size_t i = 0; i < j; ++i) take(band, i, j);",
          "for (std::size_t i = 0; i + 1 < j; ++i) take(band, i, j);",
          "tests/search"),
    Fault("core", "the last shingle is dropped", "core/shingles.cpp",
          "for (std::size_t i = 1; i < count; ++i) {\n        state",
          "for (std::size_t i = 1; i + 1 < count; ++i) {\n        state",
          "tests/text/test_shingles.py"),
    Fault("documents", "rows of a table are numbered from 1",
          "src/likewise/documents/tables/jsonl.py",
          "enumerate(lines, first)", "enumerate(lines, first + 1)",
          "tests/documents/test_tables.py"),
    Fault("documents", "the last page of a PDF is not read",
          "src/likewise/documents/formats/pdf.py",
          "for number in range(len(document))]",
          "for number in range(max(1, len(document) - 1))]",
          "tests/documents/test_documents.py tests/documents/test_formats.py"),
    Fault("documents", "deleted text of a Word document is read",
          "src/likewise/documents/formats/docx.py", '"del", ', "",
          "tests/documents/test_formats.py tests/documents/test_documents.py"),
    Fault("text", "an invisible character is flagged one place too far",
          "src/likewise/text/obfuscation/invisible.py",
          "found.start(), found.end()", "found.start() + 1, found.end()",
          "tests/text/obfuscation"),
    Fault("statistics", "a band has one row less", "src/likewise/statistics/bands.py",
          "similarity**self.rows", "similarity ** (self.rows - 1)",
          "tests/statistics/test_bands.py tests/statistics/test_planning.py"),
    Fault("statistics", "a run of three texts is as likely as one of two of them",
          "src/likewise/statistics/family_runs.py",
          "for k in range(3, len(shortest) + 1)", "for k in range(4, len(shortest) + 1)",
          "tests/statistics/test_family_runs.py"),
    Fault("sketches", "a union has the largest values", "src/likewise/sketches/signatures.py",
          "chosen.min(", "chosen.max(", "tests/sketches"),
    Fault("search", "sizes of copies are swapped", "src/likewise/search/copies.py",
          "size_a[~inside] = np.where(turned, ", "size_a[~inside] = np.where(~turned, ",
          "tests/search"),
    Fault("search", "the smallest cluster comes first", "src/likewise/search/clusters.py",
          "(-len(cluster), ", "(len(cluster), ", "tests/search"),
    Fault("text", "a null id is the id NaN", "src/likewise/text/inputs.py",
          "if is_missing(value)), None)", "if value is None), None)", "tests/text/test_inputs.py"),
    Fault("text", "a record is a list of tokens", "src/likewise/text/tokens.py",
          "(str, bytes, Mapping)", "(str, bytes)", "tests/text/test_inputs.py"),
    Fault("index", "a near-duplicate within a batch is new", "src/likewise/index/new_documents.py",
          "new[later] = False", "new[later] = new[later]", "tests/index/test_new_documents.py"),
    Fault("index", "metadata with one of the fields are enough",
          "src/likewise/index/similarity_query.py",
          "all(known.get(name) in values", "any(known.get(name) in values",
          "tests/index/test_new_documents.py"),
    Fault("passages", "a passage seen from b keeps its start in a",
          "src/likewise/passages/passage.py", "a_start=self.b_start", "a_start=self.a_start",
          "tests/passages"),
    Fault("passages", "a phrase at the end of a text is not excluded",
          "src/likewise/passages/exclusions/phrases.py",
          "last = len(words) - size + 1", "last = len(words) - size",
          "tests/passages/test_exclusions.py"),
    Fault("comparison", "idf is not smoothed", "src/likewise/comparison/measures.py",
          "math.log(1 + documents / containing)", "math.log(documents / containing)",
          "tests/comparison"),
    Fault("index", "a merge loses a segment", "src/likewise/index/postings/upkeep.py",
          "        for segment in segments:\n            buckets",
          "        for segment in segments[1:]:\n            buckets",
          "tests/index/test_segments.py tests/index/test_index.py tests/index/test_passages.py"),
    Fault("index", "documents added last are not found", "src/likewise/index/postings/lookup.py",
          "    if waiting:\n", "    if not waiting and waiting:\n",
          "tests/index/test_listing.py tests/index/test_index.py"),
    Fault("dedup", "of each pair both or none are kept", "src/likewise/dedup/rules.py",
          "        removed[worse[settled]] = True", "        removed[better[settled]] = True",
          "tests/dedup/test_rules.py tests/dedup/test_deduplicate.py"),
    Fault("dedup", "clusters begin at the second document", "src/likewise/dedup/rules.py",
          "kept[order[first]] = True", "kept[order[~first]] = True",
          "tests/dedup/test_rules.py tests/dedup/test_deduplicate.py"),
    Fault("dedup", "across groups, a text is removed for one of its own group",
          "src/likewise/dedup/across.py", "grouped.group[by] != group[one]",
          "grouped.group[by] == group[one]", "tests/dedup/test_groups.py"),
    Fault("dedup", "two words are joined at a cut", "src/likewise/dedup/parts/cuts.py",
          'parts.append(" ")', 'parts.append("")', "tests/dedup/parts"),
    Fault("dedup", "passages that arise at a cut stay", "src/likewise/dedup/parts/passages.py",
          "        cuts = cuts.merged(found)", "        return cuts.merged(found), counts",
          "tests/dedup/parts"),
    Fault("dedup", "of equal lines the last one stays",
          "src/likewise/dedup/parts/repeated_parts.py",
          "removed[starts] = False", "removed[offsets[1:].astype(np.int64) - 1] = False",
          "tests/dedup/parts"),
    Fault("survey", "shares of a and b are swapped", "src/likewise/survey/measures.py",
          '"containment_a": overlap.containment_a', '"containment_a": overlap.containment_b',
          "tests/survey/test_pair.py tests/survey tests/server/test_views.py"),
    Fault("output", "rows that are not shown are counted wrong", "src/likewise/output/rows.py",
          "rows.total - len(shown):,", "rows.total:,", "tests/output/test_rows.py"),
    Fault("pages", "< is not escaped in the report", "src/likewise/pages/embedded.py",
          'in "<>&', 'in ">&', "tests/pages"),
    Fault("pages", "clusters of the report lose their first member",
          "src/likewise/pages/static/data/clusters.js",
          "cluster.members.sort((x, y) => x - y);",
          "cluster.members.sort((x, y) => x - y).shift();",
          "tests/browser/test_report_others.py"),
    Fault("pages", "the table of pairs is sorted the other way",
          "src/likewise/pages/static/tables/searched_table.js",
          'down: given.startsWith("-")', 'down: !given.startsWith("-")',
          "tests/browser/test_report_pairs.py"),
    Fault("pages", "rows of printed passages do not have the same words",
          "src/likewise/pages/static/paper/aligned_rows.js",
          "twin[at + 1].start,", "twin[at].start,", "tests/browser/test_print.py"),
    Fault("server", "pages may be cached for ever", "src/likewise/server/routes/pages.py",
          '["Cache-Control"] = "no-cache"', '["Cache-Control"] = "max-age=9999"',
          "tests/server/test_pages.py"),
    Fault("server", "any token is right", "src/likewise/server/middleware/access.py",
          "if hmac.compare_digest(token, own)]", "if token]",
          "tests/server/test_guard.py"),
    Fault("server", "headers have no limit", "src/likewise/server/process/protocol.py",
          "if len(self.headers) > MAX_HEADERS:", "if len(self.headers) < 0:",
          "tests/server/test_wire.py"),
    Fault("server", "answers in memory have no limit", "src/likewise/server/middleware/answer.py",
          "if others and others + size", "if others and size", "tests/server/test_limits.py"),
    Fault("spark", "the worst copy is kept", "src/likewise/spark/scan.py",
          "fn.min(fn.struct(", "fn.max(fn.struct(", "tests/spark/test_dedup.py"),
    Fault("spark", "the last group of a partition is dropped", "src/likewise/spark/arrow.py",
          "    if pending:\n        yield", "    if not pending:\n        yield",
          "tests/spark/test_arrow.py"),
    Fault("study", "the shuffled lines of a text keep their order",
          "src/likewise/study/null_texts.py",
          "order = rng.permutation(len(units)).tolist()", "order = range(len(units))",
          "tests/study/test_null_texts.py"),
    Fault("study", "estimates count values that differ",
          "src/likewise/study/estimators/minhash.py",
          "np.count_nonzero(first == second)", "np.count_nonzero(first >= second)",
          "tests/study/test_minhash.py tests/study/test_estimation.py"),
    Fault("cli", "a wrong option has the exit status of a failure", "src/likewise/cli/main.py",
          "error.hint, error.exit_status)", "error.hint, 1)",
          "tests/cli/test_pairs.py"),
    Fault("files", "a failed write leaves its scratch file", "src/likewise/files.py",
          "aside.unlink(missing_ok=True)", "pass",
          "tests/test_files.py tests/cli/test_pairs.py"),
)  # fmt: skip


def apply(fault: Fault, root: Path) -> None:
    """Changes the file; raises `ValueError` if the text is not there exactly once."""
    path = root / fault.file
    text = path.read_text("utf-8")
    if text.count(fault.old) != 1:
        raise ValueError(f"{fault.file} has {fault.old!r} {text.count(fault.old)} times")
    path.write_text(text.replace(fault.old, fault.new), "utf-8")


def run_tests(fault: Fault) -> tuple[str, float]:
    """The first test that fails, or an empty string, and the seconds that the tests took."""
    with _copied() as copy:
        apply(fault, copy)
        if fault.file.startswith("core/"):
            _compile(fault, copy)
        paths = os.pathsep.join(map(str, (copy / "site", copy / "src")))
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-n", "0", "-x", "--tb=no", *fault.tests.split()],
            cwd=copy, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        seconds = time.monotonic() - start
    found = re.search(r"^(?:FAILED|ERROR) ([^\s\[]+)", done.stdout, re.MULTILINE)
    if done.returncode not in (0, 1, 2) or (done.returncode and not found):
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return (found[1] if found else ""), seconds


@contextmanager
def _copied() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="likewise-fault-") as folder:
        copy = Path(folder)
        for name in COPIED:
            ignored = shutil.ignore_patterns("__pycache__", "results")
            shutil.copytree(ROOT / name, copy / name, ignore=ignored)
        for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml"):
            shutil.copy(path, copy)
        (copy / "site").mkdir()
        (copy / "site" / "sitecustomize.py").write_text(_SITE)
        shutil.copy(_built() / _library(), copy / "src" / "likewise")
        yield copy


def _library() -> str:
    from likewise import _core

    return Path(_core.__file__).name


def _built() -> Path:
    """The folder that the core was last compiled in."""
    found = [path.parent for path in ROOT.glob(f"build/*/{_library()}")]
    if not found:
        raise SystemExit("build/ has no compiled core: pip install -e '.[test]' makes it")
    return max(found, key=lambda path: path.stat().st_mtime)


def _compile(fault: Fault, copy: Path) -> None:
    """The changed file by the command of the last build, and all that is made of it."""
    build = shutil.copytree(_built(), copy / "build")
    told = subprocess.run(
        ["ninja", "-C", _built(), "-t", "commands", _library()],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    wanted = (f"{ROOT}/{fault.file}", "liblikewise_core.a", _library())
    for command in told:
        if command.endswith(wanted[0]) or any(name in command for name in wanted[1:]):
            command = command.replace(f"{ROOT}/core", f"{copy}/core")
            subprocess.run(command, shell=True, cwd=build, check=True, capture_output=True)
    shutil.copy(build / _library(), copy / "src" / "likewise")


def _table(rows: Sequence[tuple[Fault, str, float]]) -> str:
    noticed = sum(bool(test) for _, test, _ in rows)
    lines = [
        "# Deliberate faults",
        "",
        f"{noticed} of {len(rows)} are noticed by the short test run. Made by "
        "`python -m tools.mutations -o benchmarks/results/mutations.md`.",
        "",
        "| part | fault | file | noticed by | seconds |",
        "|---|---|---|---|---:|",
    ]
    for fault, test, seconds in rows:
        by = f"`{test}`" if test else "**nothing**"
        lines.append(f"| {fault.part} | {fault.what} | `{fault.file}` | {by} | {seconds:.0f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parts = sorted({fault.part for fault in FAULTS})
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}")
    parser.add_argument("-o", "--output", type=Path, help="write the table to this file")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(parts):
        parser.error(f"unknown part: {', '.join(sorted(unknown))}")
    rows = []
    for fault in FAULTS:
        if not given.parts or fault.part in given.parts:
            test, seconds = run_tests(fault)
            rows.append((fault, test, seconds))
            result = f"noticed by {test}" if test else "NOT NOTICED"
            print(f"{fault.part}: {fault.what}: {result} ({seconds:.0f} s)", flush=True)
    if given.output is not None:
        given.output.write_text(_table(rows), "utf-8")
    return 0 if all(test for _, test, _ in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
