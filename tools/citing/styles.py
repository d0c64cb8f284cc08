"""How a style cites: what stands in the text, and what is listed below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.citing.languages import Language


@dataclass(frozen=True)
class Work:
    """A work that is cited: the names of its authors, and where it is in the list of works."""

    authors: tuple[str, ...]
    year: int
    title: str
    page: int
    number: int


@dataclass(frozen=True)
class Style:
    """One style.

    Attributes:
        name: as in the results.
        ways: each puts a citation to a quotation or a sentence, which has no full stop yet.
            "before" is what comes before it, "inside" before the full stop, "behind" after it.
        listed: the lines below the essay, given the works and how often they were cited.
        is_held_out: whether it was not used when the rules were made.
        languages: codes; all, if empty.
    """

    name: str
    ways: tuple[Callable[[Language, Work], Way], ...]
    listed: Callable[[Language, Sequence[Work]], list[str]]
    is_held_out: bool = False
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Way:
    """Where a citation is put; an empty text is none."""

    before: str = ""
    inside: str = ""
    behind: str = ""


def _names(language: Language, work: Work) -> str:
    return f" {language.conjunction} ".join(work.authors) if language.space else (
        language.conjunction.join(work.authors)
    )  # fmt: skip


def _in_brackets(language: Language, text: str) -> str:
    opening, closing = language.brackets
    return f"{opening}{text}{closing}"


# Author and year


def harvard(language: Language, work: Work) -> Way:
    return Way(inside=_in_brackets(language, f"{_names(language, work)} {work.year}"))


def harvard_page(language: Language, work: Work) -> Way:
    page = language.page.format(work.page)
    text = f"{language.see} {work.authors[0]}{language.comma}{work.year}{language.comma}{page}"
    return Way(inside=_in_brackets(language, text))


def narrative(language: Language, work: Work) -> Way:
    return Way(before=f"{_names(language, work)}{_in_brackets(language, str(work.year))}")


def narrative_page(language: Language, work: Work) -> Way:
    text = f"{work.year}{language.comma}{language.page.format(work.page)}"
    return Way(before=f"{work.authors[0]}{_in_brackets(language, text)}")


def works_by_name(language: Language, works: Sequence[Work]) -> list[str]:
    named = sorted(works, key=lambda work: work.authors)
    return [
        language.heading,
        *(
            f"{', '.join(f'{name}, A.' for name in work.authors)} ({work.year}). {work.title}. "
            f"Port Press, {language.page.format(work.page)}{language.stop}"
            for work in named
        ),
    ]


# Numbers in square brackets


def number(language: Language, work: Work) -> Way:
    return Way(inside=f"{language.space}[{work.number}]")


def number_behind(language: Language, work: Work) -> Way:
    return Way(behind=f"[{work.number}]")


def numbers(language: Language, work: Work) -> Way:
    last = min(work.number + 4, 8)
    first = min(work.number + 2, 7)
    return Way(inside=f"{language.space}[{min(work.number, 5)}, {first}–{last}]")


def works_by_number(language: Language, works: Sequence[Work]) -> list[str]:
    return [
        language.heading,
        *(
            f"[{work.number}] A. {work.authors[0]}, {work.title}, Port Press, {work.year}, "
            f"{language.page.format(work.page)}{language.stop}"
            for work in sorted(works, key=lambda work: work.number)
        ),
    ]


# Footnotes with superscript digits


def superscript(language: Language, work: Work) -> Way:
    return Way(behind=_raised(work.number))


def superscript_inside(language: Language, work: Work) -> Way:
    return Way(inside=_raised(work.number))


def _raised(number: int) -> str:
    return "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(number))


def raised_notes(language: Language, works: Sequence[Work]) -> list[str]:
    return [
        language.notes,
        *(
            f"{_raised(work.number)} {work.authors[0]}, {work.title}, {work.year}, "
            f"{language.page.format(work.page)}{language.stop}"
            for work in sorted(works, key=lambda work: work.number)
        ),
    ]


# Held out: APA


def apa(language: Language, work: Work) -> Way:
    names = " & ".join(work.authors)
    text = f"{names}{language.comma}{work.year}{language.comma}{language.page.format(work.page)}"
    return Way(inside=_in_brackets(language, text))


def apa_others(language: Language, work: Work) -> Way:
    others = {"ru": "и др.", "zh": "等", "ja": "ほか", "ar": "وآخرون"}.get(language.code, "et al.")
    gap = language.space
    return Way(before=f"{work.authors[0]}{gap}{others}{_in_brackets(language, f'{work.year}a')}")


def apa_undated(language: Language, work: Work) -> Way:
    text = f"{work.authors[0]}{language.comma}{language.undated}"
    return Way(inside=_in_brackets(language, text))


def apa_two(language: Language, work: Work) -> Way:
    text = f"{work.authors[0]}{language.comma}{work.year}; Baker{language.comma}1998, 2004b"
    return Way(inside=_in_brackets(language, text))


# Held out: MLA


def mla(language: Language, work: Work) -> Way:
    return Way(inside=f" ({work.authors[0]} {work.page})")


def mla_range(language: Language, work: Work) -> Way:
    names = f" {language.conjunction} ".join(work.authors)
    return Way(inside=f" ({names} {work.page}–{work.page + 2})")


# Held out: Chicago footnotes, whose marks are plain digits once a PDF has been read


def chicago(language: Language, work: Work) -> Way:
    return Way(behind=str(work.number))


def chicago_raised(language: Language, work: Work) -> Way:
    return Way(behind=_raised(work.number))


def chicago_notes(language: Language, works: Sequence[Work]) -> list[str]:
    lines = []
    for work in sorted(works, key=lambda work: work.number):
        full = f"A. {work.authors[0]}, {work.title} (Port Press, {work.year}), {work.page}."
        again = f"{language.ibid} {language.page.format(work.page + 1)}."
        lines.append(f"{work.number}. {full if work.number % 2 else again}")
    return [language.notes, *lines]


# Held out: Vancouver, numbers in round brackets


def vancouver(language: Language, work: Work) -> Way:
    return Way(inside=f" ({work.number})")


def vancouver_several(language: Language, work: Work) -> Way:
    return Way(inside=f" ({work.number},{work.number + 1})")


def vancouver_list(language: Language, works: Sequence[Work]) -> list[str]:
    return [
        language.heading,
        *(
            f"{work.number}. {work.authors[0]} AB, {work.authors[-1]} C. {work.title}. "
            f"J Port Stud. {work.year};12(3):{work.page}-{work.page + 9}."
            for work in sorted(works, key=lambda work: work.number)
        ),
    ]


# Held out: law


_LAW = {
    "en": (" (Harbour Trust v. Bridgewater, 410 U.S. 113 (1973))", " [2019] UKSC 41, para 12"),
    "de": (" (BGH, Urteil vom 3. Mai 2018 – I ZR 12/17, Rn. 14)", " (BVerfGE 65, 1, 43)"),
    "fr": (" (Cass. civ. 1re, 3 mai 2018, n° 17-12.345)", " (CE, 12 mars 2014, n° 353193)"),
    "es": (" (STC 25/1981, de 14 de julio, FJ 5)", " (STS 123/2018, de 7 de marzo)"),
}  # fmt: skip


def court(language: Language, work: Work) -> Way:
    return Way(inside=_LAW[language.code][0])


def reporter(language: Language, work: Work) -> Way:
    return Way(inside=_LAW[language.code][1])


def no_list(language: Language, works: Sequence[Work]) -> list[str]:
    return []


LATIN = ("en", "de", "fr", "es")
STYLES = (
    Style("author–year", (harvard, harvard_page, narrative, narrative_page), works_by_name),
    Style("numbers in brackets", (number, number_behind, numbers), works_by_number),
    Style("superscript notes", (superscript, superscript_inside), raised_notes),
    Style("APA", (apa, apa_others, apa_undated, apa_two), works_by_name, True),
    Style("MLA", (mla, mla_range), works_by_name, True, LATIN),
    Style("Chicago notes", (chicago, chicago_raised), chicago_notes, True),
    Style("Vancouver", (vancouver, vancouver_several), vancouver_list, True, (*LATIN, "ru")),
    Style("law", (court, reporter), no_list, True, tuple(_LAW)),
)
