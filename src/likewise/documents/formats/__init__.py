"""Document formats: one module per format, with a function from bytes to text, and their table.

No function here opens a file. They run in worker processes, since parsers of foreign files may
take for ever, take all memory, or crash.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from likewise.documents.document import Document


@dataclass(frozen=True)
class Format:
    """One document format: all that is known about it outside its module.

    Attributes:
        name: of the module in this package, which has a function `extract_NAME(data)`.
        words: what messages call such a file.
        extensions: of file names.
        media_types: in HTTP requests, and in the member `mimetype` of a zip container.
        version: changes with the extracted text, so that cached texts of earlier versions are not
            used; so does the installed version of `library`.
        library: the package that parses the format, if any.
        magic: the content begins with these bytes, or has them in its first `magic_range` bytes.
        member: a zip container with this member has this format.
        markup: how plain text of this format may begin, in lower case.
        takes_encoding: the function also takes the encoding that the user gave.
    """

    name: str
    words: str
    extensions: tuple[str, ...]
    media_types: tuple[str, ...]
    version: int
    library: str | None = None
    magic: bytes = b""
    magic_range: int = 0
    member: str | None = None
    markup: tuple[bytes, ...] = ()
    takes_encoding: bool = False

    def extract(self, data: bytes, encoding: str | None = None) -> Document:
        """Return the text of a document. Raises `UnreadableError`."""
        # Imported here, so that a worker loads only the libraries that its documents need.
        module = import_module(f"{__name__}.{self.name}")
        function: Callable[..., Document] = getattr(module, f"extract_{self.name}")
        return function(data, encoding) if self.takes_encoding else function(data)


_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."

# A new format is a module of this package and an entry here.
_FORMATS = (
    Format("pdf", "a PDF", (".pdf",), ("application/pdf",), 4, "pypdfium2", b"%PDF-",
           magic_range=1024),  # where programs look for it: some servers put lines before it
    # .doc and .ppt may be RTF or HTML; if not, a reason says so.
    Format("docx", "a Word document", (".docx", ".doc"),
           (f"{_OFFICE}wordprocessingml.document",), 3, "lxml", member="word/document.xml"),
    Format("pptx", "a PowerPoint presentation", (".pptx", ".ppt"),
           (f"{_OFFICE}presentationml.presentation",), 1, "lxml", member="ppt/presentation.xml"),
    Format("rtf", "an RTF file", (".rtf",), ("application/rtf", "text/rtf"), 1, magic=b"{\\rtf"),
    Format("odt", "an OpenDocument text", (".odt",),
           (f"{_OPEN_DOCUMENT}text", f"{_OPEN_DOCUMENT}text-template"), 3, "lxml"),
    Format("epub", "an EPUB", (".epub",), ("application/epub+zip",), 2, "lxml"),
    Format("html", "an HTML file", (".html", ".htm", ".xhtml"),
           ("text/html", "application/xhtml+xml"), 3, "lxml",
           markup=(b"<!doctype html", b"<html", b"<head", b"<body"), takes_encoding=True),
    Format("xml", "an XML edition", (".xml", ".tei", ".osis"),
           ("application/tei+xml", "application/xml", "text/xml"), 2,
           markup=(b"<tei", b"<osis")),
    Format("usfm", "a USFM Bible", (".usfm", ".sfm"), ("text/x-usfm",), 2, magic=b"\\id ",
           takes_encoding=True),
)  # fmt: skip
FORMATS: Mapping[str, Format] = {format_.name: format_ for format_ in _FORMATS}
MEDIA_TYPES: Mapping[str, str] = {
    media_type: format_.name for format_ in _FORMATS for media_type in format_.media_types
}


def extract(kind: str, data: bytes, encoding: str | None = None) -> Document:
    """Return the text of a document of one of the `FORMATS`, or of plain text ("text").

    Raises `UnreadableError`.
    """
    if kind == "text":
        from likewise.documents.formats.plain_text import extract_plain_text

        return extract_plain_text(data, encoding)
    return FORMATS[kind].extract(data, encoding)


@cache
def version(kind: str) -> str:
    """Return what tells extractions of this kind by different programs apart."""
    own, library = FORMATS[kind].version, FORMATS[kind].library
    return f"{own}-{_installed(library)}" if library else str(own)


def _installed(library: str) -> str:
    """Return the version of a library, as the folder beside it says."""
    spec = find_spec(library)
    if spec is not None and spec.submodule_search_locations:
        beside = os.path.dirname(next(iter(spec.submodule_search_locations)))
        begin, end = f"{library}-", ".dist-info"
        listed = [name for name in os.listdir(beside) if name.startswith(begin)]
        found = [name for name in listed if name.endswith(end)]
        if len(found) == 1:
            return found[0].removeprefix(begin).removesuffix(end)
    from importlib import metadata  # which takes longer to load than all of this package

    return metadata.version(library)
