"""Pairs with what is known about their documents beside them: title, author, date and group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from likewise.output.rows import Rows

About = Mapping[str, Mapping[str, str]]


def described_pairs(
    rows: Rows, about: About, others: About | None = None, *, of: tuple[str, str] = ("a", "b")
) -> Rows:
    """Rows with columns `title_a`, `title_b` and so on.

    Args:
        rows: with the ids of two documents in the columns of the names in `of`.
        about: what is known, by id.
        others: the same of the second of them, if its ids are those of another collection.
        of: what the new columns' names end with.
    """
    from likewise.documents.document import FIELDS

    known = (about, about if others is None else others)
    places = [list(rows.columns).index(name) for name in of]
    columns = [(field, side) for field in FIELDS for side in (0, 1)]
    described = (
        (
            *row,
            *(known[side].get(str(row[places[side]]), {}).get(field) for field, side in columns),
        )
        for row in rows.rows
    )
    names = [f"{field}_{of[side]}" for field, side in columns]
    kinds = (*(rows.kinds or ()), *(str,) * len(names))
    return replace(
        rows, columns=[*rows.columns, *names], rows=described, kinds=kinds, optional=names,
        arrow=None,
    )  # fmt: skip
