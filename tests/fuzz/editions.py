"""Editions: TEI, OSIS and USFM with damaged markup, and plain text with numbers."""

from __future__ import annotations

import random

from likewise.documents.document import Document
from likewise.documents.numbered import RULES, with_references
from tests.documents.editions import CLASSIC, GOSPEL, NOVEL, OSIS, PLAY, USFM
from tests.fuzz.documents import read
from tests.fuzz.mutations import mutate, mutate_markup, words
from tests.fuzz.outcomes import LostError, Outcome

_TEI = (PLAY, GOSPEL, NOVEL, CLASSIC)
_DOCTYPES = (
    '<!DOCTYPE TEI [<!ENTITY a "x">]>', '<!DOCTYPE TEI SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE TEI [<!ENTITY a "&b;&b;"><!ENTITY b "&a;&a;">]>',
    '<!DOCTYPE TEI [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "",
)  # fmt: skip
_ELEMENTS = (
    *('<milestone unit="verse" n="7"/>', '<milestone unit="book" n=""/>', '<pb n="12r"/>', "<pb/>"),
    *('<lb n="3" break="no"/>', "<app>", "</app>", "<rdg>", "</rdg>", "<lem/>", "<choice>", "&a;"),
    *('<div type="chapter">', '<div type="act" n="IIII">', "</div>", "<head>", "</head>", "<note>"),
    *('<l n="99999999999999999999">', '<l n="1.2.3.4.5">', "<l>", "</l>", "<lg n='2'>", "</lg>"),
    *('<verse sID="a" osisID="a.b.c d"/>', '<verse eID="a"/>', '<chapter osisID=""/>', "<sp>"),
)
_MARKERS = (
    r"\c 3", r"\v 7", r"\v", r"\c x", r"\f + \ft note\f*", r"\f", r"\x", r"\w a|b\w*", r"\w*",
    r"\id GEN", r"\id", "\\", r"\q1", r"\toc3 Mt", r"\qt-s |a\*", r"\zaln-s", r"\fig a|b\fig*", "~",
)  # fmt: skip
_LINES = (
    "3:7 But", "Mt 3,7 But", "7 But", "Chapter 3", "ACT III. SCENE IV", "Matthew 1", "1:1 In",
    "in the 1:2 end", "line   15", "15 line", "# Head", "Head\n====", "2.1 Head", "§ 7", "",
    "99999 9999:99999", "Psalm CLXXXVIII", "1 Cor 13:4a-7b",
)  # fmt: skip


def tei(rng: random.Random) -> Outcome:
    """A TEI edition with elements where they do not belong."""
    markup = _with_parts(rng, rng.choice(_TEI).decode(), _ELEMENTS)
    data = (rng.choice(_DOCTYPES) + markup.partition("?>")[2]).encode("utf-8", "replace")
    return read("xml", mutate(rng, data) if rng.random() < 0.3 else data)


def osis(rng: random.Random) -> Outcome:
    """An OSIS Bible with elements where they do not belong."""
    data = _with_parts(rng, OSIS.decode(), _ELEMENTS).encode("utf-8", "replace")
    return read("xml", mutate(rng, data) if rng.random() < 0.3 else data)


def usfm(rng: random.Random) -> Outcome:
    """A USFM Bible with markers where they do not belong."""
    source = list(USFM)
    for _ in range(rng.randint(0, 12)):
        source.insert(rng.randint(4, len(source)), f" {rng.choice(_MARKERS)} ")
    data = "".join(source).encode()
    return read("usfm", mutate(rng, data) if rng.random() < 0.3 else data)


def numbered(rng: random.Random) -> Outcome:
    """Plain text with numbers of every kind, by every rule."""
    lines = [rng.choice((*_LINES, words(rng, 8))) for _ in range(rng.randint(0, 30))]
    text = "\n".join(lines)
    for rule in RULES:
        document = with_references(Document(text), rule)
        if document.references is not None:
            document.references.check()
            if not document.references.fits(len(document.text)):
                raise LostError("references are outside the text")
        rest = iter(text)
        if not all(letter in rest for letter in document.text):
            raise LostError("the text has letters in another order")
    return "ok"


def _with_parts(rng: random.Random, markup: str, parts: tuple[str, ...]) -> str:
    for _ in range(rng.randint(0, 5)):
        at = markup.find("<", rng.randint(0, len(markup)))
        if at >= 0:
            markup = markup[:at] + rng.choice(parts) + markup[at:]
    return mutate_markup(rng, markup) if rng.random() < 0.3 else markup
