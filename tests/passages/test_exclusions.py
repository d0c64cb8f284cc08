from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import UsageError
from likewise.passages.exclusions import bibliography, merge, phrases, quotations
from tests.strategies import texts


def cut(text, ranges):
    return [text[start:end] for start, end in ranges]


PROSE = (
    "The river rises in the hills to the north and is joined by four smaller streams before it\n"
    "reaches the plain. In 1953 a flood took the old bridge, and the new one was opened in 1961.\n"
)


# Quotations


@pytest.mark.parametrize(
    "quoted",
    [
        "“all is well that ends well”",
        '"all is well that ends well"',
        "‘the students’ own words, it’s said’",
        "'Hello there, my dear,'",
        "``set as TeX has it''",
        "„Ende gut, alles gut, sagt man“",
        "„Koniec wieńczy całe to dzieło”",
        "‚so einfach ist das nicht‘",
        "»so einfach ist das nicht«",
        "›so einfach ist das nicht‹",
        "« tout est bien qui finit bien »",
        "«всё хорошо, что хорошо кончается»",
        "‹so einfach ist das nicht›",
        "”slutet gott, allting gott”",
        "「終わりよければすべてよし」",
        "『終わりよければすべてよし』",
        "“he said ‘never again’ and left”",
    ],
)
def test_quotations_of_every_style_are_found_with_their_marks(quoted):
    for text in (f"He wrote {quoted} and went.", quoted, f"({quoted}), and so on"):
        assert cut(text, quotations(text)) == [quoted]


@pytest.mark.parametrize(
    "text",
    [
        "It's the dogs' bone, and 'tis the cats' milk; don't ask o'clock",
        "the students’ books and the teachers’ rooms and ’twas in the ‘90s that they’d built them",
        'one of "two words" only',
        "a man of 5' 6\" and a woman of 6' 2\" came in",
        "“this one never closes",
        "“this one begins here\n\nand ends in another paragraph”",
        "he wrote “ and then ” with nothing between that was opened well",
        "A» between two quotations of other people «B",
        "Richard Wagner, 's last work was on the stage of the town for years, raison d'être",
        "home\n> products > shoes and more things",
    ],
)
def test_what_is_no_quotation_is_not_taken_for_one(text):
    assert quotations(text) == []


def test_a_mark_that_is_opened_again_begins_anew():
    text = "x “one two three, and “four five six” seven"
    assert cut(text, quotations(text)) == ["“four five six”"]


def test_marks_far_apart_do_not_belong_together():
    assert quotations('a "b ' + "word " * 1000 + 'end" of it') == []


def test_blocks_behind_signs_and_blocks_set_in_are_quotations():
    signs = "> all is well\n> that ends well\n"
    block = "     A passage of somebody else that is\n     set in on both of its sides.\n"
    text = f"{PROSE}\n{signs}\n{PROSE}\n{block}\n{PROSE}{PROSE}{PROSE}"
    assert cut(text, quotations(text)) == [signs, block]


@pytest.mark.parametrize(
    "block",
    [
        "     one line alone that is set in, as the first of a paragraph is\n",
        "    def code(a, b):\n        return {a: b[0]} + (c[1] * 2) - 3\n        x = [1, 2, 3]\n",
        "    - an item of a list of things\n    - and another item of it too\n",
        "    apples     12    15     fresh\n    pears      13    11     dried\n",
    ],
)
def test_code_lists_and_tables_are_no_quotations(block):
    assert quotations(f"{PROSE}\n{block}\n{PROSE}{PROSE}{PROSE}") == []


def test_a_text_that_is_all_set_in_is_no_quotation():
    text = "\n\n".join("     " + line for line in PROSE.splitlines() * 4)
    assert quotations(text.replace("plain. ", "plain.\n     ")) == []


# Bibliographies

ENTRIES = """Doe, J., & Roe, R. (2014). A study of rivers. Journal of Water, 12(3), 45-67.
https://doi.org/10.1000/182
Miller, A. (1999). Bridges of the north. Oxford University Press.
Smith, B. C. (2003). On floods. Annals of Weather, 7, 1-19.
"""
NUMBERED = """[1] J. Doe and R. Roe, "A study of rivers," J. Water, vol. 12, pp. 45-67, 2014.
[2] A. Miller, Bridges of the North. Oxford, 1999.
[3] B. C. Smith, "On floods," Ann. Weather, vol. 7, pp. 1-19, 2003.
[4] C. Jones, Rain. London, 1987, pp. 12-15.
[5] D. Weiss, "Wind," Ann. Weather, vol. 9, pp. 20-29, 2005.
"""
CHINESE = """[1] 王明. 河流研究[J]. 水利学报, 2014, 12(3): 45-67.
[2] 李华. 桥梁[M]. 北京: 科学出版社, 1999.
"""
RUSSIAN = """1. Иванов И. И. Реки. — М.: Наука, 1999. — 312 с.
2. Петров П. П. Мосты // Вода. 2003. № 4. С. 12–19.
"""


@pytest.mark.parametrize(
    ("heading", "entries"),
    [
        ("References", ENTRIES),
        ("REFERENCES:", ENTRIES),
        ("## 7. References", ENTRIES),
        ("VI. Works Cited", ENTRIES),
        ("Literaturverzeichnis", ENTRIES),
        ("Références bibliographiques", ENTRIES),
        ("Bibliografía", ENTRIES),
        ("Referências", NUMBERED),
        ("Riferimenti bibliografici", NUMBERED),
        ("Literatuurlijst", NUMBERED),
        ("Kaynakça", NUMBERED),
        ("Список литературы", RUSSIAN),
        ("参考文献", CHINESE),
        ("참고문헌", CHINESE),
        ("المراجع", NUMBERED),
    ],
)
def test_the_list_of_works_is_found_by_its_heading(heading, entries):
    text = f"{PROSE * 3}\n{heading}\n\n{entries}"
    assert cut(text, bibliography(text)) == [f"{heading}\n\n{entries}"]


def test_it_ends_at_the_next_heading():
    text = f"{PROSE * 3}References\n{ENTRIES}Appendix A: Tables\n{PROSE}"
    assert cut(text, bibliography(text)) == [f"References\n{ENTRIES}"]


def test_prose_behind_it_is_no_part_of_it():
    text = f"{PROSE * 4}References\n{ENTRIES}\n{PROSE * 4}"
    assert cut(text, bibliography(text)) == [f"References\n{ENTRIES}"]


@pytest.mark.parametrize(
    "text",
    [
        PROSE * 6,
        f"{PROSE * 3}References\n{PROSE * 3}",
        f"{PROSE * 3}He gave good references\n{ENTRIES}{PROSE * 3}",
        f"Contents\nReferences\n1 Rivers (1999), 2(3)\n2 Floods (2001), 4(5)\n{PROSE * 6}",
        "References",
        "",
    ],
)
def test_where_there_is_no_list_of_works_none_is_found(text):
    assert bibliography(text) == []


def test_a_list_without_heading_is_found_by_its_entries():
    text = f"{PROSE * 6}\n{NUMBERED}"
    assert cut(text, bibliography(text)) == [NUMBERED]
    assert bibliography(f"{PROSE * 3}\n{NUMBERED}\n{PROSE * 12}") == []


# Phrases


@pytest.mark.parametrize(
    ("text", "listed", "found"),
    [
        ("To the ANONYMOUS   reviewers.", ["anonymous reviewers"], ["ANONYMOUS   reviewers"]),
        ("Straße und STRASSE", ["strasse"], ["Straße", "STRASSE"]),
        ("the an\u00adonymous-\nnote!", ["Anonymous note"], ["an\u00adonymous-\nnote"]),
        ("東京タワーへ行きました。", ["タワーへ"], ["タワーへ"]),
        ("हिन्दी में लिखा", ["हिन्दी में"], ["हिन्दी में"]),
        ("ไทยภาษา", ["ภาษา"], ["ภาษา"]),
        ("crème de la cre\u0300me", ["crème"], ["crème", "cre\u0300me"]),
        ("one two three two three four", ["one two", "two three"], ["one two three", "two three"]),
        ("another thing", ["other thing", "a thing"], []),
        ("anything", [], []),
    ],
)  # fmt: skip
def test_phrases_are_found_by_their_words(text, listed, found):
    assert cut(text, phrases(text, listed)) == found


def test_bad_phrases_are_refused():
    with pytest.raises(UsageError, match="'…' has no word"):
        phrases("text", ["…"])
    with pytest.raises(UsageError, match="not one str"):
        phrases("text", "a phrase")
    with pytest.raises(UsageError, match="not a str but int"):
        phrases("text", [1])


# All of them

marked = st.lists(
    st.sampled_from(["“", "”", "„", "«", "»", "'", '"', "‘", "’", "a word or two ", "s", " ", "\n",
                     "\n\n", "> ", "     ", "References\n", "(1999), 2(3).\n", "[1] A. B", "文字"]),
    max_size=40,
).map("".join)  # fmt: skip


@given(marked | texts, st.lists(st.sampled_from(["a word", "or two", "文字", "1999"]), max_size=3))
def test_ranges_are_inside_the_text_in_order_and_apart(text, listed):
    for ranges in (quotations(text), bibliography(text), phrases(text, listed)):
        ends = [place for one in ranges for place in one]
        assert ends == sorted(set(ends))
        assert all(0 <= place <= len(text) for place in ends)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))))
def test_merged_ranges_cover_the_same_places(ranges):
    merged = merge(ranges)
    places = {place for start, end in ranges for place in range(start, end)}
    assert [place for start, end in merged for place in range(start, end)] == sorted(places)
    assert all(one.end < other.start for one, other in pairwise(merged))


def test_pathological_texts_are_read_in_time():
    for text in ("‘s’ " * 50_000, "“" * 100_000, "'a s' " * 40_000, "> a\n" * 50_000):
        assert len(quotations(text)) <= 50_000
    assert bibliography("References\n" * 30_000) == []
    assert bibliography("[1] Doe, J. 1999.\n" * 5_000) == []
    assert phrases("a " * 100_000, ["a a a a b", "b"]) == []
