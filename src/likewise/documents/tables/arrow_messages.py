"""How the batches of an Arrow file are packed, which pyarrow does not tell.

The metadata of a message is a FlatBuffer, of which one field is followed here
(`Message.header`, `RecordBatch.compression`, `BodyCompression.codec`).
"""

from __future__ import annotations

import struct
from typing import IO, Any, cast

_CODECS = ("lz4", "zstd")
_MAGIC = b"ARROW1\0\0"


def find_codec(content: IO[bytes]) -> str | None:
    """Return "lz4" or "zstd", by the first batch of a file or a stream; None if it is not packed.

    Raises what Arrow raises where the content is damaged.
    """
    from pyarrow import ipc

    if content.read(len(_MAGIC)) != _MAGIC:  # a file is a stream between two marks
        content.seek(0)
    for message in ipc.MessageReader.open_stream(cast("Any", content)):
        if message.type == "record batch":
            return _codec(message.metadata.to_pybytes())
    return None


def _codec(metadata: bytes) -> str | None:
    try:
        message = _unsigned(metadata, 0)
        batch = _table(metadata, message, 2)
        packing = None if batch is None else _table(metadata, batch, 3)
        if packing is None:
            return None
        place = _field(metadata, packing, 0)
        return _CODECS[0 if place is None else metadata[place]]
    except (struct.error, IndexError):
        return None


def _table(data: bytes, table: int, field: int) -> int | None:
    """Return where the table in a field begins; None where the field is not there."""
    place = _field(data, table, field)
    return None if place is None else place + _unsigned(data, place)


def _field(data: bytes, table: int, field: int) -> int | None:
    fields = table - int(struct.unpack_from("<i", data, table)[0])
    size = int(struct.unpack_from("<H", data, fields)[0])
    entry = 4 + 2 * field
    offset = int(struct.unpack_from("<H", data, fields + entry)[0]) if entry < size else 0
    return table + offset if offset else None


def _unsigned(data: bytes, place: int) -> int:
    return int(struct.unpack_from("<I", data, place)[0])
