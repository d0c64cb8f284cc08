"""Passage families with exclusions made on a page are those of a report that was made with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser

from likewise.documents.document import Document
from likewise.passages.families.find import find_families
from likewise.passages.find import find_passages
from likewise.passages.settings import Exclusions
from likewise.survey.archive import Archive
from likewise.survey.settings import SurveySettings
from likewise.survey.survey import Survey
from tests.browser import scripts
from tests.browser.conftest import ESSAYS
from tests.browser.modules import call
from tests.browser.test_exclusion_figures import EACH, REASONS, described
from tests.survey.made_texts import essays

DATES = [
    "2024", "2023-05", "-0043", None, "2023-05-02", "45 BC", "5th century", "1939-45", "\u0662",
    "1850s", "2023-05-02T10:00Z", "3/2024", "44 B.C.", "c. 1600",
]  # fmt: skip

_FAMILIES = """given.map(({survey, reasons, minPassage, same}) => {
    const known = new SurveyPassages(survey);
    const masks = new Map();
    survey.documents.columns.id.forEach((_, row) => {
        const mask = known.marked(["excluded", ...reasons], row);
        if (mask.length) masks.set(row, mask);
    });
    return familiesWithout(known, {masks, minPassage, same});
})"""


def check(
    browser: Browser,
    documents: Sequence[Document],
    options: Sequence[dict[str, Any]] = ({}, *EACH),
    archive: Archive | None = None,
    **always: Any,
) -> list[dict[str, Any]]:
    """The families that a page finds with these exclusions, each the same as Python's."""

    def made(**exclude: Any) -> dict[str, Any]:
        settings = SurveySettings(exclude=Exclusions(**exclude), null_pairs=200, threads=1)
        return Survey(documents, settings, archive=archive).to_dict()

    before = made(**always)
    given = [
        {
            "survey": before,
            "reasons": [REASONS[name] for name in one if name in REASONS],
            "minPassage": one.get("min_passage", 0),
            "same": list(one.get("same", ())),
        }
        for one in options
    ]
    found = call(browser, "families/found_families.js", _FAMILIES, given)
    surveys = [made(**{**always, **one}) for one in options]
    for one, shown, wanted in zip(options, found, surveys, strict=True):
        ids = before["documents"]["columns"]["id"]
        assert plain(shown, ids) == plain(wanted["families"], wanted["documents"]["columns"]["id"])
        assert shown["count"] == wanted["families"]["count"], one
    return [wanted["families"] for wanted in surveys]


def plain(families: dict[str, Any], ids: Sequence[str]) -> list[dict[str, Any]]:
    """Each family with the ids of its witnesses, and a chance that can be compared."""
    columns = families["columns"]
    rows = [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
    for row in rows:
        flat = row["witnesses"]
        row["witnesses"] = [
            (ids[flat[at]], *flat[at + 1 : at + 3]) for at in range(0, len(flat), 3)
        ]
        row["p"] = row["p"] and float(f"{row['p']:.9g}")
    return rows


@pytest.mark.smoke
def test_the_samples_have_the_families_of_a_report_with_the_exclusions(browser: Browser) -> None:
    wanted = check(browser, described(ESSAYS))
    assert wanted[0]["count"] > wanted[1]["count"] > 0


@pytest.mark.parametrize("seed", range(6))
def test_made_essays(browser: Browser, seed: int) -> None:
    wanted = check(browser, described(essays(seed)))
    assert max(wanted[0]["columns"]["documents"]) > 2


def test_an_archive(browser: Browser) -> None:
    documents = described(essays(20, 24))
    check(browser, documents[:14], archive=Archive({"last year": documents[14:]}))


def test_exclusions_of_the_report_itself_stay(browser: Browser) -> None:
    check(browser, described(essays(30)), EACH[1:5], quotations=True)


def test_scripts_without_spaces_and_from_right_to_left(browser: Browser) -> None:
    for a, b in scripts.pairs().values():
        half = len(a) // 2
        documents = described({"a": a, "b": b, "c": f"“{a[half:]}” {b}", "d": f"{a[:half]}「{b}」"})
        check(browser, documents, [{}, *EACH[:1], *EACH[3:5]])


@pytest.mark.smoke
def test_rows_of_families_have_what_python_says_of_them(browser: Browser) -> None:
    documents = [
        Document(text, id=id_, metadata={"group": f"G{at % 3}", "date": date})
        for at, ((id_, text), date) in enumerate(
            zip(
                essays(3).items(),
                DATES * 3,
                strict=False,
            )
        )
    ]
    expression = "familyRows(given.families.columns, row => documentsOf(given)[row])"
    survey = Survey(documents, SurveySettings(null_pairs=200)).to_dict()
    found = call(
        browser, "families/family_rows.js",
        expression.replace(
            "documentsOf(given)",
            "given.documents.columns.id.map((id, row) => ({id, "
            "group: given.documents.columns.group[row], date: given.documents.columns.date[row]}))",
        ),
        survey,
    )  # fmt: skip
    families = find_families(
        find_passages([one.text for one in documents], ids=[one.id for one in documents]),
        metadata=[one.metadata for one in documents],
    )
    assert len(found) == len(families) > 5
    for row, family in zip(found, families, strict=True):
        assert [one["matched"] for one in row["witnesses"]] == [
            one.matched for one in family.witnesses
        ]
        assert tuple(row["earliest"]) == family.earliest
        assert tuple(row["groups"]) == family.groups
        assert row["words"] == family.words
        assert math.isclose(row["similarity"], family.similarity)
        columns = sorted(
            tuple(place + step if place >= 0 else -1 for place in run["places"])
            for run in row["runs"]
            for step in range(run["length"])
        )
        assert columns == sorted(map(tuple, family.columns.tolist()))
