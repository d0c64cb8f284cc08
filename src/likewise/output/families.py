"""Passage families as text, a block per family, and as rows, one per witness."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from likewise.documents.document import FIELDS, Document
from likewise.output.chance import chance_text
from likewise.output.excerpt import excerpt, wrapped
from likewise.output.passages import (
    Documents,
    View,
    marked_differences,
    place_text,
    titled,
)
from likewise.output.rows import Rows
from likewise.passages.families.results import COLUMN_TYPES, COLUMNS
from likewise.passages.passage import Match
from likewise.run import counted

if TYPE_CHECKING:
    from likewise.passages.differences import Difference
    from likewise.passages.families.family import Family, Witness
    from likewise.passages.families.results import Families

PLACES = ("page", "line")
_REFERENCE = "place"
_KINDS = COLUMN_TYPES | dict.fromkeys(PLACES, int)
_SHOWN_CHANCE = 0.05  # a run that is likelier by chance says nothing, and the passages of two do
_MAX_WITNESSES = 20  # of a family in a terminal


def families_text(families: Families, a: Documents, b: Documents, view: View) -> Iterator[str]:
    """Family by family, in lines that end; `a` and `b` are the documents of both sides."""
    if not families.families:
        yield "no families\n"
    for number, family in enumerate(islice(families, view.shown), 1):
        if number > 1:
            yield "\n"
        for line in _block(number, family, (a, b), view):
            yield f"{line}\n"
    if view.shown is not None and len(families) > view.shown:
        yield f"\n… and {_counted_families(len(families) - view.shown, 'more ')}\n"


def _counted_families(count: int, which: str = "") -> str:
    return f"{count:,} {which}{'family' if count == 1 else 'families'}"


def _block(
    number: int, family: Family, sides: tuple[Documents, Documents], view: View
) -> Iterator[str]:
    words = f"{counted(family.common, 'word')} in common, longest common run {family.run:,}"
    yield f"{number}  {counted(family.documents, 'document')}, {family.kind}: {words}"
    if family.p is not None and family.p <= _SHOWN_CHANCE:
        chance = chance_text(family.p)
        yield f"   so long a common run in unrelated texts of these lengths: {chance}"
    base = family.witnesses[family.base]
    for position, witness in enumerate(family.witnesses[:_MAX_WITNESSES]):
        document = _document(witness, sides)
        header = f"{titled(witness.id, document)}  {_facts(witness, document)}"
        if position in family.earliest:
            header += ", earliest date"
        yield from wrapped(header, view.width, "   ", " " * 6)
        if view.differences and position != family.base:
            found = _differences(witness, base, sides)
            marked = marked_differences(found, document.text, _document(base, sides).text)
            where = f"differences from {base.id}, [-only there-] {{+only here+}}:  "
        else:
            marked = excerpt(document.text, witness.start, witness.end, view.context)
            where = ""
        yield from wrapped(where + marked, view.width, " " * 6, " " * 6)
    if (left := len(family.witnesses) - _MAX_WITNESSES) > 0:
        yield f"   … and {counted(left, 'more place')}"


def _facts(witness: Witness, document: Document) -> str:
    """Where it has the wording, and how many of its words are shared: "line 3, 40 of 42 words"."""
    parts = [place_text(document, witness.start, witness.end)]
    if date := witness.metadata.get("date"):
        parts.insert(0, date)
    return f"{', '.join(parts)}: {witness.matched:,} of {counted(witness.words, 'word')} shared"


def _document(witness: Witness, sides: tuple[Documents, Documents]) -> Document:
    return sides[witness.side == "b"][witness.id]


def _differences(
    witness: Witness, base: Witness, sides: tuple[Documents, Documents]
) -> list[Difference]:
    """What the witness changes in the wording of another."""
    from likewise.passages.differences import differences

    own, other = _document(witness, sides), _document(base, sides)
    places = Match(witness.start, witness.end, base.start, base.end)
    return differences(own.text, other.text, places)


def family_rows(
    families: Families, a: Documents, b: Documents, *, differences: bool = False
) -> Rows:
    """One witness per row: its family, place, text, and what is known about the document.

    With `differences` a last column has them as a list, for JSON: from the witness with the
    earliest date, or else the first one, which has none itself.
    """
    last = ("differences",) if differences else ()
    columns = (*COLUMNS, *PLACES, _REFERENCE, "text", *FIELDS, *last)

    def rows() -> Iterator[tuple[Any, ...]]:
        own = families.rows()
        for family in families:
            for position, witness in enumerate(family.witnesses):
                document = _document(witness, (a, b))
                place = document.place(witness.start)
                row = (
                    *next(own), *place, document.reference(witness.start, witness.end) or None,
                    document.text[witness.start : witness.end],
                    *(witness.metadata.get(name) for name in FIELDS),
                )  # fmt: skip
                if differences:
                    base = family.witnesses[family.base]
                    found = None
                    if position != family.base:
                        changes = _differences(witness, base, (a, b))
                        found = [one.to_dict() for one in changes]
                    row = (*row, found)
                yield row

    return Rows(
        columns,
        rows(),
        sum(len(family.witnesses) for family in families),
        many="witnesses",
        kinds=tuple(_KINDS.get(name, str) for name in columns),
        optional=FIELDS,
    )


def families_summary(families: Families, shown: int | None) -> str:
    """One line: how many families there are, in how many documents, and how many are shown."""
    documents = len({one.document for family in families for one in family.witnesses})
    most = max((family.documents for family in families), default=0)
    line = f"{_counted_families(len(families))} in {counted(documents, 'document')}"
    if shown is not None and shown < len(families):
        line += f" (showing the {shown:,} of the most documents)"
    return f"{line}; the widest is in {counted(most, 'document')}" if most else line
