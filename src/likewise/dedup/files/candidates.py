"""The third stage: unique documents that agree in a band, band by band within the budget."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from likewise.dedup.files.copies import FIRST, NUMBERS
from likewise.dedup.files.scan import band_file
from likewise.dedup.files.workspace import CHUNK
from likewise.dedup.rules import bucket_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.files.budget import Budget
    from likewise.dedup.files.workspace import Facts, Workspace
    from likewise.dedup.settings import DedupSettings
    from likewise.run import Progress

    U64 = NDArray[np.uint64]

STAGE = "candidates"
CANDIDATES = "candidates"  # pairs a << 32 | b of unique documents, ascending

BYTES_PER_KEY = 72  # what finding equal keys takes of memory
BYTES_PER_PAIR = 56  # and what each pair takes that is found, or joined with those of other bands


def find_candidates(
    settings: DedupSettings,
    workspace: Workspace,
    budget: Budget,
    progress: Progress,
    left_out: NDArray[np.uint32],
) -> Facts:
    """Writes the candidates, and gives the facts of the stage.

    Unique documents that are left out are in no pair.
    """
    done = workspace.facts(STAGE)
    if done is not None:
        return done
    bands = settings.layout.bands
    found = workspace.cursor(STAGE).get("bands", [])
    unique = workspace.path(FIRST).stat().st_size // 4
    if not found and unique * (8 * bands + BYTES_PER_KEY * settings.threads) < budget.room(0.5):
        facts = _join_all(settings, workspace, budget, progress, left_out)
        if facts is not None:
            return facts
    for band in range(len(found), bands):
        progress("candidates", band, bands)
        found.append(_join_band(band, settings, workspace, budget))
        workspace.advance(STAGE, {"bands": found})
    names = [_pair_file(band) for band in range(bands)]
    candidates = _merge(workspace, budget, names, left_out)
    progress("candidates", bands, bands)
    facts = {
        "candidates": candidates,
        "large_buckets": sum(band["large_buckets"] for band in found),
        "set_aside": sum(band["set_aside"] for band in found),
    }
    workspace.finish(STAGE, facts)
    workspace.drop(*names)
    return facts


def _join_all(
    settings: DedupSettings,
    workspace: Workspace,
    budget: Budget,
    progress: Progress,
    left_out: NDArray[np.uint32],
) -> Facts | None:
    """All bands at once, where their keys and their pairs fit in memory; None if not."""
    bands = settings.layout.bands
    keys = np.empty((bands, workspace.path(FIRST).stat().st_size // 4), np.uint64)
    foreseen = 0
    for band in range(bands):
        progress("candidates", band, bands)
        keys[band] = unique_keys(workspace, band)
        foreseen += int(_foreseen(keys[band], settings.max_bucket)[1].sum())
    if foreseen * BYTES_PER_PAIR > budget.room(0.5):
        return None
    pairs, large, set_aside = bucket_pairs(keys, settings.max_bucket, threads=settings.threads)
    pairs = _without(pairs, left_out)
    workspace.save(CANDIDATES, pairs)
    facts = {"candidates": len(pairs), "large_buckets": large, "set_aside": set_aside}
    workspace.finish(STAGE, facts)
    return facts


def _pair_file(band: int) -> str:
    return f"pairs-{band:03}"


def _join_band(band: int, settings: DedupSettings, workspace: Workspace, budget: Budget) -> Facts:
    """The pairs of one band, ascending, in a file of their own."""
    keys = unique_keys(workspace, band)
    runs, large, set_aside = [], 0, 0
    with workspace.aside(f"{_pair_file(band)}.runs") as file:
        for members in _parts(keys, settings.max_bucket, budget):
            chosen = keys if members is None else keys[members]
            pairs, more, aside = bucket_pairs(chosen, settings.max_bucket, threads=settings.threads)
            if members is not None:
                pairs = (
                    members[pairs >> np.uint64(32)] << np.uint64(32)
                    | members[pairs & np.uint64(0xFFFFFFFF)]
                )
            large, set_aside = large + more, set_aside + aside
            if len(pairs):
                runs.append(len(pairs))
                file.write(pairs.tobytes())
    _join_runs(workspace, budget, _pair_file(band), runs)
    return {"large_buckets": large, "set_aside": set_aside}


def unique_keys(workspace: Workspace, band: int) -> U64:
    """The keys of the unique documents, in their order."""
    unique = workspace.path(FIRST).stat().st_size // 4
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


def _parts(keys: U64, max_bucket: int, budget: Budget) -> Iterator[U64 | None]:
    """Documents whose keys lie in a range, such that their pairs fit in memory; None for all.

    Documents with an equal key are in one part, and in their order.
    """
    room = budget.room(0.6)
    sizes, pairs, beginnings = _foreseen(keys, max_bucket)
    costs = np.cumsum(sizes * BYTES_PER_KEY + pairs * BYTES_PER_PAIR)
    if len(costs) == 0 or costs[-1] <= room:
        yield None
        return
    begin = 0
    while begin < len(sizes):
        spent = int(costs[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(costs, spent + room, side="right")))
        members = np.flatnonzero((beginnings >= begin) & (beginnings < end)).astype(np.uint64)
        if len(members):
            yield members
        begin = end


def _foreseen(
    keys: U64, max_bucket: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint32]]:
    """For each beginning of a key: how many there are, and how many pairs they may make.

    And the beginnings of all keys. Few different keys share one.
    """
    bits = min(22, max(8, len(keys).bit_length() - 2))
    beginnings = np.empty(len(keys), np.uint32)
    for start in range(0, len(keys), CHUNK):
        beginnings[start : start + CHUNK] = keys[start : start + CHUNK] >> np.uint64(64 - bits)
    sizes = np.bincount(beginnings)
    pairs = np.minimum(sizes * (sizes - 1) // 2, np.maximum(max_bucket, 16) * sizes)
    return sizes, pairs, beginnings


def _join_runs(workspace: Workspace, budget: Budget, name: str, runs: list[int]) -> None:
    """Sorted runs, one behind the other in a file, as one sorted run."""
    behind = f"{name}.runs"
    if len(runs) < 2:
        workspace.path(behind).replace(workspace.path(name))
        return
    places = np.concatenate([[0], np.cumsum(runs)]).tolist()
    sources = [(behind, a, b) for a, b in pairwise(places)]
    _merge_runs(workspace, budget, name, sources)
    workspace.drop(behind)


def _merge(
    workspace: Workspace, budget: Budget, names: list[str], left_out: NDArray[np.uint32]
) -> int:
    """The pairs of all bands, ascending and each once, as the candidates; how many there are."""
    sources = [(name, 0, workspace.path(name).stat().st_size // 8) for name in names]
    return _merge_runs(workspace, budget, CANDIDATES, sources, left_out)


def _merge_runs(
    workspace: Workspace,
    budget: Budget,
    name: str,
    sources: list[tuple[str, int, int]],
    left_out: NDArray[np.uint32] | None = None,
) -> int:
    """Sorted runs, each a part of a file, as one file without repeats; its length.

    Each step takes a block of every run, up to the least of the blocks' last pairs: nothing smaller
    can come later.
    """
    places = [start for _, start, _ in sources]
    most = max(4096, budget.room(0.5) // (BYTES_PER_PAIR * max(1, len(sources))))
    held = [np.zeros(0, np.uint64) for _ in sources]
    written = 0
    with workspace.aside(name) as file:
        while True:
            for i, (behind, _, stop) in enumerate(sources):
                if len(held[i]) == 0 and places[i] < stop:
                    end = min(stop, places[i] + most)
                    held[i] = workspace.slice(behind, np.uint64, places[i], end)
                    places[i] = end
            last = [
                block[-1]
                for i, block in enumerate(held)
                if len(block) and places[i] < sources[i][2]
            ]
            cuts = [
                np.searchsorted(block, min(last), side="right") if last else len(block)
                for block in held
            ]
            taken = np.unique(np.concatenate([b[:c] for b, c in zip(held, cuts, strict=True)]))
            if left_out is not None:
                taken = _without(taken, left_out)
            held = [block[cut:] for block, cut in zip(held, cuts, strict=True)]
            for begin in range(0, len(taken), CHUNK):
                file.write(taken[begin : begin + CHUNK].tobytes())
            written += len(taken)
            if not last:
                return written


def _without(pairs: U64, left_out: NDArray[np.uint32]) -> U64:
    """The pairs in which no document that is left out is."""
    if len(left_out) == 0:
        return pairs
    a, b = pairs >> np.uint64(32), pairs & np.uint64(0xFFFFFFFF)
    return pairs[~(np.isin(a, left_out) | np.isin(b, left_out))]


def involved(workspace: Workspace, unique: int) -> NDArray[np.uint32]:
    """The unique documents that are in a candidate pair, ascending."""
    seen = np.zeros(unique, np.bool_)
    for pairs in workspace.chunks(CANDIDATES, np.uint64):
        seen[pairs >> np.uint64(32)] = True
        seen[pairs & np.uint64(0xFFFFFFFF)] = True
    return np.flatnonzero(seen).astype(np.uint32)
