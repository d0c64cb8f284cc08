"""References as the pages have them: how each is written, cut for ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from likewise.documents.references import References


def reference_marks(
    references: References | None,
    moved: Callable[[int], int] = int,
    shown: Callable[[str], str] = str,
) -> dict[str, Any] | None:
    """The references of a text with `heads` and `marks`; None where it has none.

    A mark is [offset, head, last number], a head [names, numbers but the last]: `Label.name` and
    `Label.head`. A mark without a reference has the head -1.

    Args:
        moved: where an offset is in the text that is shown.
        shown: names as they are shown.
    """
    if references is None:
        return None
    heads: dict[tuple[str, str], int] = {}
    marks: list[list[Any]] = []
    for number, offset in enumerate(references.offsets):
        if not references.parts[number]:
            marks.append([moved(offset), -1, ""])
            continue
        label = references.label(number)
        head = heads.setdefault((label.name, label.head), len(heads))
        marks.append([moved(offset), head, label.tail])
    return {
        "scheme": references.scheme,
        "heads": [[shown(name), numbers] for name, numbers in heads],
        "marks": marks,
    }
