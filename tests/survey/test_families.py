"""The passage families of a survey: those of Python, as plain values of a limited size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from likewise.documents.document import Document
from likewise.passages.families.find import find_families
from likewise.passages.families.results import Families
from likewise.passages.find import find_passages
from likewise.passages.settings import Exclusions
from likewise.survey import families as survey_families
from likewise.survey.anonymous.families import CHANGED, FIELDS, SAME
from likewise.survey.anonymous.survey import AnonymousSurvey
from likewise.survey.archive import Archive
from likewise.survey.settings import SurveySettings
from likewise.survey.survey import Survey
from tests.survey.made_texts import essays, some

TEXTS = essays(7)
DOCUMENTS = [Document(text, id=id_) for id_, text in TEXTS.items()]


def unpacked(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Each family with its witnesses and its columns, in order."""
    ids, columns = view["documents"]["columns"]["id"], view["families"]["columns"]
    made = []
    for values in zip(*columns.values(), strict=True):
        row = dict(zip(columns, values, strict=True))
        flat = row["witnesses"]
        row["witnesses"] = [
            (ids[flat[at]] if flat[at] >= 0 else None, *flat[at + 1 : at + 3])
            for at in range(0, len(flat), 3)
        ]
        row["words"] = words_of_runs(row["words"], row["witnesses"])
        made.append(row)
    return made


def words_of_runs(packed: list[int], witnesses: list[tuple[Any, int, int]]) -> list[list[int]]:
    size, found = len(witnesses) + 1, []
    for at in range(0, len(packed), size):
        for step in range(packed[at]):
            places = zip(packed[at + 1 : at + size], witnesses, strict=True)
            found.append([word + step + one[1] - 1 if word else -1 for word, one in places])
    return sorted(found)


def expected(families: Families[str]) -> list[dict[str, Any]]:
    return [
        {
            "documents": family.documents, "common": family.common, "run": family.run,
            "p": family.p, "kind": family.kind,
            "witnesses": [(one.id, one.first, one.stop) for one in family.witnesses],
            "words": sorted(family.columns.tolist()),
        }
        for family in families
    ]  # fmt: skip


@pytest.mark.parametrize(
    "exclude", [Exclusions(), Exclusions(quotations=True, bibliography=True, min_passage=20)]
)
def test_they_are_those_of_find_families(exclude: Exclusions) -> None:
    view = Survey(DOCUMENTS, SurveySettings(exclude=exclude, null_pairs=100)).to_dict()
    found = find_families(find_passages(list(TEXTS.values()), ids=list(TEXTS), exclude=exclude))
    assert unpacked(view) == expected(found)
    assert view["families"]["count"] == len(found) > 5
    assert len(view["families"]["ranks"]) == len(DOCUMENTS)


def test_documents_of_an_archive_are_witnesses() -> None:
    archive = Archive({"last year": DOCUMENTS[8:]})
    view = Survey(DOCUMENTS[:8], SurveySettings(null_pairs=100), archive=archive).to_dict()
    documents = list(TEXTS.items())
    found = find_passages(
        [text for _, text in documents[:8]], ids=[id_ for id_, _ in documents[:8]],
        against=[text for _, text in documents[8:]],
        against_ids=[id_ for id_, _ in documents[8:]],
    )  # fmt: skip
    between = {
        frozenset((pair.a, pair.b.removeprefix("last year: "))) for pair in found if pair.passages
    }
    shown = [
        {str(one[0]).removeprefix("last year: ") for one in family["witnesses"]}
        for family in unpacked(view)
    ]
    for pair in between:  # each of them is in some family of both
        assert any(pair <= family for family in shown)
    under_review = {id_ for id_, _ in documents[:8]}
    assert all(family & under_review for family in shown)


def test_only_so_many_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    every = Survey(DOCUMENTS, SurveySettings(null_pairs=100)).to_dict()
    count = every["families"]["count"]
    sentence = f"{count} passage families were found; the 5 of the most documents are listed, "
    view = Survey(DOCUMENTS, SurveySettings(null_pairs=100, max_families=5)).to_dict()
    assert view["families"]["count"] == count
    assert unpacked(view) == unpacked(every)[:5]
    assert f"{sentence}the other {count - 5} are not." in view["left_out"]
    assert not any("families" in one for one in every["left_out"])
    sizes = [len(one["words"]) * len(one["witnesses"]) for one in unpacked(every)]
    monkeypatch.setattr(survey_families, "_MAX_NUMBERS", sum(sizes[:5]))
    small = Survey(DOCUMENTS, SurveySettings(null_pairs=100)).to_dict()
    assert unpacked(small) == unpacked(every)[:5]


def test_documents_that_are_not_listed_have_no_row() -> None:
    settings = SurveySettings(null_pairs=100, max_pairs=1, max_documents=2)
    view = Survey(DOCUMENTS, settings).to_dict()
    first = unpacked(view)[0]
    assert len(view["documents"]["columns"]["id"]) == 2
    assert first["documents"] > 2
    assert sum(one[0] is None for one in first["witnesses"]) >= first["documents"] - 2


def test_wording_that_too_many_documents_have_is_in_none() -> None:
    """Not all of its documents were compared, so its witnesses are not known."""
    shared = " ".join(some(30, "shared"))
    other = " ".join(some(30, "other"))
    count = 700
    texts = [
        [*some(60, at), f"before{at}", *([shared] if at < 600 else [other] if at > 690 else [])]
        for at in range(count)
    ]
    documents = [Document(" ".join(text), id=f"{at:03}") for at, text in enumerate(texts)]
    made = Survey(documents, SurveySettings(null_pairs=100, max_pairs=50))
    view = made.to_dict()
    assert view["families"]["count"] == 1
    (family,) = unpacked(view)
    assert family["documents"] == 9
    assert made.families.common
    assert len(view["families"]["common"]) >= 6
    assert any("is in no passage family" in one for one in view["left_out"])


def test_nothing_shared_and_nothing_to_compare() -> None:
    for documents in ([], DOCUMENTS[:1], [Document("a b c", id="x"), Document("", id="y")]):
        view = Survey(documents, SurveySettings(null_pairs=10)).to_dict()["families"]
        assert view["count"] == 0
        assert not view["columns"]["witnesses"]


def test_without_names_they_are_the_same_in_an_order_of_numbers() -> None:
    survey = Survey(
        [Document(text, id=f"{chr(122 - at)} {at}") for at, text in enumerate(TEXTS.values())],
        SurveySettings(null_pairs=100),
    )
    anonymous = AnonymousSurvey(survey)
    named_view, view = survey.to_dict(), anonymous.to_dict()
    assert named_view["families"].keys() == view["families"].keys() == {*FIELDS}
    assert view["families"]["columns"].keys() == {*SAME, *CHANGED}
    assert view["families"]["ranks"] is None
    files = {row.number: row.file for row in anonymous.key()}

    def named(family: dict[str, Any], files: dict[str, str]) -> Any:
        ids = [files.get(id_, id_) for id_, _, _ in family["witnesses"]]
        order = np.lexsort(([one[1] for one in family["witnesses"]], ids))
        witnesses = [(ids[at], *family["witnesses"][at][1:]) for at in order]
        words = sorted([column[at] for at in order] for column in family["words"])
        return [*(family[name] for name in SAME), witnesses, words]

    before = [named(family, {}) for family in unpacked(named_view)]
    after = [named(family, files) for family in unpacked(view)]
    assert sorted(before, key=repr) == sorted(after, key=repr)
    rows = [family["witnesses"][::3] for family in [
        {"witnesses": flat} for flat in view["families"]["columns"]["witnesses"]
    ]]  # fmt: skip
    assert all(own == sorted(own) for own in rows)
