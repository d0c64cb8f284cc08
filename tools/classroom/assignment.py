"""`ASSIGNMENT`: the text that everybody was given, and the title page on which it stands."""

from __future__ import annotations

import random
from collections.abc import Sequence

from likewise.text.words import words_of
from tools.classroom.corpus import Corpus
from tools.classroom.sentence import TEMPLATE, Paragraph, Sentence, own

QUESTIONS = ("families", "wisdom", "prophets", "letters")
"""The four questions are on these subjects of the corpus."""

SOURCE_SUBJECT = "law"

ASSIGNMENT = (
    "Assignment for the autumn term. Choose one of the four questions below and answer it in an "
    "essay of between one hundred and fifty and three thousand words. Support every claim with "
    "evidence from your reading, and mark each quotation as such. Hand in your work by the end "
    "of the seventh week.",
    "Question one: how do quarrels inside households turn into public conflicts? Question two: "
    "which advice do proverbs offer to somebody who has lost everything? Question three: why are "
    "warnings ignored, and what do the speakers do about it? Question four: how does a young "
    "community settle disputes when its members live far apart?",
    "Essays are assessed on structure, use of evidence, clarity of argument and style. Late work "
    "loses five points per day unless an extension was agreed beforehand.",
)


def assignment_text() -> str:
    """As it is given to likewise with --template."""
    return "\n\n".join(ASSIGNMENT) + "\n"


def assignment() -> list[Paragraph]:
    """The assignment, whose words have the same origins in every essay."""
    paragraphs: list[Paragraph] = []
    first = TEMPLATE
    for text in ASSIGNMENT:
        size = len(words_of(text))
        paragraphs.append((Sentence(text, tuple(range(first, first + size))),))
        first += size
    return paragraphs


def title_page(author: str, date: str, title: str) -> list[Paragraph]:
    """Author, date, title and assignment."""
    return [(own(author),), (own(date),), (own(title),), *assignment()]


def title_of(rng: random.Random, body: Sequence[Paragraph], corpus: Corpus) -> str:
    """Three words of the essay that are neither common nor very rare, and no others.

    Titles of one form would be shared text beside the assignment.
    """
    words: set[str] = set()
    for paragraph in body:
        for sentence in paragraph:
            cut = sentence.words
            for i in range(len(cut)):
                word = sentence.text[int(cut.begins[i]) : int(cut.ends[i])]
                weight = corpus.weights.get(int(cut.hashes[i]), 0.0)
                if 3.5 < weight < 7 and len(word) > 4 and word.isascii() and word.islower():
                    words.add(word)
    first, second, third = rng.sample(sorted(words), 3)
    return f"{first.capitalize()}, {second}, {third}"
