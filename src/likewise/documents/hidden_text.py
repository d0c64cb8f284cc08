"""`Hiding`: text that nobody sees, taken out of a document while it is read.

While the text is still put together, a mark is where something hidden was. At the end the
marks go, and where they were is known.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from likewise.documents.document import Document, Hidden
from likewise.documents.references import References
from likewise.documents.unreadable import NO_TEXT, UnreadableError

WHITE, TINY, TRANSPARENT = "white", "tiny", "transparent"
INVISIBLE, OUTSIDE = "invisible", "outside the page"

MAX_KEPT = 200
_MAX_SHOWN = 200
# Of all characters; a page, or a document, of hidden text alone is kept as it is.
_MIN_SEEN_SHARE = 0.05
NEARLY_WHITE = 240  # each of red, green and blue, of 255

_BEGIN, _END = "\ufdd0", "\ufdd1"  # which are no characters
_NOT_MARKS = re.compile(f"[{_BEGIN}{_END}]")
_MARKS = re.compile(f"(?:{_BEGIN}\\d+{_END})+")
_NUMBERS = re.compile(r"\d+")


class Hiding:
    """Keeps what is hidden in one document.

    Attributes:
        hidden: what was left out so far, in order, with its places.
        kept: how often there was hardly anything else, so that it was not left out.
    """

    def __init__(self) -> None:
        self._marked: list[tuple[str, str]] = []
        self._counts: Counter[str] = Counter()
        self.hidden: list[Hidden] = []
        self.kept = 0
        self._cuts: list[tuple[int, int]] = [(0, 0)]

    def mark(self, text: str, why: str) -> str:
        """Return a mark to put in the place of hidden text."""
        if not text or text.isspace():
            return text
        self._marked.append((text, why))
        return f"{_BEGIN}{len(self._marked) - 1}{_END}"

    def settle(self, text: str, start: int = 0) -> str:
        """Return a text, or a page that begins at `start`, without its marks."""
        self._cuts = [(0, 0)]
        if not self._marked:
            return text
        seen = _size(_MARKS.sub("", text))
        unseen = sum(_size(hidden) for run in _MARKS.finditer(text) for hidden, _ in self._of(run))
        if unseen and seen < _MIN_SEEN_SHARE * (seen + unseen):
            self.kept += 1
            return _MARKS.sub(self._keep, text)
        parts: list[str] = []
        at = length = 0
        for run in _MARKS.finditer(text):
            parts.append(text[at : run.start()])
            length += len(parts[-1])
            for hidden, why in self._of(run):
                self._counts[why] += _size(hidden)
                if len(self.hidden) < MAX_KEPT:
                    shown = hidden[:_MAX_SHOWN]
                    self.hidden.append(Hidden(start + length, shown, why, len(hidden)))
            # A white letter may be what keeps two words apart.
            if self._is_gap(run):
                parts.append(" ")
                length += 1
            at = run.end()
            self._cuts.append((at, length - at))
        return "".join((*parts, text[at:]))

    def moved(self, references: References | None) -> References | None:
        """Return references of the text that was last settled, which had marks in it."""
        if references is None:
            return None
        ends = [end for end, _ in self._cuts]
        return references.moved(
            [at + self._cuts[bisect_right(ends, at) - 1][1] for at in references.offsets]
        )

    def notes(self) -> list[str]:
        """Return what the user should hear of."""
        return [
            f"{count} character{'' if count == 1 else 's'} of "
            + (f"text {why}" if why == OUTSIDE else f"{why} text")
            + ", excluded"
            for why, count in sorted(self._counts.items())
        ]

    def document(
        self,
        text: str,
        page_starts: tuple[int, ...] | None = None,
        notes: Sequence[str] = (),
        references: References | None = None,
    ) -> Document:
        """Return the document with this settled text; raise `UnreadableError` if it is blank."""
        if not text.strip():
            raise UnreadableError(NO_TEXT)
        every = (*self.notes(), *notes)
        return Document(text, page_starts, every, tuple(self.hidden), references=references)

    def _keep(self, run: re.Match[str]) -> str:
        """Return hidden text for its mark, and note by how much what follows moves."""
        words = "".join(hidden for hidden, _ in self._of(run))
        moved = self._cuts[-1][1] + len(words) - len(run[0])
        self._cuts.append((run.end(), moved))
        return words

    def _of(self, run: re.Match[str]) -> list[tuple[str, str]]:
        numbers = [int(number) for number in _NUMBERS.findall(run[0])]
        return [self._marked[number] for number in numbers if number < len(self._marked)]

    def _is_gap(self, run: re.Match[str]) -> bool:
        takes_room = any(why in (WHITE, TRANSPARENT) for _, why in self._of(run))
        before, behind = run.string[run.start() - 1 : run.start()], run.string[run.end() :][:1]
        return takes_room and before.isalnum() and behind.isalnum()


def is_marked(text: str) -> bool:
    """Whether something hidden is in a text."""
    return _BEGIN in text


def without_hidden(text: str) -> str:
    """Return a text without what is hidden in it."""
    return _MARKS.sub("", text)


def without_marks(text: str) -> str:
    """Return a foreign text without what would be taken for a mark."""
    return _NOT_MARKS.sub("", text)


def _size(text: str) -> int:
    return len(text) - sum(map(str.isspace, text))
