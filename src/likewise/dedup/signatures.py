"""The signatures of a run: written for later runs, and those of earlier ones checked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from likewise.dedup.files import copies, scan, verdicts
from likewise.dedup.rules import NONE
from likewise.errors import UsageError
from likewise.sketches.signature_file import (
    ROW_GROUP,
    SignatureBatch,
    SignatureFile,
    signature_schema,
    write_signatures,
)

if TYPE_CHECKING:
    from likewise.dedup.files.job import Job
    from likewise.dedup.settings import DedupSettings


def open_signatures(path: str, settings: DedupSettings) -> SignatureFile:
    """Signatures of an earlier run. Raises if they cannot be compared with those of this run."""
    file = SignatureFile(path)
    compared = (
        ("profile", file.profile, settings.profile),
        ("values", file.values, settings.values),
    )
    for name, its, own in compared:
        if its != own:
            raise UsageError(
                f"{path}: created with {name} {its}, but this run has {own}",
                hint=f"use `{name}={its}`",
            )
    return file


def save_signatures(stream: BinaryIO, job: Job, earlier: SignatureFile | None) -> None:
    """Writes the signatures of a finished run, after those that it was compared with."""
    import pyarrow as pa

    schema = signature_schema(job.settings.profile, job.settings.values, pa.large_string())
    before = () if earlier is None else earlier.batches()
    write_signatures(stream, schema, chain(before, _own_batches(job)))


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
