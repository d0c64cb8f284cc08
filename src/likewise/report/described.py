"""Pairs with what is known about their documents beside them: title, author, date and group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from likewise.report.rows import Rows

if TYPE_CHECKING:
    from likewise.documents.metadata import Metadata


def described_pairs(rows: Rows, about: Mapping[str, Metadata]) -> Rows:
    """Rows with columns `title_a`, `title_b` and so on."""
    from likewise.documents.metadata import FIELDS, Metadata

    columns = [(field, side) for field in FIELDS for side in (0, 1)]
    nothing = Metadata()
    described = (
        (*row, *(getattr(about.get(str(row[side]), nothing), field) for field, side in columns))
        for row in rows.rows
    )
    names = [f"{field}_{'ab'[side]}" for field, side in columns]
    kinds = (*(rows.kinds or ()), *(str,) * len(names))
    return replace(
        rows, columns=[*rows.columns, *names], rows=described, kinds=kinds, optional=names,
        arrow=None,
    )  # fmt: skip
