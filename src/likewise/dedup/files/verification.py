"""The fifth stage: candidates compared on their full sets of shingles, in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likewise.dedup.files.candidates import CANDIDATES
from likewise.dedup.files.workspace import Appender
from likewise.dedup.verified_pairs import VerifiedPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.files.gather import GatheredTexts
    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Facts, Workspace

STAGE = "verify"
# Packed pairs, and how much of each document is in the other.
PAIRS, OF_A, OF_B = "verified", "verified-of-a", "verified-of-b"

PAIRS_AT_ONCE = 100_000
SHARE = 0.3  # of the memory that is left


def verify(job: Job, texts: GatheredTexts) -> Facts:
    """Writes the pairs at or above the threshold."""
    total = job.workspace.path(CANDIDATES).stat().st_size // 8
    with Appender(job.workspace, STAGE, [PAIRS, OF_A, OF_B]) as appender:
        for at in range(appender.cursor.get("done", 0), total, PAIRS_AT_ONCE):
            job.progress("verify", at, total)
            end = min(total, at + PAIRS_AT_ONCE)
            candidates = job.workspace.slice(CANDIDATES, np.uint64, at, end)
            found = VerifiedPairs.of(candidates, texts, job.settings, room=job.budget.room(SHARE))
            appender.append(PAIRS, found.pairs)
            appender.append(OF_A, found.of_a)
            appender.append(OF_B, found.of_b)
            appender.note({"done": end})
        job.progress("verify", total, total)
        return {"compared": total, "verified": appender.size(PAIRS) // 8}


def load_pairs(workspace: Workspace) -> VerifiedPairs:
    """The pairs that were verified."""
    of_a, of_b = (workspace.load(name, np.float64) for name in (OF_A, OF_B))
    # Where containment is the measure, they were found in the order of containers.
    return VerifiedPairs.joined([VerifiedPairs(workspace.load(PAIRS, np.uint64), of_a, of_b)])


def similarities(pairs: NDArray[np.uint64], job: Job, texts: GatheredTexts) -> VerifiedPairs:
    """All pairs, however similar; they ascend."""
    return VerifiedPairs.of_any(pairs, texts, job.settings, room=job.budget.room(SHARE))
