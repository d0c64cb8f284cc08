"""Documents of an index as Parquet: id, text, metadata, starts of pages, and references."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from likewise.documents.references import References
from likewise.errors import SourceError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    from likewise.index.stored_document import StoredDocument

COLUMNS = ("id", "text", "metadata", "page_starts", "references")
MAX_GROUP_BYTES = 16 << 20  # of text in a row group, about
MAX_GROUP_ROWS = 50_000


@dataclass(slots=True)
class Part:
    """Some documents of a file, ready to be added, and the number of rows without text."""

    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    metadata: list[dict[str, Any] | None] = field(default_factory=list)
    page_starts: list[tuple[int, ...] | None] = field(default_factory=list)
    references: list[References | None] = field(default_factory=list)
    without_text: int = 0


def write_documents(documents: Iterable[StoredDocument], stream: BinaryIO) -> int:
    """Writes documents; how many there were."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = pa.string(), pa.large_string(), pa.string(), pa.list_(pa.int64()), pa.large_string()
    schema = pa.schema(zip(COLUMNS, types, strict=True))
    count = 0
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for group in _groups(documents):
            writer.write_table(pa.Table.from_pylist(group, schema))
            count += len(group)
    return count


def _groups(documents: Iterable[StoredDocument]) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    seen: set[str] = set()
    size = 0
    for document in documents:
        # A document replaced during the export comes again at the end: a file has each id once.
        if document.id in seen:
            continue
        seen.add(document.id)
        metadata, references = document.metadata, document.references
        group.append(
            {
                "id": document.id,
                "text": document.text,
                "metadata": None if metadata is None else json.dumps(metadata),
                "page_starts": document.page_starts,
                "references": None if references is None else references.to_json(),
            }
        )
        size += len(document.text or "")
        if size >= MAX_GROUP_BYTES or len(group) >= MAX_GROUP_ROWS:
            yield group
            group, size = [], 0
    if group:
        yield group


def read_documents(path: str) -> Iterator[Part]:
    """Documents of an exported file, part by part; raises `SourceError` for other files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as table:
            yield from _parts(table, path)
    except FileNotFoundError:
        raise SourceError(f"{path}: no such file") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # Arrow checks no strings
        raise SourceError(
            f"{path}: damaged, or not Parquet: {str(error).partition(chr(10))[0]}",
            hint="import reads only files written by `likewise index export`; add other "
            "documents with `likewise index add`",
        ) from error


def _parts(table: ParquetFile, path: str) -> Iterator[Part]:
    _check_columns(table.schema_arrow, path)
    wanted = [name for name in COLUMNS if name in table.schema_arrow.names]
    seen: set[str] = set()
    row = 0
    for group in range(table.num_row_groups):
        facts = table.metadata.row_group(group)
        bytes_per_group = facts.total_byte_size + 1
        rows = max(1, min(MAX_GROUP_ROWS, MAX_GROUP_BYTES * facts.num_rows // bytes_per_group))
        for batch in table.iter_batches(rows, row_groups=[group], columns=wanted):
            yield _part(batch.to_pylist(), seen, row, path)
            row += len(batch)


def _check_columns(schema: pa.Schema, path: str) -> None:
    import pyarrow as pa

    types = {
        "id": (pa.types.is_string, pa.types.is_large_string, pa.types.is_integer),
        "text": (pa.types.is_string, pa.types.is_large_string),
        "metadata": (pa.types.is_string, pa.types.is_large_string),
        "page_starts": (pa.types.is_list, pa.types.is_large_list),
        "references": (pa.types.is_string, pa.types.is_large_string),
    }
    hint = "add other tables with `likewise index add`"
    for name, kinds in types.items():
        at = schema.get_all_field_indices(name)
        if len(at) != 1:
            if not at and name not in ("id", "text"):
                continue
            what = "duplicate" if at else "no"
            raise SourceError(f"{path}: {what} column {name!r}", hint=hint)
        type_ = schema.field(at[0]).type
        if not any(kind(type_) for kind in kinds):
            raise SourceError(f"{path}: column {name!r} is of type {type_}", hint=hint)


def _part(rows: list[dict[str, Any]], seen: set[str], first: int, path: str) -> Part:
    part = Part()
    for number, row in enumerate(rows, first):
        if row["id"] is None:
            raise SourceError(f"{path} row {number}: no id")
        id_ = str(row["id"])
        if id_ in seen:
            raise SourceError(f"{path} row {number}: duplicate id {id_!r}")
        seen.add(id_)
        if row["text"] is None:
            part.without_text += 1
            continue
        starts = row.get("page_starts")
        part.ids.append(id_)
        part.texts.append(row["text"])
        part.metadata.append(_metadata(row.get("metadata"), f"{path} row {number}"))
        part.page_starts.append(None if starts is None else tuple(starts))
        part.references.append(_references(row.get("references"), f"{path} row {number}"))
    return part


def _metadata(text: str | None, where: str) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        metadata = json.loads(text)
    except (ValueError, RecursionError):  # not JSON, or nested too deeply
        metadata = None
    if not isinstance(metadata, dict):
        raise SourceError(f"{where}: metadata is not a JSON object")
    return metadata


def _references(text: str | None, where: str) -> References | None:
    try:
        return None if text is None else References.from_json(text)
    except ValueError as error:
        raise SourceError(f"{where}: references are not those of an export: {error}") from None
