"""The list of works that a text cites, at its end.

It begins at a line that says so ("References", "Список литературы", "参考文献"), in the last two
thirds of the text, and goes on as long as its lines look like citations: with years, pages, links,
publishers. Prose under such a heading is not part of it. Without a heading, a run of numbered or
author-and-year entries that reaches the end is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from likewise.passages.ranges import Range

_HEADINGS = frozenset(
    heading.casefold()
    for heading in """
references|reference list|list of references|references and notes|notes and references
references cited|cited references|literature|literature cited|works cited|bibliography
selected bibliography|works consulted|cited works
literatur|literaturverzeichnis|quellenverzeichnis|quellen|quellen und literatur|bibliographie
literaturangaben|références|références bibliographiques|ouvrages cités|bibliographie sommaire
referencias|referencias bibliográficas|bibliografía|obras citadas|referències|bibliografia
referências|referências bibliográficas|riferimenti|riferimenti bibliografici
literatuur|literatuurlijst|bronnen|bronvermelding|referenties|referenser|källor|källförteckning
litteraturförteckning|litteratur|litteraturliste|kilder|referanser|lähteet|kirjallisuus
literatura|literatura cytowana|spis literatury|seznam literatury|použitá literatura
irodalom|irodalomjegyzék|bibliografie|referințe bibliografice|kaynakça|kaynaklar|tài liệu tham khảo
список литературы|список использованной литературы|список использованных источников|литература
библиография|библиографический список|источники|источники и литература
список літератури|список використаних джерел|список використаної літератури|література|джерела
βιβλιογραφία|αναφορές|βιβλιογραφικές αναφορές
参考文献|參考文獻|参考资料|引用文献|文献|참고문헌|참고 문헌|인용문헌
المراجع|قائمة المراجع|المصادر والمراجع|منابع|فهرست منابع|ביבליוגרפיה|מקורות|רשימת מקורות
संदर्भ|संदर्भ सूची
""".strip()
    .replace("\n", "|")
    .split("|")
)
_NEXT = re.compile(
    r"(?:append(?:ix|ices)|annex|annexes?|anhang|anlagen?|acknowledge?ments?|supplement\w*"
    r"|about the authors?|author contributions|funding|abbildungsverzeichnis|remerciements"
    r"|apéndices?|anexos?|appendic[ei]|allegat[oi]|bijlagen?|bilag[ao]r?|liite(?:et)?|załącznik\w*"
    r"|приложени[ея]|додат(?:ок|ки)|παράρτημα|附录|附錄|付録|부록|eidesstattliche erklärung)\b",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"(?:\d{1,2}|[ivx]{1,5}|[a-z])(?:\.\d{1,2})*[.):]?\s+", re.IGNORECASE)
_DRESS = " \t\r\n\f\u3000#*_=:.：【】[]"

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_YEAR = r"(?<![\d.,/-])(?:1[5-9]|20)\d\d[a-z]?(?![\d%])"
# What citations have and sentences hardly: a year between marks, pages, an issue, an address.
_CITES = re.compile(
    rf"\({_YEAR}|[,.;:]\s{_YEAR}\s?[.,;:)\]]|{_YEAR}[;:]\s?\d|[^\W\d_]\.\s{_YEAR}|{_YEAR}\.\s*$"
    r"|https?://|\bdoi\b|\b10\.\d{4,}/|\bpp?\.\s?\d|\bS\.\s\d|\bvol\.\s?\d|\bno\.\s?\d|\bisbn\b"
    r"|\bissn\b|\barxiv\b|\beds?\.\)|\bhrsg\b|\d\s?\(\d+\)|\d[:,]\s?\d+\s?[–-]\s?\d+|\bс\.\s?\d"
    r"|\s//\s|\[[JMDCNPRSZ](?:/OL)?\]|第\d+|\d頁|\d页",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"\w+")
_CASED = re.compile("[a-zà-öø-ÿα-ωа-яё]")
# The beginning of an entry: [12], 12., or a name with initials.
_NUMBERED = re.compile(r"\s*(?:\[\d{1,3}\]|\[\w+\d\d\w?\]|\(?\d{1,3}[.)])\s*\w")
_NAMED = re.compile(
    r"\s*([^\W\d_])[^\W\d_'’-]+(?:[ -][^\W\d_]+)?,?\s+([^\W\d_])(?:\.|[^\W\d_]*[,. &(])"
)
_HAS_YEAR = re.compile(_YEAR)

_EARLIEST = 1 / 3
_MAX_GAP = 500  # code points without a sign of a citation, within the list
_MIN_DENSITY = 0.25  # of the list's lines
_MAX_ENTRY = 500  # code points for one sign of a citation
_MIN_CAPITALS = 0.3  # of the words, with numbers: names, titles, volumes, pages
_MAX_TRIES = 20  # lines that look like the heading, from the end on
_MIN_ENTRIES = 5  # where there is no heading


def bibliography(text: str) -> list[Range]:
    """Return the list of works cited, with its heading; no range, or one."""
    lines = [Range(*line.span()) for line in _LINES.finditer(text)]
    tries = 0
    for at in range(len(lines) - 1, -1, -1):
        start, end = lines[at]
        if start < _EARLIEST * len(text) or tries == _MAX_TRIES:
            break
        if end - start <= 80 and _is_heading(text[start:end]):
            tries += 1
            if reach := _reach(text, lines, at + 1):
                return [Range(start, reach)]
    return _without_heading(text, lines)


def _is_heading(line: str) -> bool:
    plain = line.strip(_DRESS)
    return any(
        " ".join(way.split()).casefold() in _HEADINGS
        for way in (plain, _NUMBERING.sub("", plain, 1))
    )


def _is_next(line: str) -> bool:
    plain = line.strip(_DRESS)
    return (
        len(plain) <= 60
        and not _CITES.search(plain)
        and bool(_NEXT.match(plain) or _NEXT.match(_NUMBERING.sub("", plain, 1)))
    )


def _reach(text: str, lines: Sequence[Range], first: int) -> int | None:
    """Return where a list that begins with this line ends; None if it is no list of works."""
    reached, cites, count, gap = None, 0, 0, 0
    pending = 0  # lines since the last sign of a citation
    for at in range(first, len(lines)):
        line = text[slice(*lines[at])]
        if not line.strip():
            continue
        if _is_next(line):
            break
        pending += 1
        if _cites(line):
            reached = at
            cites += 1
            count += pending
            pending = gap = 0
        else:
            gap += len(line)
            if gap > _MAX_GAP:
                break
    if reached is None or cites < _MIN_DENSITY * count or cites < 2:
        return None
    return _end_of_entry(text, lines, reached)


def _cites(line: str) -> bool:
    """Tell a line of a list of works from one of prose, which may have a year in it as well."""
    signs = sum(1 for _ in _CITES.finditer(line))
    if not signs or len(line) > signs * _MAX_ENTRY:
        return False
    tokens = _TOKENS.findall(line)
    high = sum(not _CASED.match(token) for token in tokens)
    return high >= _MIN_CAPITALS * len(tokens)


def _end_of_entry(text: str, lines: Sequence[Range], last: int) -> int:
    """The rest of the last entry: the line behind it, if it ends the paragraph."""
    behind = last + 1
    if text[slice(*lines[last])].rstrip().endswith((".", "。", "/")) or behind >= len(lines):
        return lines[last].end
    rest = text[slice(*lines[behind])]
    ends = behind + 1 == len(lines) or not text[slice(*lines[behind + 1])].strip()
    return lines[behind].end if rest.strip() and ends and len(rest) <= 120 else lines[last].end


def _without_heading(text: str, lines: Sequence[Range]) -> list[Range]:
    entries = [at for at in range(len(lines)) if _begins_entry(text, lines, at)]
    if len(entries) < _MIN_ENTRIES:
        return []
    first = len(entries) - 1
    while first > 0 and _is_near(text, lines, entries[first - 1], entries[first]):
        first -= 1
    start = lines[entries[first]].start
    if len(entries) - first < _MIN_ENTRIES or start < len(text) / 2:
        return []
    reach = _reach(text, lines, entries[first])
    # What goes on behind it is the body: these were notes, or a list in the text.
    if reach is None or (text[reach:].strip() and reach - start < len(text) - reach):
        return []
    return [Range(start, reach)]


def _begins_entry(text: str, lines: Sequence[Range], at: int) -> bool:
    line = text[slice(*lines[at])]
    if not _NUMBERED.match(line):
        named = _NAMED.match(line)
        if named is None or not (named[1].isupper() and named[2].isupper()):
            return False
    entry = text[lines[at].start : lines[min(at + 2, len(lines) - 1)].end]
    return _HAS_YEAR.search(entry, 0, 300) is not None and _cites(entry[:300])


def _is_near(text: str, lines: Sequence[Range], one: int, other: int) -> bool:
    between = text[lines[one].end : lines[other].start]
    return len(between) <= _MAX_GAP
