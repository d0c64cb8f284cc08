"""What is inside documents: one module a format, each a function from bytes to text.

No function here opens a file. They run in worker processes, since parsers of foreign files may
take for ever, take all memory, or crash.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likewise.documents.extracted import Extracted

# Each kind: the version of what we do to it, and the library that does the rest, if any. What was
# cached under another version of either is not taken.
_KINDS: Mapping[str, tuple[int, str | None]] = {
    "pdf": (4, "pypdfium2"),
    "docx": (2, "lxml"),
    "odt": (2, "lxml"),
    "epub": (1, "lxml"),
    "html": (2, "lxml"),
    "pptx": (1, "lxml"),
    "rtf": (1, None),
}
DOCUMENTS = frozenset(_KINDS)


def extract(kind: str, data: bytes, encoding: str | None = None) -> Extracted:
    """Return the text of a document of one of the kinds in `DOCUMENTS`.

    `encoding` is what the user gave; only HTML asks for it. Raises `UnreadableError`.
    """
    # Imported here, so that a worker loads only the libraries that its documents need.
    module = import_module(f"likewise.documents.formats.{kind}")
    function: Callable[..., Extracted] = getattr(module, f"extract_{kind}")
    return function(data, encoding) if kind == "html" else function(data)


@cache
def version(kind: str) -> str:
    """Return what tells extractions of this kind by different programs apart."""
    own, library = _KINDS[kind]
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
