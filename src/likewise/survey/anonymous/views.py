"""Texts, passages and pairs of a survey without names: their places moved, or seen from b.

Every field that is shown is named here. A field that is not is left out, since it may have names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from likewise.documents.document import Document
from likewise.survey.anonymous.name_search import NameSearch
from likewise.survey.anonymous.redaction import PLACEHOLDER, Redaction
from likewise.survey.hidden_characters import LOOK_ALIKE, beginning
from likewise.survey.reference_marks import reference_marks
from likewise.survey.shown_text import ShownText

SAME = ("words", "unspaced", "left_out", "flag_notes")
"""Fields of a text that stay as they are."""
CHANGED = (
    "id", "title", "author", "date", "group", "archive", "text", "page_starts", "references",
    "marks", "flags", "lookalikes",
)  # fmt: skip
"""Those that do not."""
LEFT_OUT = ("digest",)
"""Those of which nothing is shown: the digest of a text with names is a trace of them."""
OF_PASSAGE = ("words", "run", "similarity", "kind", "p")
"""Fields of a passage that are the same from both sides."""
OF_A = ("start", "end", "first", "last", "attribution", "matched", "changed")
"""Those of a; those of b have the prefix `other_`."""


@dataclass(frozen=True, eq=False)
class AnonymousText:
    """A text without names.

    Attributes:
        described: its id, title, author, date, group and archive as they are shown.
    """

    shown: ShownText
    redaction: Redaction
    search: NameSearch
    described: Mapping[str, Any]

    @property
    def document(self) -> Document:
        text = self.redaction.apply(self.shown.document.text)
        return replace(self.shown.document, text=text, page_starts=None, references=None)

    def to_dict(self) -> dict[str, Any]:
        """As `ShownText.to_dict`."""
        view, moved = self.shown.to_dict(), self.redaction.moved
        starts = view["page_starts"]
        return {
            **self.described,
            **{name: view[name] for name in SAME},
            "text": self.redaction.apply(view["text"]),
            "page_starts": None if starts is None else list(map(moved, starts)),
            "references": reference_marks(
                self.shown.document.references,
                moved,
                lambda name: self.search.without_names(name, PLACEHOLDER),
            ),
            "marks": [[moved(start), moved(end), *rest] for start, end, *rest in view["marks"]],
            "flags": [self._flag(*flag) for flag in view["flags"]],
            "lookalikes": self._lookalikes(*view["lookalikes"]),
        }

    def _flag(self, start: int, end: int, kind: str, shown: str, number: int) -> list[Any]:
        moved = self.redaction.moved
        if kind == "hidden":
            shown = self.search.without_names(shown, PLACEHOLDER)
        elif LOOK_ALIKE in kind or "," in kind:
            displayed = self.redaction.apply(self.shown.matching.text)
            shown = beginning(displayed[moved(start) : moved(end)])
        return [moved(start), moved(end), kind, shown, number]

    def _lookalikes(self, places: Sequence[int], letters: str) -> list[Any]:
        kept = self.redaction.outside(places)
        return [
            [self.redaction.moved(place) for place, keep in zip(places, kept, strict=True) if keep],
            "".join(letter for letter, keep in zip(letters, kept, strict=True) if keep),
        ]


def anonymous_passages(
    passages: Iterable[Mapping[str, Any]], a: Redaction, b: Redaction, *, turned: bool
) -> list[dict[str, Any]]:
    """Passages of a and b without names; with `turned`, as b sees them."""
    made = [_passage(passage, a, b) for passage in passages]
    if turned:
        made = [_turned(passage) for passage in made]
        made.sort(key=lambda one: (one["kind"] == "reworded", one["start"], one["end"]))
    return made


def _passage(passage: Mapping[str, Any], a: Redaction, b: Redaction) -> dict[str, Any]:
    made = {name: passage[name] for name in OF_PASSAGE}
    for prefix, moved in (("", a.moved), ("other_", b.moved)):
        made |= {
            prefix + name: moved(passage[prefix + name]) if name in ("start", "end")
            else [[moved(start), moved(end)] for start, end in passage[prefix + name]]
            if name == "changed" else passage[prefix + name]
            for name in OF_A
        }  # fmt: skip
    made["matches"] = [
        [*words, *map(a.moved, (start, end)), *map(b.moved, (other_start, other_end))]
        for *words, start, end, other_start, other_end in passage["matches"]
    ]
    return made


def _turned(passage: Mapping[str, Any]) -> dict[str, Any]:
    made = {name: passage[name] for name in OF_PASSAGE}
    for name in OF_A:
        made |= {name: passage[f"other_{name}"], f"other_{name}": passage[name]}
    made["matches"] = sorted(
        [b, a, words, *of_b, *of_a]
        for a, b, words, *places in passage["matches"]
        for of_a, of_b in ((places[:2], places[2:]),)
    )
    return made
