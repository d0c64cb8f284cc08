"""`pair_view`: two documents side by side, by every measure that is shown."""

from __future__ import annotations

from typing import Any

from likewise.comparison.comparison import MAX_PASSAGE_CHARACTERS
from likewise.documents.document import Document
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS, Winnowing
from likewise.passages.pair_passages import PairPassages, find_pair_passages
from likewise.passages.settings import NOTHING, Exclusions
from likewise.run import counted
from likewise.sketches.signatures import sketch
from likewise.statistics.null_models import NULL_MODELS
from likewise.statistics.shuffles import DEFAULT_MAX_TRIALS, DEFAULT_MIN_TRIALS, shuffled_chance
from likewise.survey.measures import measures_view, overlaps_with
from likewise.survey.shown_passages import passages_view
from likewise.survey.shown_text import ShownText, shown_texts
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count

# Of all shuffles together: a fifth of a second, so that a page opens at once. There is no chance
# level for texts so long that not even the fewest shuffles are that quick.
_MAX_SHUFFLED_CHARACTERS = 20_000_000
MAX_CHANCE_CHARACTERS = 2_000_000


def pair_view(
    a: Document,
    b: Document,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    min_words: int = DEFAULT_MIN_WORDS,
    exclude: Exclusions = NOTHING,
    chance: bool = True,
    threads: int | None = None,
) -> dict[str, Any]:
    """Two documents: both texts, their measures, and the passages that they share, in a's order.

    Args:
        a, b: the documents.
        profile: how texts become shingles.
        min_words: every run of at least this many equal words is a passage.
        exclude: only parts of texts and short passages are excluded.
        chance: whether to shuffle both texts for the chance level of the pair.
        threads: how many to use; all processors, if not given.

    Returns `{"a", "b", "measures", "passages", "reworded", "notes"}`. The measures have also
    `estimate` (value, low, high, level: what sketches say of the exact value) and `chance_of_pair`
    (expected, highest, p_value, trials, null in words), None if it is not known.
    """
    shingled, count = Profile.of(profile), thread_count(threads)
    Winnowing(min_words)
    notes: list[str] = []
    first, second = shown_texts((a, b), exclude)
    shared = _shared(first, second, min_words, exclude, notes)
    texts = first.matching.text, second.matching.text
    (overlap,) = overlaps_with(texts[0], texts[1:], shingled, count)
    estimate = sketch(texts, profile=shingled, threads=1).estimate(0, 1)
    estimated = {name: getattr(estimate, name) for name in ("value", "low", "high", "level")}
    return {
        "a": first.to_dict(),
        "b": second.to_dict(),
        "measures": {
            **measures_view(overlap, shared),
            "estimate": estimated,
            "chance_of_pair": _chance(texts, shingled, count, notes) if chance else None,
        },
        "passages": passages_view(first, second, shared.passages),
        "reworded": passages_view(first, second, shared.reworded),
        "notes": notes,
    }


def _shared(
    a: ShownText, b: ShownText, min_words: int, exclude: Exclusions, notes: list[str]
) -> PairPassages:
    texts = [a.matching.text, b.matching.text]
    words = a.words, b.words
    if sum(map(len, texts)) > MAX_PASSAGE_CHARACTERS:
        notes.append(
            f"Passages are not shown: the two texts have more than {MAX_PASSAGE_CHARACTERS:,} "
            "characters in total."
        )
        return PairPassages(size_a=a.size, size_b=b.size, chance_run=0)
    (found,) = find_pair_passages(
        texts, [(0, 1)], min_words=min_words, words=words, threads=1,
        excluded=dict(enumerate(one.matching.excluded_ranges for one in (a, b))),
    )  # fmt: skip
    long = [passage for passage in found.every if passage.words >= exclude.min_passage]
    if short := len(found.every) - len(long):
        notes.append(
            f"Excluded: {counted(short, 'passage')} of fewer than "
            f"{exclude.min_passage:,} shared words."
        )
    return found.only(long, *words)


def _chance(
    texts: tuple[str, str], profile: Profile, threads: int, notes: list[str]
) -> dict[str, Any] | None:
    characters = len(texts[0]) + len(texts[1])
    if characters > MAX_CHANCE_CHARACTERS:
        notes.append(
            f"No chance level: the two texts have more than {MAX_CHANCE_CHARACTERS:,} characters "
            "in total."
        )
        return None
    affordable = _MAX_SHUFFLED_CHARACTERS // max(1, characters)
    trials = min(DEFAULT_MAX_TRIALS, max(DEFAULT_MIN_TRIALS, affordable))
    found = shuffled_chance(*texts, profile=profile, trials=trials, threads=threads)
    return {
        "expected": found.expected,
        "highest": found.highest,
        "p_value": found.p_value,
        "trials": found.trials,
        "null": NULL_MODELS[found.null].what,
    }
