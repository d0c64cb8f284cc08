"""Clusters, the run, and addresses that lead nowhere, in a report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SAMPLES, Open, write_report
from tests.browser.window import said


@pytest.mark.smoke
def test_clusters_follow_the_slider(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/clusters", "Clusters")
    told = window.page.get_by_role("status").filter(has_text="in no cluster")
    expect(told).to_have_text("8 clusters with 16 documents; 19 documents are in no cluster.")
    expect(window.rows("Clusters")).to_have_count(8)
    slider = window.page.get_by_role("slider", name="Threshold")
    slider.fill("0.15")
    expect(told).to_have_text("12 clusters with 28 documents; 7 documents are in no cluster.")
    first = window.rows("Clusters").first
    assert window.texts(first.get_by_role("listitem")) == [
        f"cars-0{number}.txt" for number in (1, 4, 7, 8)
    ]
    graph = window.page.get_by_role("application", name="Graph of the clusters")
    expect(graph.locator("circle")).to_have_count(28)
    expect(graph.locator("svg")).to_have_attribute("data-links", "16")
    slider.fill("1")
    expect(told).to_have_text("2 clusters with 4 documents; 31 documents are in no cluster.")
    slider.fill("0.99")
    window.page.get_by_label("Measure").select_option(label="share in passages (the larger)")
    expect(told).to_contain_text("3 clusters")
    again = open_window(window.page.url, "Clusters")
    expect(again.page.get_by_role("slider", name="Threshold")).to_have_value("0.99")
    expect(again.page.get_by_label("Measure")).to_have_value("share")


def test_a_dot_leads_to_its_document(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/clusters", "Clusters")
    window.page.get_by_role("application", name="Graph").locator("circle").first.click()
    window.settled("bees-01.txt")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report(
        tmp_path_factory.mktemp("journal"), SAMPLES / "journal" / "2017",
        SAMPLES / "journal" / "2018", "--metadata", SAMPLES / "journal" / "journal.csv",
        "--no-quotations", "--min-passage", "15",
    )  # fmt: skip


def test_the_run_says_how_and_what_was_skipped(open_window: Open, journal: str) -> None:
    window = open_window(f"{journal}#/run", "Run")
    expect(window.page.get_by_label("Command")).to_contain_text("likewise report")
    expect(window.fact("Version")).to_contain_text("likewise 0.")
    expect(window.part("Timings")).to_contain_text("read")
    window.link("1 file could not be read").click()
    window.settled("Documents")
    expect(window.rows("Documents")).to_have_count(1)
    expect(window.rows("Documents")).to_contain_text("notice.pdf")
    expect(window.rows("Documents")).to_contain_text("no text")


def test_exclusions_in_force_are_reported(open_window: Open, journal: str) -> None:
    part = open_window(journal, "Overview").part("Exclusions")
    quotations = part.get_by_role("switch", name="Quotations excluded from the comparison")
    expect(quotations).to_be_checked()
    expect(quotations).to_be_disabled()
    items = part.get_by_role("listitem")
    expect(items.filter(has_text="short passages")).to_contain_text("15")


def test_titles_and_pages_of_documents_are_shown(open_window: Open, journal: str) -> None:
    window = open_window(journal, "Overview")
    window.part("Most similar pairs").get_by_role("link").first.click()
    window.settled("C. Dubois – Letters of Lead and A. Bianchi – The Press at Mainz")


def test_a_report_without_texts_has_measures(open_window: Open, tmp_path: Path) -> None:
    address = write_report(tmp_path, SAMPLES / "essays", "--no-texts", "--title", "Measures only")
    window = open_window(address, "Overview")
    expect(window.part("Not on this page")).to_contain_text("This page was written without texts")
    window.link("cars-03.txt and cars-06.txt").click()
    window.settled("cars-03.txt and cars-06.txt")
    expect(window.fact("Similarity")).to_contain_text("0.87")
    window.to("#/document/cars-03.txt", "cars-03.txt")
    expect(window.page.get_by_text("is not in this report.", exact=False).first).to_be_visible()


def test_without_its_text_a_document_has_the_score_that_was_counted(
    open_window: Open, report: str, tmp_path: Path
) -> None:
    whole = open_window(f"{report}#/document/cars-03.txt", "cars-03.txt")
    score = whole.page.get_by_role("region", name="Shared words")
    counted = said(score.locator("p").last)
    assert counted.startswith(tuple("123456789"))
    address = write_report(tmp_path, SAMPLES / "essays", "--no-texts")
    window = open_window(f"{address}#/document/cars-03.txt", "cars-03.txt")
    expect(window.page.get_by_role("region", name="Shared words")).to_contain_text(counted)
    expect(window.page.get_by_text("No sources found")).to_have_count(0)
    window.part("Pairs without passages in this report").get_by_role(
        "link", name="cars-06.txt"
    ).click()
    window.settled(re.compile("cars-03.txt and cars-06.txt"))


def test_with_some_of_its_passages_a_document_tells_the_whole_score_too(
    open_window: Open, report: str, tmp_path: Path
) -> None:
    whole = open_window(f"{report}#/document/cars-04.txt", "cars-04.txt")
    of_all = said(whole.page.get_by_role("region", name="Shared words").locator("p").last)
    address = write_report(tmp_path, SAMPLES / "essays", "--max-pairs", "15")
    window = open_window(f"{address}#/document/cars-04.txt", "cars-04.txt")
    score = said(window.page.get_by_role("region", name="Shared words"))
    words = of_all.partition(" ")[0]
    assert of_all not in score
    assert f"With the pairs whose passages are not in this report: {words} words" in score


def test_addresses_that_lead_nowhere(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview")
    for hash_ in ("elsewhere", "constructor", "__proto__/x", "%E0%A4%A", "%00", "overview"):
        window.to(f"#/{hash_}", "No such page")
        window.link("To the overview").click()
        window.settled("Overview")
