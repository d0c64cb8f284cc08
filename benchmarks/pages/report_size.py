"""The one-file report of large collections: time to make it, its size, and how quick it is to use.

Documents of about 500 words, in which each word follows the one before as in real text; one in ten
is a copy of another with some of its words changed, and one in twenty holds a passage of another.
The report is made by the command, as a user makes it, and opened from disk in Chromium: time from
the beginning of the navigation until the heading is there, time until the table of pairs is there,
until it is filtered, until two texts stand side by side, and until the pairs are there without what
is excluded: quotations, short passages (which every pair is examined for), and a passage (which is
searched for in all texts).

    python -m benchmarks.pages.report_size pan13-train.tar.xz --documents 1000 10000
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness import machine, memory, settings
from benchmarks.harness.table import markdown
from benchmarks.passages.pan import Corpus, opened, tiny_corpus
from benchmarks.texts.chain import Chain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Page

WORDS = 500
SPREAD = 0.4
PARAGRAPH = 90  # words
COPIES, HOLDERS = 0.1, 0.05  # shares of the documents
OPENED = 5  # times that each page is opened
FILTERS = ("jaccard:>0.6", "words:>100", "d-00", "containment:>0.3 -d-01")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("--documents", type=int, nargs="+", default=[1_000, 10_000])
    given = parser.parse_args()
    browser = _browser()
    if given.tiny:
        given.documents = [60]
        corpus = tiny_corpus()
    elif given.corpus is None:
        parser.error("name the corpus, or run --tiny")
    else:
        with opened(given.corpus) as folder:
            corpus = Corpus.read(folder)
    known = machine.facts()
    # A file with a NUL in it is taken for a binary one.
    chain = Chain(" ".join(corpus.texts.values()).replace("\0", "").split())
    rows = [_measure(chain, count, given.seed, browser) for count in given.documents]
    settings.save(
        settings.results(given),
        "report-size",
        {"machine": known, "browser": _version(browser), "reports": rows},
        _report(rows, known, browser),
    )


def _browser() -> str | None:
    """Chromium's path; None where there is none, or no Playwright, which CI must have."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        import playwright  # noqa: F401
    except ImportError:
        path = None
    if path is None:
        message = "needs Chromium and the package playwright to open the page; only made here"
        if os.environ.get("CI") == "true":
            raise SystemExit(message)
        settings.say(message)
    return path


def _version(browser: str | None) -> str | None:
    if browser is None:
        return None
    told = subprocess.run([browser, "--version"], capture_output=True, text=True, check=True)
    return told.stdout.strip()


def _measure(chain: Chain, count: int, seed: int, browser: str | None) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as temporary:
        folder, page = Path(temporary) / "essays", Path(temporary) / "report.html"
        settings.say(f"{count:,} documents are made")
        size = _write(chain, count, seed, folder)
        made = _make(folder, page)
        settings.say(f"{count:,} documents: {made['seconds']:.1f} s, {made['page_mb']:.1f} MB")
        used = {} if browser is None else _use(page, browser)
    return {"documents": count, "text_mb": size / 1e6, **made, "browser": used}


def _write(chain: Chain, count: int, seed: int, folder: Path) -> int:
    """Writes the documents, one a file; how many bytes."""
    folder.mkdir()
    size = 0
    for number, words in enumerate(_documents(chain, count, seed)):
        text = "\n\n".join(
            " ".join(words[begin : begin + PARAGRAPH]) for begin in range(0, len(words), PARAGRAPH)
        )
        data = f"{text}\n".encode()
        (folder / f"d-{number:05}.txt").write_bytes(data)
        size += len(data)
    return size


def _documents(chain: Chain, count: int, seed: int) -> Iterator[list[str]]:
    rng = np.random.default_rng([seed, count])
    mean = np.log(WORDS) - SPREAD**2 / 2
    lengths = np.maximum(40, np.rint(rng.lognormal(mean, SPREAD, count))).astype(np.int64)
    texts = [text.split() for text in chain.texts(lengths, rng)]
    for number, words in enumerate(texts):
        drawn, other = rng.random(), texts[int(rng.integers(count))]
        if drawn < COPIES:
            yield _edited(other, words, rng)
        elif drawn < COPIES + HOLDERS:
            length = int(rng.integers(30, 150))
            begin, place = (int(rng.integers(max(1, len(one) - length))) for one in (other, words))
            yield [*words[:place], *other[begin : begin + length], *words[place:]]
        else:
            yield texts[number]


def _edited(source: Sequence[str], other: Sequence[str], rng: np.random.Generator) -> list[str]:
    """A copy with some words of another text in place of its own."""
    share = rng.uniform(0.0, 0.25)
    changed = (rng.random(len(source)) < share).tolist()
    return [
        other[i % len(other)] if change else word
        for i, (word, change) in enumerate(zip(source, changed, strict=True))
    ]


def _make(folder: Path, page: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "likewise", "report", str(folder), "-o", str(page), "--stats"]
    start = time.perf_counter()
    peak = 0.0
    with tempfile.TemporaryFile("w+") as told:
        running = subprocess.Popen(command, stderr=told)
        while running.poll() is None:
            peak = max(peak, memory.fields(Path(f"/proc/{running.pid}/status")).get("VmHWM", 0.0))
            time.sleep(0.02)
        seconds = time.perf_counter() - start
        told.seek(0)
        messages = told.read()
    if running.returncode:
        raise SystemExit(f"the report was not made: {messages}")
    text = page.read_text(encoding="utf-8")
    survey = json.loads(re.search(r'id="survey">(.*?)</script>', text)[1])  # type: ignore[index]
    return {
        "seconds": seconds,
        "peak_mb": peak,
        "page_mb": page.stat().st_size / 1e6,
        "pairs": survey["pairs"]["count"],
        "listed_pairs": len(survey["pairs"]["columns"]["a"]),
        "with_texts": text.count('id="pair-'),
        "listed_documents": len(survey["documents"]["columns"]["id"]),
        "left_out": survey["left_out"],
        "stages": dict(survey["run"]["seconds"]),
    }


def _use(path: Path, browser: str) -> dict[str, Any]:
    """Opens the page several times; medians, in milliseconds."""
    from playwright.sync_api import sync_playwright

    rounds: list[dict[str, float]] = []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for _ in range(OPENED):
            context = started.new_context()
            page = context.new_page()
            rounds.append(_round(page, path))
            context.close()
        started.close()
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


def _round(page: Page, path: Path) -> dict[str, float]:
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("h1:not(.unseen)")
    # The clock of the page began with the navigation; a frame later what it shows is painted.
    measured = {"open": page.evaluate(_SHOWN)}
    measured["pairs"] = page.evaluate(_CHANGE, ["#/pairs", 'input[data-control="search"]'])
    found = [page.evaluate(_FILTER, text) for text in FILTERS]
    measured["filter"] = statistics.median(found)
    measured["pair"] = page.evaluate(_SIDE_BY_SIDE)
    page.evaluate(_CHANGE, ["#/pairs", 'input[data-control="search"]'])
    for name, query in _passage_and(page).items():
        measured[name] = page.evaluate(
            _CHANGE, [f"#/pairs?{query}", ".exclusion-bar:not([hidden])"]
        )
        page.evaluate(_CHANGE, ["#/pairs", ".exclusion-bar[hidden]"])
    measured["heap_mb"] = page.evaluate("() => performance.memory.usedJSHeapSize / 1e6")
    if problems:
        raise SystemExit(f"the page reports: {problems}")
    return measured


def _passage_and(page: Page) -> dict[str, str]:
    """By the name of a measurement what is excluded: one passage is that of the first pair."""
    passage = page.evaluate(_FIRST_PASSAGE)
    return {
        "quotations": "exclude=quotations",
        "short": "exclude=words-40",
        "passage": f"passage-out={passage}",
    }


_FRAME = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_SHOWN = f"async () => {{ await {_FRAME}; return performance.now(); }}"
_UNTIL = f"while (!document.querySelector(wanted)) await {_FRAME};"
_CHANGE = f"""async ([hash, wanted]) => {{
    const start = performance.now();
    location.hash = hash;
    {_UNTIL}
    await {_FRAME};
    return performance.now() - start;
}}"""
_FILTER = f"""async (text) => {{
    const input = document.querySelector('input[data-control="search"]');
    const start = performance.now();
    input.value = text;
    input.dispatchEvent(new Event("input", {{ bubbles: true }}));
    await {_FRAME};
    return performance.now() - start;
}}"""
_FIRST_PASSAGE = """() => {
    const survey = JSON.parse(document.getElementById("survey").textContent);
    const { a } = survey.pairs.columns;
    const row = a.findIndex((_, row) => document.getElementById(`pair-${row}`));
    return encodeURIComponent(`0-60 ${survey.documents.columns.id[a[row]]}`);
}"""
_SIDE_BY_SIDE = f"""async () => {{
    const survey = JSON.parse(document.getElementById("survey").textContent);
    const {{ a, b }} = survey.pairs.columns;
    const row = a.findIndex((_, row) => document.getElementById(`pair-${{row}}`));
    const ids = [a[row], b[row]].map((at) => encodeURIComponent(survey.documents.columns.id[at]));
    const wanted = 'main[data-view="pair"] h1';
    const start = performance.now();
    location.hash = `#/pair/${{ids.join("/")}}`;
    {_UNTIL}
    await {_FRAME};
    return performance.now() - start;
}}"""


def _report(rows: list[dict[str, Any]], known: dict[str, Any], browser: str | None) -> str:
    head = ["documents", "text", "pairs", "listed", "with texts", "made in", "peak", "page"]
    table = [
        [
            f"{row['documents']:,}", f"{row['text_mb']:.1f} MB", f"{row['pairs']:,}",
            f"{row['listed_pairs']:,}", f"{row['with_texts']:,}", f"{row['seconds']:.1f} s",
            f"{row['peak_mb']:,.0f} MB", f"{row['page_mb']:.1f} MB",
        ]
        for row in rows
    ]  # fmt: skip
    parts = [
        "# The report of large collections",
        f"Documents of about {WORDS} words as files in a folder, one in ten a copy of another with "
        "up to a quarter of its words changed, one in twenty with a passage of another. Made by "
        "`likewise report` with its defaults.",
        markdown(head, table),
    ]
    if browser is not None:
        used = [
            [
                f"{row['documents']:,}",
                *(f"{row['browser'][name]:.0f} ms" for name in ("open", "pairs", "filter", "pair")),
                f"{row['browser']['heap_mb']:.0f} MB",
            ]
            for row in rows
        ]
        excluded = [
            [
                f"{row['documents']:,}",
                *(f"{row['browser'][name]:.0f} ms" for name in ("quotations", "short", "passage")),
            ]
            for row in rows
        ]
        names = ["documents", "open", "table of pairs", "filter it", "side by side", "heap"]
        parts += [
            f"Opened from disk in {_version(browser)}, {OPENED} times, medians: from the beginning "
            "of the navigation until the heading is painted; then from the click until the table "
            "of pairs is painted, until it is filtered, and until two texts stand side by side.",
            markdown(names, used),
            "From the click until the table of pairs is painted without what is excluded: "
            "quotations, passages of fewer than 40 words, and a passage of 60 words wherever it "
            "is in a text of the page.",
            markdown(["documents", "quotations", "short passages", "a passage"], excluded),
        ]
    stages = [
        f"Stages at {row['documents']:,} documents, in seconds: "
        + ", ".join(f"{name} {value:.2f}" for name, value in row["stages"].items() if value >= 0.01)
        for row in rows
    ]
    return "\n\n".join([*parts, *stages, machine.summary(known)])


if __name__ == "__main__":
    main()
