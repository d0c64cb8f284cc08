"""`compare_files`: two files of any size, exactly, in a bounded amount of memory.

The shingles of each file go to disk, split by the leading bits of their hashes, and are then
compared part by part. Shingles that span two blocks are included.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from likewise.comparison.comparison import Comparison, Edits, Overlap
from likewise.comparison.measures import WORD_MEASURES
from likewise.comparison.partitions import Partitions, Tally, tally
from likewise.documents.notice import Note
from likewise.documents.single_file import TextBlocks
from likewise.errors import LikewiseError, UsageError
from likewise.run import Progress, silent
from likewise.text.displayed import LookAlikes, displayed_blocks
from likewise.text.pieces import LongWordError, prepared_pieces, shingle_blocks
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.whole_numbers import check_whole

MIN_MEMORY_BYTES = 16 << 20
_SHARE_OF_A_BLOCK = 96  # bytes that one character of a block may take on its way to disk
_BY_FILE = "not computed through scratch files; a higher limit of memory avoids them"


@dataclass(frozen=True, slots=True)
class _Cut:
    """One file, cut by one profile and on disk."""

    bag: Partitions
    digest: bytes  # of the prepared text
    characters: int  # in it


def compare_files(
    a: str | os.PathLike[str],
    b: str | os.PathLike[str],
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    memory: int = 256 << 20,
    encoding: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    notes: list[Note] | None = None,
) -> Comparison:
    """Two files by every measure that does not need them in memory.

    Args:
        a, b: the files, plain or compressed (.gz, .zst).
        memory: bytes to use, about; the disk takes 16 bytes for each shingle that differs from
            those near it.
        encoding: of both files; detected by default.
        cache: whether to use the user's cache of text extracted from documents.
        notes: a list for notes about the files.
    """
    shingled = Profile.of(profile)
    check_whole("memory", memory, MIN_MEMORY_BYTES)
    progress = progress or silent
    for path in (a, b):
        given = os.fspath(path)
        if given == "-" or (os.path.exists(given) and not os.path.isfile(given)):
            raise UsageError(
                f"{given}: not a regular file, but it must be read twice",
                hint="write it to a file first",
            )
    files = [_File(path, encoding, cache, progress) for path in (a, b)]
    size = memory // _SHARE_OF_A_BLOCK
    cut, shingles = _count(files, "shingles", shingled, size, memory, progress)
    as_words = replace(shingled, unit="word", k=1, count="set")
    not_computed = dict.fromkeys(
        ("word_edits", "character_edits", "estimate", "chance", "passages"), _BY_FILE
    )
    words: Tally | None = None
    try:
        _, words = _count(files, "words", as_words, size, memory, progress)
    except LongWordError as error:
        not_computed |= dict.fromkeys(("words", *WORD_MEASURES), str(error))
    for file in files:
        if notes is not None:
            notes.extend(file.blocks.notes)
            notes.extend(Note(file.blocks.name, text) for text in file.lookalikes.notes())
    measured: dict[str, Any] = {
        name: measure.of_tally(words) if words else None for name, measure in WORD_MEASURES.items()
    }
    lengths = (words.total_a, words.total_b) if words else (0, 0)
    return Comparison(
        profile=shingled,
        identical=files[0].digest == files[1].digest,
        same_prepared=cut[0].digest == cut[1].digest,
        lookalike_words=sum(file.lookalikes.words for file in files),
        words=_as_sets(words) if words else None,
        shingles=_as_sets(shingles),
        shingle_bag=Overlap(shingles.total_a, shingles.total_b, shingles.total_shared),
        word_edits=Edits(None, *lengths),
        character_edits=Edits(None, cut[0].characters, cut[1].characters),
        estimate=None,
        chance=None,
        shared_passages=None,
        not_computed=not_computed,
        **measured,
    )


class _File:
    """A file that is read once for each profile that it is cut by."""

    def __init__(
        self, path: str | os.PathLike[str], encoding: str | None, cache: bool, progress: Progress
    ) -> None:
        self.blocks = TextBlocks(path, encoding, cache=cache)
        self.digest = b""  # of the whole text, once it has been read
        self.lookalikes = LookAlikes()
        self._progress = progress

    def cut(self, what: str, profile: Profile, size: int, stack: ExitStack) -> _Cut:
        """Cuts the file; `stack` closes the scratch files."""
        prepared = hashlib.sha256()
        characters = 0

        def pieces() -> Iterator[str]:
            nonlocal characters
            self.lookalikes = LookAlikes()  # the same in every reading
            blocks = displayed_blocks(self._read(what), profile, self.lookalikes)
            for piece in prepared_pieces(blocks, profile, size):
                prepared.update(piece.encode())
                characters += len(piece)
                yield piece

        bag = Partitions()
        stack.callback(bag.close)
        for block in shingle_blocks(pieces(), profile):
            bag.add(block)
        return _Cut(bag, prepared.digest(), characters)

    def _read(self, what: str) -> Iterator[str]:
        raw = hashlib.sha256()
        for block in self.blocks:
            raw.update(block.encode())
            self._progress(f"{what} of {self.blocks.name}", self.blocks.position, self.blocks.size)
            yield block
        if self.digest not in (b"", raw.digest()):
            raise LikewiseError(f"{self.blocks.name}: changed while it was read")
        self.digest = raw.digest()


def _count(
    files: list[_File], what: str, profile: Profile, size: int, memory: int, progress: Progress
) -> tuple[list[_Cut], Tally]:
    with ExitStack() as stack:
        cut = [file.cut(what, profile, size, stack) for file in files]
        progress("count", 0, None)
        return cut, tally(cut[0].bag, cut[1].bag, memory)


def _as_sets(counted: Tally) -> Overlap:
    return Overlap(counted.distinct_a, counted.distinct_b, counted.distinct_shared)
