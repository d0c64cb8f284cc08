"""Text without its markup: tags, entities, LaTeX commands and the targets of links are blanked.

A benchmark item that was copied from a web page or a paper has words in between that nobody sees,
such as those of `<span class="q">` or `\\textbf`. They are replaced by as many spaces, so that
every other character keeps its place.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from likewise.documents.texts import text_array

if TYPE_CHECKING:
    import pyarrow as pa

# Every part has a limit, so that a text full of "<" takes no longer than another.
_MARKUP = re.compile(
    r"<!--.{0,2000}?-->"
    r"|</?[A-Za-z][^<>]{0,1000}>"
    r"|&(?:[A-Za-z]{2,10}|\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6});"
    # A target may have brackets of its own; but no spaces, except before a title.
    r"|(?<=\])\([^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:\s{1,9}\"[^\"]{0,200}\")?\)"
    r"|\\(?:begin|end|label|ref|eqref|cite[a-z]{0,9})\*?(?:\[[^\[\]]{0,200}\])?\{[^{}]{0,200}\}"
    r"|\\[A-Za-z]{1,40}\*?",
    re.DOTALL,
)
_HINT = r"[<\\&]|\]\("  # of markup in a text


def without_markup(text: str) -> str:
    """The text with spaces in place of its markup.

    >>> without_markup(r"the <b>whole</b> \\\\emph{cost}")
    'the    whole           {cost}'
    """
    return _MARKUP.sub(lambda found: " " * len(found[0]), text)


def column_without_markup(column: pa.LargeStringArray) -> pa.LargeStringArray:
    """The same of each text of a column without nulls."""
    import pyarrow.compute as pc

    compute: Any = pc
    hinted = compute.match_substring_regex(column, _HINT)
    if not compute.any(hinted).as_py():
        return column
    blanked = [without_markup(str(text)) for text in column.filter(hinted).to_pylist()]
    replaced = compute.replace_with_mask(column, hinted, text_array(blanked))
    return cast("pa.LargeStringArray", replaced)
