"""Shared passages as text and as rows.

Both sides of a passage are shown with the words around them, and with their place: chapter and
verse (or the like) if the document has them, else page and line. Rows contain the text of both
sides, since offsets are of the extracted text and not of the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from likewise.documents.document import Document
from likewise.files import USUAL_WIDTH
from likewise.output.chance import chance_text
from likewise.output.excerpt import excerpt, one_line, shortened, wrapped
from likewise.output.rows import Rows
from likewise.output.table import percent
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.matching_text import count_excluded
from likewise.passages.results import COLUMN_TYPES, SIMILAR
from likewise.run import Stats, counted

if TYPE_CHECKING:
    from likewise.passages.differences import Difference
    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.passage import Passage
    from likewise.passages.results import PassagePair, Passages

DEFAULT_CONTEXT = 8
PLACES = ("a_page", "a_line", "b_page", "b_line")
TEXTS = ("a_text", "b_text")
REFERENCES = ("a_place", "b_place")
_KINDS = COLUMN_TYPES | {SIMILAR: int} | dict.fromkeys(PLACES, int)
_MAX_CHANGES = 60  # of a passage in a terminal
_MAX_CHANGED_WORDS = 16  # of one change, or of equal words between two
_DIFFERENCES = "   differences, [-b-] {+a+}:  "
_MAX_NOTED = 10  # documents that a note is about


Documents = Mapping[str, Document]
"""By id. The two sides of a pair may come from two collections, each with its own."""


@dataclass(frozen=True)
class View:
    """How passages are shown in a terminal.

    Attributes:
        context: words around each side.
        differences: whether to show them word by word.
        width: columns.
        shown: how many pairs (or passages of one pair); None for all.
    """

    context: int = DEFAULT_CONTEXT
    differences: bool = False
    width: int = USUAL_WIDTH
    shown: int | None = None


def passages_text(passages: Passages, a: Documents, b: Documents, view: View) -> Iterator[str]:
    """Pair by pair, in lines that end."""
    if not passages.pairs:
        yield "no passages\n"
    for number, pair in enumerate(islice(passages, view.shown)):
        sides = a[pair.a], b[pair.b]
        if number:
            yield "\n"
        yield from _ended(_header(pair, *sides))
        for passage in pair.passages:
            yield "\n"
            yield from _ended(passage_lines(passage, *sides, view))
        yield from _ended(reworded_lines(pair.reworded, *sides, view))
    if view.shown is not None and len(passages) > view.shown:
        yield f"\n… and {counted(len(passages) - view.shown, 'more pair')}\n"


def _header(pair: PassagePair, a: Document, b: Document) -> Iterator[str]:
    for side, id_, document in (("a", pair.a, a), ("b", pair.b, b)):
        yield f"{side}  {titled(id_, document)}"
    yield f"   {shared_words(pair)}"


def titled(id_: str, document: Document) -> str:
    """An id, and the title in brackets if it is known."""
    title = document.known.get("title")
    return one_line(id_) + (f"  ({one_line(title)})" if title else "")


RUN_CHANCE = "so long a match in unrelated texts of these lengths"


def shared_words(found: PairPassages) -> str:
    """How much two texts share: "128 shared words in 3 passages: 18% of a, 12% of b; …"."""
    if not found.passages:
        shorter = min(found.size_a, found.size_b)
        if 0 < shorter < DEFAULT_MIN_WORDS:
            return (
                f"no shared passages: a passage has {DEFAULT_MIN_WORDS} words or more, "
                f"and {'a' if found.size_a == shorter else 'b'} has {shorter}"
            )
        return "no shared passages"
    words = counted(found.words_a, "shared word")
    if found.words_a != found.words_b:  # one of them has something more than once
        words = f"{found.words_a:,} shared words of a and {found.words_b:,} of b"
    if found.similar_a or found.similar_b:
        words += f" ({max(found.similar_a, found.similar_b):,} of them similar, not identical)"
    return (
        f"{words} in {counted(len(found.passages), 'passage')}: "
        f"{percent(found.share_a)} of a, {percent(found.share_b)} of b; "
        f"longest run {counted(found.longest_run, 'word')}"
    )


def reworded_lines(
    reworded: Sequence[Passage], a: Document, b: Document, view: View
) -> Iterator[str]:
    """Possibly reworded passages under a heading of their own; nothing where there are none."""
    if not reworded:
        return
    yield ""
    yield "   possibly reworded, by single words; not part of any percentage:"
    for passage in reworded:
        yield ""
        yield from passage_lines(passage, a, b, replace(view, differences=False))


def _passage_words(passage: Passage) -> str:
    """What a passage is, in one line."""
    if passage.kind == "reworded":
        short, long = sorted((passage.a_words, passage.b_words))
        return (
            f"reworded, {counted(passage.words, 'rare word')} of {short:,} words, "
            f"scattered over {long:,} words of the other text; evidence {passage.evidence:.0f}"
        )
    words = counted(passage.words, "shared word")
    if passage.similar:
        words += f" ({passage.similar:,} similar, not identical)"
    if passage.kind != "verbatim":
        words += f" of {passage.a_words:,} and {passage.b_words:,}"
    return f"{passage.kind}, {words}, longest run {passage.run:,}"


ATTRIBUTION_WORDS = {
    "quoted and cited": "quoted and cited",
    "quoted": "quoted without citation",
    "cited": "cited without quotation marks",
    "neither": "neither quotation marks nor citation",
}


def _attribution_words(passage: Passage) -> str:
    """Which side quotes or cites there; nothing where neither does."""
    sides = passage.a_attribution or "neither", passage.b_attribution or "neither"
    if sides == ("neither", "neither"):
        return ""
    first, second = (ATTRIBUTION_WORDS[side] for side in sides)
    return f"a and b: {first}" if first == second else f"a: {first}; b: {second}"


def passage_lines(passage: Passage, a: Document, b: Document, view: View) -> Iterator[str]:
    """What a passage is, both sides of it, and the differences if wanted."""
    yield from wrapped(_passage_words(passage), view.width, "   ", " " * 6)
    if passage.p is not None:
        yield f"   {RUN_CHANCE}: {chance_text(passage.p)}"
    if attribution := _attribution_words(passage):
        yield f"   {attribution}"
    for side, document, start, end in (
        ("a", a, passage.a_start, passage.a_end),
        ("b", b, passage.b_start, passage.b_end),
    ):
        where = f"   {side}  {place_text(document, start, end)}:  "
        yield from wrapped(
            excerpt(document.text, start, end, view.context), view.width, where, " " * 6
        )
    if view.differences:
        from likewise.passages.differences import differences

        found = differences(a.text, b.text, passage)
        yield from wrapped(
            marked_differences(found, a.text, b.text), view.width, _DIFFERENCES, " " * 6
        )


def place_text(document: Document, start: int, end: int) -> str:
    """Mt 3,7–10; else p. 3, line 12."""
    place = document.place(start)
    where = one_line(document.reference(start, end)) or f"line {place.line:,}"
    if place.page is None:
        return where
    page = f"p. {place.page:,}"
    return f"{where}, {page}" if place.reference else f"{page}, {where}"


def marked_differences(found: Sequence[Difference], a: str, b: str) -> str:
    """Equal words as in a, [-words only in b-] and {+words only in a+}."""
    changes = sum(part.kind != "equal" for part in found)
    if not changes:
        return "none in the words"
    parts: list[str] = []
    left = _MAX_CHANGES
    for part in found:
        if part.kind == "equal":
            parts.append(shortened(a[part.a_start : part.a_end], _MAX_CHANGED_WORDS))
            continue
        if left == 0:
            parts.append(f"… and {counted(changes - _MAX_CHANGES, 'more difference')}")
            break
        left -= 1
        if part.b_words:
            parts.append(f"[-{shortened(b[part.b_start : part.b_end], _MAX_CHANGED_WORDS)}-]")
        if part.a_words:
            parts.append("{+" + shortened(a[part.a_start : part.a_end], _MAX_CHANGED_WORDS) + "+}")
    return " ".join(parts)


def _ended(lines: Iterable[str]) -> Iterator[str]:
    return (f"{line}\n" for line in lines)


def passage_rows(
    passages: Passages, a: Documents, b: Documents, *, differences: bool = False
) -> Rows:
    """One passage per row: offsets, measures, pages and lines, text and references of both sides.

    With `differences` a last column has them as a list, for JSON.
    """
    columns = (
        *passages.columns,
        *PLACES,
        *TEXTS,
        *REFERENCES,
        *(("differences",) if differences else ()),
    )
    records = (
        {"a": pair.a, "b": pair.b}
        | passage_record(passage, a[pair.a], b[pair.b], differences=differences)
        for pair in passages
        for passage in pair.every
    )
    return Rows(
        columns,
        ([record[name] for name in columns] for record in records),
        sum(len(pair.every) for pair in passages),
        many="passages",
        kinds=tuple(_KINDS.get(name, str) for name in columns),
    )


def passage_record(
    passage: Passage, a: Document, b: Document, *, differences: bool = False
) -> dict[str, Any]:
    """A passage with plain values: its own, and places, text and references of both sides."""
    places = (*a.place(passage.a_start), *b.place(passage.b_start))
    texts = (a.text[passage.a_start : passage.a_end], b.text[passage.b_start : passage.b_end])
    references = (
        a.reference(passage.a_start, passage.a_end) or None,
        b.reference(passage.b_start, passage.b_end) or None,
    )
    names = PLACES + TEXTS + REFERENCES
    record = passage.to_dict() | dict(zip(names, places + texts + references, strict=True))
    if differences:
        from likewise.passages.differences import differences as between

        record["differences"] = [part.to_dict() for part in between(a.text, b.text, passage)]
    return record


def notes(passages: Passages) -> Iterator[str]:
    """What the user should know about the search, hidden characters and exclusions."""
    yield from passages.stats.notes
    yield from passages.common_text
    altered = {id_: about.tricks for id_, about in passages.about.items() if about.tricks}
    for id_, tricks in islice(altered.items(), _MAX_NOTED):
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in tricks.counts.items())
        yield f"{id_}: hidden or look-alike characters, compared as displayed: {kinds}"
    if len(altered) > _MAX_NOTED:
        yield f"the same in {counted(len(altered) - _MAX_NOTED, 'more document')}"
    yield from _left_out(passages)


def _left_out(passages: Passages) -> Iterator[str]:
    for reason, (count, documents) in count_excluded(passages.about.values()).items():
        what = _IN_WORDS[reason] if count > 1 else reason
        yield f"excluded: {count:,} {what} in {counted(documents, 'document')}"
    counts = passages.stats.counts
    for name, noun, why in _PAIRS_LEFT_OUT:
        if counts.get(name):
            yield f"excluded: {counted(counts[name], noun)} {why}"


_IN_WORDS = {
    "quotation": "quotations",
    "bibliography": "bibliographies",
    "phrase": "phrases",
    "template": "stretches of a template",
    "common text": "stretches of common text",
}
_PAIRS_LEFT_OUT = (
    ("too_short", "passage", "of too few words"),
    ("of_the_same", "pair", "of the same author or group, not compared"),
    ("in_too_many", "passage", "shared with too many documents"),
    ("below_min_share", "pair", "that share too little"),
)


def summary(stats: Stats) -> str:
    """One line: the number of passages, in what, and how they were found."""
    counts, settings = stats.counts, stats.settings
    found = f"{counted(counts['passages'], 'passage')} in {counted(counts['pairs'], 'pair')}"
    if reworded := counts.get("reworded"):
        found += f" (and {reworded:,} possibly reworded)"
    shown = settings.get("top")
    if shown is not None and shown < counts["pairs"]:
        found += f" (showing the {shown:,} with the most shared words)"
    ways = f"runs of {settings['min_words']:,} identical words"
    if settings["edited"]:
        ways += ", and rare words in common"
    if settings.get("spelling") == "similar":
        ways += ", and similar words"
    if "checked" in counts:
        checked = counted(counts["checked"], "document")
        line = f"checked {checked} against {counts['documents']:,} stored: {found} (by {ways})"
    else:
        line = f"{found} among {counted(counts['documents'], 'document')} (by {ways})"
    if "chance_run" in counts:
        line += f"; unrelated texts share runs of up to {counted(counts['chance_run'], 'word')}"
    return line
