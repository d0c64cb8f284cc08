"""`EmbeddedTexts`: the texts and passages that a page contains, as far as its size allows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from likewise.pages.embedded import data_element, embedded_json
from likewise.run import counted
from likewise.survey.survey import Survey

if TYPE_CHECKING:
    from likewise.run import Progress

_ELEMENT = len(data_element("text-10000", b""))
_SLACK = 2_000  # bytes: sentences on what is omitted


@dataclass(eq=False)
class EmbeddedTexts:
    """Data of documents and pairs by their rows, encoded.

    Attributes:
        texts: of documents.
        pairs: passages; both texts of a pair are there.
        without: listed pairs whose texts are not there, because there was no room.
        wanted: whether the page is to contain texts.
        room: bytes that were left to texts and passages.
    """

    texts: dict[int, bytes] = field(default_factory=dict)
    pairs: dict[int, bytes] = field(default_factory=dict)
    without: int = 0
    wanted: bool = True
    room: int = 0

    @classmethod
    def choose(cls, survey: Survey, room: int | None, progress: Progress) -> EmbeddedTexts:
        """Those of the most similar pairs, as far as they have room; none, if `room` is None."""
        made = cls(wanted=room is not None, room=max(0, (room or 0) - _SLACK))
        if room is None:
            return made
        left = made.room
        for row in range(len(survey.rows)):
            progress("texts", row, len(survey.rows))
            new = [place for place in survey.pair(row) if place not in made.texts]
            # Most texts take more bytes than they have characters, and none takes fewer.
            least = sum(len(survey.text(place).document.text) for place in new)
            if least <= left:
                texts = {place: embedded_json(survey.text(place).to_dict()) for place in new}
                passages = embedded_json({"passages": survey.passages(row)})
                size = sum(len(one) + _ELEMENT for one in (passages, *texts.values()))
                if size <= left:
                    made.texts |= texts
                    made.pairs[row] = passages
                    left -= size
                    continue
            made.without += 1
        return made

    def left_out(self) -> list[str]:
        """What is not in the page, in sentences."""
        if not self.wanted:
            return ["Texts are not in this page: it was made without them (--no-texts)."]
        if not self.without:
            return []
        return [
            f"The texts of {counted(self.without, 'pair')} are not in this page, which would be "
            "larger than was allowed (--max-size); their measures are."
        ]
