"""Small documents of every kind, made by hand."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def make_pdf(
    pages: Sequence[Sequence[str]], user: str | None = None, owner: str = "owner"
) -> bytes:
    """A PDF with these lines on its pages; encrypted (RC4, 40 bits) if a user password is given."""
    crypt = None if user is None else _Crypt(user, owner)
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    kids = []
    for number, lines in enumerate(pages):
        page, content = 4 + 2 * number, 5 + 2 * number
        kids.append(b"%d 0 R" % page)
        objects[page] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F 3 0 R >> >> >>" % content
        )
        shown = b" T* ".join(b"(%s) Tj" % _escape(line) for line in lines)
        stream = b"BT /F 12 Tf 14 TL 72 770 Td " + shown + b" ET"
        if crypt is not None:
            stream = crypt.encrypt(stream, content)
        objects[content] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
    objects[2] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    return _write_pdf(objects, crypt.trailer if crypt else b"")


def make_drawn_pdf(pages: Sequence[bytes]) -> bytes:
    """A PDF with pages drawn by these operators: font F, and states G (see-through) and N (not)."""
    resources = (
        b"/Resources << /Font << /F 3 0 R >> "
        b"/ExtGState << /G << /ca 0 /CA 0 >> /N << /ca 1 /CA 1 >> >> >>"
    )
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    for number, stream in enumerate(pages):
        objects[4 + 2 * number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R %s >>"
            % (5 + 2 * number, resources)
        )
        objects[5 + 2 * number] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
    kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(len(pages)))
    objects[2] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages))
    return _write_pdf(objects, b"")


def make_placed_pdf(pages: Sequence[Sequence[tuple[float, str]]]) -> bytes:
    """A PDF with lines at these heights over the bottom of a page, which is 842 points high."""
    return make_drawn_pdf(
        [
            b" ".join(
                b"BT /F 11 Tf 72 %.1f Td (%s) Tj ET" % (height, _escape(line))
                for height, line in lines
            )
            for lines in pages
        ]
    )


def make_form_pdf(lines: Sequence[str], fields: Sequence[tuple[str, str, int, int]]) -> bytes:
    """A PDF with a form: the name, value, flags and annotation flags of its text fields."""
    stream = b"BT /F 12 Tf 14 TL 72 770 Td %s ET" % b" T* ".join(
        b"(%s) Tj" % _escape(line) for line in lines
    )
    numbers = range(6, 6 + len(fields))
    listed = b" ".join(b"%d 0 R" % number for number in numbers)
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [%s] >> >>" % listed,
        2: b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        4: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Annots [%s] "
        b"/Resources << /Font << /F 3 0 R >> >> >>" % listed,
        5: b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    }
    for at, (number, (name, value, flags, shown)) in enumerate(zip(numbers, fields, strict=True)):
        text = b"\xfe\xff" + value.encode("utf-16-be")
        objects[number] = (
            b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (%s) /V <%s> /Ff %d /F %d "
            b"/Rect [72 %d 500 %d] >>"
            % (_escape(name), text.hex().encode(), flags, shown, 600 - 30 * at, 620 - 30 * at)
        )
    return _write_pdf(objects, b"")


def _write_pdf(objects: Mapping[int, bytes], trailer: bytes) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for number in sorted(objects):
        out += b"%010d 00000 n \n" % places[number]
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, trailer)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def _escape(line: str) -> bytes:
    return line.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


class _Crypt:
    """The first of PDF's security handlers."""

    def __init__(self, user: str, owner: str) -> None:
        permissions = -44
        identity = b"0123456789abcdef"
        owner_key = hashlib.md5(self._pad(owner)).digest()[:5]
        owned = _rc4(owner_key, self._pad(user))
        signed = permissions.to_bytes(4, "little", signed=True)
        self._key = hashlib.md5(self._pad(user) + owned + signed + identity).digest()[:5]
        self.trailer = b"/ID [<%s> <%s>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> " % (
            identity.hex().encode(),
            identity.hex().encode(),
            owned.hex().encode(),
        ) + b"/U <%s> /P %d >>" % (_rc4(self._key, _PADDING).hex().encode(), permissions)

    def encrypt(self, data: bytes, number: int) -> bytes:
        salted = self._key + number.to_bytes(3, "little") + b"\0\0"
        return _rc4(hashlib.md5(salted).digest()[:10], data)

    @staticmethod
    def _pad(password: str) -> bytes:
        return (password.encode() + _PADDING)[:32]


def _rc4(key: bytes, data: bytes) -> bytes:
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def make_zip(members: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive; the first member is stored, as EPUB and ODT want it of `mimetype`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            how = zipfile.ZIP_STORED if name == "mimetype" else method
            archive.writestr(zipfile.ZipInfo(name), content, how)  # of no time
    return out.getvalue()


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def make_docx(body: str, **parts: str) -> bytes:
    """A DOCX with this XML in its body; `footnotes="<w:footnote>…"` for another part."""
    main = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    members = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<Relationships><Relationship Type="{main}" Target="word/document.xml"/>'
        "</Relationships>",
        "word/document.xml": f'<?xml version="1.0"?><w:document {_W} xmlns:mc="mc">'
        f"<w:body>{body}</w:body></w:document>",
    }
    for name, content in parts.items():
        members[f"word/{name}.xml"] = f"<w:{name} {_W}>{content}</w:{name}>"
    return make_zip(members)


def word_paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


_P = 'xmlns:p="p" xmlns:a="a" xmlns:r="r"'


def make_pptx(slides: Mapping[str, str], notes: Mapping[str, str] | None = None) -> bytes:
    """A PPTX with this XML on its slides, in this order; they lie in the file in another one."""
    members: dict[str, str | bytes] = {"[Content_Types].xml": "<Types/>"}
    listed = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in range(len(slides)))
    members["ppt/presentation.xml"] = (
        f"<p:presentation {_P}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
    )
    targets = "".join(
        f'<Relationship Id="r{n}" Type="x/slide" Target="slides/{name}.xml"/>'
        for n, name in enumerate(slides)
    )
    members["ppt/_rels/presentation.xml.rels"] = f"<Relationships>{targets}</Relationships>"
    for name in sorted(slides):
        members[f"ppt/slides/{name}.xml"] = f"<p:sld {_P}>{slides[name]}</p:sld>"
        if notes and name in notes:
            members[f"ppt/slides/_rels/{name}.xml.rels"] = (
                '<Relationships><Relationship Id="n" Type="x/notesSlide" '
                f'Target="../notesSlides/{name}.xml"/></Relationships>'
            )
            members[f"ppt/notesSlides/{name}.xml"] = f"<p:notes {_P}>{notes[name]}</p:notes>"
    return make_zip(members)


def slide_shape(*paragraphs: str, kind: str = "", hidden: str = "0") -> str:
    """A shape with these paragraphs; `kind` of placeholder."""
    told = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else ""
    text = "".join(f"<a:p><a:r><a:t>{one}</a:t></a:r></a:p>" for one in paragraphs)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" hidden="{hidden}"/>{told}</p:nvSpPr>'
        f"<p:txBody>{text}</p:txBody></p:sp>"
    )


_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table")
)


def make_odt(body: str, manifest: str = "<manifest/>") -> bytes:
    """An ODT with this XML in its text."""
    return make_zip(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {_ODF}><office:body><office:text>{body}"
            "</office:text></office:body></office:document-content>",
            "META-INF/manifest.xml": manifest,
        }
    )


def make_epub(parts: Mapping[str, str], **more: str | bytes) -> bytes:
    """An EPUB whose spine has these parts, in this order; they lie in the file in another one."""
    items = "".join(f'<item id="i{n}" href="{name}"/>' for n, name in enumerate(parts))
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(parts)))
    members: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/>'
        "</rootfiles></container>",
        "OPS/book.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
    }
    members.update({f"OPS/{name}": parts[name] for name in reversed(parts) if parts[name]})
    members.update({f"META-INF/{name}.xml": content for name, content in more.items()})
    return make_zip(members)


def make_xlsx(rows: Sequence[Sequence[object]], date_columns: Sequence[int] = ()) -> bytes:
    """A spreadsheet as Excel writes it: shared strings, numbers, dates by their style."""
    strings: list[str] = []

    def cell(at: int, row: int, value: object) -> str:
        place = f'r="{chr(ord("A") + at)}{row}"'
        if value is None:
            return f"<c {place}/>"
        if isinstance(value, str):
            strings.append(value)
            return f'<c {place} t="s"><v>{len(strings) - 1}</v></c>'
        return f'<c {place} s="{int(at in date_columns)}"><v>{value}</v></c>'

    sheet = "".join(
        f'<row r="{number}">{"".join(cell(at, number, one) for at, one in enumerate(row))}</row>'
        for number, row in enumerate(rows, 1)
    )
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {
        "xl/workbook.xml": f'<workbook {space} xmlns:r="{related}"><sheets>'
        '<sheet name="Class" sheetId="1" r:id="rId7"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": "<Relationships>"
        '<Relationship Id="rId7" Target="worksheets/first.xml"/></Relationships>',
        "xl/worksheets/first.xml": f"<worksheet {space}><sheetData>{sheet}</sheetData></worksheet>",
        "xl/sharedStrings.xml": f"<sst {space}>"
        + "".join(f"<si><r><t>{escape(text)}</t></r></si>" for text in strings)
        + "</sst>",
        "xl/styles.xml": f'<styleSheet {space}><numFmts><numFmt numFmtId="164" '
        'formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/>'
        "</cellXfs></styleSheet>",
    }
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return data.getvalue()
