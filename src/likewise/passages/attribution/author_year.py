"""Citations by author and year, in one pair of brackets or with the author before it.

(Smith 2019), (vgl. Müller und Groß 2018, S. 4), Smith (2019), （王，2019）, (Иванов, 2001, с. 5),
(Smith, n.d.). A year alone is a date: "(2019)" needs a name before it.

Limits: a place or a title before a year looks like an author ("(Warsaw, 1867)", "Titanic (1997)").
Where the text has a bibliography, an author before the brackets must be in it.
"""

from __future__ import annotations

import re

from likewise.passages.attribution import vocabulary
from likewise.passages.attribution.works_listed import WorksListed

_DIGITS = str.maketrans("０１２３４５６７８９٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "0123456789" * 3)
_YEAR = r"(?<![\d.,/\-–])(?:1[3-9]|20)\d\d(?![\d%])"
_DATE = re.compile(rf"{_YEAR}|(?<![^\W_]){vocabulary.UNDATED}", re.IGNORECASE)
_PARTS = re.compile(r"[;；؛]")
# Behind the year: its letter, a second year, then the end, pages or a few more words.
_BEHIND = re.compile(
    r"[a-zа-яα-ω]?(?:\s?[/–-]\s?\d{2,4}[a-z]?|\]\s?\d{4}[a-z]?)?\s{0,3}"
    rf"(?:$|[,:，：、،](.*)|[\[(].*|{vocabulary.PAGES}\.?\s?\d.*)",
    re.DOTALL,
)
_MAX_WORDS_BEHIND = 8
_MAX_NAME_WORDS = 14
_TOKEN = re.compile(r"[^\W\d_][^\W_]{0,40}(?:['’ʼ.\-‐][^\W\d_]{1,40}){0,4}|&")
_YEARS_ONLY = re.compile(
    rf"\s?(?:{_YEAR}|{vocabulary.UNDATED})[a-z]?(?:\s?[,，]\s?{_YEAR}[a-z]?)?", re.IGNORECASE
)
_RANGE = re.compile(r"\s?[–—-]\s?\d")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CJK_NAME = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,12}$")
_HANGUL_NAME = re.compile(r"([\uac00-\ud7a3])[\uac00-\ud7a3]{0,3}(?:\s?(?:외|등))?\s?$")
_HAN_OTHERS = re.compile(r"(?:等人?|ほか|他|ら)$")
_UNCASED = re.compile(r"[\u0590-\u06ff\u0900-\u109f\u1780-\u17ff\uac00-\ud7a3]")
_REPORTED = re.compile(
    rf"(?<![^\W_])[وف]?{vocabulary.REPORTING_ARABIC}(?![^\W_])"
    rf"|(?<![^\W_]){vocabulary.REPORTING_HEBREW}(?![^\W_])"
)
_REPORTED_BEHIND = re.compile(r"\s?(?:के\s+अनुसार|ने\b)")
_OTHERS = re.compile(rf"(?<![^\W_]){vocabulary.OTHERS}\s*$")
_POSSESSIVE = re.compile(r"['’]s?\s*$")
_LAST_WORD = re.compile(r"[^\W\d_][^\W_]{0,40}(?:['’\-‐][^\W\d_]{1,40}){0,4}$")
_LOOK_BACK = 80  # characters before brackets in which the author is looked for


def is_author_year(content: str) -> bool:
    """Whether what is in one pair of brackets names authors with their years.

    >>> is_author_year("see Smith and Jones, 2019, p. 12"), is_author_year("in March 2019")
    (True, False)
    """
    return any(map(_names_author, _PARTS.split(content.translate(_DIGITS))))


def _names_author(part: str) -> bool:
    date = _DATE.search(part)
    if date is None:
        return False
    behind = _BEHIND.match(part, date.end())
    if behind is None:
        return False
    words_behind = _TOKEN.findall(behind[1] or "")
    return len(words_behind) <= _MAX_WORDS_BEHIND and _is_name(part[: date.start()])


def _is_name(before: str) -> bool:
    """Whether the words before a year are names, with what may go with them."""
    tokens = _TOKEN.findall(before)
    if not tokens or len(tokens) > _MAX_NAME_WORDS or any(c.isdigit() for c in before):
        return False
    leads = 0
    while leads < len(tokens) and _plain(tokens[leads]) in vocabulary.LEADS:
        leads += 1
    if leads and all(_plain(one) in vocabulary.ONLY_PLACES for one in tokens[:leads]):
        return False
    names = tokens[leads:]
    if not names or _plain(names[-1]) in vocabulary.NOT_NAMES:
        return False
    if _CJK.search(before):
        return _is_cjk_name(before)
    named = [one for one in names if _plain(one) not in vocabulary.PARTICLES]
    return any(map(_may_be_name, named)) and all(
        one[0].isupper() or _UNCASED.match(one) for one in named
    )


def _plain(token: str) -> str:
    return token.strip(".'’").casefold()


def _may_be_name(token: str) -> bool:
    return len(token.strip(".")) > 1 and _plain(token) not in vocabulary.NOT_NAMES


def _is_cjk_name(before: str) -> bool:
    """With a comma or a blank before the year anything short; else a family name."""
    name = before.rstrip(" \u3000,，:：、")
    return len(name) <= 24 if len(name) < len(before) else _ends_in_cjk_name(name)


def is_dated_only(content: str) -> bool:
    """Whether what is in brackets begins with a year, so that an author may be before them.

    Years of birth and death, "(1867–1934)", are none.
    """
    plain = content.translate(_DIGITS)
    date = _YEARS_ONLY.match(plain)
    if date is None or _RANGE.match(plain, date.end()):
        return False
    behind = _BEHIND.match(plain, date.end())
    return behind is not None and len(_TOKEN.findall(behind[1] or "")) <= _MAX_WORDS_BEHIND


def has_author_before(text: str, bracket: int, behind: int, listed: WorksListed) -> bool:
    """Whether the name of an author ends right before a bracket, which ends at `behind`."""
    before = text[max(0, bracket - _LOOK_BACK) : bracket].rstrip()
    if not before or (before[-1] in ".,;:!?)]" and not _OTHERS.search(before)):
        return False
    if _OTHERS.search(before):
        return True
    if _CJK.match(before[-1]):
        return _ends_in_cjk_name(before)
    if hangul := _HANGUL_NAME.search(before):
        return hangul[1] in vocabulary.KOREAN_NAMES
    if _UNCASED.match(before[-1]):
        last = before.split()[-1]
        return _plain(last) not in vocabulary.NOT_NAMES and bool(
            _REPORTED.search(before[-40:]) or _REPORTED_BEHIND.match(text, behind, behind + 20)
        )
    name = _LAST_WORD.search(_POSSESSIVE.sub("", before))
    if name is None:
        return False
    word = name[0]
    if _plain(word) in vocabulary.NOT_NAMES or _plain(word) in vocabulary.PARTICLES:
        return False
    if not word[0].isupper() or len(word) < 2:
        return False
    parts = _names_in(word)
    return not listed.names or any(part in listed.names for part in parts)


def _names_in(word: str) -> list[str]:
    """A name and its parts, without the ending of a genitive."""
    parts = [one.casefold() for one in re.split(r"['’\-‐]", word) if len(one) > 1]
    return [*parts, *(one[:-1] for one in parts if one.endswith("s"))]


def _ends_in_cjk_name(before: str) -> bool:
    """Whether a Chinese family name with a given name, or a Japanese family name, is at the end."""
    if _HAN_OTHERS.search(before):
        return True
    found = _CJK_NAME.search(before)
    if found is None:
        return False
    run = found[0]
    if any(len(run) >= size and run[-size] in vocabulary.CHINESE_NAMES for size in (1, 2, 3)):
        return True
    if any(run[-size:][:2] in vocabulary.CHINESE_LONG_NAMES for size in (3, 4)):
        return True
    own = run[-4:]
    return len(run) <= 4 and own[-1] in vocabulary.JAPANESE_NAME_ENDS and len(own) > 1
