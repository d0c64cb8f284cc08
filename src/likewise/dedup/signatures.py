"""Signatures of a run in a file, so that later documents can be compared with them without texts.

The file is Parquet: a row for each document that was kept, with its id, digest and signature; and,
without a signature, one for each other digest, so that copies of it are known too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.arrays import U32, U64
from likewise.dedup.files import copies, scan, verdicts
from likewise.dedup.fixed_binary import from_fixed_binary, to_fixed_binary
from likewise.dedup.rules import NONE
from likewise.errors import SourceError, UsageError
from likewise.text.profile import Profile

if TYPE_CHECKING:
    from typing import BinaryIO

    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.files.job import Job
    from likewise.dedup.settings import DedupSettings


METADATA_KEY = b"likewise.signatures"
FORMAT = 1
ROW_GROUP = 1 << 16  # documents


@dataclass(frozen=True, slots=True, eq=False)
class SignatureBatch:
    """Some rows of a file: digests and ids of all, and signatures of those that were kept."""

    digests: U64
    ids: Any
    kept: NDArray[np.bool_]
    signatures: U32


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
            facts = json.loads((self._file.schema_arrow.metadata or {})[METADATA_KEY])
        except (OSError, pa.ArrowException, KeyError, ValueError) as error:
            raise SourceError(
                f"{path}: not a signature file", hint="create one with --save-signatures"
            ) from error
        # Files made before there was such a choice are of letters as they are stored.
        letters = facts.get("letters", "stored")
        profile = replace(Profile.parse(facts["profile"]), letters=letters)
        compared = (
            ("profile", profile, settings.profile),
            ("values", int(facts["values"]), settings.values),
        )
        for name, its, own in compared:
            if facts["format"] != FORMAT or its != own:
                raise UsageError(
                    f"{path}: created with {name} {its}, but this run has {own}",
                    hint=f"use --{name} {its}",
                )

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    def batches(self) -> Iterator[SignatureBatch]:
        """All rows."""
        for batch in self._file.iter_batches(ROW_GROUP):
            signatures = batch.column("sketch")
            yield SignatureBatch(
                digests=from_fixed_binary(batch.column("digest"), np.uint64),
                ids=batch.column("id"),
                kept=np.asarray(signatures.is_valid()),
                signatures=from_fixed_binary(signatures.drop_null(), np.uint32),
            )


def save_signatures(stream: BinaryIO, job: Job, earlier: SignatureFile | None) -> None:
    """Writes the signatures of a finished run, after those that it was compared with."""
    from pyarrow import parquet

    schema = _schema(job.settings)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        if earlier is not None:
            for batch in earlier.batches():
                writer.write_batch(_record(batch, schema, job.settings.values))
        for batch in _own_batches(job):
            writer.write_batch(_record(batch, schema, job.settings.values))


def _schema(settings: DedupSettings) -> pa.Schema:
    import pyarrow

    pa: Any = pyarrow
    facts = {
        "format": FORMAT,
        "profile": str(settings.profile),
        "letters": settings.profile.letters,
        "values": settings.values,
    }
    schema: pyarrow.Schema = pa.schema(
        [
            ("id", pa.large_string()),
            ("digest", pa.binary(16)),
            ("sketch", pa.binary(4 * settings.values)),
        ],
        metadata={METADATA_KEY: json.dumps(facts).encode()},
    )
    return schema


def _record(batch: SignatureBatch, schema: pa.Schema, values: int) -> pa.RecordBatch:
    import pyarrow as pa

    signatures = np.zeros((len(batch.digests), values), np.uint32)
    signatures[batch.kept] = batch.signatures
    columns = [
        batch.ids.cast(pa.large_string()),
        to_fixed_binary(batch.digests),
        to_fixed_binary(signatures, batch.kept),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _own_batches(job: Job) -> Iterator[SignatureBatch]:
    """Documents of this run: the kept ones, and the first of each digest of which none is kept."""
    workspace = job.workspace
    numbers = workspace.load(copies.NUMBERS, np.uint32)
    kept = workspace.load(verdicts.KEPT, np.bool_)
    first = workspace.load(copies.FIRST, np.uint32)
    chosen = kept & (numbers != NONE)
    without = np.ones(len(first), np.bool_)
    without[numbers[chosen]] = False
    chosen[first[without]] = True
    digests = workspace.load(copies.UNIQUE, np.dtype((np.uint64, 2)))
    kind = np.dtype((np.uint32, job.settings.values))
    for start in range(0, len(numbers), ROW_GROUP):
        stop = min(len(numbers), start + ROW_GROUP)
        own = np.flatnonzero(chosen[start:stop])
        if len(own) == 0:
            continue
        documents = (own + start).astype(np.uint32)
        stays = kept[documents]
        signatures = workspace.slice(scan.SKETCHES, kind, start, stop)[own[stays]]
        yield SignatureBatch(digests[numbers[documents]], job.ids(documents), stays, signatures)
