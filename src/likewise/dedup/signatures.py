"""Signatures of a run in a file, so that later documents can be held against them without texts.

The file is Parquet: a row for each document that was kept, with its id, digest and signature; and,
without a signature, one for each other digest that was met, so that copies of it are known too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.files import copies, scan, verdicts
from likewise.errors import SourceError, UsageError
from likewise.text.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.files.workspace import Workspace
    from likewise.dedup.settings import DedupSettings

    U8 = NDArray[np.uint8]
    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

MARK = b"likewise.signatures"
FORMAT = 1
DOCUMENTS = 1 << 16  # in a row group


@dataclass(frozen=True, slots=True, eq=False)
class SomeSignatures:
    """Some rows of a file: digests of all, ids of all, and signatures of those that were kept."""

    digests: U64
    ids: Any
    kept: NDArray[np.bool_]
    sketches: U32


def is_signatures(path: str) -> bool:
    """Whether a file is Parquet, and not an index."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False


class SignatureFile:
    """Signatures of an earlier run."""

    def __init__(self, path: str, settings: DedupSettings) -> None:
        """Raises if they cannot be compared with those of this run."""
        import pyarrow as pa
        from pyarrow import parquet

        self.path = path
        try:
            self._file = parquet.ParquetFile(path)
            facts = json.loads((self._file.schema_arrow.metadata or {})[MARK])
        except (OSError, pa.ArrowException, KeyError, ValueError) as error:
            raise SourceError(
                f"{path}: not a signature file", hint="create one with --save-signatures"
            ) from error
        self.values = int(facts["values"])
        # Files made before there was such a choice are of letters as they are stored.
        letters = facts.get("letters", "stored")
        profile = replace(Profile.parse(facts["profile"]), letters=letters)
        compared = (
            ("profile", profile, settings.profile), ("values", self.values, settings.values)
        )  # fmt: skip
        for name, its, own in compared:
            if facts["format"] != FORMAT or its != own:
                raise UsageError(
                    f"{path}: created with {name} {its}, but this run has {own}",
                    hint=f"use --{name} {its}",
                )

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    def parts(self) -> Iterator[SomeSignatures]:
        """All rows, in parts."""
        for batch in self._file.iter_batches(DOCUMENTS):
            kept = np.asarray(batch.column("sketch").is_valid())
            yield SomeSignatures(
                digests=_numbers(batch.column("digest"), np.uint64).reshape(-1, 2),
                ids=batch.column("id"),
                kept=kept,
                sketches=_numbers(batch.column("sketch").drop_null(), np.uint32).reshape(
                    -1, self.values
                ),
            )


def _numbers(column: Any, kind: Any) -> NDArray[Any]:
    """The numbers that values of a fixed number of bytes hold."""
    if len(column) == 0:
        return np.zeros(0, kind)
    width = column.type.byte_width
    data = np.frombuffer(column.buffers()[1], np.uint8)
    return data[column.offset * width : (column.offset + len(column)) * width].view(kind)


def save_signatures(
    stream: BinaryIO,
    workspace: Workspace,
    settings: DedupSettings,
    ids_of: Callable[[U32], pa.Array[Any]],
    earlier: SignatureFile | None,
) -> None:
    """Writes the signatures of a finished run, behind those that it was held against."""
    from pyarrow import parquet

    schema = _schema(settings)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        if earlier is not None:
            for some in earlier.parts():
                writer.write_batch(_batch(some, schema, settings.values))
        for some in _own(workspace, settings, ids_of):
            writer.write_batch(_batch(some, schema, settings.values))


def _schema(settings: DedupSettings) -> pa.Schema:
    import pyarrow as pa

    facts = {
        "format": FORMAT,
        "profile": str(settings.profile),
        "letters": settings.profile.letters,
        "values": settings.values,
    }
    made: Any = pa
    return pa.schema(
        [
            ("id", pa.large_string()),
            ("digest", made.binary(16)),
            ("sketch", made.binary(4 * settings.values)),
        ],
        metadata={MARK: json.dumps(facts).encode()},
    )


def _batch(some: SomeSignatures, schema: pa.Schema, values: int) -> pa.RecordBatch:
    import pyarrow

    pa: Any = pyarrow
    count = len(some.digests)
    sketches = np.zeros((count, values), np.uint32)
    sketches[some.kept] = some.sketches
    valid = pa.py_buffer(np.packbits(some.kept, bitorder="little"))
    digest = pa.Array.from_buffers(
        pa.binary(16), count, [None, pa.py_buffer(np.ascontiguousarray(some.digests))]
    )
    sketch = pa.Array.from_buffers(pa.binary(4 * values), count, [valid, pa.py_buffer(sketches)])
    ids = some.ids.cast(pa.large_string())
    batch: pyarrow.RecordBatch = pa.RecordBatch.from_arrays([ids, digest, sketch], schema=schema)
    return batch


def _own(
    workspace: Workspace, settings: DedupSettings, ids_of: Callable[[U32], pa.Array[Any]]
) -> Iterator[SomeSignatures]:
    """Documents of this run: the kept ones, and the first of each digest of which none is kept."""
    numbers = workspace.load(copies.NUMBERS, np.uint32)
    kept = workspace.load(verdicts.KEPT, np.bool_)
    first = workspace.load(copies.FIRST, np.uint32)
    chosen = kept & (numbers != copies.NONE)
    without = np.ones(len(first), np.bool_)
    without[numbers[chosen]] = False
    chosen[first[without]] = True
    digests = workspace.load(copies.UNIQUE, np.dtype((np.uint64, 2)))
    for start in range(0, len(numbers), DOCUMENTS):
        stop = min(len(numbers), start + DOCUMENTS)
        own = np.flatnonzero(chosen[start:stop])
        if len(own) == 0:
            continue
        documents = (own + start).astype(np.uint32)
        stays = kept[documents]
        values = settings.values
        sketches = workspace.slice(scan.SKETCHES, np.dtype((np.uint32, values)), start, stop)
        yield SomeSignatures(
            digests[numbers[documents]], ids_of(documents), stays, sketches[own[stays]]
        )
