"""`document_view`: one document, and what others share with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from likewise.documents.document import Document, describe
from likewise.index.passage_results import IndexPassages
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.results import Passages
from likewise.run import counted
from likewise.survey.measures import measures_view, overlaps_with
from likewise.survey.shown_passages import passages_view
from likewise.survey.shown_text import shown_texts
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.index.matches import Match

MAX_SOURCES = 200  # a page can show, and a person may want to read


def document_view(
    document: Document,
    found: Passages,
    others: Mapping[str, Document] | None = None,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    min_words: int = DEFAULT_MIN_WORDS,
    matches: Sequence[Match] | None = None,
    without: Collection[str] = (),
    max_sources: int = MAX_SOURCES,
    threads: int | None = None,
) -> dict[str, Any]:
    """A document and its sources, those that share most of its words first.

    Args:
        document: pairs of `found` with its id are shown.
        found: the result of `Index.passages` or `find_passages`.
        others: the other documents by id; those of the index, if not given.
        profile: how texts become shingles.
        min_words: the minimum run of equal words in the search for `found`.
        matches: similar documents, as `Index.query` gives them for this text.
        without: ids that are not shown, such as its own if it is in the index.
        max_sources: the number of sources shown; the notes say how many more there are.

    Returns `{"document", "sources", "notes", "min_words"}` and, if they are given, `matches`.
    """
    if others is None:
        stored = found.documents if isinstance(found, IndexPassages) else {}
        others = {id_: one.to_document() for id_, one in stored.items()}
    # A pair as this document sees it, which is then a.
    pairs = [pair if pair.a == document.id else pair.turned() for pair in found]
    sources = [pair for pair in pairs if pair.a == document.id and pair.b not in without]
    notes = [*found.notes]
    if (more := len(sources) - max_sources) > 0:
        notes.append(
            f"{counted(more, 'more document')} share passages with this one; only the "
            f"{max_sources:,} that share the most words are shown."
        )
        sources = sources[:max_sources]
    own, *texts = shown_texts([document, *(others[pair.b] for pair in sources)])
    matching = [text.matching.text for text in texts]
    overlaps = overlaps_with(
        own.matching.text, matching, Profile.of(profile), thread_count(threads)
    )
    view: dict[str, Any] = {
        "document": own.to_dict(),
        "sources": [
            {
                **text.document.described(),
                "words": len(text.words),
                "digest": text.digest,
                "unspaced": text.unspaced,
                "marks": text.marks,
                "pair": measures_view(overlap, pair),
                "passages": passages_view(own, text, pair.passages),
                "reworded": passages_view(own, text, pair.reworded),
            }
            for pair, text, overlap in zip(sources, texts, overlaps, strict=True)
        ],
        "notes": notes,
        "min_words": min_words,
    }
    if matches is not None:
        view["matches"] = [match_view(match) for match in matches if match.id not in without]
    return view


def match_view(match: Match) -> dict[str, Any]:
    """A similar document, with an interval if nothing but its signature is known."""
    return {
        "id": match.id,
        **describe(match.metadata),
        "jaccard": match.jaccard,
        **{name: getattr(match.estimate, name, None) for name in ("low", "high", "level")},
        "containment_a": match.containment,
        "containment_b": match.containment_of_document,
    }
