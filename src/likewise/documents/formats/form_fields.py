"""What was filled into the form fields of a PDF."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_PASSWORD = 1 << 13  # of the flags of a text field
_MAX_FIELDS = 20_000  # of a page


class Field(NamedTuple):
    """A field with text in it: its value, and whether it is shown."""

    name: str
    value: str
    shown: bool


def open_forms(document: Any) -> bool:
    """Make the fields of a document readable, if it has any; before its first page is loaded."""
    import pypdfium2

    # It says on stderr that a dynamic form is read as the page that stands in for it.
    logging.getLogger("pypdfium2").setLevel(logging.ERROR)
    try:
        return bool(document.init_forms())
    except pypdfium2.PdfiumError:
        return False


def read_fields(document: Any, page: Any) -> list[Field]:
    """Return the fields of a page that hold text or a choice, from top to bottom."""
    from pypdfium2 import raw

    found: list[tuple[float, float, Field]] = []
    for at in range(min(_MAX_FIELDS, raw.FPDFPage_GetAnnotCount(page.raw))):
        annotation = raw.FPDFPage_GetAnnot(page.raw, at)
        if not annotation:
            continue
        if raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_WIDGET:
            found += _read_field(document.formenv.raw, annotation)
        raw.FPDFPage_CloseAnnot(annotation)
    return [field for _, _, field in sorted(found, key=lambda one: one[:2])]


def _read_field(forms: Any, annotation: Any) -> Iterator[tuple[float, float, Field]]:
    from pypdfium2 import raw

    kinds = (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)
    kind = raw.FPDFAnnot_GetFormFieldType(forms, annotation)
    if kind not in kinds:
        return
    if kind == kinds[0] and raw.FPDFAnnot_GetFormFieldFlags(forms, annotation) & _PASSWORD:
        return
    value = _string(raw.FPDFAnnot_GetFormFieldValue, forms, annotation)
    if not value.strip():
        return
    unseen = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW | raw.FPDF_ANNOT_FLAG_INVISIBLE
    box = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, ctypes.byref(box))
    name = _string(raw.FPDFAnnot_GetFormFieldName, forms, annotation)
    shown = not raw.FPDFAnnot_GetFlags(annotation) & unseen
    yield -max(box.top, box.bottom), box.left, Field(name, value, shown)


def _string(function: Callable[..., int], forms: Any, annotation: Any) -> str:
    """Return a string that PDFium writes as UTF-16, with a NUL at its end."""
    from pypdfium2 import raw

    size = function(forms, annotation, None, 0)
    buffer = ctypes.create_string_buffer(size)
    function(forms, annotation, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0")
