"""Values that identify a person: student numbers, user names and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Container

from likewise.documents.descriptions.table_file import Sheet

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_DATE = re.compile(r"\d{4}|\d{4}-\d{1,2}(-\d{1,2})?|\d{1,2}-\d{1,2}-\d{4}")
_NUMBER = re.compile(r"(?=(?:.*[0-9]){4})[A-Za-z]{0,4}-?[0-9][0-9-]*[A-Za-z]?")


def find_identifiers(sheet: Sheet, used: Container[int]) -> list[str]:
    """Those in columns that have nothing else, each value once; `used` are columns to ignore.

    An address is one in any column.
    """
    found: list[str] = []
    for at in range(len(sheet.columns)):
        if at in used:
            continue
        values = [(row[at] or "").strip() for row in sheet.rows]
        values = [value for value in values if value]
        addresses = [value for value in values if _ADDRESS.fullmatch(value)]
        numbers = [value for value in values if _NUMBER.fullmatch(value)]
        found += addresses
        if numbers and len(numbers) == len(values) == len(set(values)) and not _is_date(values):
            found += numbers
    return list(dict.fromkeys(found))


def _is_date(values: list[str]) -> bool:
    return all(map(_DATE.fullmatch, values))
