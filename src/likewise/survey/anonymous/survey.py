"""`AnonymousSurvey`: a survey with the same figures and without names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.arrays import Bools, Ints
from likewise.documents.texts import text_digest
from likewise.run import counted
from likewise.survey.anonymous.families import anonymous_families
from likewise.survey.anonymous.key import KeyRow
from likewise.survey.anonymous.name_search import CutText, NameSearch
from likewise.survey.anonymous.numbering import Numbering, Salt, numbered
from likewise.survey.anonymous.people import People
from likewise.survey.anonymous.redaction import PLACEHOLDER, Redaction
from likewise.survey.anonymous.views import AnonymousText, anonymous_passages
from likewise.survey.archive import NAME, without_prefix
from likewise.survey.exclusion_data import packed_passages
from likewise.survey.scores import ATTRIBUTION_COLUMNS

if TYPE_CHECKING:
    from likewise.survey.survey import Survey

TITLE = "Anonymous report"
NOT_READ = "could not be read"
_PLAIN_REASON = re.compile(r"[a-z ,:;()?-]+")  # others may quote the name of a file

SAME = (
    "format", "version", "made", "histogram", "similarity", "chance", "chance_reason", "threshold",
    "min_words", "exclusions", "hidden_characters", "attributions",
)  # fmt: skip
"""Fields of a survey that stay as they are. Those that are named nowhere here are left out."""
CHANGED = (
    "title", "identity", "documents", "archive", "pairs", "families", "common_text",
    "exclusion_data", "left_out", "run",
)  # fmt: skip
SAME_EXCLUSIONS = ("min_passage", "min_share", "same")
CHANGED_EXCLUSIONS = ("passages", "runs", "by_passages", "marks", "unspaced")
OF_DOCUMENT = (
    "words", "matched", *ATTRIBUTION_COLUMNS, "highest", "sources", "run", "flags",
)  # fmt: skip
OF_PAIR = (
    "jaccard", "shared", "passages", "reworded", "run", "run_p", "chance_run", "chance", "p", "q",
)  # fmt: skip
TURNED = {
    "containment_a": "containment_b", "size_a": "size_b", "words": "words_b", "share_a": "share_b",
}  # fmt: skip
"""Columns of pairs that are exchanged where a and b are."""


class AnonymousSurvey:
    """What `write_page` needs of a survey, with numbers in place of names.

    Attributes:
        rows: the listed pairs.
        run: facts about the run, without names.
        ordinary: names that are ordinary words of these texts, and may be in them.
    """

    def __init__(
        self,
        survey: Survey,
        *,
        title: str = "",
        keep_dates: bool = False,
        authors: Iterable[str] = (),
        identifiers: Iterable[str] = (),
    ) -> None:
        """
        Args:
            title: of the page; names in it are replaced.
            keep_dates: whether documents keep their dates.
            authors: people whose names are replaced besides those of the documents.
            identifiers: numbers and addresses of people that are not in the metadata, such as
                student numbers.
        """
        self._survey = survey
        self._keep_dates = keep_dates
        documents = [text.document for text in survey.texts]
        self._search = NameSearch(People(documents, authors, identifiers))
        names = _names(survey, self._search)
        self.ordinary = sorted(self._search.ordinary.values())
        self._redactions = [
            Redaction(text.words, found) for text, found in zip(survey.texts, names, strict=True)
        ]
        listed = survey.listed.tolist()
        shown = [self._redactions[at].apply(survey.texts[at].document.text) for at in listed]
        self._salt = Salt(documents)
        archives = [survey.texts[number].archive for number in listed]
        self._numbers = Numbering(
            [documents[number] for number in listed], archives, shown, self._salt
        )
        self._identity = text_digest(" ".join(map(text_digest, shown)))
        del shown
        self._archives = _archive_names(survey)
        self._pairs, self._turned = self._order_pairs()
        self.rows = self._pairs
        self._skipped = sorted(survey.run.skipped, key=lambda one: self._salt.digest(repr(one)))
        self.run = replace(
            survey.run,
            title=self._search.without_names(title, PLACEHOLDER) or TITLE,
            command=None,
            notes=[*self._notes()],
            skipped=[
                (f"File {at}", "", reason if _PLAIN_REASON.fullmatch(reason) else NOT_READ)
                for at, (_, _, reason) in enumerate(self._skipped, 1)
            ],
        )

    def pair(self, row: int) -> tuple[int, int]:
        """The rows of both documents of a listed pair."""
        places = [self._numbers.row_of[place] for place in self._survey.pair(int(self._pairs[row]))]
        return min(places), max(places)

    def text(self, row: int) -> AnonymousText:
        """A listed document as it is shown."""
        old = self._numbers.order[row]
        return AnonymousText(
            self._survey.text(old), self._redaction(old), self._search, self._described(old)
        )

    def passages(self, row: int) -> list[dict[str, Any]]:
        """The passages of a listed pair, possibly reworded ones last."""
        old = int(self._pairs[row])
        a, b = (self._redaction(place) for place in self._survey.pair(old))
        return anonymous_passages(self._survey.passages(old), a, b, turned=bool(self._turned[row]))

    def to_dict(
        self,
        with_text: Collection[int] | None = None,
        left_out: Sequence[str] = (),
        *,
        digests: bool = False,
    ) -> dict[str, Any]:
        """As `Survey.to_dict`, without digests of texts."""
        data = self._survey.to_dict((), left_out)
        archive = data["archive"]
        return {
            **{name: data[name] for name in SAME},
            "anonymous": True,
            "title": self.run.title,
            "identity": self._identity,
            "documents": self._documents(data["documents"], with_text),
            "archive": archive and archive | {"names": list(self._archives.values())},
            "pairs": self._pair_columns(data["pairs"]),
            "families": anonymous_families(data["families"], self._numbers.row_of),
            "common_text": [self._without_names(sentence) for sentence in data["common_text"]],
            "exclusion_data": self._exclusion_data(data["exclusion_data"]),
            "left_out": data["left_out"],
            "run": data["run"] | {
                "command": None,
                "notes": list(map(self._without_names, self._own_notes(data["run"]["notes"]))),
                "skipped": [list(one) for one in self.run.skipped],
            },
        }  # fmt: skip

    def key(self) -> Iterator[KeyRow]:
        """What each number stands for, by number; files that could not be read last."""
        for row, old in enumerate(self._numbers.order):
            shown = self._survey.text(old)
            group = shown.document.known.get("group")
            id_ = shown.document.id
            if shown.archive is not None:
                id_ = without_prefix(shown.archive, id_) or id_
            yield KeyRow(
                f"Document {row + 1}", id_, shown.document.known,
                None if group is None else self._numbers.groups[group], shown.archive,
            )  # fmt: skip
        for at, (name, place, reason) in enumerate(self._skipped, 1):
            yield KeyRow(f"File {at}", f"{name} {place}".rstrip(), {}, reason=reason)

    def _redaction(self, old: int) -> Redaction:
        return self._redactions[int(self._survey.listed[old])]

    def _described(self, old: int) -> dict[str, Any]:
        shown = self._survey.text(old)
        known = shown.document.known
        return {
            "id": self._numbers.document(old),
            "title": None,
            "author": None,
            "date": known.get("date") if self._keep_dates else None,
            "group": self._numbers.groups.get(known.get("group", "")),
            "archive": None if shown.archive is None else self._archives[shown.archive],
        }

    def _documents(
        self, documents: Mapping[str, Any], with_text: Collection[int] | None
    ) -> dict[str, Any]:
        order, row_of = self._numbers.order, self._numbers.row_of
        given = documents["columns"]
        columns: dict[str, list[Any]] = {
            name: [given[name][old] for old in order] for name in OF_DOCUMENT
        }
        columns["characters"] = [
            self._redaction(old).moved(given["characters"][old]) for old in order
        ]
        columns["best"] = [row_of.get(given["best"][old]) for old in order]
        columns["text"] = [int(with_text is None or row in with_text) for row in range(len(order))]
        described = [self._described(old) for old in order]
        for name in ("id", "date", "group", "archive"):
            if name == "id" or any(one[name] is not None for one in described):
                columns[name] = [one[name] for one in described]
        return {"count": documents["count"], "columns": columns}

    def _pair_columns(self, pairs: Mapping[str, Any]) -> dict[str, Any]:
        given, rows, turned = pairs["columns"], self._pairs.tolist(), self._turned.tolist()
        columns = {name: [given[name][row] for row in rows] for name in OF_PAIR if name in given}
        for a, b in TURNED.items():
            for name, other in ((a, b), (b, a)):
                columns[name] = [
                    given[other if turn else name][row]
                    for row, turn in zip(rows, turned, strict=True)
                ]
        places = [self.pair(row) for row in range(len(rows))]
        columns |= {"a": [a for a, _ in places], "b": [b for _, b in places]}
        return {"count": pairs["count"], "columns": columns}

    def _exclusion_data(self, given: Mapping[str, Any]) -> dict[str, Any]:
        row_of, rows = self._numbers.row_of, self._pairs.tolist()
        by_passages = set(given["by_passages"])
        marks = {
            reason: sorted(
                [row_of[places[at]], *places[at + 1 : at + 3]] for at in range(0, len(places), 3)
            )
            for reason, places in given["marks"].items()
        }
        return {
            **{name: given[name] for name in SAME_EXCLUSIONS},
            "passages": [
                self._turned_passages(row) if turned else given["passages"][row]
                for row, turned in zip(rows, self._turned.tolist(), strict=True)
            ],
            "runs": [given["runs"][row] for row in rows],
            "by_passages": [new for new, row in enumerate(rows) if row in by_passages],
            "marks": {reason: list(chain(*places)) for reason, places in marks.items()},
            "unspaced": sorted(row_of[row] for row in given["unspaced"]),
        }

    def _turned_passages(self, row: int) -> list[int]:
        """The passages of a pair as b sees them, as `exclusion_data` has them."""
        pairs = self._survey.pairs
        a, b = (int(self._survey.listed[place]) for place in self._survey.pair(row))
        shared = pairs.passages.get((a, b))
        turned = sorted(
            (passage.turned() for passage in (shared.every if shared else ())),
            key=lambda one: (one.kind == "reworded", one.a_start, one.a_end),
        )
        return packed_passages(turned, pairs.words[b], pairs.words[a])

    def _order_pairs(self) -> tuple[Ints, Bools]:
        """The rows of pairs, equal ones ordered by their numbers; which are seen from b."""
        pairs = [
            [self._numbers.row_of[place] for place in self._survey.pair(row)]
            for row in range(len(self._survey.rows))
        ]
        places = np.array(pairs, np.int64).reshape(-1, 2)
        # Rows are in order of their figures: only runs of the same figures are sorted.
        measured = self._survey.figures_of_rows()
        same = (measured[1:] == measured[:-1]).all(axis=1) if len(measured) else np.zeros(0, bool)
        rank = np.cumsum(np.r_[0, ~same])[: len(measured)]
        first, last = places.min(axis=1), places.max(axis=1)
        order = np.lexsort((last, first, rank))
        return order, (places[:, 0] > places[:, 1])[order]

    def _notes(self) -> Iterator[str]:
        places = sum(redaction.places for redaction in self._redactions)
        documents = sum(redaction.places > 0 for redaction in self._redactions)
        yield (
            f"names were replaced by {PLACEHOLDER} in {counted(places, 'place')} of "
            f"{counted(documents, 'document')}"
        )
        if self.ordinary:
            yield (
                f"{counted(len(self.ordinary), 'name')} that are also ordinary words of these "
                "texts were replaced only beside other names of the person, and where authors put "
                "their own name"
            )
        if self._survey.run.notes:
            yield "notes on files are omitted"

    def _own_notes(self, notes: Sequence[str]) -> list[str]:
        """Without those of the run, which name files."""
        return [*self.run.notes, *notes[len(self._survey.run.notes) :]]

    def _without_names(self, text: str) -> str:
        return self._search.without_names(text, PLACEHOLDER)


def _names(survey: Survey, search: NameSearch) -> list[Bools]:
    """Which words of each text are names.

    A word that is aligned with a name is one too: it is the same word, and would tell the name.
    """
    texts = [CutText(text.matching.text, text.words) for text in survey.texts]
    for number, text in enumerate(texts):
        search.learn(number, text)
    found = [search.find(number, text) for number, text in enumerate(texts)]
    aligned = [
        (found[a], found[b], *words)
        for (a, b), words in survey.aligned_words()
        if found[a].any() or found[b].any()
    ]
    changed = True
    while changed:
        changed = False
        for in_a, in_b, of_a, of_b in aligned:
            differ = in_a[of_a] != in_b[of_b]
            if differ.any():
                in_a[of_a[differ]] = in_b[of_b[differ]] = changed = True
    return found


def _archive_names(survey: Survey) -> dict[str, str]:
    if survey.archive is None:
        return {}
    names = list(survey.archive.collections)
    return {names[0]: NAME} if len(names) == 1 else numbered("Archive", names)
