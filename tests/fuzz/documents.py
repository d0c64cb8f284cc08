"""Documents of every format: sound ones made here, damaged, and read as a folder's files are.

The parsers run in this process, which `runner` limits as workers are limited, and not in a pool of
their own: ten times as many inputs a second. What `formats.extract` raises is then seen as it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, cast
from xml.sax.saxutils import escape

from likewise.documents.encoding import check_encoding
from likewise.documents.extraction.cache_entry import decode_outcome, encode_outcome
from likewise.documents.extraction.extraction import Extraction
from likewise.documents.extraction.pool import Pool, Task
from likewise.documents.extraction.single_document import begin_document
from likewise.documents.formats import FORMATS, extract
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.unreadable import UnreadableError
from tests.documents import makers
from tests.fuzz.mutations import mutate, mutate_markup, mutate_zip, open_zip, words
from tests.fuzz.outcomes import LostError, Outcome


class _Here:
    """A pool whose only worker is this process. Only `UnreadableError` is expected of a parser."""

    max_workers = 1

    def submit(self, kind: str, data: bytes, encoding: str | None = None) -> Task:
        task = Task(kind, data, encoding)
        try:
            outcome: Any = extract(kind, data, encoding)
        except UnreadableError as error:
            outcome = error
        task.settle(encode_outcome(outcome))
        return task

    def wait(self, task: Task) -> Any:
        return task.outcome

    def close(self) -> None:
        pass


def extraction() -> Extraction:
    """Return what extracts text in this process."""
    return Extraction(cache=False, pool=cast("Pool", _Here()))


def read(kind: str, data: bytes, encoding: str | None = None) -> Outcome:
    """Read bytes as a file of a folder with an extension of this kind."""
    check_encoding(encoding)
    name = "x" + FORMATS[kind].extensions[0] if kind in FORMATS else "x.txt"
    origin = Origin(name, name, name, kind, None, named=False, size=len(data))
    document = begin_document(origin, data, Reading(encoding=encoding, extraction=extraction()))()
    again = decode_outcome(encode_outcome(document))
    if again != document:
        raise LostError("the text is another one after it was sent")
    if document.references is not None and not document.references.fits(len(document.text)):
        raise LostError("references are outside the text")
    starts = document.page_starts or (0,)
    if list(starts) != sorted(starts) or not 0 <= starts[0] <= starts[-1] <= len(document.text):
        raise LostError("pages begin outside the text")
    return "ok"


def pdf(rng: random.Random) -> Outcome:
    """A PDF with text, a form, or drawn by operators; its objects damaged."""
    line = words(rng).encode("cp1252", "ignore").decode("cp1252").replace("\0", "")
    pages = [
        [line, "Some words that are on every page", str(page)] for page in range(rng.randint(1, 4))
    ]
    data = rng.choice(
        (
            lambda: makers.make_pdf(pages),
            lambda: makers.make_pdf(pages, rng.choice(("", "secret"))),
            lambda: makers.make_form_pdf(
                [line], [("name", words(rng, 5), rng.choice((0, 4096)), 4)]
            ),
            lambda: makers.make_drawn_pdf([_operators(rng) for _ in pages]),
            lambda: makers.make_placed_pdf([[(rng.uniform(-50, 900), "Line")] * 3 for _ in pages]),
        )
    )()
    return read("pdf", mutate(rng, data))


def _operators(rng: random.Random) -> bytes:
    known = (
        *(
            b"BT",
            b"ET",
            b"/F 11 Tf",
            b"/F 0 Tf",
            b"/F -9 Tf",
            b"(some text) Tj",
            b"72 700 Td",
            b"q",
            b"Q",
        ),
        *(b"/G gs", b"/N gs", b"3 Tr", b"0 Tr", b"1 1 1 rg", b"0 g", b"[(a) -200 (b)] TJ", b"T*"),
        *(b"1 0 0 1 99999 99999 cm", b"0 0 0 0 0 0 cm", b"/X Do", b"0 0 100 100 re W n", b"14 TL"),
    )
    return b"BT /F 11 Tf 72 700 Td " + b" ".join(rng.choices(known, k=rng.randint(0, 40)))


def _package(
    kind: str, make: Callable[[random.Random], bytes]
) -> Callable[[random.Random], Outcome]:
    def fuzz(rng: random.Random) -> Outcome:
        data = make(rng)
        damaged = mutate(rng, data) if rng.random() < 0.3 else mutate_zip(rng, open_zip(data))
        return read(kind, damaged)

    return fuzz


def _escaped(rng: random.Random) -> str:
    return escape(words(rng)).replace("\x0c", "")


_OUTLINE = ("", "", *(f'<w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>' for level in (0, 1, 9, 99)))


def make_docx(rng: random.Random) -> bytes:
    parts = (
        *(
            "<w:tab/>",
            "<w:br/>",
            '<w:footnoteReference w:id="1"/>',
            "<mc:AlternateContent>",
            "<w:tbl>",
        ),
        *(
            '<w:rPr><w:vanish/><w:color w:val="FFFFFF"/><w:sz w:val="2"/></w:rPr>',
            "<w:del/>",
            "<w:sdt/>",
        ),
    )
    closed = [part for part in parts if part.endswith(("/>", "</w:rPr>"))]
    inside = "".join(
        f"<w:p>{rng.choice(_OUTLINE)}<w:r>{rng.choice(closed)}<w:t>{_escaped(rng)}</w:t></w:r></w:p>"
        for _ in range(rng.randint(0, 5))
    )
    if rng.random() < 0.3:
        inside = f"<w:tbl><w:tr><w:tc>{inside}</w:tc></w:tr></w:tbl>"
    note = f'<w:footnote w:id="1">{makers.word_paragraph(_escaped(rng))}</w:footnote>'
    return makers.make_docx(inside, footnotes=note)


def make_odt(rng: random.Random) -> bytes:
    parts = (
        "<text:s text:c='3'/>",
        "<text:tab/>",
        "<text:line-break/>",
        "<text:note><text:p/></text:note>",
    )
    body = "".join(
        f"<text:{name} text:outline-level='{rng.randint(-1, 12)}'>{_escaped(rng)}"
        f"{rng.choice(parts)}</text:{name}>"
        for name in rng.choices("ph", k=rng.randint(0, 5))
    )
    return makers.make_odt(body)


def make_pptx(rng: random.Random) -> bytes:
    slides = {
        f"slide{n}": makers.slide_shape(_escaped(rng), kind=rng.choice(("", "title", "sldNum")))
        for n in range(rng.randint(0, 4))
    }
    return makers.make_pptx(slides, {"slide0": makers.slide_shape(_escaped(rng))})


def make_epub(rng: random.Random) -> bytes:
    parts = {
        f"{n}.xhtml": f"<html><body><h{n}>{_escaped(rng)}</h{n}><p>{_escaped(rng)}</p></body>"
        "</html>"
        for n in range(rng.randint(0, 4))
    }
    return makers.make_epub(parts)


docx = _package("docx", make_docx)
odt = _package("odt", make_odt)
pptx = _package("pptx", make_pptx)
epub = _package("epub", make_epub)

_HTML = (
    *(
        "<p>",
        "</p>",
        "<br>",
        "<table><tr><td>",
        "</table>",
        "<script>x()</script>",
        "<style>p{}</style>",
    ),
    *(
        '<p style="display:none">',
        '<p style="color:#fff;font-size:0">',
        "<li>",
        "<pre>",
        "</pre>",
        "<!--",
    ),
    *(
        "<h1>",
        "</h1>",
        "<h3>",
        "<title>",
        "</title>",
        "<meta charset=utf-16>",
        '<meta charset="x-nothing">',
        "<svg><text>",
        "&nbsp;",
    ),
    *(
        "<template>",
        "<noscript>",
        "<textarea>",
        "</body>",
        "<frameset>",
        "<a href='",
        "<?php ?>",
        "&#xD800;",
    ),
)
_ENCODINGS = (
    *(
        "utf-8",
        "utf-8",
        "utf-8-sig",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-32",
        "cp1252",
        "cp1251",
    ),
    *("koi8_r", "gb18030", "shift_jis", "euc_kr", "big5", "cp1255", "cp1256", "mac_roman", "utf-7"),
)


def html(rng: random.Random) -> Outcome:
    """HTML of which hardly anything is closed, in many encodings."""
    inside = "".join(rng.choice(_HTML) + words(rng, 5) for _ in range(rng.randint(0, 30)))
    text = mutate_markup(rng, f"<html><head></head><body>{inside}</body></html>")
    encoding = rng.choice(_ENCODINGS)
    given = rng.choice((None, None, None, encoding, "ascii"))
    return read("html", mutate(rng, text.encode(encoding, "replace")), given)


_RTF = (
    *(
        rb"\par ",
        rb"\tab ",
        rb"\'e9",
        rb"\u8364?",
        rb"\uc3 ",
        rb"\ansicpg1251 ",
        rb"\ansicpg99999 ",
        b"{",
        b"}",
    ),
    *(
        rb"{\*\generator x;}",
        rb"{\fonttbl{\f0\fcharset204 A;}}",
        rb"\f0 ",
        rb"\bin9 ",
        rb"\bin-1 ",
        rb"\v ",
        b"\\",
    ),
    *(
        rb"\u-10179?\u-8704?",
        rb"\u99999999?",
        rb"{\pict ffd8ff}",
        rb"{\footnote x}",
        rb"\fs2 ",
        rb"\cf9 ",
    ),
)


def rtf(rng: random.Random) -> Outcome:
    """RTF of control words in any order."""
    inside = b"".join(
        rng.choice(_RTF) + words(rng, 3).encode("cp1252", "ignore")
        for _ in range(rng.randint(0, 40))
    )
    return read("rtf", mutate(rng, rb"{\rtf1\ansi\ansicpg1252 " + inside + b"}"))


def text(rng: random.Random) -> Outcome:
    """Plain text in many encodings, with damaged bytes, and sometimes an encoding that is wrong."""
    data = words(rng, 200).encode(rng.choice(_ENCODINGS), "replace")
    return read("text", mutate(rng, data), None if rng.random() < 0.7 else rng.choice(_ENCODINGS))
