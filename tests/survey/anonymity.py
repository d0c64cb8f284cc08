"""What a page has, however it is encoded, and texts that have names in every way."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from likewise.documents.document import Document
from tests.survey.made_texts import some

_DATA = re.compile(r'<script type="application/json" id="([\w-]+)">(.*?)</script>')
PEOPLE = [
    "Ada Lovelace", "Alan M. Turing", "Grace Hopper-Murray", "José Díaz", "王小明", "Мария Иванова",
    "سلمى الحداد", "Will Hope", "Mary Ann White", "O'Brien, Seán", "Plato", "İpek Yıldız",
]  # fmt: skip


def data_of(page: bytes) -> dict[str, Any]:
    """The data in a page, by the ids of their elements."""
    return {name: json.loads(data) for name, data in _DATA.findall(page.decode())}


def contents(page: bytes) -> str:
    """All that a page says: its bytes, with entities and escapes undone, and what is in base64."""
    text = page.decode()
    parts = [text, html.unescape(text)]
    parts += [json.dumps(one, ensure_ascii=False) for one in data_of(page).values()]
    parts += strings(list(data_of(page).values()))
    for code in re.findall(r"[A-Za-z0-9+/]{24,}={0,2}", text):
        whole = code.rstrip("=")[: len(code.rstrip("=")) // 4 * 4]
        parts.append(base64.b64decode(whole).decode("utf-8", "replace"))
    return "\n".join(parts).casefold()


def strings(value: Any) -> list[str]:
    """All strings in plain values."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return strings([*value.keys(), *value.values()])
    return [text for one in value for text in strings(one)] if isinstance(value, list) else []


def found_in(page: bytes, names: Iterable[str]) -> list[str]:
    """Which of these names are in a page."""
    whole = contents(page)
    return [name for name in names if name.casefold() in whole]


def forms(author: str) -> Iterator[str]:
    """A name as it may be written: in both orders, with a comma, with an initial."""
    words = author.replace(",", "").split()
    yield author
    if len(words) > 1:
        first, last = words[0], words[-1]
        yield from (f"{first} {last}", f"{last}, {first}", f"{first[0]}. {last}",
                    f"{last}, {first[0]}.")  # fmt: skip


def named_documents() -> list[Document]:
    """A text by each of `PEOPLE`, with names in it; all share a passage."""
    shared = some(60, "shared")
    documents = []
    for number, author in enumerate(PEOPLE):
        other = PEOPLE[number - 1]
        own = some(150, number)
        parts = [
            f"Essay by {author}",
            f"{' '.join(own[:40])} {' '.join(forms(other))} {' '.join(own[40:80])}",
            " ".join(shared),
            f"{' '.join(own[80:])} as {other.split()[-1]} said, {author}\n\n{author} {number}",
        ]
        documents.append(
            Document(
                "\n\n".join(parts),
                id=f"{author}_{48210 + number}_assignsubmission_file_/essay {author}.docx",
                metadata={"author": author, "group": f"Class of {author}", "title": f"By {author}",
                          "date": f"2025-10-{number + 1:02}"},
            )
        )  # fmt: skip
    return documents
