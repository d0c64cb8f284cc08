"""`decontaminate`: planted items are found as far as is promised, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import UsageError
from likewise.decontamination.settings import DEFAULT_MAX_P
from likewise.statistics.shared_runs import SMALLEST_P
from tests.decontamination.made import documents, edited, items, text, words

FAST: dict[str, Any] = {"planted": 0, "threads": 1}


def planted(copy: str, seed: int = 1) -> str:
    """A document of other words around a copy."""
    return f"{text(60, 900 + seed)} {copy} {text(60, 950 + seed)}"


def pairs(found: likewise.Contamination) -> set[tuple[int, int]]:
    return {(hit.row, hit.item) for hit in found.hits if hit.verdict == "hit"}


def test_planted_copies_are_found_and_dropped() -> None:
    benchmark, train = items(20), documents(40)
    train[3] = planted(benchmark[4])
    train[30] = benchmark[7]
    train[31] = planted(edited(benchmark[9], 10))
    found = likewise.decontaminate(train, benchmark, **FAST)
    assert pairs(found) == {(3, 4), (30, 7), (31, 9)}
    assert found.kept == [row for row in range(40) if row not in (3, 30, 31)]
    assert found.texts == [train[row] for row in found.kept]
    hit = next(hit for hit in found.hits if hit.row == 3)
    (place,) = hit.places
    assert train[3][slice(*place)] == benchmark[4]
    assert (hit.words, hit.share, hit.run, hit.kind) == (30, 1.0, 30, "verbatim")
    assert hit.p == SMALLEST_P
    assert found.stats.counts["contaminated"] == 3
    assert found.benchmarks[0].affected == 3


def test_nothing_planted_nothing_found() -> None:
    found = likewise.decontaminate(documents(200), items(50), **FAST)
    assert found.hits == []
    assert found.kept == list(range(200))
    assert found.expected < 0.1
    assert "0 documents with 0 hits" in found.summary()[0]


def test_everything_planted_nothing_left() -> None:
    benchmark = items(30)
    found = likewise.decontaminate(
        benchmark, {"one": benchmark[:15], "two": benchmark[15:]}, **FAST
    )
    assert found.kept == found.texts == []
    assert [one.affected for one in found.benchmarks] == [15, 15]
    cut = likewise.decontaminate(benchmark, benchmark, action="cut", **FAST)
    assert cut.kept == []


@given(
    st.integers(0, 10**6), st.integers(13, 60), st.integers(0, 60), st.sampled_from((1, 2, 3)),
    st.sampled_from(("plain", "lines", "tags", "latex")),
)  # fmt: skip
def test_a_run_of_min_words_is_always_found(
    seed: int, length: int, before: int, threads: int, form: str
) -> None:
    """Whatever is around it, in the document and in the item."""
    shared = words(length, seed)
    forms = {
        "plain": " ".join(shared),
        "lines": "\n".join(shared),
        "tags": " ".join(f'<span class="x y">{word}</span>' for word in shared),
        "latex": " ".join(f"\\textbf{{{word}}}" for word in shared),
    }
    item = f"{text(9, seed + 1)} {' '.join(shared)} {text(9, seed + 2)}"
    train = [text(50, seed + 3), f"{text(before, seed + 4)} {forms[form]} {text(50, seed + 5)}"]
    found = likewise.decontaminate(train, [item], planted=0, threads=threads)
    assert pairs(found) == {(1, 0)}


def test_a_short_item_is_found_only_as_a_whole() -> None:
    item = words(8, 77)
    train = [
        planted(" ".join(item), 1),
        planted(" ".join(item[:7]), 2),
        planted(" ".join(["anders", *item[1:]]), 3),
        planted(" ".join([*item[:4], "anders", *item[4:]]), 4),
    ]
    found = likewise.decontaminate(train, [" ".join(item)], **FAST)
    assert pairs(found) == {(0, 0)}


def test_a_short_item_is_no_hit_where_chance_may_give_it() -> None:
    """Seven words are improbable in a page, and not in a book."""
    item = text(7, 78)
    page, book = f"{text(100, 1)} {item}", f"{text(60_000, 2)} {item}"
    found = likewise.decontaminate([page, book], [item], **FAST)
    assert pairs(found) == {(0, 0)}


def test_too_short_items_are_reported() -> None:
    found = likewise.decontaminate([text(50, 1)], ["one two three four", text(20, 3)], **FAST)
    assert found.benchmarks[0].searched == 1
    assert any("1 benchmark item is not searched for" in note for note in found.notes)


def test_what_many_items_begin_with_is_a_template() -> None:
    prompt = "Choose the correct answer from the following options and say why it is correct now:"
    benchmark = [f"{prompt} {one}" for one in items(8, size=20)]
    train = [
        planted(prompt, 1),
        planted(benchmark[2], 2),
        planted(benchmark[3].removeprefix(prompt)),
    ]
    found = likewise.decontaminate(train, benchmark, **FAST)
    assert pairs(found) == {(1, 2), (2, 3)}
    assert found.templates[0].items == 8
    assert found.templates[0].text.startswith("Choose the correct answer")


def test_a_text_that_several_questions_are_about_is_no_template() -> None:
    article = text(80, 5)
    benchmark = [f"{article} {one}" for one in items(8, size=10)]
    found = likewise.decontaminate([planted(article)], benchmark, **FAST)
    assert {hit.item for hit in found.hits if hit.verdict == "hit"} == set(range(8))


def test_the_same_item_in_many_benchmarks_is_no_template() -> None:
    item, others = text(20, 7), items(5)
    benchmarks = {f"task {at}": [item, others[at]] for at in range(5)} | {"all": [item.upper()]}
    train = [planted(item), planted(edited(item, 7), 2), text(100, 9)]
    found = likewise.decontaminate(train, benchmarks, **FAST)
    assert {(hit.benchmark, hit.row) for hit in found.hits} == {
        (name, row) for name in benchmarks for row in (0, 1)
    }
    assert found.templates == []


def test_what_is_left_of_an_item_besides_templates_is_searched_for() -> None:
    """A template in the middle, and few words on either side."""
    prompt = "is the question, of which you must choose the one answer that is right:"
    benchmark = [f"{text(6, at)} {prompt} {text(5, 50 + at)}" for at in range(8)]
    train = [planted(benchmark[1]), planted(f"{text(6, 2)} {prompt}"), planted(prompt)]
    found = likewise.decontaminate(train, benchmark, **FAST)
    assert pairs(found) == {(0, 1)}


def test_wording_of_very_many_documents_is_a_template() -> None:
    benchmark = items(3)
    train = [planted(benchmark[0], seed) for seed in range(6)] + [planted(benchmark[1])]
    found = likewise.decontaminate(train, benchmark, max_documents=5, **FAST)
    assert pairs(found) == {(6, 1)}
    assert [hit.verdict for hit in found.hits if hit.item == 0] == ["template"] * 6
    assert found.benchmarks[0].templates == 1
    assert found.kept == list(range(6))


def test_a_part_of_an_item_that_very_many_documents_have() -> None:
    """The rest of the item is still found, and only that."""
    common, own = text(20, 1), text(20, 2)
    train = [planted(common, seed) for seed in range(6)] + [planted(f"{common} {own}", 8)]
    found = likewise.decontaminate(train, [f"{common} {own}"], max_documents=6, **FAST)
    assert pairs(found) == {(6, 0)}
    (hit,) = (hit for hit in found.hits if hit.verdict == "hit")
    assert (hit.words, hit.share, hit.run) == (20, 1.0, 20)


def test_cut_leaves_what_is_around() -> None:
    item = items(1)[0]
    before, after = text(40, 1), text(40, 2)
    train = [f"{before} {item} {after}", f"{before}({item}){after}", item, None, text(30, 3)]
    found = likewise.decontaminate(train, [item], action="cut", **FAST)
    assert found.kept == [0, 1, 3, 4]
    assert found.texts[0] is not None
    assert found.texts[0].split() == f"{before} {after}".split()
    assert item not in (found.texts[1] or "")
    assert found.texts[2:] == [None, train[4]]


def test_annotate_keeps_everything() -> None:
    benchmark = items(2)
    found = likewise.decontaminate(benchmark, benchmark, action="annotate", **FAST)
    assert found.texts == benchmark
    assert pairs(found) == {(0, 0), (1, 1)}


@pytest.mark.parametrize(
    "item",
    [
        "Το κείμενο αυτό είναι μια ερώτηση από ένα τεστ για τα σχολεία της χώρας σήμερα",
        "هذا السؤال من اختبار قديم لا يعرفه أحد في هذه المدينة البعيدة عن البحر اليوم",
        "यह प्रश्न एक पुरानी परीक्षा से लिया गया है जिसे आज कोई भी नहीं जानता है यहाँ",
        "東京都の北にある小さな博物館では毎年秋になると江戸時代の珍しい地図が何枚も公開される",
        "北京郊外的一座小博物馆每年秋天都会展出几张罕见的清代地图并邀请学者讲解其来历",
    ],
)
def test_scripts(item: str) -> None:
    """Letters of scripts without spaces are words, of which a hit needs twice as many."""
    space = " " if " " in item else ""
    parts = item.split() if space else list(item)
    other = space.join(reversed(parts))
    train = [f"{other}{space}{item}{space}{other}", other, space.join(parts[: len(parts) // 3])]
    found = likewise.decontaminate(train, [item], **FAST)
    assert pairs(found) == {(0, 0)}


def test_hostile_texts() -> None:
    """None is a hit by itself, and none takes the item beside it away."""
    item = items(1)[0]
    many = ("<", "\\", "](", "<!--", "&", "a ", "\0", "\ud800", "<a ", "[x](", "\\cite{")
    hostile = ["", " ", *(5000 * one for one in many), None]
    both = [f"{one} {item}" for one in hostile if one is not None]
    found = likewise.decontaminate([*hostile, *both], [item], **FAST)
    assert {row for row, _ in pairs(found)} == set(range(len(hostile), len(hostile) + len(both)))


def test_an_item_that_repeats_itself() -> None:
    item = " ".join(["ho ho ho"] * 20)
    found = likewise.decontaminate([f"a {item} b", "ho ho " * 3000, text(50, 1)], [item], **FAST)
    assert 2 not in {row for row, _ in pairs(found)}


def test_the_result_does_not_depend_on_threads() -> None:
    benchmark, train = items(40), documents(100)
    for at in range(0, 40, 3):
        train[2 * at] = planted(edited(benchmark[at], 4 + at % 7), at)
    one = likewise.decontaminate(train, benchmark, threads=1, planted=20)
    many = likewise.decontaminate(pa.chunked_array([train[:30], train[30:]]), benchmark, threads=5,
                                  planted=20)  # fmt: skip
    assert one.hits == many.hits
    assert (one.recall, one.expected, one.kept) == (many.recall, many.expected, many.kept)


def test_ids_are_those_that_were_given() -> None:
    benchmark = items(2)
    found = likewise.decontaminate(
        [planted(benchmark[1])], {"a": benchmark[:1], "b": benchmark[1:]}, ids=[7],
        against_ids={"b": ["q9"]}, **FAST,
    )  # fmt: skip
    assert [(hit.benchmark, hit.item, hit.document) for hit in found.hits] == [("b", "q9", 7)]
    table = found.to_arrow()
    assert table["document"].to_pylist() == ["7"]
    assert table["share"].to_pylist() == [1.0]


def test_recall_is_that_of_the_copies() -> None:
    found = likewise.decontaminate(documents(50), items(60), planted=60, threads=2)
    of = {one.level: one for one in found.recall}
    for level in ("verbatim", "lines re-wrapped", "markup inserted"):
        assert of[level].found == of[level].planted == 60
    assert of["5 % of words replaced"].found >= of["20 % of words replaced"].found
    assert all(one.estimate.low <= one.estimate.value <= one.estimate.high for one in found.recall)
    again = likewise.decontaminate(documents(50), items(60), planted=60, threads=1)
    assert again.recall == found.recall


def test_recall_is_low_where_little_can_be_found() -> None:
    """Items that must occur as a whole are lost by the first changed word."""
    found = likewise.decontaminate(documents(50), items(60, size=10), planted=60, threads=2)
    of = {one.level: one for one in found.recall}
    assert of["verbatim"].found == 60
    assert of["20 % of words replaced"].found < 30
    assert {one.items for one in found.recall} == {"short"}


def test_recall_leaves_no_trace() -> None:
    """Planted copies are neither hits nor in the texts."""
    train = documents(30)
    found = likewise.decontaminate(train, items(20), planted=20, threads=1)
    assert found.hits == []
    assert found.texts == train


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"action": "delete"}, "action is 'delete'; it must be one of drop, cut, annotate"),
        ({"min_words": 3}, "min_words is 3"),
        ({"max_p": 0}, "max_p is 0; it must be at least 1e-06 and less than 1"),
        ({"max_p": "0.1"}, "max_p is '0.1'"),
        ({"max_documents": 0}, "max_documents is 0"),
        ({"planted": -1}, "planted is -1"),
        ({"against": []}, "there are no benchmark items"),
        ({"against": {"a": ["x"]}, "against_ids": {"b": [1]}}, "against_ids must have the ids"),
        ({"against": ["x"], "against_ids": [1, 2]}, "there are 2 ids for 1 texts"),
        ({"against": [1]}, "text 0 is not a str"),
    ],
)
def test_arguments_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        likewise.decontaminate(**{"texts": ["a"], "against": ["b"], **options})


def test_the_default_probability_is_the_smallest_that_is_reported() -> None:
    assert DEFAULT_MAX_P == SMALLEST_P


def test_one_answer() -> None:
    """A hit's places are those of the passages that `find_passages` reports for the same pair."""
    item = items(1)[0]
    document = planted(edited(item, 12))
    found = likewise.decontaminate([document], [item], **FAST)
    (pair,) = likewise.find_passages([document], against=[item], min_words=4)
    assert found.hits[0].places == tuple((p.a_start, p.a_end) for p in pair.passages)
    assert found.hits[0].words == pair.words_b


def test_samples_are_not_contaminated_by_each_other() -> None:
    """Real prose on one subject: what is reported are the copies that were planted in it."""
    folder = Path(__file__).parents[2] / "samples"
    essays = [path.read_text() for path in sorted((folder / "essays").glob("*.txt"))]
    question = (
        "Explain in your own words how the printing press changed the price of books, and name two "
        "towns in which early printers worked before the year 1480."
    )
    found = likewise.decontaminate([*essays, planted(question)], [question], **FAST)
    assert {hit.row for hit in found.hits} == {len(essays)}
