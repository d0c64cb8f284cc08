"""Families as a critical apparatus in TEI XML, by parallel segmentation.

Each family is a division. Wording that all witnesses have in the same order stands in it as in the
first witness; what is between is an `app` with one `rdg` for each different wording. Words are
compared as everywhere, without case and punctuation, so these are those of the first witness of a
reading. Reading the text and the readings of one witness from the beginning to the end gives its
words in their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from likewise.documents.document import Document
from likewise.output.passages import Documents, place_text
from likewise.output.xml import DECLARATION, element, start_tag, xml_text
from likewise.passages.increasing import increasing
from likewise.text.cut_words import CutWords
from likewise.text.words import STEM_LETTERS, Words

if TYPE_CHECKING:
    from likewise.passages.families.family import Family, Witness
    from likewise.passages.families.results import Families

_SPACES = re.compile(r"\s+")
_HEAD = """\
<TEI xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader>
<fileDesc>
<titleStmt><title>Wording that several documents share</title></titleStmt>
<publicationStmt><p>Written by likewise.</p></publicationStmt>
<sourceDesc>
"""
_ENCODING = """\
</sourceDesc>
</fileDesc>
<encodingDesc>
<variantEncoding method="parallel-segmentation" location="internal"/>
<editorialDecl><p>Words are compared without case and punctuation, which are those of the first \
witness of a reading.</p></editorialDecl>
</encodingDesc>
</teiHeader>
<text>
<body>
"""
_END = "</body>\n</text>\n</TEI>\n"


def families_tei(families: Families, a: Documents, b: Documents) -> Iterator[str]:
    """A TEI document, in lines that end; `a` and `b` are the documents of both sides."""
    writer = _Writer(families, a, b)
    yield f"{DECLARATION}\n{_HEAD}"
    yield from writer.witnesses()
    yield _ENCODING
    if not len(families):
        yield "<p/>\n"
    for number, family in enumerate(families, 1):
        yield from writer.division(number, family)
    yield _END


class _Writer:
    def __init__(self, families: Families, a: Documents, b: Documents) -> None:
        used = {one.number: one for family in families for one in family.witnesses}
        self._documents: dict[int, Document] = {
            number: (b if one.side == "b" else a)[one.id] for number, one in sorted(used.items())
        }
        self._names = {number: f"W{at}" for at, number in enumerate(self._documents, 1)}
        self._places = Counter[int]()  # of a document in one family, at most
        for family in families:
            self._places |= Counter(one.number for one in family.witnesses)
        searched = families.searched
        self._texts = searched.texts if searched is not None else []
        self._words = CutWords(self._texts, STEM_LETTERS)

    def witnesses(self) -> Iterator[str]:
        if not self._documents:
            yield "<p>No families.</p>\n"  # a list of witnesses must not be empty
            return
        yield "<listWit>\n"
        for number, document in self._documents.items():
            known = document.known
            described = [known[name] for name in ("author", "title", "date") if name in known]
            text = f"{document.id} ({', '.join(described)})" if described else document.id
            for place in range(self._places[number]):
                where = text if place == 0 else f"{text}, place {place + 1} of a family"
                yield f"{element('witness', where, **{'xml:id': self._name(number, place)})}\n"
        yield "</listWit>\n"

    def _name(self, number: int, place: int) -> str:
        """The siglum of a document, or of a further place of it in the same family."""
        return self._names[number] if place == 0 else f"{self._names[number]}.{place + 1}"

    def division(self, number: int, family: Family) -> Iterator[str]:
        yield f"{start_tag('div', {'type': 'family', 'n': number})}\n"
        names = self._witness_names(family.witnesses)
        heads = map("{}, {}".format, names, map(self._place, family.witnesses))
        yield f"{element('head', '; '.join(heads))}\n"
        yield "<ab>"
        for anchored, stretches in self._parts(family):
            if anchored:
                yield self._text(family.witnesses[0], stretches[0])
            else:
                yield from self._apparatus(family.witnesses, names, stretches)
        yield "</ab>\n</div>\n"

    def _place(self, witness: Witness) -> str:
        return place_text(self._documents[witness.number], witness.start, witness.end)

    def _witness_names(self, witnesses: Sequence[Witness]) -> list[str]:
        met = Counter[int]()
        names = []
        for one in witnesses:
            names.append(self._name(one.number, met[one.number]))
            met[one.number] += 1
        return names

    def _parts(self, family: Family) -> Iterator[tuple[bool, list[tuple[int, int]]]]:
        """Stretches of words of all witnesses: whether all have them, and from where to where."""
        at = [one.first for one in family.witnesses]
        for anchor in _anchors(family):
            if not all(map(self._is_apart, family.witnesses, anchor)):
                continue
            if any(begin < word for begin, word in zip(at, anchor, strict=True)):
                yield False, list(zip(at, anchor, strict=True))
            yield True, [(word, word + 1) for word in anchor]
            at = [word + 1 for word in anchor]
        ends = [one.stop for one in family.witnesses]
        if any(begin < end for begin, end in zip(at, ends, strict=True)):
            yield False, list(zip(at, ends, strict=True))

    def _is_apart(self, witness: Witness, word: int) -> bool:
        """Whether no character of a word belongs to another word too, as "½" does to 1 and to 2."""
        words: Words = self._words[witness.number]
        begins, ends = words.begins, words.ends
        return (word == 0 or bool(ends[word - 1] <= begins[word])) and (
            word + 1 >= len(begins) or bool(ends[word] <= begins[word + 1])
        )

    def _text(self, witness: Witness, stretch: tuple[int, int]) -> str:
        """Words of a witness, and what is between the last of them and the next word."""
        first, stop = stretch
        words, text = self._words[witness.number], self._texts[witness.number]
        if stop < witness.stop:
            own = text[int(words.begins[first]) : int(words.begins[stop])]
        else:  # another witness may go on
            space = " " if words.letters[stop - 1] else ""
            own = text[int(words.begins[first]) : int(words.ends[stop - 1])] + space
        return xml_text(_SPACES.sub(" ", own))

    def _apparatus(
        self, witnesses: Sequence[Witness], names: Sequence[str], stretches: list[tuple[int, int]]
    ) -> Iterator[str]:
        """One reading for each different wording, those of the first witnesses first."""
        readings: dict[bytes, list[int]] = {}
        for position, (first, stop) in enumerate(stretches):
            words: Words = self._words[witnesses[position].number]
            readings.setdefault(words.hashes[first:stop].tobytes(), []).append(position)
        yield "<app>"
        for own in readings.values():
            first, stop = stretches[own[0]]
            text = self._text(witnesses[own[0]], (first, stop)) if first < stop else ""
            wit = " ".join(f"#{names[position]}" for position in own)
            yield f"{start_tag('rdg', {'wit': wit})}{text}</rdg>"
        yield "</app>"


def _anchors(family: Family) -> list[list[int]]:
    """Columns of all witnesses that are in the same order in each of them: a longest chain."""
    common = family.columns[(family.columns >= 0).all(axis=1)]
    common = common[np.argsort(common[:, 0])]
    chain = common
    for witness in range(1, common.shape[1]):
        chain = chain[increasing(chain[:, witness].tolist())]
    return [[int(word) for word in column] for column in chain]
