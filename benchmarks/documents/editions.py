"""Long editions and hostile ones: time and memory until they are read, or refused.

Each file is read in a process of its own, whose worker extracts the text. Memory is the most that
was resident in either process.

    python -m benchmarks.documents.editions
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.harness import machine, memory, settings
from benchmarks.harness.table import markdown

LINE = "And so the river ran, and ran, and ran, until the sea was all it knew."
TEI = (
    '<?xml version="1.0"?>\n{}<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>{}</body></text>'
    "</TEI>"
)
OSIS = (
    '<osis><osisText><div type="book" osisID="Gen"><chapter osisID="Gen.1">{}</chapter></div>'
    "</osisText></osis>"
)
WORD = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
WORD_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
    'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
CONTAINER = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
PACKAGE = (
    '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine>'
    "</package>"
)


def filled(size: int, made: Callable[[int], str]) -> str:
    """Numbered pieces of text until there are so many characters."""
    pieces, length = [], 0
    for number in count(1):
        pieces.append(made(number))
        length += len(pieces[-1])
        if length >= size:
            break
    return "".join(pieces)


def tei(body: str, doctype: str = "") -> bytes:
    return TEI.format(doctype, body).encode()


def office(members: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return stream.getvalue()


def long_files(size: int) -> dict[str, Callable[[], tuple[str, bytes, str | None]]]:
    """Of each format one that is well formed: its extension, content and rule for places."""
    heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Part {}</w:t></w:r></w:p>'
    return {
        "TEI, lines of verse": lambda: (
            "xml", tei(filled(size, lambda n: f'<l n="{n}">{LINE}</l>\n')), None),
        "TEI, milestones": lambda: (
            "xml", tei("<p>" + filled(size, lambda n: f'<milestone unit="verse" n="{n}"/>{LINE} ')
                       + "</p>"), None),
        "TEI, chapters and notes": lambda: (
            "xml", tei(filled(size, lambda n: f'<div type="chapter" n="{n}"><head>Part {n}</head>'
                              f"<p>{LINE} {LINE}<note>{LINE}</note></p></div>\n")), None),
        "OSIS, verses": lambda: (
            "xml", OSIS.format(filled(size, lambda n: f'<verse osisID="Gen.1.{n}">{LINE}</verse>\n')
                               ).encode(), None),
        "USFM": lambda: (
            "usfm", ("\\id GEN\n\\c 1\n\\p\n" + filled(
                size, lambda n: f"\\v {n} {LINE}\\f + \\ft note\\f*\n")).encode(), None),
        "text, --places verses": lambda: (
            "txt", filled(size, lambda n: f"{n // 50 + 1}:{n % 50 + 1} {LINE}\n").encode(),
            "verses"),
        "text, --places lines": lambda: (
            "txt", filled(size, lambda n: f"{n} {LINE}\n").encode(), "lines"),
        "text, --places sections": lambda: (
            "txt", filled(size, lambda n: f"## Part {n}\n\n{LINE}\n\n").encode(), "sections"),
        "HTML with headings": lambda: (
            "html", ("<html><body>" + filled(size, lambda n: f"<h2>Part {n}</h2><p>{LINE}</p>\n")
                     + "</body></html>").encode(), None),
        "EPUB with headings": lambda: (
            "epub", office({"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER,
                            "book.opf": PACKAGE, "a.xhtml": "<html><body>" + filled(
                                size, lambda n: f"<h2>Part {n}</h2><p>{LINE}</p>\n")
                            + "</body></html>"}), None),
        "DOCX with headings": lambda: (
            "docx", office({"[Content_Types].xml": WORD_TYPES, "word/document.xml": WORD + filled(
                size, lambda n: heading.format(n) + f"<w:p><w:r><w:t>{LINE}</w:t></w:r></w:p>\n")
                + "</w:body></w:document>"}), None),
    }  # fmt: skip


def hostile_files(size: int) -> dict[str, Callable[[], tuple[str, bytes, str | None]]]:
    """Files that are meant to do harm."""
    laughs = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 20))
    depth = size // 8
    return {
        "billion laughs": lambda: (
            "xml", tei("<p>&a19;</p>", f'<!DOCTYPE TEI [<!ENTITY a0 "ha">{laughs}]>'), None),
        "quadratic entities, long": lambda: (
            "xml", tei("<p>" + "&a;" * 100_000 + "</p>",
                       f'<!DOCTYPE TEI [<!ENTITY a "{"ha" * 50_000}">]>'), None),
        "quadratic entities, short": lambda: (
            "xml", tei("<p>" + "&a;" * (size // 3) + "</p>",
                       f'<!DOCTYPE TEI [<!ENTITY a "{"ha" * 32}">]>'), None),
        "entities in an attribute": lambda: (
            "xml", tei('<p n="' + "&a;" * (size // 3) + '">text</p>',
                       f'<!DOCTYPE TEI [<!ENTITY a "{"ha" * 32}">]>'), None),
        "external entity": lambda: (
            "xml", tei("<p>text &a;</p>",
                       '<!DOCTYPE TEI [<!ENTITY a SYSTEM "file:///etc/passwd">]>'), None),
        "nested TEI": lambda: ("xml", tei("<p>" * depth + "a" + "</p>" * depth), None),
        "nested HTML": lambda: ("html", b"<div>" * depth + b"a", None),
        "cut off at the end": lambda: (
            "xml", tei(filled(size, lambda n: f"<l>{LINE}</l>\n"))[:-20], None),
        "no end of a tag": lambda: ("xml", tei("<p " + "a" * size), None),
        "one attribute": lambda: ("xml", tei(f'<p n="{"1 " * (size // 2)}">text</p>'), None),
        "many attributes": lambda: (
            "xml", tei("<p " + filled(size // 4, lambda n: f'a{n}="" ') + ">text</p>"), None),
        "empty breaks": lambda: (
            "xml", tei("<p>text" + filled(size, lambda n: f'<lb n="{n}"/>') + "</p>"), None),
        "USFM, notes without end": lambda: (
            "usfm", b"\\id GEN\n\\c 1\n" + b"\\v 1 word \\f + \\ft note " * (size // 26), None),
        "USFM, backslashes": lambda: ("usfm", b"\\id GEN\n" + b"\\" * size, None),
        "text, a line of numbers": lambda: ("txt", b"1:1 " * (size // 4), "verses"),
        "text, a line of blanks": lambda: ("txt", b"1" + b" " * size + b"2", "lines"),
    }  # fmt: skip


def measured(name: str, made: tuple[str, bytes, str | None], folder: Path) -> dict[str, Any]:
    extension, data, rule = made
    path = folder / f"file.{extension}"
    path.write_bytes(data)
    command = [sys.executable, "-m", "benchmarks.documents.editions", "--one", str(path)]
    done = subprocess.run(
        [*command, *(["--rule", rule] if rule else [])], capture_output=True, text=True, check=False
    )
    path.unlink()
    found = (
        json.loads(done.stdout)
        if done.returncode == 0
        else {"result": f"died: {done.stderr[-200:]}"}
    )
    settings.say(f"{name}: {found}")
    return {"name": name, "mb": len(data) / 1e6, **found}


def one(path: Path, rule: str | None) -> None:
    """Print what reading a file comes to, as JSON."""
    from likewise.documents import read_document
    from likewise.errors import DocumentError

    start = time.perf_counter()
    try:
        document, _ = read_document(path, cache=False, places=rule)
        marks = 0 if document.references is None else len(document.references.offsets)
        result = f"read: {len(document.text) / 1e6:,.1f} million characters, {marks:,} places"
    except DocumentError as error:
        result = f"refused: {error.reason}"
    seconds = time.perf_counter() - start
    peak = max(memory.peak(), *map(_peak_of, _children()), _peak_of_ended())
    cpu = sum(os.times()[:4]) + sum(map(_cpu_of, _children()))
    print(json.dumps({"seconds": seconds, "cpu": cpu, "memory_mb": peak, "result": result}))


def _children() -> list[str]:
    """The processes that this one has started, where the system tells."""
    listed = Path("/proc/self/task") / str(os.getpid()) / "children"
    return listed.read_text().split() if listed.exists() else []


def _peak_of(process: str) -> float:
    return memory.fields(Path("/proc") / process / "status").get("VmHWM", 0.0)


def _cpu_of(process: str) -> float:
    """Seconds of a processor so far."""
    fields = (Path("/proc") / process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_of_ended() -> float:
    """Of processes that have ended, in megabytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        [
            row["name"], f"{row['mb']:,.1f} MB", f"{row.get('seconds', 0):,.1f} s",
            f"{row.get('cpu', 0):,.1f} s",
            f"{row.get('memory_mb', 0):,.0f} MB", row["result"].replace("|", "\\|"),
        ]
        for row in rows
    ]  # fmt: skip
    return markdown(["file", "size", "time", "of a processor", "memory", "result"], lines)


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--megabytes", type=float, default=200, help="of each long file")
    parser.add_argument("--one", type=Path, help="read this file, and print what came of it")
    parser.add_argument("--rule", help="of its places")
    given = parser.parse_args()
    if given.one:
        one(given.one, given.rule)
        return
    size = 100_000 if given.tiny else round(given.megabytes * 1e6)
    known = machine.facts()
    parts, facts = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for title, files in (
            ("Long", long_files(size)), ("Hostile", hostile_files(size)),
        ):  # fmt: skip
            rows = [measured(name, made(), Path(folder)) for name, made in files.items()]
            assert not any(row["result"].startswith("died") for row in rows), rows
            facts[title.lower()] = rows
            parts.append(f"## {title}\n\n{table(rows)}")
    text = (
        "# Long and hostile editions\n\nEach file is read in a process of its own, with a worker "
        "that extracts the text. Seconds of a processor are those of both; memory is the most that "
        "was resident in one of them. The limits of the worker are 60 s and 2 GiB "
        "([all limits](../../docs/reference/limits.md)).\n\n"
        + "\n\n".join(parts)
        + f"\n\n{machine.summary(known)}"
    )
    settings.save(settings.results(given), "editions", {"machine": known, **facts}, text)


if __name__ == "__main__":
    main()
