"""The third stage: unique documents that agree in a band, band by band within the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from likewise.arrays import U32, U64
from likewise.dedup.files.copies import FIRST, NUMBERS, unique_groups
from likewise.dedup.files.scan import band_file
from likewise.dedup.files.workspace import CHUNK
from likewise.search.packed_pairs import pack, unpack
from likewise.sketches import candidates as search

if TYPE_CHECKING:
    from likewise.dedup.files.budget import Budget
    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Facts, Workspace


Admission = Callable[[U64], U64]

STAGE = "candidates"
CANDIDATES = "candidates"  # packed pairs of unique documents, ascending

BYTES_PER_KEY = 72  # what finding equal keys takes of memory
BYTES_PER_PAIR = 56  # and what each pair takes that is found, or joined with those of other bands


def find_candidates(job: Job) -> Facts:
    """Writes the candidates. Unique documents that match stored ones are in no pair."""
    settings, workspace = job.settings, job.workspace
    admit = admission(job)
    bands = settings.bands
    found: list[Facts] = workspace.cursor(STAGE).get("bands", [])
    unique = _count_unique(workspace)
    at_once = unique * (8 * bands + BYTES_PER_KEY * settings.threads) < job.budget.room(0.5)
    if not found and at_once and (facts := _join_all(job, admit)) is not None:
        return facts
    for band in range(len(found), bands):
        job.progress("candidates", band, bands)
        found.append(_join_band(band, job))
        workspace.advance(STAGE, {"bands": found})
    runs = [
        (_pair_file(band), begin, end)
        for band, facts in enumerate(found)
        for begin, end in pairwise(accumulate(facts["runs"], initial=0))
    ]
    count = merge(workspace, job.budget, runs, admit)
    job.progress("candidates", bands, bands)
    workspace.drop(*map(_pair_file, range(bands)))
    return {
        "candidates": count,
        "large_buckets": sum(band["large_buckets"] for band in found),
        "set_aside": sum(band["set_aside"] for band in found),
    }


def _join_all(job: Job, admit: Admission) -> Facts | None:
    """All bands at once, where their keys and their pairs fit in memory; None if not."""
    settings, workspace = job.settings, job.workspace
    bands = settings.bands
    keys = np.empty((bands, _count_unique(workspace)), np.uint64)
    foreseen = 0
    for band in range(bands):
        job.progress("candidates", band, bands)
        keys[band] = unique_keys(workspace, band)
        foreseen += _foreseen_pairs(keys[band], settings.max_bucket)
    if foreseen * BYTES_PER_PAIR > job.budget.room(0.5):
        return None
    found = search.find_candidates(keys, max_bucket=settings.max_bucket, threads=settings.threads)
    pairs = admit(pack(found.a, found.b))
    workspace.save(CANDIDATES, pairs)
    return found.counts() | {"candidates": len(pairs)}


def _pair_file(band: int) -> str:
    return f"pairs-{band:03}"


def _join_band(band: int, job: Job) -> Facts:
    """The pairs of one band, in sorted runs one after another in a file."""
    settings = job.settings
    keys = unique_keys(job.workspace, band)
    facts: Facts = {"runs": [], "large_buckets": 0, "set_aside": 0}
    with job.workspace.aside(_pair_file(band)) as file:
        for members in _parts(keys, settings.max_bucket, job.budget):
            found = search.find_candidates(
                keys[members], max_bucket=settings.max_bucket, threads=settings.threads
            )
            file.write(pack(members[found.a], members[found.b]).tobytes())
            facts["runs"].append(len(found.a))
            facts["large_buckets"] += found.large_buckets
            facts["set_aside"] += found.set_aside
    return facts


def _count_unique(workspace: Workspace) -> int:
    return workspace.path(FIRST).stat().st_size // 4


def unique_keys(workspace: Workspace, band: int) -> U64:
    """The keys of the unique documents, in their order."""
    unique = _count_unique(workspace)
    keys = np.empty(unique, np.uint64)
    both = zip(
        workspace.chunks(NUMBERS, np.uint32),
        workspace.chunks(band_file(band), np.uint64),
        strict=True,
    )
    for numbers, some in both:
        present = numbers < unique  # copies have the same keys: it does not matter whose is taken
        keys[numbers[present]] = some[present]
    return keys


def _parts(keys: U64, max_bucket: int, budget: Budget) -> Iterator[U32]:
    """Documents, ascending, whose keys are in one of several ranges, such that their pairs fit in
    memory. Documents with an equal key are in one part."""
    cost = len(keys) * BYTES_PER_KEY + _foreseen_pairs(keys, max_bucket) * BYTES_PER_PAIR
    parts = 1 + cost // budget.room(0.6)
    width = np.uint64(-(-(2**32) // parts))
    for part in range(parts):
        yield np.flatnonzero((keys >> np.uint64(32)) // width == part).astype(np.uint32)


def _foreseen_pairs(keys: U64, max_bucket: int) -> int:
    """About how many pairs there are, by the beginnings of keys. Few different keys share one."""
    bits = min(22, max(8, len(keys).bit_length() - 2))
    sizes = np.zeros(1 << bits, np.int64)
    for start in range(0, len(keys), CHUNK):
        beginnings = keys[start : start + CHUNK] >> np.uint64(64 - bits)
        sizes += np.bincount(beginnings.astype(np.int64), minlength=len(sizes))
    pairs = np.minimum(sizes * (sizes - 1) // 2, max(max_bucket, 16) * sizes)
    return int(pairs.sum())


def merge(
    workspace: Workspace, budget: Budget, runs: list[tuple[str, int, int]], admit: Admission
) -> int:
    """Sorted runs, each a part of a file, as the candidates, each once; how many there are.

    Each step takes a block of every run, up to the smallest of the blocks' last pairs: nothing
    smaller can come later.
    """
    places = [start for _, start, _ in runs]
    block_size = max(4096, budget.room(0.5) // (BYTES_PER_PAIR * max(1, len(runs))))
    none = np.zeros(0, np.uint64)
    blocks = [none for _ in runs]
    written = 0
    with workspace.aside(CANDIDATES) as file:
        while True:
            for i, (name, _, stop) in enumerate(runs):
                if len(blocks[i]) == 0 and places[i] < stop:
                    end = min(stop, places[i] + block_size)
                    blocks[i] = workspace.slice(name, np.uint64, places[i], end)
                    places[i] = end
            last = [
                block[-1]
                for block, place, run in zip(blocks, places, runs, strict=True)
                if len(block) and place < run[2]
            ]
            cuts = [
                np.searchsorted(block, min(last), side="right") if last else len(block)
                for block in blocks
            ]
            heads = [block[:cut] for block, cut in zip(blocks, cuts, strict=True)]
            taken = admit(np.unique(np.concatenate([none, *heads])))
            blocks = [block[cut:] for block, cut in zip(blocks, cuts, strict=True)]
            for begin in range(0, len(taken), CHUNK):
                file.write(taken[begin : begin + CHUNK].tobytes())
            written += len(taken)
            if not last:
                return written


def admission(job: Job) -> Admission:
    """Takes of packed pairs those that are to be compared: by their groups, and without documents
    that match stored ones."""
    groups = unique_groups(job)

    def admit(pairs: U64) -> U64:
        if job.matches:
            a, b = unpack(pairs)
            pairs = pairs[~(np.isin(a, job.matches.unique) | np.isin(b, job.matches.unique))]
        return pairs if groups is None else groups.admit(pairs)

    return admit


def involved(workspace: Workspace) -> U32:
    """The unique documents that are in a candidate pair, ascending."""
    seen = np.zeros(_count_unique(workspace), np.bool_)
    for pairs in workspace.chunks(CANDIDATES, np.uint64):
        for documents in unpack(pairs):
            seen[documents] = True
    return np.flatnonzero(seen).astype(np.uint32)
