"""`RowBatch`: rows as they are read; `Batch`: documents on their way to sketching."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from likewise.documents.document import Document, Places
from likewise.documents.texts import text_offsets

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.documents.document import Hidden
    from likewise.documents.references import References

    PageStarts = Sequence[tuple[int, ...] | None]
    HiddenTexts = Sequence[tuple[Hidden, ...]]
    ReferenceLists = Sequence[References | None]


@dataclass(frozen=True, eq=False)
class Batch:
    """Some consecutive documents of a collection: their ids and their texts, of equal length.

    `ids` may be a lazy sequence (row numbers are not stored as strings); `texts` has no nulls and
    contains valid UTF-8 only. `page_starts` has, for each document, the offsets in code points at
    which its pages begin, or None where it has no pages; it is None itself where none has.
    `metadata` has what a table says of each, or None where there is no row. `hidden` has what in
    each is not seen and was left out of its text; it is None where nothing is hidden in any.
    `references` has those of each document, or None where it has none; it is None itself where no
    document has any. `values` has those of the further column that was asked for, or
    None where there is none.
    """

    ids: Sequence[str]
    texts: pa.LargeStringArray
    page_starts: PageStarts | None = None
    metadata: Sequence[dict[str, str] | None] | None = None
    hidden: HiddenTexts | None = None
    references: ReferenceLists | None = None
    values: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.texts):
            raise ValueError(f"{len(self.ids)} ids for {len(self.texts)} texts")
        if self.page_starts is not None and len(self.page_starts) != len(self.ids):
            raise ValueError(f"{len(self.ids)} ids for {len(self.page_starts)} lists of pages")
        if self.hidden is not None and len(self.hidden) != len(self.ids):
            raise ValueError(f"{len(self.ids)} ids for {len(self.hidden)} lists of hidden text")
        if self.references is not None and len(self.references) != len(self.ids):
            raise ValueError(f"{len(self.ids)} ids for {len(self.references)} lists of references")

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def text_bytes(self) -> int:
        """The size of the texts in UTF-8."""
        offsets = text_offsets(self.texts)
        return int(offsets[-1] - offsets[0])

    def places(self, at: int) -> Places:
        """Return page, line and reference of each character in the document at `at`."""
        starts = None if self.page_starts is None else self.page_starts[at]
        references = None if self.references is None else self.references[at]
        return Places(self.texts[at].as_py(), starts, references)

    def documents(self) -> Iterator[Document]:
        """Yield the documents one by one."""
        texts = map(str, self.texts.to_pylist())
        others = (self.page_starts, self.metadata, self.hidden, self.references)
        columns = ([None] * len(self) if column is None else column for column in others)
        for id_, text, starts, metadata, hidden, references in zip(
            self.ids, texts, *columns, strict=True
        ):
            yield Document(text, starts, (), hidden or (), id_, metadata, references)


@dataclass(frozen=True, eq=False)
class RowBatch:
    """Some rows of one table, or some documents, in order.

    Attributes:
        rows: their numbers, from 0; ascending. Blank lines and bad rows may be missing.
        texts: valid UTF-8; null where a row has no text.
        ids: the id column as strings, null where there is none; None where the table has no id
            column. An id may come twice. Their order is that of `search.order.id_key`.
        values: the further column that is wanted, or None where none is. All batches of a
            source have the same type: int64, float64 or large_string; times are int64 and NaN is
            null. Larger is later in Arrow's order, strings by code points.
        groups: the column of groups that is wanted, as strings; or None where none is.
        bad: the rows up to `stop` that cannot be read, with the reasons.
        stop: the number after the last row that was looked at, bad and blank ones included; None if
            it is the number after the last of `rows`.
        file: the number of the table in `RowSource.files`.
        page_starts, hidden, references: as in `Batch`, for documents.
    """

    rows: Sequence[int]
    texts: pa.LargeStringArray
    ids: pa.LargeStringArray | None = None
    values: pa.Array[Any] | None = None
    bad: Mapping[int, str] = field(default_factory=dict)
    stop: int | None = None
    file: int = 0
    page_starts: PageStarts | None = None
    hidden: HiddenTexts | None = None
    references: ReferenceLists | None = None
    groups: pa.Array[Any] | None = None

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def first(self) -> int:
        """The number of the first row."""
        return self.rows[0]

    @property
    def end(self) -> int:
        """The number after the last row that was looked at."""
        return self.stop if self.stop is not None else self.rows[-1] + 1
