"""A made-up course: documents with several passages, quotations, flags, metadata, scripts."""

from __future__ import annotations

import json
from pathlib import Path

from tests.survey.made_texts import some

FORMULA = "=HYPERLINK(1).txt"
METADATA = {
    "paper.txt": {"title": "@Paper of the year", "author": "+Ada", "group": "b"},
    "first.txt": {"title": "A first source", "author": "Ben", "group": "a", "date": "2020-01-02"},
}


def _shared(name: str, count: int = 40) -> list[str]:
    return some(count, f"shared {name}")


def _own(name: str, count: int = 120) -> list[str]:
    return some(count, f"own {name}")


def _edited(words: list[str]) -> list[str]:
    """Every eighth word is another one."""
    return [f"{word}ix" if at % 8 == 5 else word for at, word in enumerate(words)]


def _paragraphs(*parts: list[str] | str) -> str:
    return "\n\n".join(part if isinstance(part, str) else " ".join(part) for part in parts)


def documents() -> dict[str, str]:
    """Texts by their ids.

    `paper.txt` has passages A to G. `first.txt` has A, B, D and F in another order; `second.txt`
    has A, which is credited to the first, the quotation C and E; `third.txt` has B and E with words
    changed, and is credited none; `tricked.txt` has D, with two words that are not what they seem,
    and G, so that it shares less than the third and is credited more.
    """
    a, b, c, d, e, f = map(_shared, "abcdef")
    g = _shared("g", 20)
    look_alike, hidden = list(d), list(d)
    look_alike[3] = look_alike[3].replace("a", "а").replace("e", "е").replace("o", "о")
    hidden[7] = f"{hidden[7][:2]}\u200b{hidden[7][2:]}"
    tricked = [*look_alike[:5], *hidden[5:]]
    return {
        "paper.txt": _paragraphs(
            _own(1), a, _own(2), b, _own(3, 300), f"“{' '.join(c)}”", _own(4), d, _own(5, 300), e,
            _own(6), f, _own(7), g, "References", "Someone (2001). Something. Somewhere.",
        ),
        "first.txt": _paragraphs(_own(10), f, _own(11), a, _own(12, 300), b, _own(13), d, _own(14)),
        "second.txt": _paragraphs(_own(20), a, _own(21), c, _own(22), e),
        "third.txt": _paragraphs(_own(30), _edited(b), _own(31), _edited(e), _own(32)),
        "tricked.txt": _paragraphs(_own(40), tricked, _own(41), g),
        FORMULA: _paragraphs(_own(50), _own("formula"), _own(51)),
        "-formula.txt": _paragraphs(_own("formula"), _own(52)),
        "alone.txt": _paragraphs(_own(60)),
    }  # fmt: skip


def write_lines(path: Path, documents: dict[str, str]) -> Path:
    """Documents as a table of lines, which may have any id."""
    lines = [json.dumps({"id": id_, "text": text}) for id_, text in documents.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def write_metadata(path: Path, metadata: dict[str, dict[str, str]]) -> Path:
    lines = [json.dumps({"id": id_, **known}) for id_, known in metadata.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
