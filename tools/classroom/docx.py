"""`docx_of`: an essay as Word writes it, with styles, a title page and a footer of its own part."""

from __future__ import annotations

import io
import zipfile
from xml.sax.saxutils import escape

from tools.classroom.essay import Essay, text_of

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"

_CONTENT_TYPES = f"""{_XML}<Types xmlns="{_PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="{_TYPES}.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="{_TYPES}.styles+xml"/>
<Override PartName="/word/footer1.xml" ContentType="{_TYPES}.footer+xml"/>
</Types>"""

_ROOT = f"""{_XML}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/>
</Relationships>"""

_PARTS = f"""{_XML}<Relationships xmlns="{_PACKAGE}/relationships">
<Relationship Id="rId1" Type="{_RELATIONS}/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="{_RELATIONS}/footer" Target="footer1.xml"/>
</Relationships>"""

_STYLES = f"""{_XML}<w:styles {_W}>
<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman"/>
<w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>
<w:pPr><w:spacing w:before="240" w:after="240"/><w:jc w:val="center"/></w:pPr>
<w:rPr><w:b/><w:sz w:val="40"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="BodyText"><w:name w:val="Body Text"/>
<w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="160" w:line="360" w:lineRule="auto"/>
<w:jc w:val="both"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Footer"><w:name w:val="footer"/><w:basedOn w:val="Normal"/>
<w:pPr><w:jc w:val="center"/></w:pPr><w:rPr><w:sz w:val="18"/></w:rPr></w:style>
</w:styles>"""

_SECTION = (
    '<w:sectPr><w:footerReference w:type="default" r:id="rId2"/>'
    '<w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" '
    'w:footer="708" w:gutter="0"/></w:sectPr>'
)


def docx_of(essay: Essay) -> bytes:
    """The file; the same bytes for the same essay."""
    author, date, title, *assignment = map(text_of, essay.title_page)
    paragraphs = [_paragraph(author), _paragraph(date), _paragraph(title, "Title")]
    paragraphs += [_paragraph(text, "BodyText") for text in assignment]
    paragraphs.append('<w:p><w:r><w:br w:type="page"/></w:r></w:p>')
    paragraphs += [_paragraph(text_of(paragraph), "BodyText") for paragraph in essay.body]
    body = "\n".join(paragraphs)
    parts = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": _ROOT,
        "word/document.xml": f"{_XML}<w:document {_W} {_R}><w:body>{body}{_SECTION}</w:body>"
        "</w:document>",
        "word/_rels/document.xml.rels": _PARTS,
        "word/styles.xml": _STYLES,
        "word/footer1.xml": _footer(essay.header),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in parts.items():
            package.writestr(zipfile.ZipInfo(name), part, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _paragraph(text: str, style: str = "Normal") -> str:
    return (
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>'
        f'<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'
    )


def _footer(line: str) -> str:
    return (
        f'{_XML}<w:ftr {_W}><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr>'
        f'<w:r><w:t xml:space="preserve">{escape(line)}, page </w:t></w:r>'
        '<w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p></w:ftr>'
    )
