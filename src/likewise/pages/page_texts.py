"""`EmbeddedTexts`: the texts and passages in a page, as far as its maximum size allows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from likewise.pages.embedded import data_element, embedded_json
from likewise.run import Progress, counted
from likewise.survey.anonymous.survey import AnonymousSurvey
from likewise.survey.survey import Survey

_ELEMENT = len(data_element("text-10000", b""))
_SLACK = 2_000  # bytes for notes on excluded texts


# The survey has them for all listed pairs, as `exclusion_data`.
_KNOWN = {"matches"}


def _shown(passage: dict[str, Any]) -> dict[str, Any]:
    """What of a passage is in the page besides its matched words."""
    return {name: value for name, value in passage.items() if name not in _KNOWN}


@dataclass(eq=False)
class EmbeddedTexts:
    """Encoded data of documents and pairs by their rows.

    Attributes:
        texts: of documents.
        pairs: passages; the texts of both documents are included.
        without: number of listed pairs whose texts are excluded, because there was no room.
        wanted: whether texts were requested.
        room: bytes for texts and passages.
    """

    texts: dict[int, bytes] = field(default_factory=dict)
    pairs: dict[int, bytes] = field(default_factory=dict)
    without: int = 0
    wanted: bool = True
    room: int = 0

    @classmethod
    def choose(
        cls, survey: Survey | AnonymousSurvey, room: int | None, progress: Progress
    ) -> EmbeddedTexts:
        """Those of the most similar pairs, as far as there is room; none if `room` is None."""
        made = cls(wanted=room is not None, room=max(0, (room or 0) - _SLACK))
        if room is None:
            return made
        left = made.room
        for row in range(len(survey.rows)):
            progress("texts", row, len(survey.rows))
            new = [place for place in survey.pair(row) if place not in made.texts]
            # No text takes fewer bytes than it has characters.
            min_size = sum(len(survey.text(place).document.text) for place in new)
            if min_size <= left:
                texts = {place: embedded_json(survey.text(place).to_dict()) for place in new}
                passages = embedded_json(
                    {"passages": [_shown(one) for one in survey.passages(row)]}
                )
                size = sum(len(one) + _ELEMENT for one in (passages, *texts.values()))
                if size <= left:
                    made.texts |= texts
                    made.pairs[row] = passages
                    left -= size
                    continue
            made.without += 1
        return made

    def left_out(self) -> list[str]:
        """Notes on excluded texts."""
        if not self.wanted:
            return ["This page was written without texts (--no-texts)."]
        if not self.without:
            return []
        return [
            f"The texts of {counted(self.without, 'pair')} were omitted to keep the page within "
            "the maximum size (--max-size); their measures are included."
        ]
