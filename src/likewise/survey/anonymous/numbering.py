"""`Numbering`: which number each document, group and archive has in place of its name.

Numbers follow a digest of what the page shows anyway, the texts without names, so that neither they
nor the order of rows tell anything about names; equal input gives equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from likewise.documents.document import Document


class Salt:
    """Orders by names that nobody can repeat who does not have all of the documents."""

    def __init__(self, documents: Iterable[Document]) -> None:
        whole = blake2b()
        for document in documents:
            for part in (document.id, repr(sorted(document.known.items())), document.text):
                whole.update(digest(part))
        self._key = whole.digest()

    def digest(self, name: str) -> bytes:
        return digest(name, self._key)


class Numbering:
    """The numbers of documents and groups.

    Attributes:
        order: the rows of the survey with names, in the order of the numbers; documents of an
            archive last.
        row_of: the new row of each.
        groups: what each is called, by its name.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        archives: Sequence[str | None],
        shown: Sequence[str],
        salt: Salt,
    ) -> None:
        """`shown` are the texts as they are shown."""
        ranks = [
            (archives[row] is not None, digest(shown[row]), salt.digest(document.id))
            for row, document in enumerate(documents)
        ]
        self.order = sorted(range(len(documents)), key=ranks.__getitem__)
        self.row_of = {row: new for new, row in enumerate(self.order)}
        groups = [documents[row].known.get("group") for row in self.order]
        self.groups = numbered("Group", (group for group in groups if group is not None))

    def document(self, row: int) -> str:
        """What a document is called, by its row in the survey with names."""
        return f"Document {self.row_of[row] + 1}"


def numbered(what: str, names: Iterable[str]) -> dict[str, str]:
    """Each name that is there, in the order of the first of each."""
    return {name: f"{what} {at}" for at, name in enumerate(dict.fromkeys(names), 1)}


def digest(text: str, key: bytes = b"") -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), key=key).digest()
