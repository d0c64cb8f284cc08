"""`compare`: two texts by every measure, exact where it can be."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from likewise import _core
from likewise._core import Texts
from likewise.comparison import measures
from likewise.comparison.measures import WORD_MEASURES
from likewise.errors import UsageError
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS, Winnowing
from likewise.passages.settings import Spelling, check_spelling
from likewise.sketches.signatures import DEFAULT_VALUES, sketch
from likewise.statistics.chance import Chance
from likewise.statistics.estimate import Estimate, check_level
from likewise.statistics.null_models import DEFAULT_NULL
from likewise.statistics.shuffles import MAX_CHARACTERS, check_shuffle, shuffled_chance, trials_for
from likewise.text.displayed import LookAlikes, displayed_strings
from likewise.text.profile import DEFAULT_PROFILE, Profile

if TYPE_CHECKING:
    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.passage import Passage

# Of both texts together: some seconds if they are different throughout.
MAX_PASSAGE_CHARACTERS = 4_000_000


@dataclass(frozen=True, slots=True)
class Overlap:
    """Sizes of two sets (or bags) and of their intersection."""

    size_a: int
    size_b: int
    shared: int

    @property
    def jaccard(self) -> float:
        return measures.jaccard(self.size_a, self.size_b, self.shared)

    @property
    def containment_a(self) -> float:
        return measures.share(self.shared, self.size_a)

    @property
    def containment_b(self) -> float:
        return measures.share(self.shared, self.size_b)

    @property
    def dice(self) -> float:
        return measures.dice(self.size_a, self.size_b, self.shared)

    def to_dict(self) -> dict[str, float]:
        return asdict(self) | {
            "jaccard": self.jaccard,
            "containment_a": self.containment_a,
            "containment_b": self.containment_b,
            "dice": self.dice,
        }


@dataclass(frozen=True, slots=True)
class Edits:
    """An edit distance, in words or in characters.

    `distance` is None if the texts are too long: length_a * length_b is over the limit.
    """

    distance: int | None
    length_a: int
    length_b: int

    @property
    def similarity(self) -> float | None:
        """1 - distance / the longer length."""
        if self.distance is None:
            return None
        longer = max(self.length_a, self.length_b)
        return 1 - self.distance / longer if longer else 1.0

    def to_dict(self) -> dict[str, Any]:
        reason = None
        if self.distance is None:
            reason = (
                f"not computed: {self.length_a:,} x {self.length_b:,} is more than "
                f"{measures.MAX_EDIT_STEPS:,}"
            )
        return asdict(self) | {"similarity": self.similarity, "reason": reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two texts by every measure; the fields are in the order of the output.

    Attributes:
        profile: how the texts became shingles; words are cut by the same rules.
        identical: the texts are the same, character for character.
        same_prepared: they are the same once prepared (look-alike letters, case, punctuation,
            spaces).
        lookalike_words: words of both with look-alike letters, compared as displayed.
        similarity: the Jaccard similarity of the profile's shingles, as a set or a bag.
        words: different words; shared ones are "words in common".
        shingles, shingle_bag: of the profile, as sets and as bags.
        count_cosine, tf_idf_cosine: of word counts, plain and by the smoothed idf.
        word_edits, character_edits: edit distances of the prepared texts.
        estimate: the similarity estimated by a sketch, with its interval.
        chance: the similarity that chance alone would give, and the p-value.
        shared_passages: the passages that both texts share. Their words are cut by the default
            rules, whatever the profile.
        not_computed: for each measure that is None, the reason.
    """

    profile: Profile
    identical: bool
    same_prepared: bool
    lookalike_words: int = 0
    similarity: float = field(init=False)
    words: Overlap | None
    shingles: Overlap
    shingle_bag: Overlap
    count_cosine: float | None
    tf_idf_cosine: float | None
    word_edits: Edits
    character_edits: Edits
    estimate: Estimate | None
    chance: Chance | None
    shared_passages: PairPassages | None
    not_computed: dict[str, str]

    def __post_init__(self) -> None:
        own = self.shingles if self.profile.count == "set" else self.shingle_bag
        object.__setattr__(self, "similarity", own.jaccard)

    @property
    def passages(self) -> tuple[Passage, ...] | None:
        """Verbatim, edited and reordered passages, in the order of a."""
        return None if self.shared_passages is None else self.shared_passages.passages

    @property
    def reworded(self) -> tuple[Passage, ...] | None:
        """Possibly reworded passages, which are part of no percentage."""
        return None if self.shared_passages is None else self.shared_passages.reworded

    @property
    def passage_share_a(self) -> float | None:
        """The share of the words of a that are matched in a passage."""
        return None if self.shared_passages is None else self.shared_passages.share_a

    @property
    def passage_share_b(self) -> float | None:
        """The same for b."""
        return None if self.shared_passages is None else self.shared_passages.share_b

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        values: dict[str, Any] = {}
        for each in fields(self):
            if each.name == "shared_passages":
                values |= self._passage_values()
            else:
                values[each.name] = _plain(getattr(self, each.name))
        return values

    def _passage_values(self) -> dict[str, Any]:
        shared = self.shared_passages
        if shared is None:
            return dict.fromkeys(("passages", "reworded", *_PASSAGE_VALUES))
        return {
            "passages": [passage.to_dict() for passage in shared.passages],
            "reworded": [passage.to_dict() for passage in shared.reworded],
            **{name: getattr(shared, own) for name, own in _PASSAGE_VALUES.items()},
        }


_PASSAGE_VALUES = {
    "passage_share_a": "share_a",
    "passage_share_b": "share_b",
    "passage_words_a": "words_a",
    "passage_words_b": "words_b",
    "passage_p": "p",
}


def _plain(value: Any) -> Any:
    if isinstance(value, Profile):
        return str(value)
    if isinstance(value, Estimate):
        return asdict(value)
    return value.to_dict() if hasattr(value, "to_dict") else value


def compare(
    a: str,
    b: str,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    values: int = DEFAULT_VALUES,
    level: float = 0.95,
    null: str = DEFAULT_NULL,
    trials: int | None = None,
    seed: int = 0,
    min_words: int = DEFAULT_MIN_WORDS,
    spelling: Spelling = "exact",
    threads: int | None = None,
) -> Comparison:
    """Two texts by every measure.

    Args:
        values: size of the signatures for the estimate.
        level: of the estimate's interval.
        null: the null model of the chance level: the same "words", or "letters", in random order.
        trials: number of shuffles for the chance level; 0 for none, by default as many as half a
            second allows, and at most 999.
        min_words: every run of at least this many identical words is a passage.
        spelling: "similar" to count words of similar spelling as shared in passages.
        threads: by default all processors.
    """
    for name, text in (("a", a), ("b", b)):
        if not isinstance(text, str):
            raise UsageError(f"{name} is not a str but {type(text).__name__}")
    shingled = Profile.of(profile)
    check_level(level)
    check_shuffle(null, trials, seed)
    Winnowing(min_words)
    check_spelling(spelling)
    tried = trials_for(len(a) + len(b)) if trials is None else trials
    lookalikes = LookAlikes()
    displayed = displayed_strings([a, b], shingled, found=lookalikes)
    texts: Any = Texts.from_strings(displayed)
    prepared = tuple(_prepared(text, shingled) for text in displayed)
    as_words = replace(shingled, unit="word", k=1, count="set")
    words = tuple(_prepared(text, as_words).split() for text in displayed)
    characters = prepared if shingled.unit == "char" else tuple(" ".join(w) for w in words)
    not_computed = {} if tried else {"chance": _no_chance(trials)}
    shared: PairPassages | None = None
    if len(a) + len(b) > MAX_PASSAGE_CHARACTERS:
        not_computed["passages"] = _NO_PASSAGES
    else:
        shared = _shared_passages(a, b, min_words, spelling)
    return Comparison(
        profile=shingled,
        identical=a == b,
        same_prepared=prepared[0] == prepared[1],
        words=_overlap(texts, as_words),
        shingles=_overlap(texts, replace(shingled, count="set")),
        shingle_bag=_overlap(texts, replace(shingled, count="bag")),
        word_edits=_edits(*words),
        character_edits=_edits(*characters),
        estimate=sketch(texts, profile=shingled, values=values).estimate(0, 1, level),
        chance=shuffled_chance(
            *displayed, profile=shingled, null=null, trials=tried, seed=seed, threads=threads
        )
        if tried
        else None,
        shared_passages=shared,
        not_computed=not_computed,
        lookalike_words=lookalikes.words,
        **{name: measure.of_words(*words) for name, measure in WORD_MEASURES.items()},
    )


def _no_chance(trials: int | None) -> str:
    if trials == 0:
        return "not requested"
    return f"not computed for more than {MAX_CHARACTERS:,} characters unless trials is set"


_NO_PASSAGES = (
    f"not computed for more than {MAX_PASSAGE_CHARACTERS:,} characters; use find_passages or "
    "`likewise passages`, which have no limit"
)


def _shared_passages(a: str, b: str, min_words: int, spelling: Spelling) -> PairPassages:
    """What both texts share, as every command finds it."""
    from likewise.passages.matching_text import matching_text
    from likewise.passages.pair_passages import find_pair_passages

    matched = [matching_text(text).text for text in (a, b)]
    return find_pair_passages(matched, [(0, 1)], min_words=min_words, spelling=spelling, threads=1)[
        0
    ]


def _prepared(text: str, profile: Profile) -> str:
    return _core.prepared_text(Texts.from_strings([text]), profile.rules())


def _overlap(texts: Texts, profile: Profile) -> Overlap:
    hashes, offsets = _core.shingle_hashes(texts, profile.rules())
    return Overlap(*measures.overlap(hashes[: offsets[1]], hashes[offsets[1] :]))


def _edits(a: str | list[str], b: str | list[str]) -> Edits:
    return Edits(measures.edit_distance(a, b), len(a), len(b))
