"""Shared passages for people, and as rows for programs.

Both sides of a passage are shown with the words around them, and where they stand: page and line,
where the document has pages. Rows carry the text of both sides in every format: offsets are of the
text that was taken from a document, and who reads the rows may have the document only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from likewise.documents.document import Place, Places
from likewise.files import USUAL_WIDTH
from likewise.output.chance import chance_text
from likewise.output.excerpt import excerpt, one_line, shortened, wrapped
from likewise.output.rows import Rows
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.results import COLUMNS
from likewise.run import Stats, counted

if TYPE_CHECKING:
    from likewise.documents.metadata import Metadata
    from likewise.passages.differences import Difference
    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.passage import Passage
    from likewise.passages.results import PassagePair, Passages

DEFAULT_CONTEXT = 8
PLACES = ("a_page", "a_line", "b_page", "b_line")
TEXTS = ("a_text", "b_text")
_KINDS: dict[str, type] = {
    "a_start": int, "a_end": int, "b_start": int, "b_end": int, "words": int, "run": int,
    "similarity": float, "evidence": float, "a_words": int, "b_words": int, "score": int,
    "p": float, **dict.fromkeys(PLACES, int),
}  # fmt: skip
_MOST_CHANGES = 60  # of a passage in a terminal
_CHANGED_WORDS = 16  # of one change, or of equal words between two
_DIFFERENCES = "   differences, [-b-] {+a+}:  "
_MOST_TOLD = 10  # documents that a note is about


@dataclass(frozen=True, eq=False)
class DocumentText:
    """A document that passages are shown from: its text, its pages, and what is known of it."""

    text: str
    page_starts: Sequence[int] | None = None
    metadata: Metadata | None = None

    @cached_property
    def _places(self) -> Places:
        return Places(self.text, self.page_starts)

    def place(self, offset: int) -> Place:
        return self._places.at(offset)


Documents = Mapping[str, DocumentText]
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


def _header(pair: PassagePair, a: DocumentText, b: DocumentText) -> Iterator[str]:
    for side, id_, document in (("a", pair.a, a), ("b", pair.b, b)):
        title = document.metadata.title if document.metadata else None
        yield f"{side}  {one_line(id_)}" + (f"  ({one_line(title)})" if title else "")
    yield f"   {shared_words(pair)}"


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
    return (
        f"{words} in {counted(len(found.passages), 'passage')}: "
        f"{found.share_a:.0%} of a, {found.share_b:.0%} of b; "
        f"longest run {counted(found.longest_run, 'word')}"
    )


def reworded_lines(
    reworded: Sequence[Passage], a: DocumentText, b: DocumentText, view: View
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
    said = f"{passage.kind}, {counted(passage.words, 'shared word')}"
    if passage.kind == "verbatim":
        said += f", longest run {passage.run:,}"
    else:
        said += f" of {passage.a_words:,} and {passage.b_words:,}, longest run {passage.run:,}"
    return said


def passage_lines(passage: Passage, a: DocumentText, b: DocumentText, view: View) -> Iterator[str]:
    """What a passage is, both sides of it, and the differences, if asked for."""
    yield from wrapped(_passage_words(passage), view.width, "   ", " " * 6)
    if passage.p is not None:
        yield f"   {RUN_CHANCE}: {chance_text(passage.p)}"
    for side, document, start, end in (
        ("a", a, passage.a_start, passage.a_end),
        ("b", b, passage.b_start, passage.b_end),
    ):
        where = f"   {side}  {place_text(document.place(start))}:  "
        yield from wrapped(
            excerpt(document.text, start, end, view.context), view.width, where, " " * 6
        )
    if view.differences:
        from likewise.passages.differences import differences

        found = differences(a.text, b.text, passage)
        yield from wrapped(_marked(found, a.text, b.text), view.width, _DIFFERENCES, " " * 6)


def place_text(place: Place) -> str:
    """p. 3, line 12."""
    return (
        f"line {place.line:,}" if place.page is None else f"p. {place.page:,}, line {place.line:,}"
    )


def _marked(found: Sequence[Difference], a: str, b: str) -> str:
    """Equal words as they stand in a, [-what only b has-] and {+what only a has+}."""
    changes = sum(part.kind != "equal" for part in found)
    if not changes:
        return "none in the words"
    parts: list[str] = []
    left = _MOST_CHANGES
    for part in found:
        if part.kind == "equal":
            parts.append(shortened(a[part.a_start : part.a_end], _CHANGED_WORDS))
            continue
        if left == 0:
            parts.append(f"… and {counted(changes - _MOST_CHANGES, 'more difference')}")
            break
        left -= 1
        if part.b_words:
            parts.append(f"[-{shortened(b[part.b_start : part.b_end], _CHANGED_WORDS)}-]")
        if part.a_words:
            parts.append("{+" + shortened(a[part.a_start : part.a_end], _CHANGED_WORDS) + "+}")
    return " ".join(parts)


def _ended(lines: Iterable[str]) -> Iterator[str]:
    return (f"{line}\n" for line in lines)


def passage_rows(
    passages: Passages, a: Documents, b: Documents, *, differences: bool = False
) -> Rows:
    """One passage a row: offsets, measures, pages and lines, and the text of both sides.

    With `differences` a last column has them as a list, which JSON can hold.
    """
    columns = (*COLUMNS, *PLACES, *TEXTS, *(("differences",) if differences else ()))
    records = (
        {"a": pair.a, "b": pair.b}
        | passage_record(passage, a[pair.a], b[pair.b], differences=differences)
        for pair in passages
        for passage in (*pair.passages, *pair.reworded)
    )
    return Rows(
        columns,
        ([record[name] for name in columns] for record in records),
        sum(len(pair.passages) + len(pair.reworded) for pair in passages),
        many="passages",
        kinds=tuple(_KINDS.get(name, str) for name in columns),
    )


def passage_record(
    passage: Passage, a: DocumentText, b: DocumentText, *, differences: bool = False
) -> dict[str, Any]:
    """A passage with plain values: its own, where both sides stand, and their text."""
    places = (*a.place(passage.a_start), *b.place(passage.b_start))
    texts = (a.text[passage.a_start : passage.a_end], b.text[passage.b_start : passage.b_end])
    record = passage.to_dict() | dict(zip(PLACES + TEXTS, places + texts, strict=True))
    if differences:
        from likewise.passages.differences import differences as between

        record["differences"] = [part.to_dict() for part in between(a.text, b.text, passage)]
    return record


def notes(passages: Passages) -> Iterator[str]:
    """What the user should know: what was set aside, and where text is other than it looks."""
    yield from passages.stats.notes
    yield from passages.common_text
    told = {id_: about.tricks for id_, about in passages.about.items() if about.tricks}
    for id_, tricks in islice(told.items(), _MOST_TOLD):
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in tricks.counts.items())
        yield f"{id_}: hidden or look-alike characters, compared as displayed: {kinds}"
    if len(told) > _MOST_TOLD:
        yield f"the same in {counted(len(told) - _MOST_TOLD, 'more document')}"
    yield from _left_out(passages)


def _left_out(passages: Passages) -> Iterator[str]:
    ranges: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for about in passages.about.values():
        for reason, found in about.excluded.items():
            ranges[reason] += len(found)
            documents[reason] += 1
    for reason, count in ranges.items():
        what = _IN_WORDS[reason] if count > 1 else reason
        yield f"excluded: {count:,} {what} in {counted(documents[reason], 'document')}"
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
    ("of_the_same", "pair", "of one author or group, not looked at"),
    ("in_too_many", "passage", "shared with too many documents"),
    ("below_min_share", "pair", "that share too little"),
)


def summary(stats: Stats) -> str:
    """One line: how many passages, among what, and how they were looked for."""
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
    if "checked" in counts:
        checked = counted(counts["checked"], "document")
        told = f"checked {checked} against {counts['documents']:,} stored: {found} (by {ways})"
    else:
        told = f"{found} among {counted(counts['documents'], 'document')} (by {ways})"
    if "chance_run" in counts:
        told += f"; unrelated texts share runs of up to {counted(counts['chance_run'], 'word')}"
    return told
