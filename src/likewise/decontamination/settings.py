"""`DecontaminationSettings`: what counts as text of a benchmark, checked before work.

The command line takes its defaults from here, so this module imports no heavy library.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypedDict, get_args

from likewise.errors import UsageError
from likewise.whole_numbers import check_whole

Action = Literal["drop", "cut", "annotate"]
ACTIONS: tuple[Action, ...] = get_args(Action)

# As in the literature (GPT-3 and most since), so that figures can be compared. By the law of chance
# runs, unrelated texts of 1,000 and 100 words share such a run once in fifty million pairs.
DEFAULT_MIN_WORDS = 13
MIN_MIN_WORDS = 8
MIN_ITEM_WORDS = 5  # shorter ones are as improbable by chance in the shortest documents only
# Copies of an item that was edited: matched less changed words, and matched words of all.
EDITED_WORDS = 3  # fewer than `min_words`
EDITED_SHARE = 0.75
UNSPACED_FACTOR = 2  # in scripts without spaces, so many letters count as a word
DEFAULT_MAX_P = 1e-6  # the smallest that is ever reported, `SMALLEST_P` of the law
DEFAULT_MAX_DOCUMENTS = 200
DEFAULT_PLANTED = 200
# Words in a row that so many items have are a template, unless it is a longer text, such as one
# that several questions are about.
TEMPLATE_ITEMS = 5
TEMPLATE_RUN = 6
MAX_TEMPLATE_WORDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class DecontaminationSettings:
    """The options, checked.

    Attributes:
        min_words: a run of at least this many equal words is a hit; items that are shorter are
            hits only as a whole.
        max_p: a hit is at most this probable in an unrelated document of its length.
        max_documents: wording of an item in more training documents is a template.
        planted: how many copies of items are planted at each level to measure recall; 0 for none.
        seed: of what is random in that.
    """

    min_words: int = DEFAULT_MIN_WORDS
    max_p: float = DEFAULT_MAX_P
    max_documents: int = DEFAULT_MAX_DOCUMENTS
    planted: int = DEFAULT_PLANTED
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("min_words", self.min_words, MIN_MIN_WORDS, 1000)
        check_whole("max_documents", self.max_documents, 1)
        check_whole("planted", self.planted, 0, 100_000)
        check_whole("seed", self.seed, 0, 2**64 - 1)
        if not (isinstance(self.max_p, int | float) and DEFAULT_MAX_P <= self.max_p < 1):
            raise UsageError(
                f"max_p is {self.max_p!r}; it must be at least {DEFAULT_MAX_P:g} and less than 1"
            )

    def to_dict(self) -> dict[str, Any]:
        """All that affects the result, in plain values."""
        return asdict(self)


class DecontaminationOptions(TypedDict, total=False):
    """The same as keywords."""

    min_words: int
    max_p: float
    max_documents: int
    planted: int
    seed: int


def check_action(action: str) -> None:
    """Raises for what is none of ACTIONS."""
    if action not in ACTIONS:
        raise UsageError(f"action is {action!r}; it must be one of {', '.join(ACTIONS)}")
