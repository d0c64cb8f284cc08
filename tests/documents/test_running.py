"""Running headers, footers and page numbers; form fields."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.formats.pdf import extract_pdf
from likewise.documents.formats.running_lines import Page, find_running
from tests.documents.makers import make_form_pdf, make_placed_pdf

WORDS = ("river", "stone", "garden", "winter", "letter", "morning", "window", "silver", "market")


def body(page: int, count: int = 20) -> list[str]:
    chosen = random.Random(page)
    return [" ".join(chosen.choices(WORDS, k=9)) for _ in range(count)]


def drawn(page: int, header: str | None = None, footer: str | None = None, count: int = 20):
    """The lines of a page with their heights."""
    lines = [(760.0 - 14 * at, line) for at, line in enumerate(body(page, count))]
    above = [] if header is None else [(805.0, header)]
    return above + lines + ([] if footer is None else [(40.0, footer)])


def text_of(numbers, **options) -> str:
    return "".join(f"{line}\n" for number in numbers for line in body(number, **options))


def test_a_header_and_page_numbers_are_removed_and_reported():
    pages = [drawn(n, "Journal of Rivers, Vol. 3", str(n + 17)) for n in range(12)]
    found = extract_pdf(make_placed_pdf(pages))
    assert found.text == text_of(range(12))
    assert found.notes == (
        "running header or footer removed from 12 pages: “Journal of Rivers, Vol. 3”",
    )
    assert len(found.page_starts) == 12
    assert found.text[found.page_starts[5] :].startswith(body(5)[0])


@pytest.mark.parametrize("number", ["{}", "- {} -", "{}/9", "Page {} of 9", "p. {}", "Smith {}"])
def test_page_numbers_of_many_kinds_are_removed(number):
    pages = [drawn(n, None, number.format(n + 1)) for n in range(9)]
    assert extract_pdf(make_placed_pdf(pages)).text == text_of(range(9))


HEADERS = ("On the sea", "A walk in May", "Bread", "The old mill", "Letters home", "Night trains")


@pytest.mark.parametrize("height", [790.0, 40.0])
def test_page_numbers_behind_headers_that_differ_are_removed(height):
    pages = [[(805.0, HEADERS[n]), (height, str(n + 4)), *drawn(n)] for n in range(len(HEADERS))]
    wanted = "".join(f"{HEADERS[n]}\n{text_of([n])}" for n in range(len(HEADERS)))
    found = extract_pdf(make_placed_pdf(pages))
    assert found.text == wanted
    assert found.notes == ("page numbers removed from 6 pages",)


def test_numbers_within_the_text_stay():
    """The second line of a page, and a list that counts with the pages, far from its edge."""
    for count, height in ((2, 790.0), (6, 500.0)):
        pages = [[(805.0, HEADERS[n]), (height, str(n + 4)), *drawn(n)] for n in range(count)]
        text = extract_pdf(make_placed_pdf(pages)).text
        assert all(f"{HEADERS[n]}\n{n + 4}\n" in text for n in range(count))


def test_roman_numbers_and_a_title_page_without_a_header():
    roman = ["i", "ii", "iii", "iv", "v", "vi"]
    pages = [drawn(0, None, None)] + [drawn(n, "A Long Story", roman[n]) for n in range(1, 6)]
    assert extract_pdf(make_placed_pdf(pages)).text == text_of(range(6))


def test_headers_that_alternate_between_left_and_right_pages():
    pages = [drawn(n, f"{n + 1} The Author" if n % 2 else f"The Title {n + 1}") for n in range(10)]
    assert extract_pdf(make_placed_pdf(pages)).text == text_of(range(10))


def test_headers_that_differ_from_chapter_to_chapter():
    pages = [drawn(n, "The First Chapter" if n < 8 else "The Second Chapter") for n in range(16)]
    assert extract_pdf(make_placed_pdf(pages)).text == text_of(range(16))


def test_a_header_with_an_error_of_text_recognition_goes_with_the_others():
    pages = [drawn(n, "Journal of Rivers" if n != 4 else "Journa1 of Rivers") for n in range(8)]
    assert extract_pdf(make_placed_pdf(pages)).text == text_of(range(8))


def test_what_is_drawn_first_is_removed_wherever_it_is_on_the_page():
    pages = [[(40.0, f"{n + 1}"), (805.0, "My Essay"), *drawn(n)] for n in range(5)]
    assert extract_pdf(make_placed_pdf(pages)).text == text_of(range(5))


def test_a_refrain_on_every_page_stays():
    pages = [[*drawn(n), (760.0 - 14 * 20, "Quoth the raven, nevermore")] for n in range(8)]
    found = extract_pdf(make_placed_pdf(pages))
    assert found.text.count("nevermore") == 8
    assert found.notes == ()


def test_a_first_line_that_comes_twice_by_chance_stays():
    pages = [drawn(n, "Then it began to rain" if n in (2, 6) else None) for n in range(10)]
    assert extract_pdf(make_placed_pdf(pages)).text.count("Then it began to rain") == 2


def test_both_of_two_pages_must_agree():
    pages = [drawn(n, "My Essay", str(n + 1)) for n in range(2)]
    assert "My Essay" not in extract_pdf(make_placed_pdf(pages)).text
    pages = [drawn(0, "My Essay", "1"), drawn(1, "Other words", "2")]
    assert extract_pdf(make_placed_pdf(pages)).text.count("My Essay") == 1


def test_a_title_worded_like_the_header_stays():
    title = [(700.0, "A Long Story"), *((line[0] - 120, line[1]) for line in drawn(0))]
    pages = [title, *(drawn(n, "A Long Story") for n in range(1, 6))]
    assert extract_pdf(make_placed_pdf(pages)).text.count("A Long Story") == 1


def test_headings_that_count_up_stay():
    pages = [
        [(760.0, f"Exercise {n + 1}"), *[(h - 40, line) for h, line in drawn(n)]] for n in range(6)
    ]
    assert extract_pdf(make_placed_pdf(pages)).text.count("Exercise") == 6


def test_pages_that_are_all_the_same_are_kept():
    pages = [[(805.0, "Certificate"), (40.0, "The School of Rivers")]] * 6
    assert extract_pdf(make_placed_pdf(pages)).text.count("Certificate") == 6


@given(st.lists(st.lists(st.text("ab 12\n", max_size=8), max_size=9), max_size=12))
def test_lines_whose_position_is_unknown_are_removed_only_as_page_numbers(pages):
    made = [Page(lines) for lines in pages]
    for page, found in zip(made, find_running(made), strict=True):
        assert not any(any(map(str.isalpha, page.lines[at])) for at in found)


@given(st.integers(3, 9), st.integers(1, 200))
def test_distinct_lines_are_never_removed(count, seed):
    chosen = random.Random(seed)
    pages = [
        Page(lines := [f"{chosen.random()} " + "x" * chosen.randint(1, 40) + chosen.choice(WORDS)
                       + str(n) + chosen.choice("abcdefgh") * n for _ in range(8)],
             {at: 800.0 - 14 * at for at in range(len(lines))}, 842.0)
        for n in range(count)
    ]  # fmt: skip
    assert find_running(pages) == [set()] * count


def test_values_of_form_fields_are_read():
    fields = [("name", "Ada Lovelace", 0, 4), ("essay", "First line\rSecond “line”", 4096, 4)]
    found = extract_pdf(make_form_pdf(["Your name:", "Your essay:"], fields))
    assert found.text == ("Your name:\nYour essay:\nAda Lovelace\nFirst line\nSecond “line”\n")


def test_a_form_without_other_text_is_a_document():
    assert extract_pdf(make_form_pdf([], [("a", "all there is", 0, 4)])).text.strip() == (
        "all there is"
    )


def test_passwords_are_not_read_and_hidden_fields_are_hidden_text():
    fields = [("a", "seen by all", 0, 4), ("b", "secret", 1 << 13, 4), ("c", "not seen", 0, 2)]
    found = extract_pdf(make_form_pdf(["The text of the form itself"], fields))
    assert found.text == "The text of the form itself\nseen by all\n"
    assert [one.text for one in found.hidden] == ["not seen"]
    assert found.notes == ("7 characters of invisible text, excluded",)
