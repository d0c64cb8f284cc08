"""Which columns of a table hold the text and the id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.errors import ColumnError

TEXT_NAMES = ("text", "content", "body")
ID_NAME = "id"


@dataclass(frozen=True)
class Columns:
    """The names of the columns to read; `id` is None where rows are known by their number."""

    text: str
    id: str | None


def choose_columns(
    origin: Origin,
    found: Mapping[str, bool],
    reading: Reading,
    nested: Mapping[str, bool] | None = None,
) -> Columns:
    """Choose among the columns `found` (name → whether it holds strings).

    `nested` has what else the user named and is there: paths, and columns of lists.

    The text is the column that the user named; else "text", "content" or "body"; else, in a file
    that the user named, the only column of strings. The id is the column that the user named, else
    "id" if there is one. Raises `ColumnError` where that gives nothing.
    """
    named = {**found, **(nested or {})}
    text = _named_text(origin, named, reading) if reading.text else _usual_text(origin, found)
    if text != TEXT_NAMES[0] and text != reading.text:
        reading.note(origin, f"the text is taken from column {text!r}")
    return Columns(text, _choose_id(origin, named, reading, text))


def _named_text(origin: Origin, found: Mapping[str, bool], reading: Reading) -> str:
    name = reading.text or ""
    if name not in found:
        raise ColumnError(
            f"{origin.name}: no column {name!r}; it has {_listed(found)}",
            hint="name one of these with `text`",
        )
    if not found[name]:
        raise ColumnError(
            f"{origin.name}: column {name!r} does not contain strings",
            hint=f"name a column of strings with `text`: {_listed(_strings(found))}",
        )
    return name


def _usual_text(origin: Origin, found: Mapping[str, bool]) -> str:
    strings = _strings(found)
    for name in TEXT_NAMES:
        if name in strings:
            return name
    # A table lying about in a folder of essays is rarely meant, so there it needs a telling name.
    candidates = [name for name in strings if name != ID_NAME]
    if origin.named and len(candidates) == 1:
        return candidates[0]
    raise ColumnError(
        f"{origin.name}: no column of strings called {', '.join(TEXT_NAMES[:-1])} or "
        f"{TEXT_NAMES[-1]}; it has {_listed(found)}",
        hint="name the column that contains the text with `text`",
    )


def _choose_id(
    origin: Origin, found: Mapping[str, bool], reading: Reading, text: str
) -> str | None:
    if reading.id is None:
        return ID_NAME if ID_NAME in found and text != ID_NAME else None
    if reading.id not in found:
        raise ColumnError(
            f"{origin.name}: no column {reading.id!r}; it has {_listed(found)}",
            hint="name one of these with `id`, or omit it to number the rows",
        )
    return reading.id


def _strings(found: Mapping[str, bool]) -> list[str]:
    return [name for name, holds_strings in found.items() if holds_strings]


def _listed(names: Mapping[str, bool] | list[str]) -> str:
    shown = list(names)[:20]
    more = len(names) - len(shown)
    return (", ".join(map(repr, shown)) or "none") + (f" and {more} more" if more else "")
