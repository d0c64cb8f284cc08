"""The second stage: documents with the same shingles, found by sorting their digests in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likewise.dedup.files.scan import COUNTS, DIGESTS, GROUPS
from likewise.dedup.groups import UniqueGroups
from likewise.dedup.rules import NONE, number_unique

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Facts, Workspace

STAGE = "copies"
NUMBERS = "numbers"  # of each document the number of its digest, or NONE
UNIQUE = "unique"  # the digests in their order
FIRST = "first"  # of each digest the first document that has it

BYTES_SORTED = 80  # what sorting takes of memory for a document
BYTES_GROUPED = 64  # what deciding takes in addition where documents have groups


def find_copies(job: Job) -> Facts:
    """Numbers the digests."""
    workspace, budget = job.workspace, job.budget
    documents = workspace.path(COUNTS).stat().st_size // 4
    budget.check(documents, 0 if job.settings.groups is None else BYTES_GROUPED * documents)
    numbers = np.full(documents, NONE, np.uint32)
    parts = 1 + documents * BYTES_SORTED // budget.room(0.5)
    present = unique = 0
    with workspace.aside(UNIQUE) as digest_file, workspace.aside(FIRST) as first_file:
        for part in range(parts):
            members, digests = _part_of(workspace, part, parts)
            different, own, first = number_unique(digests)
            numbers[members] = own + np.uint32(unique)
            digest_file.write(different.tobytes())
            first_file.write(members[first].tobytes())
            present += len(members)
            unique += len(different)
    workspace.save(NUMBERS, numbers)
    return {
        "documents": documents,
        "empty": documents - present,
        "copies": present - unique,
        "unique": unique,
    }


def unique_groups(job: Job) -> UniqueGroups | None:
    """The groups of the unique documents, where there are groups."""
    if job.settings.groups is None:
        return None
    workspace = job.workspace
    unique = workspace.path(FIRST).stat().st_size // 4
    parts = zip(
        workspace.chunks(NUMBERS, np.uint32), workspace.chunks(GROUPS, np.uint64), strict=True
    )
    return UniqueGroups.of(job.settings.groups, unique, parts)


def _part_of(
    workspace: Workspace, part: int, parts: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """The documents, ascending, whose digest begins in one of equal parts of all beginnings."""
    members, digests = [np.zeros(0, np.uint32)], [np.zeros((0, 2), np.uint64)]
    width = np.uint64(-(-(2**32) // parts))
    start = 0
    both = zip(
        workspace.chunks(DIGESTS, np.dtype((np.uint64, 2))),
        workspace.chunks(COUNTS, np.uint32),
        strict=True,
    )
    for some, counts in both:
        chosen = counts > 0
        if parts > 1:
            chosen &= (some[:, 0] >> np.uint64(32)) // width == part
        members.append((np.flatnonzero(chosen) + start).astype(np.uint32))
        digests.append(some[chosen])
        start += len(some)
    return np.concatenate(members), np.concatenate(digests)
