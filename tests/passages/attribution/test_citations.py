"""What is an in-text citation, and what looks like one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.passages.attribution import author_year, citations, numbered_marks, other_citations
from likewise.passages.attribution import sentences as sentence_rules
from likewise.passages.attribution.citations import MAX_BRACKETS, find_citations
from likewise.passages.attribution.works_listed import WorksListed
from likewise.passages.ranges import merge
from tests.strategies import texts


def cited(text: str) -> list[str]:
    return [text[start:end] for start, end in find_citations(text, WorksListed.of(text))]


@pytest.mark.parametrize(
    "citation",
    [
        "(Smith 2019)",
        "(Smith, 2019)",
        "(Smith & Jones, 2019, p. 12)",
        "(Smith and Jones 2019: 12–14)",
        "(Smith et al., 2019a)",
        "(see Smith 2019; Jones 2020)",
        "(cf. O’Brien 1998, ch. 3)",
        "(van der Berg 2001)",
        "(Smith 1998–2004)",
        "(Smith [1867] 1990)",
        "(Smith, 1867/1990)",
        "(Smith, n.d.)",
        "(Smith, in press)",
        "(World Health Organization, 2020)",
        "(Smith, 2019, emphasis added)",
        "[Smith 2019]",
        "(vgl. Müller 2018, S. 4)",
        "(Müller/Groß 2018, 12 f.)",
        "(zit. nach Müller 2018)",
        "(Müller, o. J.)",
        "(voir Lefèvre, 2011, p. 8)",
        "(véase García y Muñoz, 2011)",
        "(García, s. f.)",
        "(см. Иванов, 2001, с. 5)",
        "(Иванов и др., 2001)",
        "(Іваненко 2015)",
        "(βλ. Παπαδόπουλος, 2018, σ. 21)",
        "(العلي، 2019، ص 12)",
        "(العلي، ٢٠١٩)",
        "(כהן, 2019)",
        "(शर्मा, 2019)",
        "（王，2019）",
        "（王明和李红，２０１９，第12页）",
        "（国家统计局，2019）",
        "（山田、2008）",
        "（参见王明，2010）",
        "(김철수, 2018)",
    ],
)
def test_authors_and_years_in_brackets(citation: str) -> None:
    assert cited(f"So it has been said {citation}, and so it is.") == [citation]


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("Smith (2019) says so.", "(2019)"),
        ("As Smith and Jones (2019, p. 12) say, it is so.", "(2019, p. 12)"),
        ("Smith’s (2019) book says so.", "(2019)"),
        ("Smith et al. (2019a) say so.", "(2019a)"),
        ("Nach Müller (2018, S. 4) ist es so.", "(2018, S. 4)"),
        ("Müller u. a. (2018) sagen das.", "(2018)"),
        ("Иванов (2001) пишет так.", "(2001)"),
        ("Ο Παπαδόπουλος (2018) λέει.", "(2018)"),
        ("يرى العلي (2019) أن الأمر كذلك.", "(2019)"),
        ("לפי כהן (2019) כך הדבר.", "(2019)"),
        ("शर्मा (2019) के अनुसार ऐसा है।", "(2019)"),
        ("根据王明（2019）的研究，事情如此。", "（2019）"),
        ("欧阳修文（2008）认为如此。", "（2008）"),
        ("王明等（2019）认为如此。", "（2019）"),
        ("山田（2019）によれば、そうである。", "（2019）"),
        ("김철수(2018)는 그렇게 말했다.", "(2018)"),
    ],
)
def test_an_author_before_the_year(text: str, citation: str) -> None:
    assert cited(text) == [citation]


@pytest.mark.parametrize(
    "text",
    [
        "In that year (2019) nothing happened.",
        "The war (1939–1945) was over.",
        "Marie Curie (1867–1934) was there.",
        "The plan of March (2004) failed, and that of spring (2005) too.",
        "It was signed (in March 2019) and forgotten (in Berlin 2019).",
        "The new bridge (opened in 1961) is in use (since 1962).",
        "They met (May 12, 2019) and parted (Monday, 3 June 2019).",
        "It has grown (see Figure 3, 2019) again (Table 2, 2018).",
        "He wrote it so [sic] and not otherwise […] as one would.",
        "There are three: (1) the cost, (2) the weather, and (3) habit.",
        "The function f(12) on [0, 1] is larger than g(3) on the interval [2, 3].",
        "As it is written (Mt 3,7), and again (Psalm 23) and (John 3:16).",
        "He took the Boeing (747) and paid (12 %) and (1,000 euros).",
        "Der Plan vom März (2004) und der vom Frühjahr (2005) scheiterten.",
        "Im Jahr (2019) geschah nichts, seit 1961 (vor 2019) auch nicht.",
        "Мартовский план (2004) и план на апрель (2005) не сбылись.",
        "Το σχέδιο του Μαρτίου (2004) δεν έγινε.",
        "أما خطة شهر مارس (2004) فلم تنفذ، والجسر (افتتح عام 1961) باق.",
        "三月的计划（2004）没有实施，新桥（1961年通车）在使用。",
        "三月の計画（2004）は実行されなかった。",
        "Area: 12 km², x² + y², 10⁶, sin² and R².",
        "a[1] + b[2] + c[3] and list_of[4], 3[5]",
        "Only one mark [1] and no list, and one more [2].",
        "See equation (12) and (13).",
        "One sentence.12 of nothing; COVID19 and PM10 are no notes.",
        "It cost 3.12 or v2.0; the U.S. and e.g. this. Mrs. v. d. Berg came.",
        "",
    ],
)
def test_what_looks_like_one(text: str) -> None:
    assert cited(text) == []


# A bibliography is looked for in the last two thirds of a text.
PROSE = "The old harbour was filled in long ago, and most people have forgotten it. " * 20
LIST = f"\n\n{PROSE}\n\nReferences\n" + "\n".join(
    f"[{i}] A. Smith, The memory of harbours, Port Press, 20{i:02}, pp. 3–9." for i in range(1, 13)
)
PLAIN_LIST = LIST.replace("[", "").replace("]", ".")


@pytest.mark.parametrize(
    "mark", ["[12]", "[3, 5–7]", "[3,5,7]", "[12, p. 4]", "［3］", "〔3〕", "【3】", "[1]–[3]"]
)
def test_numbers_in_brackets_of_a_text_with_a_numbered_list(mark: str) -> None:
    found = cited(f"It has often been said so {mark} and it may be so.{LIST}")
    assert found
    assert mark.startswith(found[0])


def test_numbers_in_brackets_count_if_there_are_several() -> None:
    assert cited("One [1] and two [2, 4] and three [3].") == ["[1]", "[2, 4]", "[3]"]
    assert cited("One [1] and again [1] and again [1].") == []


def test_no_number_counts_beyond_the_last_work() -> None:
    assert cited(f"It is so [12], not so [13], nor [1984] or [0, 1].{LIST}") == ["[12]"]


@pytest.mark.parametrize("mark", ["(12)", "(3,5–7)"])
def test_numbers_in_round_brackets_need_a_list_and_punctuation(mark: str) -> None:
    text = f"It has often been said {mark}. See equation (3). First (1) the cost, f(2)."
    assert cited(f"{text}{PLAIN_LIST}") == [mark]
    assert cited(text) == []


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("So it was said.¹² And more.", "¹²"),
        ("So it was “said long ago”³ and more.", "³"),
        ("如此而已。⁴ 然后", "⁴"),
        ("So it was said.4 And more.\n\n4 Smith, Harbours, p. 3.\n", "4"),
        ("So it was “said long ago”4 and more.\n\n4. Smith, Harbours, p. 3.\n", "4"),
        ("So it was said4 and more.\n\n[4] Smith, Harbours, p. 3.\n", "4"),
        ("So it was said* and more.\n\n* Smith, Harbours, p. 3.\n", "*"),
        ("It was so[^4] in the end.", "[^4]"),
    ],
)
def test_marks_of_footnotes(text: str, mark: str) -> None:
    assert cited(text)[0] == mark


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("So he says (ibid., p. 12).", "ibid."),
        ("So sagt er (ebd., S. 12).", "ebd."),
        ("Smith, op. cit., says so.", "op. cit."),
        ("Так и есть (там же, с. 5).", "там же"),
        ("Έτσι είναι (ό.π., σ. 4).", "ό.π."),
        ("如此（同上）。", "同上"),
        ("هكذا (المرجع نفسه، ص 3).", "المرجع نفسه"),
        (r"It is so \parencite[12]{smith2019}.", r"\parencite[12]{smith2019}"),
        ("It is so [@smith2019, p. 12].", "[@smith2019, p. 12]"),
        ("It is so [Knu84] and so.", "[Knu84]"),
        ("It was held in Roe v. Wade that it was so.", "Roe v. Wade"),
        ("It was held so, 410 U.S. 113.", "410 U.S. 113"),
        ("So steht es in § 823 Abs. 1 BGB geschrieben.", "§ 823 Abs. 1 BGB"),
        ("It is said so (https://example.org/a).", "(https://example.org/a)"),
        ("A picture of it. Source: The Harbour Trust", "Source:"),
        ("Ein Bild. Quelle: Hafenamt", "Quelle:"),
        ("图片。来源：港务局", "来源："),
    ],
)
def test_other_citations(text: str, citation: str) -> None:
    assert cited(text) == [citation]


NAMED_LIST = f"\n\n{PROSE}\n\nWorks Cited\n" + "\n".join(
    f"{name}, A. The memory of harbours. Port Press, 20{i:02}, pp. 3–9."
    for i, name in enumerate(("Smith", "Jones", "Lindqvist", "Okafor"), 11)
)


def test_an_author_and_a_page_need_a_bibliography_with_the_author() -> None:
    text = "It is so (Smith 12) and so (Smith and Jones 12–14), by Boeing (Boeing 747), (Room 12)."
    assert cited(text + NAMED_LIST) == ["(Smith 12)", "(Smith and Jones 12–14)"]
    assert cited(text) == []
    assert cited(f"He calls it “a longer memory than ours” (12). Yes (13).{NAMED_LIST}") == ["(12)"]


def test_an_author_before_a_year_must_be_in_the_bibliography() -> None:
    text = "Smith (2011) says so; Titanic (1997) and the Treaty of Rome (1957) do not."
    assert cited(text + NAMED_LIST) == ["(2011)"]


def test_the_bibliography_cites_nothing() -> None:
    assert cited(f"Nothing is cited here.{LIST}") == []


@given(texts)
def test_every_text_has_citations_in_order_within_it(text: str) -> None:
    found = find_citations(text, WorksListed.of(text))
    assert found == merge(found)
    assert all(0 <= start < end <= len(text) for start, end in found)


PIECES = st.lists(
    st.sampled_from(
        [
            "(",
            ")",
            "[",
            "]",
            "（",
            "）",
            "1",
            "2019",
            ",",
            " ",
            "Smith",
            "–",
            ".",
            "”",
            "¹",
            "\n",
            "王",
        ]
    ),
    max_size=60,
)


@given(PIECES)
def test_pieces_of_citations_are_no_error(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = find_citations(text, WorksListed.of(text))
    assert found == merge(found)


# Time: a pattern that is tried at every place takes linear time if what it may read from one place
# is bounded, and so is the number of ways in which it may read that.

MODULES = (author_year, citations, numbered_marks, other_citations, sentence_rules)
PATTERNS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, re.Pattern)
}
# Tried at one place, or on what is between two brackets: at most 200 characters.
SHORT = 2000


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_reads_far(name: str) -> None:
    parser: Any = pytest.importorskip("re")._parser
    tree = parser.parse(PATTERNS[name].pattern, PATTERNS[name].flags)
    unbounded = [width for width in _repeats(tree) if width >= parser.MAXREPEAT]
    ends_or_short = name in {
        "author_year._BEHIND",
        "author_year._OTHERS",
        "author_year._POSSESSIVE",
        "numbered_marks._INTERVAL_BEFORE",
        "numbered_marks._THING_BEFORE",
        "numbered_marks._NUMBER",
        "citations._NOTE_BEGINS",
        "sentences._COLON",
    }  # tried on a few characters that were cut out
    inner = ("IBID", "OTHERS", "REPORTED", "DATE", "YEARS_ONLY")
    if not ends_or_short and not name.endswith(inner):
        assert len(unbounded) <= _blanks_in_phrases(PATTERNS[name].pattern)
        assert tree.getwidth()[1] <= SHORT or unbounded


def _blanks_in_phrases(pattern: str) -> int:
    """Phrases of two words, "там же", may have any blanks between; their first word is rare."""
    return len(re.findall(r"\\s[+*]", pattern))


def _repeats(tree: Any) -> list[int]:
    found = []
    for op, value in tree:
        if str(op).endswith("REPEAT"):
            found.append(int(value[1]))
            found += _repeats(value[2])
        elif isinstance(value, tuple):
            found += [w for part in value if hasattr(part, "getwidth") for w in _repeats(part)]
            if str(op) == "BRANCH":
                found += [w for part in value[1] for w in _repeats(part)]
    return found


@pytest.mark.parametrize(
    "piece", ["(", "[1,", "(a", "[1", "(2019", "“(", "¹(", "Smith (2019) ", "[1] "]
)
def test_what_is_looked_at_grows_with_the_text_alone(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Characters between brackets are counted, of a text and of one ten times as long."""
    counts = []
    for repeats in (2_000, 20_000):
        text = piece * repeats
        read = 0

        def count(inner: str) -> bool:
            nonlocal read
            read += len(inner)
            return False

        monkeypatch.setattr(citations, "is_author_year", count)
        find_citations(text, WorksListed.of(text))
        counts.append(read)
        assert read <= 2 * len(text)  # square brackets may be within round ones
    assert counts[1] <= 10 * counts[0] + 200


def test_the_number_of_brackets_is_limited() -> None:
    text = "(Smith 2019) " * (MAX_BRACKETS + 10)
    assert len(cited(text)) == MAX_BRACKETS
