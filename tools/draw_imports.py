"""Draw the imports between the packages of likewise, as SVG: docs/images/imports.svg.

    python -m tools.draw_imports > docs/images/imports.svg

Packages are in their order, from top to bottom; an arc is an import of a package above.
"""

from __future__ import annotations

from collections import Counter
from xml.sax.saxutils import escape

from tests.test_layout import ORDER, imports, modules

ROW, LEFT, WIDTH = 26, 130, 520


def draw(edges: Counter[tuple[str, str]]) -> str:
    """The picture; the width of an arc grows with the number of imports."""
    shown = [name for name in ORDER if any(name in edge for edge in edges)]
    place = {name: 20 + ROW * i for i, name in enumerate(shown)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {ROW * len(shown) + 20}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{ROW * len(shown) + 20}" fill="#fff"/>',
    ]
    for (above, below), count in sorted(edges.items()):
        top, bottom = sorted((place[above], place[below]))
        reach = LEFT + 24 + 0.62 * (bottom - top)
        parts.append(
            f'<path d="M{LEFT} {top} C{reach:.0f} {top} {reach:.0f} {bottom} {LEFT} {bottom}" '
            f'fill="none" stroke="#4062bb" stroke-opacity="0.45" '
            f'stroke-width="{min(6.0, 0.6 + count**0.5 / 2):.1f}"/>'
        )
    parts += [
        f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end" fill="#1b1b1b">{escape(name)}</text>'
        for name, y in place.items()
    ]
    return "\n".join([*parts, "</svg>"])


if __name__ == "__main__":
    print(draw(Counter(
        (name, other) for name, path in modules() for other, _, _ in imports(path)
        if other != name and other in ORDER
    )))  # fmt: skip
