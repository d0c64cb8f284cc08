"""The kinds of file that can be read, by their names.

Document formats are listed in `formats.FORMATS`, table formats in `tables.formats.TABLES`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from likewise.documents.formats import FORMATS
from likewise.documents.origin import PACKED, Compression
from likewise.documents.tables.formats import TABLES

# A name without an extension is common in corpora, and in README and LICENSE; if such a file is
# binary after all, its content gives it away.
EXTENSIONS: Mapping[str, str] = {
    **dict.fromkeys(("", ".txt", ".text", ".md", ".markdown", ".rst", ".tex", ".org"), "text"),
    ".zip": "zip",
    **{extension: kind for kind, table in TABLES.items() for extension in table.extensions},
    **{extension: kind for kind, known in FORMATS.items() for extension in known.extensions},
}

# What to save unsupported files as.
_BETTER: Mapping[str, tuple[str, ...]] = {
    ".docx": (".pages", ".wpd", ".wps", ".docm", ".dotx"),
    ".pptx": (".key", ".odp", ".pptm", ".ppsx"),
    ".csv": (".xls", ".xlsx", ".xlsm", ".ods", ".numbers"),
    ".epub": (".mobi", ".azw", ".azw3"),
    ".pdf": (".djvu", ".xps"),
}
_ADVICE: Mapping[str, str] = {
    extension: better
    for better, extensions in _BETTER.items()
    for extension in extensions
    if extension not in EXTENSIONS
}
# Not read either, unless something else is in them: RTF and HTML are often called .doc.
_OLD_ADVICE: Mapping[str, str] = {".doc": ".docx", ".ppt": ".pptx"}
# What systems, word processors and Spark leave in folders, without anybody having put it there.
_SYSTEM = frozenset(
    ("thumbs.db", "ehthumbs.db", "desktop.ini", ".ds_store", "__macosx", "_success")
)


def split_name(path: str) -> tuple[str, Compression | None]:
    """Return a file's extension in lower case, without .gz or .zst, and what these stand for.

    >>> split_name("a/Essays.TXT.gz")
    ('.txt', 'gzip')
    """
    stem, extension = os.path.splitext(os.path.basename(path))
    compression = PACKED.get(extension.lower())
    if compression is not None:
        extension = os.path.splitext(stem)[1]
    return extension.lower(), compression


def unsupported(extension: str) -> str:
    """Return why a file with an unknown extension is not read, and what to do.

    >>> unsupported(".pages")
    'unsupported file type: save .pages as .docx'
    """
    better = _ADVICE.get(extension) or _OLD_ADVICE.get(extension)
    return "unsupported file type" + (f": save {extension} as {better}" if better else "")


def advice() -> dict[str, str]:
    """Return, for each extension of a file that is never text, `unsupported`."""
    return {extension: unsupported(extension) for extension in _ADVICE}


def is_advised(extension: str) -> bool:
    """Whether files with this extension are never text, and `unsupported` says what to do."""
    return extension in _ADVICE


def is_litter(name: str) -> bool:
    """Whether a file or folder is passed over without a word: hidden, or nobody's document.

    >>> [is_litter(name) for name in (".DS_Store", "~$essay.docx", "Thumbs.db", "essay.docx")]
    [True, True, True, False]
    """
    return name.startswith(".") or is_system_file(name)


def is_system_file(name: str) -> bool:
    """Whether a system or a word processor has put a file there, and nobody wants it read.

    >>> [is_system_file(name) for name in (".DS_Store", "~$essay.docx", ".notes.txt")]
    [True, True, False]
    """
    return name.startswith("~$") or name.lower() in _SYSTEM
