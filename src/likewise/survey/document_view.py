"""`document_view`: one document, and what others share with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from likewise.index.passage_results import IndexPassages
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.matching_text import Exclusions
from likewise.passages.results import PassagePair, Passages
from likewise.run import counted
from likewise.survey.measures import measures_view, overlaps_with
from likewise.survey.shown_passages import passages_view
from likewise.survey.shown_text import NOTHING, shown_texts
from likewise.survey.viewed_document import ViewedDocument
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.index.matches import EstimatedMatch, Match

MOST_SOURCES = 200  # what a person may want to look at, and a page can hold


def document_view(
    document: ViewedDocument,
    found: Passages,
    others: Mapping[str, ViewedDocument] | None = None,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    exclude: Exclusions = NOTHING,
    min_words: int = DEFAULT_MIN_WORDS,
    matches: Sequence[Match | EstimatedMatch] | None = None,
    without: Collection[str] = (),
    most: int = MOST_SOURCES,
    threads: int | None = None,
) -> dict[str, Any]:
    """A document and its sources, those that share most of its words first.

    Args:
        document: the one that is looked at; pairs of `found` that have its id are shown.
        found: what `Index.passages` or `find_passages` has found, with the same `exclude`.
        others: the other documents by id; those that an index gave, if not given.
        profile: how texts become shingles.
        exclude: what was left out.
        min_words: the minimum words in a run that `found` was searched with.
        matches: similar documents, as `Index.query` gives them for this text.
        without: ids that are not shown, such as its own where it is in the index.
        most: sources at most; the notes tell how many more there are.

    Returns `{"document", "sources", "notes", "min_words"}` and, where they are given, `matches`.
    """
    shingled, count = Profile.of(profile), thread_count(threads)
    if others is None:
        stored = found.documents if isinstance(found, IndexPassages) else {}
        others = {id_: ViewedDocument.of_index(one) for id_, one in stored.items()}
    sources = [
        source
        for source in (_seen_from(document.id, pair) for pair in found)
        if source is not None and source.b not in without
    ]
    notes = [*found.notes]
    if len(sources) > most:
        notes.append(
            f"{counted(len(sources) - most, 'more document')} share passages with this one; the "
            f"{most:,} that share most words are shown."
        )
        sources = sources[:most]
    own, *texts = shown_texts([document, *(others[pair.b] for pair in sources)], exclude)
    overlaps = overlaps_with(
        own.matching.text, [text.matching.text for text in texts], shingled, count
    )
    shown = [
        {
            **text.document.described(),
            "words": len(text.words),
            "pair": measures_view(overlap, pair),
            "passages": passages_view(own, text, pair.passages),
            "reworded": passages_view(own, text, pair.reworded),
        }
        for pair, text, overlap in zip(sources, texts, overlaps, strict=True)
    ]
    view: dict[str, Any] = {
        "document": own.to_dict(),
        "sources": shown,
        "notes": notes,
        "min_words": min_words,
    }
    if matches is not None:
        view["matches"] = [match_view(match) for match in matches if match.id not in without]
    return view


def _seen_from(id_: str, pair: PassagePair) -> PassagePair | None:
    """A pair as this document sees it, which is then a."""
    if pair.a == id_:
        return pair
    return pair.turned() if pair.b == id_ else None


def match_view(match: Match | EstimatedMatch) -> dict[str, Any]:
    """A similar document, with an interval where nothing but its signature is known."""
    jaccard, title = match.jaccard, (match.metadata or {}).get("title")
    made: dict[str, Any] = {"id": match.id, "title": None if title is None else str(title)}
    if isinstance(jaccard, float):
        made |= {"jaccard": jaccard, "low": None, "high": None, "level": None}
    else:
        made |= {
            "jaccard": jaccard.value, "low": jaccard.low, "high": jaccard.high,
            "level": jaccard.level,
        }  # fmt: skip
    for name, value in (
        ("containment_a", match.containment),
        ("containment_b", match.containment_of_document),
    ):
        made[name] = value if isinstance(value, float) else value.value
    return made
