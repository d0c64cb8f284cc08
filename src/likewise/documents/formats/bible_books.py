"""Names of the books of the Bible: what USFM calls them, and how they are cited."""

from __future__ import annotations

_BOOKS = """
    GEN Gen EXO Exod LEV Lev NUM Num DEU Deut JOS Josh JDG Judg RUT Ruth 1SA 1Sam 2SA 2Sam
    1KI 1Kgs 2KI 2Kgs 1CH 1Chr 2CH 2Chr EZR Ezra NEH Neh EST Esth JOB Job PSA Ps PRO Prov
    ECC Eccl SNG Song ISA Isa JER Jer LAM Lam EZK Ezek DAN Dan HOS Hos JOL Joel AMO Amos
    OBA Obad JON Jonah MIC Mic NAM Nah HAB Hab ZEP Zeph HAG Hag ZEC Zech MAL Mal
    MAT Matt MRK Mark LUK Luke JHN John ACT Acts ROM Rom 1CO 1Cor 2CO 2Cor GAL Gal EPH Eph
    PHP Phil COL Col 1TH 1Thess 2TH 2Thess 1TI 1Tim 2TI 2Tim TIT Titus PHM Phlm HEB Heb
    JAS Jas 1PE 1Pet 2PE 2Pet 1JN 1John 2JN 2John 3JN 3John JUD Jude REV Rev
    TOB Tob JDT Jdt ESG AddEsth WIS Wis SIR Sir BAR Bar LJE EpJer S3Y PrAzar SUS Sus BEL Bel
    1MA 1Macc 2MA 2Macc 3MA 3Macc 4MA 4Macc 1ES 1Esd 2ES 2Esd MAN PrMan PS2 AddPs
"""
_WORDS = _BOOKS.split()
NAMES = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))
"""By the code that follows \\id, the name that OSIS uses."""


def book_name(code: str) -> str:
    """Return how a book is cited; a code that is not known stays as it is.

    >>> book_name("MAT"), book_name("1CO"), book_name("XXA")
    ('Matt', '1Cor', 'XXA')
    """
    return NAMES.get(code.upper(), code)
