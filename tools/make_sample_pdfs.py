"""Sets some of the sample essays as PDFs: two years of a school journal, and an essay that came in.

    python -m tools.make_sample_pdfs

Words are broken at the ends of lines as a typesetter would, and pages have a heading and a number,
so that reading them is not too easy. One file is a scan: a picture of a page, without text.
"""

from __future__ import annotations

import csv
import re
import zlib
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
WIDTH, LINES = 62, 26  # letters in a line, lines on a page

JOURNAL = {
    "2017": {
        "bees-01": ("How Bees Find Their Way", "M. Okafor"),
        "cars-03": ("A City Is for People", "J. Lindqvist"),
        "homework-01": ("An Hour a Day", "P. Moreau"),
        "press-04": ("The Press at Mainz", "A. Bianchi"),
        "tides-02": ("Twice a Day", "S. Haddad"),
    },
    "2018": {
        "bees-03": ("The Dance in the Dark", "L. Novak"),
        "cars-06": ("Streets for Everyone", "R. Silva"),
        "homework-06": ("What Homework Does", "T. Brandt"),
        "press-01": ("Letters of Lead", "C. Dubois"),
        "tides-01": ("Why the Sea Comes Back", "E. Kaya"),
        "tides-04": ("Moon and Water", "F. Rossi"),
    },
}


def main() -> None:
    folder = SAMPLES / "journal"
    rows = []
    for year, essays in JOURNAL.items():
        (folder / year).mkdir(parents=True, exist_ok=True)
        for name, (title, author) in essays.items():
            (folder / year / f"{name}.pdf").write_bytes(as_pdf(name, f"The School Journal {year}"))
            rows.append((f"{name}.pdf", title, author, f"{year}-06-01", year))
    (folder / "2018" / "notice.pdf").write_bytes(scan())
    (folder / "new.pdf").write_bytes(as_pdf("bees-05", "Essay"))
    with (folder / "journal.csv").open("w", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerows([("file", "title", "author", "date", "group"), *rows])


def as_pdf(name: str, heading: str) -> bytes:
    """A PDF of an essay."""
    text = (SAMPLES / "essays" / f"{name}.txt").read_text()
    lines = [line for paragraph in text.split("\n") for line in broken(paragraph)]
    pages = [lines[begin : begin + LINES] for begin in range(0, len(lines), LINES)]
    objects: list[bytes] = [b"", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman "
                            b"/Encoding /WinAnsiEncoding >>"]  # fmt: skip
    kids = []
    for number, page in enumerate(pages, 1):
        shown = b" T* ".join(b"(%s) Tj" % escaped(line) for line in page)
        drawn = b"BT /F 9 Tf 60 555 Td (%s) Tj ET BT /F 9 Tf 205 30 Td (%d) Tj ET " % (
            escaped(heading), number,
        )  # fmt: skip
        drawn += b"BT /F 11 Tf 13 TL 60 530 Td " + shown + b" ET"
        kids.append(b"%d 0 R" % (len(objects) + 1))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents %d 0 R "
            b"/Resources << /Font << /F 3 0 R >> >> >>" % (len(objects) + 2)
        )
        objects.append(stream(drawn))
    return document(objects, kids)


def scan() -> bytes:
    """A page that is a picture."""
    rows = bytearray()
    for y in range(60):
        dark = y % 4 == 2 and 6 < y < 54
        rows += bytes(90 if dark and 5 < x < 37 and (x * 7 + y) % 9 else 245 for x in range(42))
    picture = zlib.compress(bytes(rows), 9)
    image = (
        b"<< /Type /XObject /Subtype /Image /Width 42 /Height 60 /ColorSpace /DeviceGray "
        b"/BitsPerComponent 8 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
        % (len(picture), picture)
    )
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 5 0 R "
        b"/Resources << /XObject << /I 3 0 R >> >> >>"
    )
    return document([b"", b"", image, page, stream(b"q 420 0 0 595 0 0 cm /I Do Q")], [b"4 0 R"])


def broken(paragraph: str, width: int = WIDTH) -> list[str]:
    """A paragraph as lines; a long word may go on in the next one behind a hyphen."""
    lines, line = [], ""
    for word in paragraph.split():
        room = width - len(line) - 2
        if len(line) + 1 + len(word) <= width:
            line = f"{line} {word}" if line else word
        elif len(word) >= 9 and room >= 4 and re.fullmatch(r"[a-z]+[.,;]?", word):
            cut = min(room, len(word) - 4)
            lines.append(f"{line} {word[:cut]}-")
            line = word[cut:]
        else:
            lines.append(line)
            line = word
    return [*lines, line]


def escaped(line: str) -> bytes:
    return re.sub(rb"([\\()])", rb"\\\1", line.encode("cp1252"))


def stream(drawn: bytes) -> bytes:
    packed = zlib.compress(drawn, 9)
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)


def document(objects: list[bytes], kids: list[bytes]) -> bytes:
    """The file around its objects, of which the first two are made here."""
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, held in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, held)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


if __name__ == "__main__":
    main()
