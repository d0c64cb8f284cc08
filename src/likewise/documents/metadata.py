"""`MetadataTable`: finds what a table says about each document."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from likewise.documents.descriptions.columns import (
    KEY,
    WORDS,
    Columns,
    check_unique,
    find_columns,
    listed,
    named_column,
    override,
    plain,
    rank_as_key,
)
from likewise.documents.descriptions.identifiers import find_identifiers
from likewise.documents.descriptions.matching import KeyColumn
from likewise.documents.descriptions.table_file import Sheet, read_sheet, table_kind
from likewise.documents.document import FIELDS
from likewise.documents.encoding import check_encoding
from likewise.documents.notice import Note
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.stream import read_blocks
from likewise.documents.texts import scrub
from likewise.errors import ColumnError, SourceError, UsageError

MAX_COMPARED = 2_000
"""So many documents, spread over all of them, decide which column names them."""
_MAX_LISTED = 3


class MetadataTable:
    """Finds the row of each document.

    Which column names the documents is decided when the first one is looked up: by its content, if
    the ids of documents were announced with `expect`, and by its header. In the end `notes` says
    what was matched.
    """

    def __init__(
        self,
        name: str,
        rows: Iterable[Mapping[str, object]] | Sheet,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        """`name` is what messages call the table.

        Args:
            columns: headers of columns by field, "file" among them, where they are not to be found
                out.
        """
        self.name = name
        self._sheet = rows if isinstance(rows, Sheet) else Sheet.of(list(rows), name)
        self._chosen = dict(columns or {})
        for field in self._chosen:
            if field not in (KEY, *FIELDS):
                raise UsageError(
                    f"unknown field {field!r} of metadata",
                    hint=f"one of {KEY}, {', '.join(FIELDS)}",
                )
        self._expected: list[str] = []
        self._match: tuple[Columns, KeyColumn, bool] | None = None
        self._taken: dict[int, str] = {}  # a row → the id of its first document
        self._described: set[str] = set()
        self._without: set[str] = set()

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        encoding: str | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> MetadataTable:
        """Read a table; raise `SourceError` where that cannot be done."""
        check_encoding(encoding)
        path = os.fspath(path)
        name = scrub(path)
        kind, compression = table_kind(path, name)
        origin = Origin(path, name, path, kind, compression, named=True, size=None)
        data = b"".join(read_blocks(origin, Reading()))
        return cls(name, read_sheet(data, kind, name, encoding), columns)

    @classmethod
    def parse(cls, data: bytes, name: str) -> MetadataTable:
        """A table from its bytes; `name` tells its kind. Raises `SourceError`."""
        kind, compression = table_kind(name, name)
        if compression is not None:
            raise SourceError(f"{name}: compressed", hint="decompress it first")
        return cls(name, read_sheet(data, kind, name, None))

    def __len__(self) -> int:
        return len(self._sheet.rows)

    def expect(self, ids: Iterable[str]) -> None:
        """Announce ids of documents that will be looked up."""
        self._expected.extend(ids)

    def settle(self) -> None:
        """Decide now which column is which; raise `SourceError` if none names the documents."""
        self._match = self._matched

    def find(self, id_: str) -> dict[str, str] | None:
        """Return those of `FIELDS` that are known of a document, None if it has no row.

        Raises `SourceError` where a row that names a file fits a second document.
        """
        columns, keys, by_path = self._matched
        found = keys.find(id_, by_path=by_path)
        if found is None:
            self._without.add(id_)
            return None
        taken = self._taken.setdefault(found.row, id_)
        if found.alone and taken != id_:
            raise SourceError(
                f"{self.name} row {found.row}: {keys.keys[found.row]!r} matches two documents: "
                f"{taken!r} and {id_!r}",
                hint="give the path relative to the source instead of the file name",
            )
        self._described.add(id_)
        row = self._sheet.rows[found.row]
        known = {
            name: " ".join(filter(None, (row[at] for at in columns.of.get(name, ()))))
            for name in FIELDS
        }
        return {name: value for name, value in known.items() if value}

    @property
    def identifiers(self) -> list[str]:
        """Numbers and addresses that the rows have besides, such as student numbers."""
        columns, _, _ = self._matched
        used = {at for name in FIELDS for at in columns.of.get(name, ())}
        return find_identifiers(self._sheet, used)

    @property
    def authors(self) -> list[str]:
        """The authors of all rows, also of those that match no document."""
        columns, _, _ = self._matched
        parts = columns.of.get("author", ())
        every = (" ".join(filter(None, (row[at] for at in parts))) for row in self._sheet.rows)
        return list(dict.fromkeys(filter(None, every)))

    @property
    def unmatched_rows(self) -> list[str]:
        """Rows that match no document so far, by their keys or their numbers."""
        _, keys, _ = self._matched
        return [
            f"row {row}" if key is None else repr(key)
            for row, key in enumerate(keys.keys)
            if row not in self._taken
        ]

    @property
    def documents_without(self) -> int:
        """How many documents had no row so far."""
        return len(self._without)

    @property
    def summary(self) -> str:
        """What was matched so far, in one line."""
        columns, _, _ = self._matched
        described = len(self._described)
        total = described + self.documents_without
        parts = [
            f"{described:,} of {total:,} {'document' if total == 1 else 'documents'} described",
            columns.describe(),
        ]
        if unmatched := self.unmatched_rows:
            first = ", ".join(unmatched[:_MAX_LISTED]) + (
                ", …" if len(unmatched) > _MAX_LISTED else ""
            )
            fits = "row matches" if len(unmatched) == 1 else "rows match"
            parts.append(f"{len(unmatched):,} {fits} no document: {first}")
        return "; ".join(parts)

    @property
    def notes(self) -> list[Note]:
        """What the user should hear of, once all documents have been looked up."""
        return [Note(self.name, self.summary)] if self._described or self._without else []

    @property
    def _matched(self) -> tuple[Columns, KeyColumn, bool]:
        if self._match is None:
            self._match = self._find_match()
        return self._match

    def _find_match(self) -> tuple[Columns, KeyColumn, bool]:
        """The columns, the one that names documents, and whether it does so by their paths."""
        names = self._sheet.columns
        if KEY in self._chosen:
            at = named_column(names, self._chosen[KEY], self.name)
            keys, by_path = self._keys(at), False
        else:
            at, keys, by_path = self._best_column()
        is_author = not by_path and plain(names[at]) in WORDS["author"]
        columns = find_columns(names, at, key_is_author=is_author)
        columns = override(columns, self._chosen, self.name)
        check_unique(columns, self.name)
        if by_path and keys.repeated is not None:
            key, first, second = keys.repeated
            raise SourceError(
                f"{self.name}: duplicate {key!r}: in row {first} and in row {second}",
                hint="give each document one row",
            )
        return columns, keys, by_path

    def _keys(self, column: int) -> KeyColumn:
        return KeyColumn([row[column] for row in self._sheet.rows])

    def _best_column(self) -> tuple[int, KeyColumn, bool]:
        """The column that names most documents, and whether by their paths."""
        names = self._sheet.columns
        ids = _spread(self._expected)
        order = sorted(range(len(names)), key=lambda at: (rank_as_key(names[at]), at))
        best: tuple[float, int, KeyColumn, bool] | None = None
        for at in order if ids else ():
            keys = self._keys(at)
            matches = [found for found in map(keys.find, ids) if found is not None]
            # A row that names two files is wrong; a column of classes may have many of them.
            times = Counter(found.row for found in matches if found.alone)
            counted = [one for one in matches if not (one.alone and times[one.row] > 1)]
            score = sum(one.weight for one in counted)
            if score > (best[0] if best else 0.0):
                best = score, at, keys, sum(one.alone for one in counted) > len(counted) / 2
            if score == len(ids):
                break
        if best is not None:
            return best[1:]
        if not order or rank_as_key(names[order[0]]) == len(WORDS[KEY]):
            raise ColumnError(
                f"{self.name}: no column names the documents; it has {listed(names)}",
                hint=f"add a column with file names, or name it: --metadata-column {KEY}=COLUMN",
            )
        return order[0], self._keys(order[0]), True


def _spread(ids: Sequence[str]) -> Sequence[str]:
    step = -(-len(ids) // MAX_COMPARED) or 1
    return ids[::step]
