"""How quickly long documents open in a browser: in the app, and in the one-file report.

Two documents of a hundred pages (500 words each) share twenty passages; two others are a text and
a copy of it in which every twelfth word is another one, so that nearly all of it is marked. In the
app they stand in an index with a thousand short documents. Time is taken from the change of the
address until the text is painted, in Chromium, medians of several rounds; of the app also how long
the server takes to answer.

    python -m benchmarks.pages.app_speed
"""

from __future__ import annotations

import itertools
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.pages.chromium import chromium
from benchmarks.texts import corpus
from likewise import Index

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

PAGE = 500  # words
SHARED, SHARED_WORDS = 20, 150
EDITED = 12
ROUNDS = 5
KINDS = {"twenty passages": ("essay-a.txt", "essay-b.txt"), "a copy": ("copy-a.txt", "copy-b.txt")}


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--pages", type=int, default=100, help="of a long document")
    parser.add_argument("--documents", type=int, default=1_000, help="short ones, in the index")
    given = parser.parse_args()
    if given.tiny:
        given.pages, given.documents = 3, 20
    known = machine.facts()
    with chromium() as browser:
        if browser is None:
            return
        texts = _texts(given)
        rows = [*_app(browser, texts), *_report(browser, texts)]
        version = browser.version
    settings.save(
        settings.results(given),
        "app-speed",
        {"machine": known, "browser": version, "pages": given.pages,
         "documents": given.documents, "rows": rows},
        _told(rows, known, version, given),
    )  # fmt: skip


def _texts(given: argparse.Namespace) -> dict[str, str]:
    """The long documents and the short ones, by id."""
    needed = given.documents + 4 * given.pages * PAGE // given.words + SHARED
    pages = (page.text for page in corpus.stream(corpus.Recipe(needed, given.seed, given.words)))
    made = {f"short-{n:04}.txt": text for n, text in enumerate(_take(pages, given.documents))}
    first, second, source = (_long(pages, given.pages) for _ in range(3))
    for number, page in enumerate(_take(pages, SHARED)):
        shared = page.split()[:SHARED_WORDS]
        for words in (first, second):
            place = (number + 1) * len(words) // (SHARED + 1)
            words[place : place + len(shared)] = shared
    copy = [f"{word}x" if at % EDITED == 0 else word for at, word in enumerate(source)]
    long = {"essay-a.txt": first, "essay-b.txt": second, "copy-a.txt": source, "copy-b.txt": copy}
    return made | {id_: _set(words) for id_, words in long.items()}


def _take(pages: Iterator[str], count: int) -> Iterator[str]:
    return itertools.islice(pages, count)


def _long(pages: Iterator[str], count: int) -> list[str]:
    words: list[str] = []
    while len(words) < count * PAGE:
        words += next(pages).split()
    return words[: count * PAGE]


def _set(words: list[str]) -> str:
    """Words in paragraphs."""
    return "\n\n".join(" ".join(words[at : at + 100]) for at in range(0, len(words), 100))


def _app(browser: Browser, texts: dict[str, str]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="likewise-app-") as folder:
        path = Path(folder) / "index.db"
        with Index.create(path) as index:
            index.add(list(texts.values()), list(texts))
        with _served(path) as address:
            return _rounds(browser, "app", f"{address}/#/library", texts)


@contextmanager
def _served(path: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "likewise", "serve", "--index", str(path), "--port", "0",
         "--quiet"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            raise SystemExit(f"the server does not start: {line}")
        yield found[0]
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def _report(browser: Browser, texts: dict[str, str]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory(prefix="likewise-report-") as folder:
        essays, page = Path(folder) / "essays", Path(folder) / "report.html"
        essays.mkdir()
        for id_ in itertools.chain(*KINDS.values()):
            (essays / id_).write_text(texts[id_], encoding="utf-8")
        subprocess.run(
            [sys.executable, "-m", "likewise", "report", str(essays), "-o", str(page), "--quiet"],
            check=True,
        )
        return _rounds(browser, "report", page.as_uri(), texts)


def _rounds(
    browser: Browser, where: str, address: str, texts: dict[str, str]
) -> list[dict[str, Any]]:
    """Each view of each kind: medians, in milliseconds."""
    times: dict[tuple[str, str], list[dict[str, float]]] = {}
    for _ in range(ROUNDS):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error, found=problems: found.append(str(error)))  # type: ignore[misc]
        page.goto(address)
        page.wait_for_selector("h1")
        for kind, (a, b) in KINDS.items():
            for view, hash_ in (("document", f"#/document/{a}"), ("pair", f"#/pair/{a}/{b}")):
                times.setdefault((kind, view), []).append(_opened(page, view, hash_, texts[a]))
        context.close()
        if problems:
            raise SystemExit(f"the page reports: {problems}")
    return [
        {
            "where": where,
            "kind": kind,
            "view": view,
            **{name: statistics.median(one[name] for one in found) for name in found[0]},
        }
        for (kind, view), found in times.items()
    ]


def _opened(page: Page, view: str, hash_: str, text: str) -> dict[str, float]:
    told: dict[str, float] = page.evaluate(_OPEN, [view, hash_])
    shown = page.evaluate("() => document.querySelector('.text').textContent.length")
    if shown < len(text) or not told["marks"]:
        raise SystemExit(f"{hash_}: the text is not there, or nothing is marked")
    return told


_FRAME = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_OPEN = f"""async ([view, hash]) => {{
    performance.clearResourceTimings();
    const start = performance.now();
    location.hash = hash;
    const isThere = () => document.querySelector(`main[data-view="${{view}}"] .text mark`)
        && location.hash === hash;
    document.querySelector("main").dataset.view = "";
    while (!isThere()) await {_FRAME};
    await {_FRAME};
    const painted = performance.now() - start;
    const asked = performance.getEntriesByType("resource")
        .filter((one) => one.name.includes("/view/"));
    const server = Math.max(0, ...asked.map((one) => one.responseEnd - one.requestStart));
    return {{ painted, server, marks: document.querySelectorAll(".text mark").length }};
}}"""


def _told(
    rows: list[dict[str, Any]], known: dict[str, Any], version: str, given: argparse.Namespace
) -> str:
    table = [
        [
            f"{row['where']}, {row['kind']}, {row['view']}",
            f"{row['painted']:,.0f} ms",
            f"{row['server']:,.0f} ms" if row["where"] == "app" else "–",
            f"{row['marks']:,.0f}",
        ]
        for row in rows
    ]
    return "\n\n".join(
        (
            "# Long documents in a browser",
            f"Documents of {given.pages} pages of {PAGE} words. *Twenty passages*: two that share "
            f"{SHARED} passages of {SHARED_WORDS} words; *a copy*: one of which every {EDITED}th "
            f"word was changed. In the app they stand among {given.documents:,} short documents. "
            f"From the change of the address until the text is painted, in Chromium {version}, "
            f"medians of {ROUNDS}; *server* is the part until its answer is there.",
            markdown(["view", "painted", "server", "marks"], table),
            machine.summary(known),
        )
    )


if __name__ == "__main__":
    main()
