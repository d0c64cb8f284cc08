"""Markup is blanked, what is read stays, and every character keeps its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.texts import text_array
from likewise.text.markup import column_without_markup, without_markup
from likewise.text.words import words_of


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('a <span class="big red">word</span> here', "a word here"),
        ("one<br/>two<!-- not this -->three", "one two three"),
        ("caf\u00e9 &amp; bar&nbsp;x &#233; &#xE9;", "caf\u00e9 bar x"),
        ('see [the page](https://example.org/a_(b)?q=1 "title") now', "see the page now"),
        ("![a picture](img/a.png)", "a picture"),
        (r"the \textbf{whole} \emph{cost}", "the whole cost"),
        (r"as in \cite[p. 3]{knuth84} and \begin{proof}here\end{proof}", "as in and here"),
        (r"\frac{a}{b} + \sqrt{c}", "a b c"),
        ("a < b and b > c", "a b and b c"),
        ("f(x) = [1](2)", "f x 1"),
        ("3 <4 & 5> 2", "3 4 5 2"),
        ("if x <y then z", "if x y then z"),
    ],
)
def test_only_what_is_read_stays(text: str, read: str) -> None:
    blanked = without_markup(text)
    words = words_of(blanked)
    places = zip(words.begins.tolist(), words.ends.tolist(), strict=True)
    assert " ".join(text[begin:end] for begin, end in places) == read


@given(st.text('a< >/&;[]()\\{}!-"b\n', max_size=60))
def test_every_character_keeps_its_place(text: str) -> None:
    blanked = without_markup(text)
    assert len(blanked) == len(text)
    assert all(new in (old, " ") for new, old in zip(blanked, text, strict=True))
    (column,) = column_without_markup(text_array([text])).to_pylist()
    assert column == blanked


@pytest.mark.parametrize(
    "part", ["<", "<a ", "</", "<!--", "&", "&#", "](", "[a](b(", "\\a", "\\cite{"]
)
def test_a_text_full_of_beginnings(part: str) -> None:
    """Takes as long as it is, and not its square."""
    assert len(without_markup(part * 200_000)) == len(part) * 200_000
