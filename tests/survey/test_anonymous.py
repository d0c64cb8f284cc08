"""A survey without names: none are left, every figure is the same, and texts are not destroyed."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest

from likewise.documents.document import Document, Hidden
from likewise.pages.key_file import write_key
from likewise.pages.page import write_page
from likewise.survey.anonymous import survey as anonymous
from likewise.survey.anonymous import views
from likewise.survey.anonymous.survey import AnonymousSurvey
from likewise.survey.archive import Archive
from likewise.survey.exclusion_data import HAS_PLACES, HAS_SCORE
from likewise.survey.settings import RunFacts
from likewise.survey.survey import Survey
from likewise.text.words import words_of
from tests.browser import hostile
from tests.survey.anonymity import PEOPLE, data_of, forms, found_in, named_documents, strings
from tests.survey.made_texts import some
from tests.survey.test_survey import ESSAYS


def page_of(survey: Survey | AnonymousSurvey, **options: Any) -> bytes:
    stream = io.BytesIO()
    write_page(survey, stream, **options)
    return stream.getvalue()


def shown_texts(survey: Survey | AnonymousSurvey) -> dict[str, str]:
    """The texts of a page by the names of their documents."""
    data = data_of(page_of(survey))
    return {one["id"]: one["text"] for name, one in data.items() if name.startswith("text-")}


def numbers_of(survey: AnonymousSurvey) -> dict[str, str]:
    """The names of documents by their numbers."""
    return {row.number: row.file for row in survey.key()}


def essays(*texts: tuple[str, str], shared: int = 60) -> AnonymousSurvey:
    """Texts by authors, each with a passage that all share."""
    passage = " ".join(some(shared, "passage"))
    documents = [
        Document(f"{text}\n\n{passage}", id=f"{at}.txt", metadata={"author": author or None})
        for at, (author, text) in enumerate(texts)
    ]
    return AnonymousSurvey(Survey(documents))


def text_of(survey: AnonymousSurvey, file: str) -> str:
    number = {file: number for number, file in numbers_of(survey).items()}[file]
    return shown_texts(survey)[number].partition("\n\n" + some(60, "passage")[0])[0]


@pytest.fixture(scope="module")
def named() -> Survey:
    run = RunFacts(
        title="Ada Lovelace's essays", command="likewise report /home/lovelace", made="2025",
        notes=["/home/Plato/class.csv: 12 documents described"],
        skipped=[("Ada Lovelace.pdf", "", "no text"), ("x.zip", "Plato.txt", "Plato.txt: broken")],
    )  # fmt: skip
    return Survey(named_documents(), run=run)


def test_no_name_and_no_file_is_in_the_page(named: Survey) -> None:
    page = page_of(AnonymousSurvey(named, title="Essays of Ada Lovelace"))
    wanted = [form for author in PEOPLE for form in forms(author)]
    wanted += [document.id for document in named_documents()]
    wanted += ["/home", "lovelace", "x.zip", "48213", "assignsubmission", "Class of"]
    assert found_in(page, wanted) == []
    assert found_in(page_of(named), wanted)[:3] == wanted[:3]
    # No single name is an ordinary word of made-up texts.
    single = {word for author in PEOPLE for word in re.findall(r"\w{2,}", author.casefold())}
    assert single & {word for one in strings(list(data_of(page).values()))
                     for word in re.findall(r"\w+", one.casefold())} == set()  # fmt: skip
    survey = data_of(page)["survey"]
    assert survey["title"] == "Essays of [name] [name]"
    assert survey["run"]["command"] is None
    assert sorted(survey["run"]["skipped"]) == [
        ["File 1", "", "no text"], ["File 2", "", "could not be read"],
    ] or sorted(survey["run"]["skipped"]) == [
        ["File 1", "", "could not be read"], ["File 2", "", "no text"],
    ]  # fmt: skip
    assert "title" not in survey["documents"]["columns"]
    assert "author" not in survey["documents"]["columns"]
    assert "date" not in survey["documents"]["columns"]


@pytest.mark.parametrize("documents", [ESSAYS, named_documents()], ids=["essays", "named"])
def test_every_figure_is_that_of_the_survey_with_names(documents: list[Document]) -> None:
    half = len(documents) // 2
    named = Survey(documents[:half], archive=Archive({"last year": documents[half:]}))
    check_figures(named, AnonymousSurvey(named))
    check_figures(whole := Survey(documents), AnonymousSurvey(whole))


def check_figures(named: Survey, anonymous: AnonymousSurvey) -> None:
    name_of = numbers_of(anonymous)
    one, other = (data_of(page_of(survey)) for survey in (named, anonymous))
    before, after = one["survey"], other["survey"]
    if named.archive is not None:
        assert after["archive"] == before["archive"] | {"names": ["archive"]}
        name_of = {number: id_ if id_ in before["documents"]["columns"]["id"]
                   else f"archive: {id_}" for number, id_ in name_of.items()}  # fmt: skip
    for field in ("histogram", "similarity", "chance", "chance_reason", "threshold", "exclusions",
                  "left_out", "hidden_characters", "min_words"):  # fmt: skip
        assert after[field] == before[field]
    assert after["run"]["counts"] == before["run"]["counts"]
    rows, old_rows = documents_by_name(before, {}), documents_by_name(after, name_of)
    assert rows == old_rows
    assert marks_by_name(before, {}) == marks_by_name(after, name_of)
    pairs, old_pairs = (pairs_by_names(one, named, {}), pairs_by_names(other, anonymous, name_of))
    assert pairs.keys() == old_pairs.keys()
    for key, found in pairs.items():
        assert old_pairs[key] == found, key
    names = [before["documents"]["columns"]["id"], after["documents"]["columns"]["id"]]
    texts = [
        {name_of.get(ids[int(key[5:])], ids[int(key[5:])]) if at else ids[int(key[5:])]: text
         for key, text in data.items() if key.startswith("text-")}
        for at, (ids, data) in enumerate(zip(names, (one, other), strict=True))
    ]  # fmt: skip
    assert texts[0].keys() == texts[1].keys()
    for name, text in texts[0].items():
        hidden = texts[1][name]
        assert hidden["words"] == text["words"]
        assert len(words_of(hidden["text"])) == len(words_of(text["text"]))
        assert [mark[2:] for mark in hidden["marks"]] == [mark[2:] for mark in text["marks"]]


def documents_by_name(survey: dict[str, Any], name_of: dict[str, str]) -> dict[str, Any]:
    columns = survey["documents"]["columns"]
    ids = [name_of.get(id_, id_) for id_ in columns["id"]]
    wanted = ("words", "matched", "highest", "sources", "run", "flags", "text")
    return {
        id_: [*(columns[name][row] for name in wanted),
              None if columns["best"][row] is None else ids[columns["best"][row]]]
        for row, id_ in enumerate(ids)
    }  # fmt: skip


def marks_by_name(survey: dict[str, Any], name_of: dict[str, str]) -> dict[str, list[Any]]:
    ids = [name_of.get(id_, id_) for id_ in survey["documents"]["columns"]["id"]]
    return {
        reason: sorted(
            (ids[places[at]], *places[at + 1 : at + 3]) for at in range(0, len(places), 3)
        )
        for reason, places in survey["exclusion_data"]["marks"].items()
    }


def pairs_by_names(
    data: dict[str, Any], shown: Survey | AnonymousSurvey, name_of: dict[str, str]
) -> dict[tuple[str, str], Any]:
    """The figures and passages of pairs, as the first by name sees them."""
    survey = data["survey"]
    exclusions = survey["exclusion_data"]
    columns = survey["pairs"]["columns"]
    ids = [name_of.get(id_, id_) for id_ in survey["documents"]["columns"]["id"]]
    found = {}
    for row, (a, b) in enumerate(zip(columns["a"], columns["b"], strict=True)):
        turned = ids[a] > ids[b]
        figures = {name: columns[name][row] for name in columns if name not in ("a", "b")}
        if turned:
            for one, other in anonymous.TURNED.items():
                figures[one], figures[other] = figures[other], figures[one]
        given = shown.passages(row)
        passages = sorted(passage_words(one, turned) for one in given)
        texts = [data[f"text-{at}"]["text"] for at in (a, b)]
        for one in given:
            check_places(one, texts)
        assert unpacked(exclusions["passages"][row]) == [whole_runs(one) for one in given]
        facts = exclusions["runs"][row], row in exclusions["by_passages"]
        found[min(ids[a], ids[b]), max(ids[a], ids[b])] = figures, passages, facts
    return found


def whole_runs(passage: dict[str, Any]) -> list[list[int]]:
    """The runs of a passage, put together where a mark cuts them."""
    runs: list[list[int]] = []
    for a, b, words, *_ in passage["matches"]:
        if runs and [runs[-1][0] + runs[-1][2], runs[-1][1] + runs[-1][2]] == [a, b]:
            runs[-1][2] += words
        else:
            runs.append([a, b, words])
    return runs


def unpacked(packed: list[int]) -> list[list[list[int]]]:
    """The runs of each passage, as `packed_passages` has them."""
    found: list[list[list[int]]] = []
    at = 0
    while at < len(packed):
        kind, number = packed[at : at + 2]
        at += 2
        runs: list[list[int]] = []
        end_a = end_b = 0
        for _ in range(number):
            before_a, before_b, words = packed[at : at + 3]
            runs.append([end_a + before_a, end_b + before_b, words])
            end_a, end_b, at = end_a + before_a + words, end_b + before_b + words, at + 3
        at += bool(kind & HAS_SCORE) + 4 * bool(kind & HAS_PLACES)
        found.append(runs)
    return found


def passage_words(passage: dict[str, Any], turned: bool) -> list[Any]:
    """What a passage says in words and numbers, without its places in characters."""
    sides = [
        [passage[prefix + name] for name in ("first", "last", "matched")]
        for prefix in (("other_", "") if turned else ("", "other_"))
    ]
    matches = sorted([b, a, n] if turned else [a, b, n] for a, b, n, *_ in passage["matches"])
    return [*sides, matches, *(passage[name] for name in ("words", "run", "similarity", "kind"))]


def check_places(passage: dict[str, Any], texts: list[str]) -> None:
    """The places in characters are those of the words, in texts without names too."""
    for prefix, text in zip(("", "other_"), texts, strict=True):
        begins = words_of(text).begins
        for place, word in (("start", "first"), ("end", "last")):
            at = int(np.searchsorted(begins, passage[prefix + place]))
            assert at == passage[prefix + word]
    for a, b, number, *places in passage["matches"]:
        for first, (start, end), text in ((a, places[:2], texts[0]), (b, places[2:], texts[1])):
            words = words_of(text)
            assert [start, end] == [words.begins[first], words.ends[first + number - 1]]


def test_every_field_of_the_survey_is_decided_about(named: Survey) -> None:
    """A field that is added must be added to the anonymous survey too, or it is not shown there."""
    known = {*anonymous.SAME, *anonymous.CHANGED}
    assert named.to_dict().keys() == known
    exclusions = {*anonymous.SAME_EXCLUSIONS, *anonymous.CHANGED_EXCLUSIONS}
    assert named.to_dict()["exclusion_data"].keys() == exclusions
    columns = named.to_dict()["pairs"]["columns"].keys()
    of_pairs = {*anonymous.OF_PAIR, *anonymous.TURNED, *anonymous.TURNED.values(), "a", "b"}
    assert columns <= of_pairs
    assert named.text(0).to_dict().keys() == {*views.SAME, *views.CHANGED, *views.LEFT_OUT}
    of_passage = {*views.OF_PASSAGE, *views.OF_A, *(f"other_{name}" for name in views.OF_A)}
    assert named.passages(0)[0].keys() == of_passage | {"matches"}
    decided = {*anonymous.OF_DOCUMENT, "id", "title", "author", "date", "group", "best", "text",
               "characters"}  # fmt: skip
    assert named.to_dict()["documents"]["columns"].keys() == {*decided, *views.LEFT_OUT}


def test_numbers_follow_neither_names_nor_the_order_of_sources() -> None:
    documents = named_documents()
    renamed = [
        Document(document.text, id=f"{len(documents) - at:02}", metadata={"author": author})
        for at, (document, author) in enumerate(zip(documents, PEOPLE, strict=True))
    ]
    first = {row.known["author"]: row.number for row in AnonymousSurvey(Survey(documents)).key()}
    other = {row.known["author"]: row.number for row in AnonymousSurvey(Survey(renamed)).key()}
    assert first == other
    assert [first[author] for author in PEOPLE] != sorted(first.values(), key=len)


def test_equal_input_gives_equal_bytes(named: Survey) -> None:
    assert page_of(AnonymousSurvey(named)) == page_of(AnonymousSurvey(named))


def test_documents_of_an_archive_have_numbers_and_no_archive_a_name() -> None:
    documents = named_documents()
    archive = Archive({"Essays of Plato": documents[6:9], "index Turing": documents[9:]})
    survey = AnonymousSurvey(Survey(documents[:6], archive=archive))
    page = page_of(survey)
    assert found_in(page, ["Plato", "Turing", "Lovelace"]) == []
    assert survey.to_dict()["archive"]["names"] == ["Archive 1", "Archive 2"]
    columns = survey.to_dict()["documents"]["columns"]
    assert columns["archive"][:6] == [None] * 6
    assert all(columns["archive"][6:])
    assert all(a < b for a, b in map(survey.pair, range(len(survey.rows))))
    assert {row.archive for row in survey.key()} == {None, *archive.collections}
    assert {row.file for row in survey.key()} == {one.id for one in documents}


def test_hostile_names_are_in_neither_page_nor_texts() -> None:
    metadata = hostile.metadata()
    documents = [
        Document(text, id=name, metadata=metadata.get(name))
        for name, text in hostile.texts().items()
    ]
    page = page_of(AnonymousSurvey(Survey(documents)))
    authors = {one["author"] for one in metadata.values()}
    wanted = [name for name in {*authors, *hostile.NAMES} if name not in hostile_remains()]
    assert found_in(page, wanted) == []


def hostile_remains() -> set[str]:
    """Names that are in the script of the page itself, or in no word of a text."""
    return {"__proto__", "constructor", "\x01\x08\x0b\x1f\x7f\ufeff\ufffe\ue000"}


def test_what_is_hidden_in_a_text_has_no_names() -> None:
    hidden = (Hidden(3, "by Ada Lovelace, and ada.l@uni.example", "white", 30),)
    text = f"аda Lovelace wrote {' '.join(some(80, 1))}"  # a Cyrillic letter
    documents = [
        Document(text, id="a", hidden=hidden, metadata={"author": "Ada Lovelace"}),
        Document(text, id="b", metadata={"author": "Alan Turing"}),
    ]
    page = page_of(AnonymousSurvey(Survey(documents)))
    assert found_in(page, ["lovelace", "аda", "ada.l"]) == []
    flags = [flag for name, one in data_of(page).items() if name.startswith("text")
             for flag in one["flags"]]  # fmt: skip
    shown = [flag[3] for flag in flags if flag[2] == "hidden"]
    assert shown == ["white: by [name] [name], and [name].[name]@uni.example"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("thanks to Ada Lovelace", "thanks to [name] [name]"),
        ("thanks to Lovelace, Ada and A. Lovelace", "thanks to [name], [name] and [name]. [name]"),
        ("Lovelace, A. B., and Ada B. Lovelace", "[name], [name]. B., and [name] [name]. [name]"),
        ("Ask Lovelace about it", "Ask [name] about it"),
        ("Lovelaces and Adana", "Lovelaces and Adana"),
        ("ADA LOVELACE and ada lovelace", "[name] [name] and [name] [name]"),
        ("write to x.y@uni.example or ada@z.example", "write to [name].[name]@uni.example or "
         "[name]@z.example"),
        ("see 0.txt and 0", "see [name].[name] and 0"),
    ],
)  # fmt: skip
def test_names_are_found_as_they_are_written(text: str, shown: str) -> None:
    survey = essays(("Ada Lovelace", some(120, 1)[0]), ("Alan Turing", text))
    assert text_of(survey, "1.txt") == shown


def test_ordinary_words_stay() -> None:
    body, other, third = (" ".join(some(110, seed)) for seed in "abc")
    survey = essays(
        ("Mary White", f"Mary White\n\n{body} in the White House, by White paint {body}"),
        ("Will Hope", f"Hope, W.\n\n{other} we will hope, it will be, for white walls {other}"),
        ("", f"{third} The White House. The White House. Will Hope said: I hope so. White {third}"),
    )
    assert survey.ordinary == ["hope", "white", "will"]
    text = text_of(survey, "2.txt")
    assert "The White House. The White House. [name] [name] said: I hope so. White" in text
    assert "in the White House, by White paint" in text_of(survey, "0.txt")
    assert text_of(survey, "0.txt").startswith("[name] [name]\n\n")
    assert "we will hope, it will be, for white walls" in text_of(survey, "1.txt")
    assert text_of(survey, "1.txt").startswith("[name], [name].\n\n")
    assert "3 names that are also ordinary words" in survey.run.notes[1]


def test_a_name_is_a_topic_where_a_text_by_another_has_it_often() -> None:
    body, other = (" ".join(some(110, seed)) for seed in "ab")
    survey = essays(
        ("Ann Darwin", f"Darwin\n\n{body} the voyage of Darwin {body}\n\nDarwin 2\n\n{body}"),
        ("", f"{other} Darwin, again Darwin, then Darwin and Darwin {other}"),
    )
    assert "Darwin, again Darwin, then Darwin and Darwin" in text_of(survey, "1.txt")
    own = text_of(survey, "0.txt")
    assert own.startswith("[name]\n\n")
    assert "the voyage of Darwin" in own
    assert "\n\n[name] 2\n\n" in own


def test_a_single_letter_that_is_a_name_is_one_only_where_authors_put_it() -> None:
    survey = essays(
        ("王", "作者：王\n\n国王的故事很长很长很长很长很长"),
        ("王小明", "王小明的故事，王先生说"),
    )
    assert text_of(survey, "0.txt") == "作者：[name]\n\n国王的故事很长很长很长很长很长"
    assert text_of(survey, "1.txt") == "[name][name][name]的故事，王先生说"


def test_a_word_that_is_aligned_with_a_name_is_one() -> None:
    """Otherwise the copy would tell the name of the author of the original."""
    body = " ".join(some(40, "copied"))
    survey = essays(
        ("Mary White", f"White\n\n{body}"),
        ("Alan Turing", f"{' '.join(some(120, 2))} white. White\n\n{body}"),
    )
    assert "white" in survey.ordinary
    copied = text_of(survey, "1.txt")
    assert "White" not in copied
    assert "white. [name]" in copied


def test_the_key_is_a_table_for_a_spreadsheet(named: Survey) -> None:
    stream = io.BytesIO()
    write_key(AnonymousSurvey(named).key(), stream)
    data = stream.getvalue()
    assert data.startswith(b"\xef\xbb\xbfdocument,file,author,")
    lines = data.decode("utf-8-sig").splitlines()
    assert len(lines) == 1 + len(PEOPLE) + 2
    assert sum("Ada Lovelace_48210_assignsubmission" in line for line in lines) == 1


def test_dates_stay_if_asked_for(named: Survey) -> None:
    columns = AnonymousSurvey(named, keep_dates=True).to_dict()["documents"]["columns"]
    assert sorted(columns["date"]) == [f"2025-10-{day:02}" for day in range(1, 13)]
    assert sorted(set(columns["group"]), key=lambda name: int(name[6:])) == [
        f"Group {at}" for at in range(1, 13)
    ]


def test_a_collection_without_pairs_or_names_has_an_anonymous_survey() -> None:
    survey = AnonymousSurvey(Survey([Document("one", id="a"), Document("two", id="b")]))
    assert survey.to_dict()["pairs"]["count"] == 0
    assert survey.run.notes == ["names were replaced by [name] in 0 places of 0 documents"]
