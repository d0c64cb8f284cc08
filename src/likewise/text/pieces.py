"""A text that does not fit in memory: prepared and cut into shingles piece by piece.

The result is that of the whole text; shingles that span two pieces are included.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

from likewise import _core
from likewise._core import Texts
from likewise.arrays import Hashes
from likewise.errors import LikewiseError
from likewise.text.profile import Profile

# Where a text may be cut so that the parts can be prepared one by one, in the order in which they
# are tried. Nothing that normalisation does reaches over these places.
_BEFORE_WORD = re.compile(r"[ \t\n\r\f\v](?=[^\W_])")
_BETWEEN_IDEOGRAPHS = re.compile(r"[ぁ-ゖァ-ヺ一-鿿](?=[ぁ-ゖァ-ヺ一-鿿])")
_BETWEEN_LETTERS = re.compile(r"[A-Za-z](?=[A-Za-z])")
_BETWEEN_DIGITS = re.compile(r"[0-9](?=[0-9])")
_TAIL = 1 << 16  # how far back from the end of a piece such a place is looked for at first

MAX_WORD_CHARACTERS = 1 << 20  # or four pieces, if that is more


class LongWordError(LikewiseError):
    """A single word is too long for the memory allowed."""


def prepared_pieces(blocks: Iterable[str], profile: Profile, size: int) -> Iterator[str]:
    """The prepared text, in pieces made from about `size` characters each.

    Raises `LongWordError` if a single word is too long for the memory allowed.
    """
    words = profile.unit == "word"
    started = False
    apart = False  # a space separates this chunk from the one before
    for chunk, ends_apart in _chunks(blocks, profile, size):
        text = _core.prepared_text(Texts.from_strings([chunk]), profile.rules())
        if text:
            joined = started and (words or (apart and profile.spaces == "one"))
            yield f" {text}" if joined else text
            started, apart = True, ends_apart
        else:
            apart |= ends_apart


def shingle_blocks(pieces: Iterable[str], profile: Profile) -> Iterator[Hashes]:
    """The hashes of the shingles of a text prepared in pieces, with repeats, in their order."""
    rules = profile.rules()
    words = profile.unit == "word"
    k = profile.k
    carry, any_yet = "", False
    for piece in pieces:
        text = carry + piece
        if (text.count(" ") + 1 if words else len(text)) < k:
            carry = text
            continue
        yield _core.prepared_hashes(Texts.from_strings([text]), rules)
        any_yet = True
        carry = " ".join(text.rsplit(" ", k - 1)[1:]) if words else text[len(text) - k + 1 :]
    if carry and not any_yet:  # a text shorter than k is one shingle
        yield _core.prepared_hashes(Texts.from_strings([carry]), rules)


def _chunks(blocks: Iterable[str], profile: Profile, size: int) -> Iterator[tuple[str, bool]]:
    """The text in chunks, and whether each ends at a space."""
    waiting: list[str] = []
    length = 0
    wanted = size
    searched = 0  # up to here there is no place to cut
    for block in blocks:
        waiting.append(block)
        length += len(block)
        while length >= wanted:
            text = "".join(waiting)
            cut, apart = _last_cut(text[:wanted], profile, searched)
            if cut:
                yield text[:cut], apart
                text = text[cut:]
                wanted, searched = size, 0
            else:
                if wanted >= max(MAX_WORD_CHARACTERS, 4 * size):
                    raise LongWordError(
                        f"a word has more than {wanted:,} characters, which does not fit in the "
                        "memory limit",
                        hint="raise `memory`",
                    )
                wanted, searched = 2 * wanted, max(0, wanted - 1)
            waiting, length = [text], len(text)
    if length:
        yield "".join(waiting), True


def _last_cut(text: str, profile: Profile, searched: int) -> tuple[int, bool]:
    """The last place to cut at, 0 if there is none, and whether it is behind a space."""
    places = [(_BEFORE_WORD, True)]
    # A word that is left out leaves the spaces around it, which the other cuts could not join.
    if profile.stop_words == "none":
        places.append((_BETWEEN_IDEOGRAPHS, False))
        if profile.unit == "char" and profile.min_word_length == 1:
            places.append((_BETWEEN_LETTERS, False))
            if profile.digits == "keep":
                places.append((_BETWEEN_DIGITS, False))
    for start in (max(searched, len(text) - _TAIL), searched):
        for pattern, apart in places:
            if last := deque(pattern.finditer(text, start), maxlen=1):
                return last[0].end(), apart
    return 0, False
