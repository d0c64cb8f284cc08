"""Which of the old encodings text is in that is not UTF-8: a guess.

Text in Latin letters is read with each of the encodings for such letters, and the one in which most
characters beyond ASCII make sense is taken: letters that one language uses, inside words, and
quotation marks and dashes where they belong. Where several do equally well, cp1252 comes first.
Other alphabets are left to charset-normalizer.
"""

from __future__ import annotations

import re

# Where guesses are equally good, the earlier wins.
_LATIN = ("cp1252", "iso8859_15", "cp1250", "iso8859_2", "cp1254", "cp1257", "mac_roman")
_CANDIDATES = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("koi8_r", "cp932", "euc_jp", "gb18030", "cp950", "cp949", "mac_roman"),
)
_ALPHABETS = (
    "àâæçéèêëîïôœùûüÿñ",  # French, and words that English took from it
    *("äöüßéà", "áéíñóúüçïàèòªº", "áâãàçéêíóôõúüªº", "àèéìíîòóùúªº", "éëïöüèáóíêô"),
    *("åäöéæøü", "áðéíóúýþæö"),
    *("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîșțşţ", "čćđšž"),
    *("çğıöşüâîû", "ąčęėįšųūž", "āčēģīķļņšūžōŗ", "äõöüšž"),
)
_SAMPLE_BYTES = 64 << 10
_MAX_SAMPLE_BYTES = 1 << 20  # of text without blanks, such as Chinese
_MIN_SENSE = 0.85  # of the characters beyond ASCII
_MIN_ADVANTAGE = 0.02  # over the encodings before it; less is an odd character or two
_MAX_FOREIGN = 0.5  # of these characters in runs of three and more, as in other alphabets
_MAX_HIGH = 0.1  # of the bytes, in text that is nearly all ASCII
_ASCII = bytes(range(128))
_HIGH = re.compile(rb"[\x80-\xff]+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
# "cafÈ", "end.Ó", "ÒThe": what is no letter, or a small one, in another encoding.
_MISPLACED_CAPITAL = re.compile(r"[^\W\d_A-Z].{1,3}|[^\w\s]\w(?:\W.?)?|\W?\w[A-Z][a-z]", re.DOTALL)
_OPENING, _CLOSING = "“‘’„‚«‹¿¡", "”’“‘»›"  # ’tis
_FREE = "–—…•€£§°©®™·\xa0\xad«»½¼¾²³±×"  # at home between words and beside numbers


def guess_encoding(data: bytes) -> str | None:
    """Return the most likely encoding of text that is not UTF-8; None where nothing fits."""
    sample = _telling_lines(data)
    if not _is_foreign(sample):
        latin = _guess_latin(sample)
        # A few bytes on their own are no word of another alphabet.
        if latin is not None or is_nearly_ascii(data):
            return latin
    return _guess_any(sample)


def is_nearly_ascii(data: bytes) -> bool:
    """Whether few bytes of a text are beyond ASCII."""
    high = len(data.translate(None, _ASCII))
    return high <= max(1, _MAX_HIGH * len(data))


def _is_foreign(sample: bytes) -> bool:
    """Whether bytes beyond ASCII come in runs, as in words of other alphabets."""
    runs = [len(run) for run in _HIGH.findall(sample)]
    return sum(run for run in runs if run >= 3) > _MAX_FOREIGN * sum(runs)


def _guess_latin(sample: bytes) -> str | None:
    best, least = None, _MIN_SENSE
    for encoding in _LATIN:
        if (sense := _sense(sample.decode(encoding, "replace"))) > least:
            best, least = encoding, sense + _MIN_ADVANTAGE
    return best


def _sense(text: str) -> float:
    """Return the share of characters beyond ASCII that make sense where they are."""
    total = fitting = 0
    letters: dict[str, int] = {}
    for found in _BEYOND_ASCII.finditer(text):
        at = found.start()
        before, sign, after = text[at - 1 : at], found[0], text[at + 1 : at + 2]
        total += 1
        if sign.isalpha() or sign in "ªº":
            if not (sign.isupper() and _MISPLACED_CAPITAL.fullmatch(text, max(0, at - 1), at + 3)):
                lower = sign.lower()
                letters[lower] = letters.get(lower, 0) + 1
        elif (sign in "’‘'" and before.isalpha() and after.isalpha()) or (
            (sign in _OPENING and not before.isalnum() and (not after.isspace() or sign == "«"))
            or (sign in _CLOSING and not after.isalnum() and (not before.isspace() or sign == "»"))
            or (sign in _FREE and not (before.isalpha() and after.isalpha()))
            or sign in "–—\xad"
        ):
            fitting += 1
    language = max(sum(letters.get(letter, 0) for letter in alphabet) for alphabet in _ALPHABETS)
    return (fitting + language) / max(1, total)


def _guess_any(sample: bytes) -> str | None:
    from charset_normalizer import from_bytes

    matches = from_bytes(sample, cp_isolation=list(_CANDIDATES))
    best = matches.best()
    if best is None:
        return None
    equals = {
        name
        for match in matches
        if (match.chaos, match.coherence) == (best.chaos, best.coherence)
        for name in (match.encoding, *match.could_be_from_charset)
    }
    return next((name for name in _CANDIDATES if name in equals), best.encoding)


def _telling_lines(data: bytes) -> bytes:
    """Return the first lines that are not ASCII: the only ones that tell encodings apart."""
    lines: list[bytes] = []
    size = 0
    end = -1
    while size < _SAMPLE_BYTES and (telling := _HIGH.search(data, end + 1)):
        # A line may be a whole book: begin with the word that tells.
        before = (end + 1, telling.start())
        start = max(end, data.rfind(b"\n", *before), data.rfind(b" ", *before))
        end = data.find(b"\n", telling.end())
        end = len(data) if end < 0 else end
        lines.append(data[start + 1 : end])
        size += len(lines[-1])
    sample = b"\n".join(lines)
    if len(sample) <= _SAMPLE_BYTES:
        return sample
    # Cut at a blank, which is never half of a character in the candidates.
    cut = max(sample.rfind(b"\n", 0, _SAMPLE_BYTES), sample.rfind(b" ", 0, _SAMPLE_BYTES))
    return sample[:cut] if cut > 0 else sample[:_MAX_SAMPLE_BYTES]
