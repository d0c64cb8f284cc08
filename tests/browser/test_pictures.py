"""Graph, heat map, timeline and dot plot, and the colours of groups."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from likewise.passages.families.dates import compare_dates
from tests.browser.conftest import Open, write_report
from tests.browser.course import write_lines, write_metadata
from tests.browser.modules import call
from tests.browser.window import Window
from tests.survey.made_texts import some

COUNT = 500
LARGE = 111


@pytest.fixture(scope="module")
def linked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """500 documents: a cluster of 111, and many of two to nine, by copied parts."""
    chance = random.Random(1)
    texts = [some(200, f"own {number}") for number in range(COUNT)]
    sizes, at = [LARGE, 60, 30], 0
    while sum(sizes) < 0.95 * COUNT:
        sizes.append(chance.choice((2, 2, 3, 4, 6, 9)))
    for size in sizes:
        for number in range(at + 1, min(at + size, COUNT)):
            source = texts[chance.randrange(max(at, number - 12), number)]
            start, place = chance.randrange(100), chance.randrange(100)
            texts[number][place : place + 90] = source[start : start + 90]
        at += size
    folder = tmp_path_factory.mktemp("linked")
    documents = {f"essay-{number:03}.txt": " ".join(text) for number, text in enumerate(texts)}
    known = {
        id_: {"group": f"Class {number % 4 + 1}"}
        | ({} if number % 10 == 0 else {"date": f"20{19 + number % 5}-0{number % 9 + 1}-11"})
        for number, id_ in enumerate(documents)
    }
    return write_report(
        folder, write_lines(folder / "linked.jsonl", documents),
        "--metadata", write_metadata(folder / "known.jsonl", known),
    )  # fmt: skip


def frame(window: Window, name: str) -> Locator:
    found = window.page.get_by_role("application", name=name)
    expect(found.locator("svg.picture-layer > *").first).to_be_attached()
    return found


def tip(window: Window) -> Locator:
    return window.page.locator(".picture-tip")


def overlapping_names(window: Window) -> list[list[str]]:
    """Names in the picture that cover each other, or reach beyond its edge."""
    found: list[list[str]] = window.page.evaluate(
        """() => {
            const frame = document.querySelector('.picture-frame').getBoundingClientRect();
            const all = [...document.querySelectorAll('.picture-layer > text')]
                .map(e => [e.textContent, e.getBoundingClientRect()]);
            const out = all.filter(([, b]) => b.left < frame.left - 1 || b.right > frame.right + 1);
            const found = out.map(([words]) => [words]);
            all.forEach(([one, a], at) => all.slice(at + 1).forEach(([other, b]) => {
                if (a.left < b.right - 1 && a.right > b.left + 1
                    && a.top < b.bottom - 3 && a.bottom > b.top + 3) found.push([one, other]);
            }));
            return found;
        }"""
    )
    return found


@pytest.mark.smoke
def test_names_do_not_overlap_however_many_documents_there_are(
    open_window: Open, linked: str
) -> None:
    for width in (1280, 390):
        window = open_window(viewport={"width": width, "height": 900})
        for show in ("graph", "map", "time"):
            for threshold in ("0.05", "0.2"):
                window.go(f"{linked}#/clusters?t={threshold}&show={show}", "Clusters")
                picture = frame(window, "")
                for _ in range(3):
                    assert picture.locator("text").count() > 0, (width, show, threshold)
                    assert overlapping_names(window) == [], (width, show, threshold)
                    window.button("Zoom in").click()


def test_the_same_documents_give_the_same_picture(open_window: Open, linked: str) -> None:
    pictures = set()
    for _ in range(2):
        window = open_window(f"{linked}#/clusters?t=0.05", "Clusters")
        pictures.add(frame(window, "Graph").locator("svg").inner_html())
    assert len(pictures) == 1


def test_a_large_cluster_is_a_disc_that_opens_its_own_page(open_window: Open, linked: str) -> None:
    window = open_window(f"{linked}#/clusters?t=0.05", "Clusters")
    hub = frame(window, "Graph").locator(".hub").first
    expect(hub).to_have_text(str(LARGE))
    hub.click()
    window.settled("Cluster 1")
    expect(frame(window, "Graph of cluster 1").locator(".dot")).to_have_count(LARGE)
    note = window.page.locator("[data-value=picture-note]")
    expect(note).to_contain_text("110 of")  # a tree joins them
    expect(window.rows("Documents of the cluster")).to_have_count(50)
    window.link("All clusters").click()
    window.settled("Clusters")


def test_a_cluster_that_is_no_more_is_said_to_be_none(open_window: Open, report: str) -> None:
    for hash_ in ("#/cluster/cars-01.txt?t=1", "#/cluster/nowhere", "#/cluster"):
        window = open_window(f"{report}{hash_}", "Cluster")
        expect(window.page.get_by_text("No such cluster")).to_be_visible()


def test_keys_buttons_and_wheel_zoom(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/clusters?t=0.1", "Clusters")
    picture = frame(window, "Graph")

    def place() -> str:
        last = picture.locator(".cluster-area").last
        return f"{last.get_attribute('x')} {last.get_attribute('width')}"

    def changes(act: Callable[[], object]) -> None:
        before = place()
        act()
        window.drawn()
        assert place() != before

    start = place()
    picture.focus()
    changes(lambda: window.page.keyboard.press("+"))
    changes(lambda: window.page.keyboard.press("Shift+ArrowRight"))
    changes(lambda: window.button("Zoom in").click())
    changes(lambda: window.button("Zoom out").click())
    changes(lambda: window.button("Show everything").click())
    assert place() == start
    picture.hover(position={"x": 50, "y": 50})
    window.page.keyboard.down("Control")
    changes(lambda: window.page.mouse.wheel(0, -300))
    window.page.keyboard.up("Control")


@pytest.mark.smoke
def test_a_heat_map_names_pairs_and_opens_them(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/clusters?t=0.1&show=map", "Clusters")
    picture = frame(window, "Heat map")
    for words in ("0.2–0.4", "0.8–1.0"):
        expect(window.page.get_by_label("Colours").get_by_text(words)).to_be_visible()
    expect(picture.get_by_text("cars-01.txt")).to_be_visible()
    picture.focus()
    window.page.keyboard.press("ArrowDown")
    expect(tip(window)).to_contain_text(re.compile(r"\S+ and \S+\s*similarity [01]\.\d\d"))
    names = tip(window).locator("strong").inner_text()
    window.page.keyboard.press("ArrowDown")
    expect(tip(window).locator("strong")).not_to_have_text(names)
    named = tip(window).locator("strong").inner_text()
    window.page.keyboard.press("Enter")
    window.settled(re.compile(" and "))
    assert set(window.page.title().split(" · ")[0].split(" and ")) == set(named.split(" and "))


def test_a_heat_map_of_many_shows_those_with_links_and_says_so(
    open_window: Open, linked: str
) -> None:
    window = open_window(f"{linked}#/clusters?t=0.2&show=map", "Clusters")
    told = window.page.get_by_role("status").filter(has_text="in no cluster").inner_text()
    count = re.search(r"with (\d+) documents", told)
    assert count is not None
    expect(window.page.locator("[data-value=picture-note]")).to_contain_text(
        f"The map shows {count[1]} of 500 documents, those in clusters."
    )


def test_a_timeline_names_what_has_no_date_and_calls_nothing_the_source(
    open_window: Open, linked: str
) -> None:
    window = open_window(f"{linked}#/clusters?t=0.05&show=time", "Clusters")
    picture = frame(window, "Timeline")
    note = window.page.locator("[data-value=picture-note]")
    expect(note).to_contain_text("an earlier date alone does not make a document the source")
    expect(window.page.locator("[data-list=undated] summary")).to_contain_text("without a date")
    picture.focus()
    window.page.keyboard.press("ArrowRight")
    expect(tip(window)).to_contain_text(re.compile(r"dated 20\d\d-\d\d-\d\d, cluster \d"))
    window.page.keyboard.press("Enter")
    window.settled(re.compile("essay-"))


def test_without_dates_a_timeline_says_what_is_missing(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/clusters?t=0.1&show=time", "Clusters")
    expect(window.page.get_by_text("No linked document has a date.")).to_be_visible()
    assert window.page.locator("[data-list=undated] li").count() > 2


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three documents that share a passage, in a chain; one has no date."""
    one, two = some(60, "one"), some(60, "two")
    texts = {"late": [*some(40, "l"), *one], "early": [*one, *some(40, "e"), *two],
             "undated": [*two, *some(40, "u")]}  # fmt: skip
    folder = tmp_path_factory.mktemp("dated")
    dates = {"late": {"date": "1851-02"}, "early": {"date": "1850"}}
    return write_report(
        folder, write_lines(folder / "t.jsonl", {id_: " ".join(t) for id_, t in texts.items()}),
        "--metadata", write_metadata(folder / "known.jsonl", dates),
    )  # fmt: skip


@pytest.mark.smoke
@pytest.mark.parametrize("where", ["#/clusters?t=0.1&by=share", "#/cluster/late?t=0.1&by=share"])
def test_an_arrow_leads_to_the_later_document_where_both_dates_are_known(
    open_window: Open, dated: str, where: str
) -> None:
    window = open_window(f"{dated}{where}", re.compile("Cluster"))
    picture = frame(window, "Graph")
    legend = window.page.get_by_role("list", name="Arrows")
    expect(legend.get_by_role("listitem")).to_contain_text(
        ["an earlier date alone does not make it the source", "a date is missing"]
    )
    heads = picture.locator("path.arrow").get_attribute("d") or ""
    assert heads.count("M") == 1  # of two links
    x, y = map(float, heads[1:].split("L")[0].split())
    away = {}
    for name in ("late", "early"):
        label = picture.locator(".dot-name", has_text=name)
        at = [float(label.get_attribute(axis) or "nan") for axis in "xy"]
        away[name] = (at[0] - x) ** 2 + (at[1] - y) ** 2
    assert away["late"] < away["early"]


def test_without_dates_a_graph_has_no_arrows(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/clusters?t=0.1", "Clusters")
    expect(frame(window, "Graph").locator("path.arrow")).to_have_count(0)
    expect(window.page.get_by_role("list", name="Arrows")).to_have_count(0)


def test_dates_are_compared_as_in_the_files_for_other_programs(browser: Browser) -> None:
    dates = ["1850", "1850-02", "1850-02-03", "1850-03", "1851", "-0043", "0070", "70",
             "5 May 1850", "12.5.1850", "1850-13", "no date", "", None]  # fmt: skip
    pairs = [[one, other] for one in dates for other in dates]
    found = call(browser, "data/dates.js", "given.map(both => compareDates(...both))", pairs)
    assert found == [compare_dates(*both) for both in pairs]
    assert compare_dates("1850", "1850-02") == 0
    assert compare_dates("1850-02-03", "1851") == -1


def test_groups_have_a_colour_a_shape_and_a_name(open_window: Open, linked: str) -> None:
    window = open_window(f"{linked}#/clusters?t=0.2&colour=group", "Clusters")
    frame(window, "Graph")
    shapes = window.page.evaluate(
        "() => [...new Set([...document.querySelectorAll('.picture-layer .shape')]"
        ".map(e => `${e.className.baseVal} ${e.getAttribute('d')}`))]"
    )
    assert len({shape.split(" M")[0] for shape in shapes}) == 4
    assert len({shape.split(" M")[1] for shape in shapes}) == 4
    legend = window.page.get_by_role("list", name="Groups")
    assert window.texts(legend.get_by_role("listitem")) == [f"Class {n}" for n in range(1, 5)]
    window.to("#/pairs", "Pairs")
    expect(window.page.locator("tbody .group-mark")).to_have_count(100)
    window.button("Hide names").click()
    expect(window.page.locator(".group-mark")).to_have_count(0)
    expect(window.page.get_by_role("list", name="Groups")).to_have_count(0)


@pytest.fixture(scope="module")
def long_pair(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two long texts: a long part of one is later in the other, and a short one earlier."""
    folder = tmp_path_factory.mktemp("long")
    one, other = some(4000, "long one"), some(3000, "long other")
    other[1500:2700] = one[300:1500]
    other[100:200] = one[3500:3600]
    texts = {"thesis.txt": " ".join(one), "paper.txt": " ".join(other)}
    return write_report(folder, write_lines(folder / "long.jsonl", texts))


def test_a_dot_plot_leads_to_the_place_in_both_texts(open_window: Open, long_pair: str) -> None:
    window = open_window(f"{long_pair}#/pair/thesis.txt/paper.txt", "thesis.txt and paper.txt")
    picture = frame(window, "Dot plot")
    expect(picture.locator("path.dot-line")).to_have_count(2)
    box_of = "e => (({x, width, height}) => ({x, width, height}))(e.getBBox())"
    first_line = picture.locator("path.dot-line.hue-1").evaluate(box_of)
    field = picture.locator(".dot-field").evaluate(box_of)
    assert first_line["width"] == pytest.approx(field["width"] * 1200 / 3000, abs=1)
    assert first_line["height"] == pytest.approx(field["height"] * 1200 / 4000, abs=1)
    assert first_line["x"] - field["x"] == pytest.approx(field["width"] / 2, abs=1)
    picture.focus()
    window.page.keyboard.press("ArrowDown")
    expect(tip(window)).to_contain_text("words 301–1,500 of thesis.txt")
    expect(tip(window)).to_contain_text("words 1,501–2,700 of paper.txt")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("[data-value=passage-number]")).to_have_text("Passage 1 of 2")
    first = scrolled(window)
    assert min(first) > 0
    picture.evaluate("plot => plot.scrollIntoView({block: 'center'})")
    box = picture.locator("path.dot-line.hue-1").bounding_box()
    assert box is not None
    window.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    window.until(
        "first => [...document.querySelectorAll('.pane-scroll')]"
        ".every((e, at) => e.scrollTop > first[at] + 500)",
        first,
    )


def scrolled(window: Window) -> list[float]:
    places: list[float] = window.page.evaluate(
        "() => [...document.querySelectorAll('.pane-scroll')].map(e => e.scrollTop)"
    )
    return places


def test_a_dot_plot_of_short_texts_is_there_on_demand(open_window: Open, report: str) -> None:
    window = open_window(f"{report}#/pair/tides-01.txt/tides-04.txt")
    window.settled(re.compile("tides-01"))
    expect(window.page.get_by_role("application", name="Dot plot")).to_be_hidden()
    window.page.locator("summary", has_text="Dot plot").click()
    expect(frame(window, "Dot plot")).to_be_visible()


def test_pictures_are_printed(open_window: Open, report: str, tmp_path: Path) -> None:
    window = open_window(f"{report}#/clusters?t=0.1", "Clusters")
    frame(window, "Graph")
    window.page.emulate_media(media="print")
    expect(window.page.locator(".picture-layer")).to_be_visible()
    expect(window.page.locator(".picture-tools")).to_be_hidden()
