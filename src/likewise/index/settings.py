"""`IndexSettings`: what an index was made for. They are stored in it and never change."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from likewise.errors import LikewiseError, UsageError
from likewise.index.postings.entries import BANDS, RUNS, WORDS
from likewise.passages.settings import MIN_MIN_WORDS
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.statistics.bands import Layout, check_recall, check_threshold, choose_layout
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.whole_numbers import check_whole

MOST_MIN_WORDS = 1000


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """What an index was made for.

    Attributes:
        profile: how texts become shingles.
        threshold: the similarity from which on documents are to be found.
        recall: the share of the documents just at the threshold that must be found.
        values: size of a signature.
        layout: bands and rows that keep the promise.
        keep_text: texts are stored, and answers verified; without, answers are estimates.
        min_words: every run of so many words that a text shares with a document is found; None
            where passages are not looked for.
    """

    profile: Profile
    threshold: float
    recall: float
    values: int
    layout: Layout
    keep_text: bool
    min_words: int | None = None

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of entries that documents have."""
        return (BANDS,) if self.min_words is None else (BANDS, RUNS, WORDS)

    @classmethod
    def checked(
        cls,
        *,
        profile: Profile | str = DEFAULT_PROFILE,
        threshold: float = 0.5,
        recall: float = 0.99,
        values: int = DEFAULT_VALUES,
        keep_text: bool = True,
        min_words: int | None = None,
    ) -> IndexSettings:
        """Settings from what a user gave, or a `UsageError` that says what is wrong with it."""
        check_threshold(threshold)
        check_recall(recall)
        layout = choose_layout(threshold, recall, values)
        if layout is None:
            raise UsageError(
                f"no bands of {values} values find {recall:g} of the documents at {threshold:g}",
                hint="use more values, a lower recall or a higher threshold",
            )
        if min_words is not None:
            check_whole("min_words", min_words, MIN_MIN_WORDS, MOST_MIN_WORDS)
            if not keep_text:
                raise UsageError(
                    "passages require stored texts",
                    hint="store the texts, or disable passages",
                )
        return cls(Profile.of(profile), threshold, recall, values, layout, keep_text, min_words)

    def to_json(self) -> str:
        """As it is stored: every field of the profile, and the versions its hashes depend on."""
        return json.dumps(
            {
                "profile": self.profile.to_dict(),
                "threshold": self.threshold,
                "recall": self.recall,
                "values": self.values,
                "layout": asdict(self.layout),
                "keep_text": self.keep_text,
                "min_words": self.min_words,
            }
        )

    @classmethod
    def from_json(cls, stored: str, where: str) -> IndexSettings:
        """What an index stores; raises if its hashes are not those of this version."""
        try:
            held: dict[str, Any] = json.loads(stored)
            # Made before there was such a choice: letters as they are stored.
            profile = {"letters": "stored", **held["profile"]}
            fields = {name: profile[name] for name in Profile.__dataclass_fields__}
            made = cls(
                profile=Profile(**fields),
                threshold=held["threshold"],
                recall=held["recall"],
                values=held["values"],
                layout=Layout(**held["layout"]),
                keep_text=held["keep_text"],
                min_words=held.get("min_words"),  # none before there were passages
            )
        except (KeyError, TypeError, ValueError) as error:
            raise LikewiseError(f"{where}: its settings are damaged: {error!r}") from error
        now = made.profile.to_dict()
        for name in now.keys() | profile.keys():
            if now.get(name) != profile.get(name):
                raise LikewiseError(
                    f"{where}: made with {name} {profile.get(name)}, and this is {now.get(name)}: "
                    "the same text has other shingles",
                    hint="make the index again from the documents, or use the version it was made "
                    "with",
                )
        return made
