"""Characters on a page of a PDF that nobody sees.

Objects are looked at first, which is quick; characters only where an object is suspicious. Text
that is nearly white is compared with the page drawn without it, unless nothing is under it. Text of
the mode that draws nothing is what text recognition puts over a picture of a page: there it stays.

Limitations: text in any other colour on a ground of the same colour is not noticed, nor is text
behind a picture.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, field
from typing import Any

from likewise.documents.hidden_text import (
    INVISIBLE,
    NEARLY_WHITE,
    OUTSIDE,
    TINY,
    TRANSPARENT,
    WHITE,
)

_MIN_POINTS = 2.0
_MIN_ALPHA = 13  # of 255
_MAX_DRAWN_PAGES = 20
_MAX_OBJECTS = 50_000  # of a page that is drawn, or looked at
_MAX_COMPARISONS = 5_000_000
_MAX_DEPTH = 4
_MAX_PIXELS = 2_000_000
_MIN_DIFFERENCE = 16  # of 255
_MIN_OUTSIDE_CHARACTERS = 20
_MIN_PICTURE_SHARE = 0.25  # of a page's area, where text recognition has been at work

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = 1, 2, 3, 4, 5
_STROKED = (1, 5)
_NOT_DRAWN = 3

Box = tuple[float, float, float, float]  # left, bottom, right, top
Unseen = tuple[int, int, str]  # from this character up to that one, why


class Drawing:
    """How many pages of a document may still be drawn to see what is on them."""

    def __init__(self) -> None:
        self.left = _MAX_DRAWN_PAGES


@dataclass
class _Objects:
    suspects: dict[int, str] = field(default_factory=dict)
    handles: dict[int, Any] = field(default_factory=dict)
    pictures: list[Box] = field(default_factory=list)
    painted: list[Box] = field(default_factory=list)
    count: int = 0


def find_unseen(page: Any, content: Any, length: int, drawing: Drawing) -> list[Unseen]:
    """Return runs of characters that are not seen on a page.

    Args:
        page, content: the page, and its characters.
        length: how many characters the text inside the page's bounds has.
        drawing: what is left of the document's share.
    """
    objects = _Objects()
    _look(page, objects)
    count = content.count_chars()
    if not objects.suspects and not 0 < length <= count - _MIN_OUTSIDE_CHARACTERS:
        return []
    bounds = page.get_bbox() if length else None
    characters = _Characters(content, objects.suspects, count)
    whys = dict(objects.suspects)
    for address, why in objects.suspects.items():
        if why == TINY and not characters.are_tiny(address):
            del whys[address]
    pale = [address for address, why in whys.items() if why == WHITE]
    on_paint = pale
    if len(pale) * len(objects.painted) < _MAX_COMPARISONS:
        on_paint = [one for one in pale if _is_on(characters.box(one), objects.painted)]
    for address in _drawn(page, objects, characters, on_paint, drawing):
        del whys[address]
    reasons = [whys.get(owner) if owner else None for owner in characters.owners]
    if bounds is not None:
        for at in range(count):
            if reasons[at] is None and characters.is_outside(at, bounds):
                reasons[at] = OUTSIDE
    _keep_recognised(reasons, objects.pictures, page)
    return _runs(reasons)


def _look(page: Any, objects: _Objects) -> None:
    from pypdfium2 import raw

    values = [ctypes.c_uint() for _ in range(4)]
    colour = [ctypes.byref(value) for value in values]
    size, matrix = ctypes.c_float(), raw.FS_MATRIX()
    size_at, matrix_at = ctypes.byref(size), ctypes.byref(matrix)

    def scale_of(handle: Any) -> float:
        if not raw.FPDFPageObj_GetMatrix(handle, matrix_at):
            return 1.0
        return math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))

    def why_unseen(handle: Any, scale: float) -> str | None:
        mode = raw.FPDFTextObj_GetTextRenderMode(handle)
        if mode == _NOT_DRAWN:
            return INVISIBLE
        stroked = mode in _STROKED
        read = raw.FPDFPageObj_GetStrokeColor if stroked else raw.FPDFPageObj_GetFillColor
        if read(handle, *colour):
            if values[3].value < _MIN_ALPHA:
                return TRANSPARENT
            if min(values[0].value, values[1].value, values[2].value) >= NEARLY_WHITE:
                return WHITE
        if not raw.FPDFTextObj_GetFontSize(handle, size_at):
            return None
        return TINY if abs(size.value) * scale * scale_of(handle) < _MIN_POINTS else None

    def look(handles: Any, scale: float, depth: int, outer: Any) -> None:
        for handle in handles:
            objects.count += 1
            if objects.count > _MAX_OBJECTS:
                return
            kind = raw.FPDFPageObj_GetType(handle)
            if kind == _TEXT:
                if why := why_unseen(handle, scale):
                    address = _address(handle)
                    objects.suspects[address], objects.handles[address] = why, handle
            elif kind == _FORM:
                if depth < _MAX_DEPTH:
                    number = raw.FPDFFormObj_CountObjects(handle)
                    inner = (raw.FPDFFormObj_GetObject(handle, at) for at in range(number))
                    look(inner, scale * scale_of(handle), depth + 1, outer or handle)
            elif kind in (_IMAGE, _SHADING):
                box = _bounds(outer or handle)
                objects.painted.append(box)
                if kind == _IMAGE:
                    objects.pictures.append(box)
            elif kind == _PATH:
                raw.FPDFPageObj_GetFillColor(handle, *colour)
                if min(value.value for value in values[:3]) < NEARLY_WHITE:
                    objects.painted.append(_bounds(outer or handle))

    number = raw.FPDFPage_CountObjects(page.raw)
    look((raw.FPDFPage_GetObject(page.raw, at) for at in range(number)), 1.0, 0, None)


class _Characters:
    """The characters of a page, by the object that draws them."""

    def __init__(self, content: Any, suspects: dict[int, str], count: int) -> None:
        from pypdfium2 import raw

        self._content = content
        self.owners = [_address(raw.FPDFText_GetTextObject(content.raw, at)) for at in range(count)]
        self._of: dict[int, list[int]] = {address: [] for address in suspects}
        for at, owner in enumerate(self.owners):
            if owner in self._of:
                self._of[owner].append(at)

    def boxes(self, address: int) -> list[Box]:
        return [self._content.get_charbox(at) for at in self._of[address]]

    def box(self, address: int) -> Box:
        boxes = self.boxes(address) or [(0.0, 0.0, 0.0, 0.0)]
        lefts, bottoms, rights, tops = zip(*boxes, strict=True)
        return min(lefts), min(bottoms), max(rights), max(tops)

    def are_tiny(self, address: int) -> bool:
        return all(top - bottom < _MIN_POINTS for _, bottom, _, top in self.boxes(address))

    def is_outside(self, at: int, bounds: Box) -> bool:
        if self.owners[at] == 0:
            return False
        left, bottom, right, top = self._content.get_charbox(at)
        outside = right < bounds[0] or left > bounds[2] or top < bounds[1] or bottom > bounds[3]
        return outside and (left, bottom, right, top) != (0, 0, 0, 0)


def _drawn(
    page: Any, objects: _Objects, characters: _Characters, pale: list[int], drawing: Drawing
) -> list[int]:
    """Return those of the pale objects that make a difference when the page is drawn."""
    from pypdfium2 import raw

    if not pale or not drawing.left or objects.count > _MAX_OBJECTS:
        return pale
    drawing.left -= 1
    width, height = page.get_size()
    scale = min(2.0, math.sqrt(_MAX_PIXELS / max(1.0, width * height)))
    with_them = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    for address in pale:
        raw.FPDFPageObj_SetIsActive(objects.handles[address], False)
    without = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    one, other = bytes(with_them.buffer), bytes(without.buffer)

    def differs(box: Box) -> bool:
        x, y = ctypes.c_int(), ctypes.c_int()
        corners = []
        for px, py in ((box[0], box[1]), (box[2], box[3])):
            raw.FPDF_PageToDevice(
                page.raw, 0, 0, without.width, without.height, 0, px, py,
                ctypes.byref(x), ctypes.byref(y),
            )  # fmt: skip
            corners.append((x.value, y.value))
        (x0, y0), (x1, y1) = corners
        left, right = max(0, min(x0, x1)), min(without.width, max(x0, x1) + 1)
        for row in range(max(0, min(y0, y1)), min(without.height, max(y0, y1) + 1)):
            begin, end = row * without.stride + left, row * without.stride + right
            if one[begin:end] != other[begin:end]:
                pairs = zip(one[begin:end], other[begin:end], strict=True)
                if any(abs(a - b) >= _MIN_DIFFERENCE for a, b in pairs):
                    return True
        return False

    return [address for address in pale if any(map(differs, characters.boxes(address)))]


def _keep_recognised(reasons: list[str | None], pictures: list[Box], page: Any) -> None:
    """Keep text that is drawn by nothing and that a picture of the page shows."""
    unseen = sum(why in (INVISIBLE, TRANSPARENT) for why in reasons)
    if not unseen or unseen < sum(why is None for why in reasons):
        return
    width, height = page.get_size()
    area = sum(max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1]) for box in pictures)
    if area >= _MIN_PICTURE_SHARE * width * height:
        for at, why in enumerate(reasons):
            if why in (INVISIBLE, TRANSPARENT):
                reasons[at] = None


def _runs(reasons: list[str | None]) -> list[Unseen]:
    runs: list[Unseen] = []
    for at, why in enumerate(reasons):
        if why is None:
            continue
        if runs and runs[-1][1:] == (at, why):
            runs[-1] = (runs[-1][0], at + 1, why)
        else:
            runs.append((at, at + 1, why))
    return runs


def _is_on(box: Box, others: list[Box]) -> bool:
    return any(
        box[0] < other[2] and box[2] > other[0] and box[1] < other[3] and box[3] > other[1]
        for other in others
    )


def _bounds(handle: Any) -> Box:
    from pypdfium2 import raw

    sides = [ctypes.c_float() for _ in range(4)]
    raw.FPDFPageObj_GetBounds(handle, *map(ctypes.byref, sides))
    left, bottom, right, top = (side.value for side in sides)
    return left, bottom, right, top


def _address(handle: Any) -> int:
    return ctypes.cast(handle, ctypes.c_void_p).value or 0
