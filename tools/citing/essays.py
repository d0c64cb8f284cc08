"""`cases`: essays with one passage from a source; how it is quoted and cited is known."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.citing.languages import LANGUAGES, Language
from tools.citing.styles import STYLES, Style, Way, Work

GROUPS = ("quoted and cited", "quoted", "cited", "neither")
WORKS = 8
ROUNDS = 2  # essays of each language, style and group


@dataclass(frozen=True)
class Case:
    """An essay, and the text that its passage is from.

    Attributes:
        essay, source: both texts.
        passage: what they share.
        group: the true one of the essay's passage.
        style, language: how and in what the essay cites.
        manner: how the passage is put into the essay.
        is_held_out: whether its style was not used when the rules were made.
    """

    essay: str
    source: str
    passage: str
    group: str
    style: str
    language: str
    manner: str
    is_held_out: bool


def cases(seed: int = 0) -> Iterator[Case]:
    """All of them; the same for the same seed."""
    rng = random.Random(seed)
    for style in STYLES:
        for language in LANGUAGES:
            if style.languages and language.code not in style.languages:
                continue
            for group in GROUPS:
                for round_ in range(ROUNDS):
                    yield _case(rng, style, language, group, round_)


def _case(rng: random.Random, style: Style, language: Language, group: str, round_: int) -> Case:
    works = _works(rng, language)
    chosen = rng.choice(works)
    passage = language.passages[round_ % len(language.passages)]
    way = rng.choice(style.ways)(language, chosen)
    if group in ("quoted", "neither"):
        way = Way()
    is_quoted = group.startswith("quoted")
    manner = rng.choice(("inline", "inline", "block", "mail") if is_quoted else ("plain", "trap"))
    middle = _paragraph(rng, language, passage, way, manner, is_quoted, style, works)
    paragraphs = [
        _cited_prose(rng, language, style, works, 3),
        middle,
        _cited_prose(rng, language, style, works, 3),
        "\n".join(style.listed(language, works)),
    ]
    essay = "\n\n".join(part for part in paragraphs if part) + "\n"
    source = f"{chosen.title}\n\n{passage}{language.stop}\n"
    return Case(essay, source, passage, group, style.name, language.code, manner, style.is_held_out)


def _works(rng: random.Random, language: Language) -> list[Work]:
    made = []
    for number in range(1, WORKS + 1):
        count = rng.choice((1, 1, 2))
        authors = tuple(rng.sample(language.authors, count))
        title = rng.choice(language.titles)
        made.append(Work(authors, rng.randint(1962, 2023), title, rng.randint(3, 240), number))
    return made


def _cited_prose(
    rng: random.Random, language: Language, style: Style, works: Sequence[Work], count: int
) -> str:
    """Sentences of the essay's own, some of which cite, so that its style can be recognised."""
    sentences = []
    for at, sentence in enumerate(rng.sample(language.prose, count)):
        way = rng.choice(style.ways)(language, rng.choice(works)) if at != 1 else Way()
        sentences.append(_sentence(language, sentence.removesuffix(language.stop), way, 1))
    return language.space.join(sentences)


def _sentence(language: Language, words: str, way: Way, lead: int) -> str:
    """`lead` chooses the words before a citation that comes first: for a quotation, or not."""
    before = language.narrative[lead].format(way.before) + language.space if way.before else ""
    return f"{before}{words}{way.inside}{language.stop}{way.behind}"


def _paragraph(
    rng: random.Random,
    language: Language,
    passage: str,
    way: Way,
    manner: str,
    is_quoted: bool,
    style: Style,
    works: Sequence[Work],
) -> str:
    """The paragraph with the passage: an own sentence, the passage, an own sentence."""
    first, last = rng.sample(language.prose, 2)
    if manner == "trap":  # the sentence before cites something, which is not about the passage
        other = rng.choice(style.ways)(language, rng.choice(works))
        first = _sentence(language, first.removesuffix(language.stop), other, 1)
    if manner in ("block", "mail"):
        lead = language.narrative[0].format(way.before) if way.before else first
        block = f"{passage}{way.inside}{language.stop}{way.behind}"
        lines = _wrapped(block, 60)
        sign = "> " if manner == "mail" else "      "
        body = "\n".join(sign + line for line in lines)
        return f"{lead}\n\n{body}\n\n{last}"
    words = "".join((language.marks[0], passage, language.marks[1])) if is_quoted else passage
    middle = _sentence(language, words, way, 0 if is_quoted else 1)
    return language.space.join((first, middle, last))


def _wrapped(text: str, width: int) -> list[str]:
    """Lines of about this many characters; words stay whole where there are spaces."""
    if " " not in text.strip():
        return [text[at : at + width // 2] for at in range(0, len(text), width // 2)]
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines
