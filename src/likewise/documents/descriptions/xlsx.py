"""XLSX: the cells of the first sheet as a spreadsheet shows them, as far as metadata need it.

Numbers are shown without their format, except dates, which are in ISO form. The result of a formula
is the one that was saved. The same limits apply as for documents in a zip container, and the
sheet has a limit on its rows.
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from likewise.documents.formats.markup import attribute, local_name, parse_xml
from likewise.documents.unreadable import DAMAGED, UnreadableError
from likewise.documents.zipped import Limits, Zipped

if TYPE_CHECKING:
    from lxml.etree import _Element

LIMITS = Limits(members=10_000, member=32 << 20, total=64 << 20)
MAX_ROWS = 100_000
_DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_NOT_IN_FORMAT = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_REFERENCE = re.compile(r"([A-Z]{1,3})\d{1,7}")

Row = dict[int, str]
"""The cells of a row that are not empty, by the number of their column."""


def read_xlsx(data: bytes) -> list[Row]:
    """The rows of the first sheet, from the header on.

    The header is the first row with at least two cells: what is above it is a title. Raises
    `UnreadableError`.
    """
    package = Zipped(io.BytesIO(data), LIMITS)
    workbook = package.get("xl/workbook.xml")
    if workbook is None:
        raise UnreadableError("not an XLSX file: another kind of zip archive")
    book = parse_xml(workbook)
    sheet = package.get(_first_sheet(book, package))
    if sheet is None:
        raise UnreadableError(DAMAGED)
    cells = _Cells(
        _shared_strings(package.get("xl/sharedStrings.xml")),
        _date_styles(package.get("xl/styles.xml")),
        from_1904=any(
            attribute(one, "date1904") in ("1", "true") for one in _named(book, "workbookPr")
        ),
    )
    rows = [cells.row(row) for row in _checked(_named(parse_xml(sheet), "row"))]
    header = next((at for at, row in enumerate(rows) if len(row) > 1), 0)
    return rows[header:]


def _checked(rows: Iterator[_Element]) -> Iterator[_Element]:
    for count, row in enumerate(rows):
        if count >= MAX_ROWS:
            raise UnreadableError(f"it has more than {MAX_ROWS:,} rows")
        yield row


def _first_sheet(book: _Element, package: Zipped) -> str:
    """The name of the part with the first sheet, nearly always "xl/worksheets/sheet1.xml"."""
    relations = package.get("xl/_rels/workbook.xml.rels")
    targets = {
        one.get("Id"): one.get("Target", "")
        for one in _named(parse_xml(relations), "Relationship")
    } if relations is not None else {}  # fmt: skip
    for sheet in _named(book, "sheet"):
        if target := targets.get(attribute(sheet, "id")):
            return posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
    return "xl/worksheets/sheet1.xml"


def _shared_strings(data: bytes | None) -> list[str]:
    return [] if data is None else [_text(one) for one in _named(parse_xml(data), "si")]


def _date_styles(data: bytes | None) -> set[int]:
    """The numbers of the styles of cells that are dates."""
    if data is None:
        return set()
    root = parse_xml(data)
    own = {
        one.get("numFmtId"): _NOT_IN_FORMAT.sub("", one.get("formatCode", "")).lower()
        for one in _named(root, "numFmt")
    }
    dates = {str(number) for number in _DATE_FORMATS}
    dates |= {str(number) for number, code in own.items() if re.search("[ymd]", code)}
    formats = next(_named(root, "cellXfs"), None)
    if formats is None:
        return set()
    styles = (one for one in formats if local_name(one) == "xf")
    return {at for at, one in enumerate(styles) if one.get("numFmtId") in dates}


class _Cells:
    """Cells as text."""

    def __init__(self, strings: list[str], dates: set[int], *, from_1904: bool) -> None:
        self._strings, self._dates = strings, dates
        # Excel counts a 29 February 1900, which did not exist.
        self._begin = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)

    def row(self, row: _Element) -> Row:
        values: Row = {}
        at = -1
        for cell in row:
            if not isinstance(cell.tag, str) or local_name(cell) != "c":
                continue
            reference = _REFERENCE.fullmatch(cell.get("r", ""))
            at = _column(reference[1]) if reference else at + 1
            if value := self._value(cell).strip():
                values[at] = value
        return values

    def _value(self, cell: _Element) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return "".join(map(_text, _named(cell, "is")))
        stored = next((one.text or "" for one in cell if local_name(one) == "v"), "")
        if kind == "s":
            return self._shared(stored)
        if kind == "n":
            return self._number(stored, cell.get("s", "0"))
        return {"0": "FALSE", "1": "TRUE"}.get(stored, stored) if kind == "b" else stored

    def _shared(self, stored: str) -> str:
        try:
            return self._strings[int(stored)]
        except (ValueError, IndexError):
            raise UnreadableError(DAMAGED) from None

    def _number(self, stored: str, style: str) -> str:
        try:
            value = float(stored)
            if style.isdecimal() and int(style) in self._dates:
                moment = self._begin + timedelta(seconds=round(value * 86_400))
                whole = moment == datetime(moment.year, moment.month, moment.day)
                return (moment.date() if whole else moment).isoformat()
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else stored
        except (ValueError, OverflowError):
            return stored


def _column(letters: str) -> int:
    """The number of a column from 0: A, …, Z, AA, …"""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _named(root: _Element, name: str) -> Iterator[_Element]:
    """Elements by their name in any namespace: the format has two."""
    return iter(root.iter(f"{{*}}{name}"))


def _text(element: _Element) -> str:
    """The text of a string with its formats, without the phonetic hints of East Asian ones."""
    return "".join(
        one.text or ""
        for one in _named(element, "t")
        if (parent := one.getparent()) is None or local_name(parent) != "rPh"
    )
