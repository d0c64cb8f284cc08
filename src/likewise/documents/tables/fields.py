"""Values inside a row of JSON: `message.content` is the field "content" of the object "message".

A field whose own name has the dots comes first. In a list, the path is that of each element, so
that `messages.content` is the content of every message. Texts in a list are joined by a blank line,
as paragraphs are; lists in lists count as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

JOINT = "\n\n"


def find_value(row: Mapping[str, Any], name: str) -> Any:
    """Return the value of a field; None where there is none.

    >>> row = {"message": {"content": "a"}, "turns": [{"text": "b"}, {}], "turns.n": 2}
    >>> [find_value(row, name) for name in ("message.content", "turns.text", "turns.n")]
    ['a', ['b', None], 2]
    """
    if "." not in name or name in row:
        return row.get(name)
    value: Any = row
    for key in name.split("."):
        if type(value) is list:
            value = [one.get(key) for one in flat(value) if type(one) is dict]
        else:
            value = value.get(key) if type(value) is dict else None
    return value


def flat(values: Iterable[Any]) -> Iterator[Any]:
    """Yield what is in a list and in the lists in it.

    >>> list(flat([1, [2, [3], []]]))
    [1, 2, 3]
    """
    levels = [iter(values)]  # not by recursion: lists may be nested deeply
    while levels:
        for value in levels[-1]:
            if type(value) is list:
                levels.append(iter(value))
                break
            yield value
        else:
            levels.pop()


def join_texts(texts: Iterable[str | None]) -> str:
    """Return texts as paragraphs of one; without those that are missing or empty.

    >>> join_texts(["a", None, "", "b"])
    'a\\n\\nb'
    """
    return JOINT.join(filter(None, texts))
