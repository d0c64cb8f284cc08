"""Citations that are neither author and year nor a number: ibid., courts, keys, links, sources."""

from __future__ import annotations

import re
from collections.abc import Iterator

from likewise.passages.attribution import vocabulary
from likewise.passages.attribution.works_listed import WorksListed
from likewise.passages.ranges import Range

# Each pattern with letters and signs of which one must be in a text that it can match: most texts
# have none of them, and the search for them is many times as fast. Every repeat is bounded.
_PATTERNS = tuple(
    (hints, re.compile(pattern))
    for hints, pattern in (
        # ibid., ebd., там же
        (
            (
                *("ibid", "Ibid", "IBID", "ibíd", "Ibíd", "ebd.", "Ebd.", "benda", "op.", "Op."),
                *("loc.", "Loc.", "a. a.", "a.a.", "aaO", "ам же", "ам само", "каз.", ".π", "同上"),
                *("同前", "前掲", "前揭", "앞의", "نفسه", "السابق", "שם"),
            ),
            rf"(?i:{vocabulary.IBID})(?![^\W_])\.?",
        ),
        # \\parencite[12]{smith2019}, [@smith2019, p. 12], [^1]
        (
            ("cite",),
            r"\\[A-Za-z]{0,12}cite[A-Za-z]{0,10}\*?(?:\[[^\[\]\n]{0,80}\]){0,2}\{[^{}\n]{1,200}\}",
        ),
        (
            ("@",),
            r"\[[^\[\]\n@]{0,60}@[A-Za-z][\w:.-]{1,60}[^\[\]\n]{0,60}\]",
        ),
        (("[^",), r"\[\^[\w-]{1,40}\](?!:)"),
        # 410 U.S. 113, 42 U.S.C. § 1983; [2019] UKSC 41
        (
            ("U.S.", "U. S.", "Ct.", "F.", "A.C.", "AC", "QB", "KB", "WLR", "ER"),
            r"\d{1,4}\s(?:U\.\s?S\.(?:\s?C\.\s?§{1,2})?|S\.\s?Ct\.|F\.\s?(?:Supp\.|[23]d|4th)"
            r"|A\.\s?C\.|AC|QB|KB|WLR|All\sER)\s{0,2}\d{1,4}",
        ),
        (
            ("[19", "[20"),
            r"\[(?:19|20)\d\d\]\s(?:\d\s)?[A-Z][A-Za-z]{1,6}\s(?:[A-Z][a-z]{2,5}\s)?\d{1,4}",
        ),
        # BGH, Urteil vom …; BVerfGE 65, 1; NJW 2019, 123; C-131/12
        (
            ("BVer", "BGH", "BAG", "BSG", "BFH", "EuGH", "EGMR", "OLG", "LG", "AG", "VG", "OVG"),
            r"(?:BVerfG|BGH|BAG|BSG|BVerwG|BFH|EuGH|EGMR|OLG|LG|AG|VG|OVG)[^\W\d_]{0,2}"
            r"(?:,\s(?:Urteil|Urt\.|Beschluss|Beschl\.)|\s\d{1,3},\s\d{1,4})",
        ),
        (
            ("NJW", "JZ", "JuS", "NVwZ", "DÖV", "ZRP", "GRUR"),
            r"(?:NJW|JZ|JuS|NVwZ|DÖV|ZRP|GRUR)\s(?:19|20)\d\d,\s\d{1,4}",
        ),
        (("C-", "T-", "C‑", "T‑"), r"[CT][-‑–]\d{1,4}/\d\d(?!\d)"),
        # § 823 Abs. 1 BGB; Art. 5 GG
        (
            ("§", "Art"),
            r"(?:§{1,2}|Art\.|Article|Artikel)\s?\d{1,4}[a-z]?"
            r"(?:\s(?:Abs\.|Satz|S\.|Nr\.|para\.?)\s?\d{1,3}){0,3}"
            r"\s[A-ZÄÖÜ][A-Za-z]{0,5}[A-Z](?![^\W_])",
        ),
        # Cass. civ. 1re, 3 mai 2018, n° …; CE, 12 mars 2014; STC 25/1981
        (
            ("Cass.", "cass.", "CE", "Cons. const", "CJUE"),
            r"(?:Cass\.|C\.\s?cass\.|CE|Cons\.\sconst\.|CJUE|CEDH)[^()\n]{0,40}?(?:19|20)\d\d"
            r"(?:,\sn[°o]\s?[\d.,-]{2,20})?",
        ),
        (
            ("STC", "STS", "STJUE", "SAP", "ATC"),
            r"(?:STC|STS|STJUE|SAP|ATC)\s\d{1,4}/(?:19|20)\d\d",
        ),
        # Roe v. Wade
        ((" v. ", " v "), r"[A-Z][\w.'’&-]{1,30}\sv\.?\s[A-Z][\w.'’&-]{1,30}"),
        (("10.",), r"(?i:doi:)\s?10\.\d{4}|https?://(?:dx\.)?doi\.org/10\.\d{4}"),
    )
)
# "Source: …", where a text says where it is from.
_COLON = re.compile(r"[:：](?=\s?\S)")
_SOURCE = re.compile(rf"(?<![^\W_])(?i:{vocabulary.SOURCE_WORDS})\s?$")
_LONGEST_SOURCE = 16
_LINK = re.compile(r"\s?(?:https?://|www\.|doi\b|arXiv)", re.IGNORECASE)
# [Knu84], [ABC+12]; not [SIC], [A4]
_KEY = re.compile(r"[A-Z][A-Za-z]{1,6}\+?(?:\d\d|(?:19|20)\d\d)[a-z]?")
# MLA: (Smith 12), (Smith and Jones 12–14), (“Short title” 12)
_NAME_AND_PAGE = re.compile(
    r"\s?(?:[a-z]{2,8}\.?\s){0,2}([“\"‘]?[^\W\d_][^\d()\[\]]{1,60}?)[,\s]\s?(?:pp?\.\s?|S\.\s?)?"
    r"\d{1,4}(?:\s?[–—-]\s?\d{1,4})?(?:;.{0,80})?\s?"
)
_PAGE_ALONE = re.compile(r"\s?(?:pp?\.\s?|S\.\s?|с\.\s?)?\d{1,4}(?:\s?[–—-]\s?\d{1,4})?\s?")
_NAME = re.compile(r"[^\W\d_]{2,40}")
_QUOTED_BEFORE = re.compile(r"[”\"»’“」]\s?$")


def other_citations(text: str) -> Iterator[Range]:
    """Those that are told by their words, wherever they are, at the beginning of a word."""
    for hints, pattern in _PATTERNS:
        if any(hint in text for hint in hints):
            for found in pattern.finditer(text):
                start = found.start()
                if not start or not (text[start].isalnum() and text[start - 1].isalnum()):
                    yield Range(*found.span())
    for colon in _COLON.finditer(text):
        source = _SOURCE.search(text, max(0, colon.start() - _LONGEST_SOURCE), colon.start())
        if source:
            yield Range(source.start(), colon.end())


def is_link_or_key(text: str, start: int, end: int) -> bool:
    """Whether what is in brackets is a link, or a key of letters and a year."""
    inner = text[start + 1 : end - 1]
    return bool(_LINK.match(inner)) or (text[start] == "[" and bool(_KEY.fullmatch(inner)))


def is_name_and_page(text: str, start: int, end: int, listed: WorksListed) -> bool:
    """Whether brackets have an author of the bibliography and a page, or a page of a quotation."""
    if listed.works is None or text[start] != "(":
        return False
    inner = text[start + 1 : end - 1]
    if not listed.entries and _PAGE_ALONE.fullmatch(inner):
        return bool(_QUOTED_BEFORE.search(text[max(0, start - 2) : start]))
    found = _NAME_AND_PAGE.fullmatch(inner)
    if found is None:
        return False
    names = _NAME.findall(found[1])
    capital = [name for name in names if name[0].isupper()]
    return bool(capital) and capital[0].casefold() in listed.names
