"""Signatures in a file, so that later texts can be compared with them without the earlier ones.

The file is Parquet: a row for each text with its id, digest and signature. A run of `dedup` also
writes, without a signature, a row for each digest of which no document was kept, so that copies
of it are known too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from likewise.arrays import U32, U64, Bools
from likewise.errors import LikewiseError, SourceError
from likewise.sketches.fixed_binary import from_fixed_binary, to_fixed_binary
from likewise.statistics.bands import check_values
from likewise.text.profile import Profile

if TYPE_CHECKING:
    import pyarrow as pa

METADATA_KEY = b"likewise.signatures"
FORMAT = 1
ROW_GROUP = 1 << 16  # rows


@dataclass(frozen=True, slots=True, eq=False)
class SignatureBatch:
    """Some rows of a file: digests and ids of all, and signatures of those that have one."""

    digests: U64
    ids: Any
    kept: Bools
    signatures: U32


def is_signatures(path: str) -> bool:
    """Whether a file is Parquet, and not an index."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False


class SignatureFile:
    """A file that is read batch by batch. Raises `SourceError` if it is none, or damaged.

    Attributes:
        profile, values: what the signatures were made with.
    """

    def __init__(self, path: str) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.path = path
        try:
            self._file = parquet.ParquetFile(path)
            schema = self._file.schema_arrow
            facts = json.loads((schema.metadata or {})[METADATA_KEY])
            if facts["format"] != FORMAT:
                raise ValueError(f"format {facts['format']!r}")
            # Files made before there was such a choice are of letters as they are stored.
            letters = facts.get("letters", "stored")
            self.profile = replace(Profile.parse(facts["profile"]), letters=letters)
            self.values: int = facts["values"]
            check_values(self.values)
            wanted = signature_schema(self.profile, self.values, schema.field("id").type)
            if not schema.equals(wanted):
                raise ValueError("other columns")
        except OSError as error:
            raise SourceError(f"{path}: {error.strerror or error}") from error
        except (pa.ArrowException, LikewiseError, LookupError, TypeError, ValueError) as error:
            raise SourceError(
                f"{path}: not a signature file", hint="create one with `save_signatures`"
            ) from error

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    def batches(self) -> Iterator[SignatureBatch]:
        """All rows."""
        import pyarrow as pa

        try:
            for batch in self._file.iter_batches(ROW_GROUP):
                digests, signatures = batch.column("digest"), batch.column("sketch")
                if digests.null_count:
                    raise ValueError("a digest is null")
                yield SignatureBatch(
                    digests=from_fixed_binary(digests, np.uint64),
                    ids=batch.column("id"),
                    kept=np.asarray(signatures.is_valid()),
                    signatures=from_fixed_binary(signatures.drop_null(), np.uint32),
                )
        except (OSError, pa.ArrowException, ValueError) as error:
            raise SourceError(f"{self.path}: the file is damaged: {error}") from error


def signature_schema(profile: Profile, values: int, id_type: pa.DataType) -> pa.Schema:
    """The columns of a file, and the settings that its signatures depend on."""
    import pyarrow

    pa: Any = pyarrow
    facts = {
        "format": FORMAT,
        "profile": str(profile),
        "letters": profile.letters,
        "values": values,
    }
    schema: pyarrow.Schema = pa.schema(
        [("id", id_type), ("digest", pa.binary(16)), ("sketch", pa.binary(4 * values))],
        metadata={METADATA_KEY: json.dumps(facts).encode()},
    )
    return schema


def write_signatures(
    stream: BinaryIO, schema: pa.Schema, batches: Iterable[SignatureBatch]
) -> None:
    """Writes a whole file."""
    import pyarrow as pa
    from pyarrow import parquet

    width: Any = schema.field("sketch").type
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for batch in batches:
            signatures = np.zeros((len(batch.digests), width.byte_width // 4), np.uint32)
            signatures[batch.kept] = batch.signatures
            columns = [
                batch.ids.cast(schema.field("id").type),
                to_fixed_binary(batch.digests),
                to_fixed_binary(signatures, batch.kept),
            ]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))
