"""RTF: paragraphs and tables in order, footnotes and endnotes at the end.

Headers, footers, comments, pictures and fields' instructions are left out, and so are the numbers
of lists and text that was deleted with changes tracked. RTF has no pages: they come about when it
is printed. Text that is marked as hidden, white on no ground or of at most two points is left out
and reported, as in DOCX.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from likewise.documents.document import Document
from likewise.documents.encoding import is_text_encoding
from likewise.documents.formats.text_style import PLAIN, Look
from likewise.documents.hidden_text import Hiding, without_marks
from likewise.documents.unreadable import UnreadableError

MAX_DEPTH = 10_000
_MAX_FONTS = 100_000

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?"
    rb"|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
# Groups that hold no text of the document. Others that begin with \* are left out too.
_SKIPPED = frozenset(
    (
        *("fonttbl", "colortbl", "stylesheet", "info", "pict", "header", "headerl", "headerr"),
        *("headerf", "footer", "footerl", "footerr", "footerf", "fldinst", "listtext", "pntext"),
        *("filetbl", "revtbl", "rsidtbl", "listtable", "listoverridetable", "nonshppict"),
        *("shprslt", "sn", "sv", "objclass", "objname", "objdata", "annotation", "atnid"),
        *("atnauthor", "xe", "tc", "themedata", "datastore", "xmlnstbl"),
    )
)
_KEPT = frozenset(("shpinst", "shptxt", "footnote"))  # although \* precedes them
_TEXTS = {
    **dict.fromkeys(("par", "line", "sect", "page", "column"), "\n"),
    "tab": "\t",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "bullet": "•",
    "ldblquote": "“",
    "rdblquote": "”",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
    "cell": "\t",
    "nestcell": " ",
    "nestrow": " ",
}
_SIGNS = {"\\": "\\", "{": "{", "}": "}", "~": "\xa0", "_": "-", "\n": "\n", "\r": "\n", "\t": "\t"}
_CODE_PAGES = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    134: "gbk",
    136: "big5",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}
_SETS = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}


@dataclass(frozen=True)
class _State:
    """What holds inside a group, and ends with it."""

    skipped: bool = False
    table: str = ""  # "fonttbl" or "colortbl" while in one of these
    note: bool = False
    starred: bool = False
    deleted: bool = False
    in_table: bool = False
    fallback: int = 1  # characters that stand for one of Unicode in older programs
    font: int | None = None
    look: Look = PLAIN


@dataclass
class _Document:
    body: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    code_page: str = "cp1252"
    fonts: dict[int, str] = field(default_factory=dict)
    colours: list[str] = field(default_factory=lambda: ["auto"])
    rgb: list[int] = field(default_factory=list)
    hiding: Hiding = field(default_factory=Hiding)


def extract_rtf(data: bytes) -> Document:
    """Return the text of an RTF document; raise `UnreadableError` where there is none."""
    reader = _Reader()
    open_groups = reader.read(data)
    document = reader.document
    body = "".join(document.body)
    notes = "".join(document.notes)
    text = body if body.endswith("\n") or not body else body + "\n"
    if notes:
        text += notes if notes.endswith("\n") else notes + "\n"
    text = re.sub("\t+(?=\n)", "", text)  # behind the last cell of a row
    text = document.hiding.settle(
        text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )
    more = ["truncated; read up to its end"] if open_groups else []
    return document.hiding.document(text, notes=more)


class _Reader:
    """Goes through an RTF document once, without recursion."""

    def __init__(self) -> None:
        self.document = _Document()
        self._state = _State()
        self._stack: list[_State] = []
        self._bytes = bytearray()  # that are not decoded yet: a character may be two of them
        self._to_skip = 0

    def read(self, data: bytes) -> bool:
        """Read all of it; return whether groups are left open at the end."""
        at, end = 0, len(data)
        while at < end:
            token = _TOKEN.match(data, at)
            if token is None:  # the end of a line of the file, or a backslash at the end of it
                at += 1
                continue
            at = token.end()
            kind = token.lastgroup
            if kind == "text":
                self._add_bytes(token[0])
            elif kind == "hex":
                self._add_bytes(bytes([int(token["hex"], 16)]))
            elif kind == "brace":
                if token[0] == b"{":
                    self._open()
                elif self._close():
                    return False
            elif kind == "sign":
                self._sign(token["sign"].decode("latin-1"))
            else:
                number = None if token["number"] is None else int(token["number"])
                word = token["word"].decode("ascii")
                if word == "bin":
                    at += max(0, number or 0)
                else:
                    self._word(word, number)
        self._flush()
        return bool(self._stack)

    def _open(self) -> None:
        self._flush()
        self._to_skip = 0
        if len(self._stack) >= MAX_DEPTH:
            raise UnreadableError("groups are nested too deeply")
        self._stack.append(self._state)
        self._state = replace(self._state, starred=False)

    def _close(self) -> bool:
        """End a group; return whether it was the document."""
        self._flush()
        self._to_skip = 0
        if not self._stack:
            return True
        ended, self._state = self._state, self._stack.pop()
        if ended.note and not self._state.note and not ended.skipped:
            self.document.notes.append("\n")
        return not self._stack

    def _add_bytes(self, data: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(data))
            self._to_skip -= skipped
            data = data[skipped:]
        if self._state.table == "colortbl":
            for _ in range(data.count(b";")):
                self._end_colour()
        elif not self._state.skipped:
            self._bytes += data

    def _flush(self) -> None:
        if self._bytes:
            font = self._state.font
            encoding = self.document.code_page
            if font is not None:
                encoding = self.document.fonts.get(font, encoding)
            text = bytes(self._bytes).decode(encoding, "replace")
            self._bytes.clear()
            self._add(text)

    def _add(self, text: str) -> None:
        state = self._state
        if state.skipped or state.deleted:
            return
        text = without_marks(text)
        why = state.look.why_unseen()
        shown = text if why is None else self.document.hiding.mark(text, why)
        (self.document.notes if state.note else self.document.body).append(shown)

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._flush()
            self._state = replace(self._state, starred=True)
        elif self._to_skip:
            self._to_skip -= 1
        elif sign in _SIGNS:
            self._flush()
            self._add(_SIGNS[sign])

    def _word(self, word: str, number: int | None) -> None:
        self._flush()
        state = self._state
        if word == "u":
            if not self._to_skip:
                self._add(chr((number or 0) % 0x10000))
            self._to_skip = state.fallback
            return
        if self._to_skip:  # what is skipped may be a sign that has a name
            self._to_skip -= 1
            if word in _TEXTS:
                return
            self._to_skip = 0
        if word in _SKIPPED or (state.starred and word not in _KEPT):
            table = word if word in ("fonttbl", "colortbl") else ""
            self._state = replace(state, skipped=True, starred=False, table=table or state.table)
        elif state.table:
            self._in_table(word, number or 0)
        elif word == "footnote":
            self._state = replace(state, note=True, starred=False, look=PLAIN)
        elif word == "row":
            self._add("\n")
        elif word in _TEXTS:
            self._add(" " if word == "par" and state.in_table else _TEXTS[word])
        else:
            self._format(word, number)
        if self._state.starred:
            self._state = replace(self._state, starred=False)

    def _in_table(self, word: str, number: int) -> None:
        if self._state.table == "colortbl":
            if word in ("red", "green", "blue"):
                self.document.rgb.append(number % 256)
        elif word == "f":
            self._state = replace(self._state, font=number)
        elif word == "fcharset" and self._state.font is not None:
            page = _CODE_PAGES.get(number)
            if page is not None and len(self.document.fonts) < _MAX_FONTS:
                self.document.fonts[self._state.font] = page

    def _end_colour(self) -> None:
        document = self.document
        if len(document.rgb) == 3:
            document.colours.append(bytes(document.rgb).hex().upper())
        elif len(document.colours) > 1:
            document.colours.append("auto")
        document.rgb.clear()

    def _format(self, word: str, number: int | None) -> None:
        state = self._state
        look = state.look
        if word in _SETS:
            self.document.code_page = _SETS[word]
        elif word == "ansicpg":
            self.document.code_page = _known(f"cp{number}", self.document.code_page)
        elif word == "uc":
            self._state = replace(state, fallback=min(max(0, number or 0), 16))
        elif word == "f":
            self._state = replace(state, font=number)
        elif word == "deleted":
            self._state = replace(state, deleted=number != 0)
        elif word == "intbl":
            self._state = replace(state, in_table=True)
        elif word == "pard":
            self._state = replace(state, in_table=False, look=look._replace(ground=None))
        elif word == "plain":
            self._state = replace(state, look=PLAIN, deleted=False)
        elif word == "v":
            self._state = replace(state, look=look._replace(hidden=number != 0))
        elif word == "cf":
            colours = self.document.colours
            at = number or 0
            colour = colours[at] if 0 <= at < len(colours) else "auto"
            self._state = replace(state, look=look._replace(colour=colour))
        elif word == "fs":
            self._state = replace(state, look=look._replace(points=(number or 24) / 2))
        elif word in ("cb", "chcbpat", "highlight", "cbpat", "clcbpat"):
            self._state = replace(state, look=look._replace(ground=bool(number) or None))


def _known(encoding: str, otherwise: str) -> str:
    if is_text_encoding(encoding):
        return encoding
    return "utf-8" if encoding == "cp65001" else otherwise
