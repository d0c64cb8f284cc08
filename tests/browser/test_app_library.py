"""The library of the app: files go in, documents come out; several collections."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from itertools import starmap
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import ESSAYS, SAMPLES, Open, folder_index
from tests.browser.window import Window
from tests.documents.makers import make_pdf
from tests.server.conftest import Live, until

REFUSED = "Failed to load resource"  # what the browser itself says of a status from 400


def uploads(window: Window) -> Locator:
    return window.page.get_by_role("region", name="Uploads")


def summary(window: Window) -> Locator:
    return uploads(window).get_by_role("status")


def expect_documents(window: Window, *names: str) -> None:
    """The list of documents has these names; it is fetched again after an upload has ended."""
    links = window.rows("Documents").get_by_role("link")
    until(lambda: sorted(window.texts(links)) == sorted(names))


def choose(window: Window, *files: object) -> None:
    window.page.get_by_label("Choose files").set_input_files(list(files))  # type: ignore[arg-type]


def named(name: str, text: str | bytes) -> dict[str, object]:
    """A file that is made up."""
    content = text.encode() if isinstance(text, str) else text
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def mixed_zip(path: Path) -> Path:
    """Two documents, a PDF, one that is broken, and a picture."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("bees/bees-01.txt", ESSAYS["bees-01.txt"])
        archive.writestr("bees/bees-05.txt", ESSAYS["bees-05.txt"])
        archive.writestr("good.pdf", make_pdf([["A page with a few words on it."]]))
        archive.writestr("broken.pdf", b"%PDF-1.7\nnothing that follows is a PDF")
    return path


def test_an_empty_collection_says_what_to_do(open_window: Open, library: str) -> None:
    window = open_window(library, "No documents yet")
    window.page.get_by_role("main").get_by_role("link").first.click()
    window.settled("Library")
    expect(window.page.get_by_role("heading", name="No documents yet")).to_be_visible()


@pytest.mark.smoke
def test_the_samples_are_one_click_away(open_window: Open, library: str) -> None:
    window = open_window(library, "No documents yet")
    window.page.get_by_role("button", name="Try the sample essays").click()
    window.settled("Overview")
    expect(window.fact("Documents")).to_have_text("35")
    expect(window.page.get_by_label("Collection", exact=True)).to_have_value("Sample essays")


def class_folder(folder: Path) -> Path:
    """A folder as a teacher has it: essays in folders, titles that are the same, and a table."""
    essays = folder / "Essays, 2018"
    rows = ["Datei;Vorname;Nachname;Titel"]
    for at, (name, text) in enumerate(list(ESSAYS.items())[:6]):
        path = essays / ("a" if at % 2 else "b") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        rows.append(f"{name};{'Jo' if at < 2 else f'Kim {at}'};Weiß;Dynamic programming")
    (essays / "class.csv").write_text("\n".join(rows), encoding="utf-8")
    return essays


@pytest.mark.smoke
def test_a_folder_becomes_a_collection_with_names_from_its_table(
    open_window: Open, library: str, tmp_path: Path
) -> None:
    window = open_window(library, "No documents yet")
    window.drop(class_folder(tmp_path))
    dialog = window.page.get_by_role("dialog")
    expect(dialog.get_by_label("Name")).to_have_value("Essays- 2018")
    dialog.get_by_label("Name").fill("Essays 2018")
    dialog.get_by_role("button", name="Create collection").click()
    window.settled("Library")
    expect(summary(window)).to_have_text("6 added; 6 of 6 documents described")
    expect(uploads(window)).to_contain_text(
        "file = column 'Datei', title = 'Titel', author = 'Vorname' + 'Nachname'"
    )
    # Two essays have the same author and title, so that only their files tell them apart.
    essays = [f"Kim {number} Weiß – Dynamic programming" for number in range(2, 6)]
    expect_documents(window, *essays, "a/bees-02.txt", "b/bees-01.txt")
    window.page.get_by_role("link", name="See the results").click()
    window.settled("Overview")
    expect(window.page.get_by_label("Collection", exact=True)).to_have_value("Essays 2018")


def test_a_folder_and_the_table_beside_it_become_a_collection(
    open_window: Open, library: str, tmp_path: Path
) -> None:
    essays = class_folder(tmp_path)
    (essays / "class.csv").rename(tmp_path / "class.csv")
    window = open_window(library, "No documents yet")
    window.drop(essays, tmp_path / "class.csv")
    window.page.get_by_role("button", name="Create collection").click()
    window.settled("Library")
    expect(summary(window)).to_have_text("6 added; 6 of 6 documents described")
    expect(window.page.get_by_label("Collection", exact=True)).to_have_value("Essays- 2018")


def test_a_folder_may_go_into_the_collection_that_is_open(
    open_window: Open, library: str, tmp_path: Path
) -> None:
    window = open_window(f"{library}/#/library", "Library")
    window.page.get_by_label("Choose a folder").set_input_files(class_folder(tmp_path))
    window.page.get_by_role("button", name="Add to essays").click()
    expect(summary(window)).to_have_text("6 added; 6 of 6 documents described")
    expect(window.rows("Documents").filter(has_text="Essays, 2018/a/bees-02.txt")).to_have_count(1)


def test_a_download_of_moodle_has_authors(open_window: Open, library: str, tmp_path: Path) -> None:
    path = tmp_path / "Course-Essay 1-4711.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for author, name in (("Weiß Jürgen_17", "bees-01.txt"), ("王小明_18", "bees-05.txt")):
            archive.writestr(f"{author}_assignsubmission_file_/essay.txt", ESSAYS[name])
    window = open_window(library, "No documents yet")
    window.drop(path)
    window.page.get_by_role("button", name="Create collection").click()
    window.settled("Library")
    expect(summary(window)).to_have_text("2 added")
    expect_documents(window, "Weiß Jürgen", "王小明")
    window.page.get_by_role("link", name="See the results").click()
    window.settled("Overview")
    window.link("Weiß Jürgen and 王小明").click()
    window.settled("Weiß Jürgen and 王小明")


@pytest.mark.smoke
def test_a_reader_is_offered_nothing_that_changes(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    index = folder_index(tmp_path, {name: ESSAYS[name] for name in ("bees-01.txt", "bees-05.txt")})
    token = "a-token-for-readers"
    server = live(
        index, "--quiet", "--folder", tmp_path, "--share", "essays",
        env={"LIKEWISE_READER_TOKEN": token},
    )  # fmt: skip
    window = open_window(expected=REFUSED)
    window.page.goto(f"{server.url}/#/library")
    window.page.get_by_role("textbox", name="Token").fill(token)
    window.page.get_by_role("button", name="Continue").click()
    window.settled("Library")
    expect(window.page.get_by_text("Your token is for reading")).to_be_visible()
    expect(window.rows("Documents")).to_have_count(2)
    for name in ("Remove", "Choose files", "New collection"):
        expect(window.page.get_by_role("button", name=name)).to_have_count(0)
    expect(window.page.get_by_role("checkbox")).to_have_count(0)
    window.to("#/check", "Check a text")
    window.page.get_by_label("Text to check").fill(ESSAYS["bees-01.txt"])
    expect(window.page.get_by_role("link", name="bees-01.txt").first).to_be_visible()


@pytest.mark.smoke
def test_files_are_chosen_and_looked_at(open_window: Open, library: str) -> None:
    window = open_window(f"{library}/#/library", "Library")
    essays = SAMPLES / "essays"
    choose(window, essays / "tides-02.txt", essays / "tides-05.txt", essays / "tides-07.txt")
    expect(summary(window)).to_have_text("3 added")
    expect(uploads(window).get_by_role("listitem").filter(has_text="done")).to_have_count(3)
    expect(window.rows("Documents")).to_have_count(3)
    window.link("Overview").click()
    window.settled("Overview")
    expect(window.fact("Documents")).to_have_text("3")
    window.link("tides-02.txt and tides-05.txt").click()
    window.settled("tides-02.txt and tides-05.txt")
    expect(window.fact("Similarity")).to_contain_text("1.00")
    assert window.text(0) == ESSAYS["tides-02.txt"]
    window.to("#/library", "Library")
    other = "Quite another text than before."
    choose(window, *starmap(named, {**ESSAYS, "tides-05.txt": other}.items()))
    expect(summary(window)).to_have_text("32 added, 1 replaced, 2 already there")


def test_files_and_a_zip_with_a_broken_pdf_are_dropped(
    open_window: Open, library: str, tmp_path: Path
) -> None:
    folder = tmp_path / "dropped"
    folder.mkdir()
    (folder / "inner").mkdir()
    (folder / "inner" / "deep.txt").write_text(ESSAYS["cars-01.txt"])
    window = open_window(f"{library}/#/library", "Library")
    window.drop(
        SAMPLES / "essays" / "cars-04.txt", SAMPLES / "journal" / "new.pdf",
        mixed_zip(tmp_path / "all.zip"), folder,
    )  # fmt: skip
    expect(summary(window)).to_have_text("6 added, 1 skipped")
    broken = uploads(window).get_by_role("listitem").filter(has_text="broken.pdf").last
    expect(broken).to_contain_text("skipped")
    expect(broken).to_contain_text("damaged")
    expect_documents(
        window, "all.zip/bees/bees-01.txt", "all.zip/bees/bees-05.txt", "all.zip/good.pdf",
        "cars-04.txt", "dropped/inner/deep.txt", "new.pdf",
    )  # fmt: skip


UNREADABLE = {
    "empty.txt": (b"", "empty"),
    "picture.png": (b"\x89PNG\r\n\x1a\n....", "Unsupported file type."),
    "essay.pages": (b"PK\x03\x04", "Unsupported file type: save .pages as .docx."),
    "essay.doc": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "unsupported file type: save .doc as .docx",
    ),
    "broken.zip": (b"PK\x03\x04 and nothing more", "zip"),
    "blank.txt": (b" \n ", "no words"),
    "table.csv": (b"a,b\n1,2\n", "No column names the documents; it has 'a', 'b'."),
}


def test_what_cannot_be_read_gets_a_plain_reason(open_window: Open, library: str) -> None:
    window = open_window(f"{library}/#/library", "Library", REFUSED)
    unreadable = [named(name, content) for name, (content, _) in UNREADABLE.items()]
    passed_over = [named(name, b"\0\5") for name in ("~$press.docx", "Thumbs.db", ".DS_Store")]
    choose(window, *unreadable, *passed_over, named("good.txt", ESSAYS["bees-03.txt"]))
    expect(summary(window)).to_have_text("1 added, 7 skipped")
    expect(uploads(window)).not_to_contain_text("press.docx")
    for name, (_, told) in UNREADABLE.items():
        item = uploads(window).get_by_role("listitem").filter(has_text=name).first
        expect(item).to_contain_text(told)
    expect_documents(window, "good.txt")


def test_a_zip_bomb_is_refused(open_window: Open, library: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.txt", b"a " * 80_000_000)
        archive.writestr("good.txt", ESSAYS["bees-03.txt"])
    window = open_window(f"{library}/#/library", "Library")
    choose(window, named("bomb.zip", packed.getvalue()))
    window.page.get_by_role("button", name="Add to essays").click()
    expect(summary(window)).to_contain_text("1 skipped", timeout=60_000)
    expect(uploads(window)).to_contain_text("bomb.txt")


def test_one_that_is_too_large_is_refused_and_not_sent(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    server = live(folder_index(tmp_path), "--max-request", "100kB", "--quiet")
    window = open_window(f"{server.url}/#/library", "Library", REFUSED)
    window.requests.clear()
    choose(window, named("large.txt", "many words " * 20_000), named("small.txt", "A few words."))
    expect(summary(window)).to_have_text("1 added, 1 skipped")
    expect(uploads(window)).to_contain_text("220 kB is more than the server accepts (100 kB)")
    assert not [url for url in window.requests if "large" in url]
    window.to("#/check", "Check a text")
    window.page.get_by_label("Text to check").fill("many words " * 20_000)
    expect(window.page.get_by_role("alert")).to_contain_text("100")


def test_documents_are_found_and_removed(open_window: Open, library: str) -> None:
    window = open_window(f"{library}/#/library", "Library")
    choose(window, *(SAMPLES / "essays" / f"bees-0{number}.txt" for number in range(1, 7)))
    expect(window.rows("Documents")).to_have_count(6)
    window.page.get_by_role("searchbox", name="Search the library").fill("ees-05")
    expect(window.rows("Documents")).to_have_count(1)
    window.page.get_by_role("checkbox", name="Choose bees-05.txt").check()
    window.page.get_by_role("searchbox", name="Search the library").fill("")
    expect(window.rows("Documents")).to_have_count(6)
    window.page.get_by_role("checkbox", name="Choose bees-01.txt").check()
    window.button("Remove 2 documents").click()
    dialog = window.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Keep").click()
    expect(window.rows("Documents")).to_have_count(6)
    window.button("Remove 2 documents").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(window.rows("Documents")).to_have_count(4)
    window.page.reload()
    expect(window.rows("Documents")).to_have_count(4)
    window.link("Pairs", exact=True).click()
    window.settled("Pairs")
    expect(window.link("bees-02.txt and bees-04.txt")).to_be_visible()
    expect(window.page.get_by_text("bees-05.txt")).to_have_count(0)


def test_many_documents_come_in_pages(
    open_window: Open, live: Callable[..., Live], tmp_path: Path
) -> None:
    texts = {f"number-{number:03}.txt": f"text {number} of many" for number in range(120)}
    server = live(folder_index(tmp_path, texts), "--quiet")
    window = open_window(f"{server.url}/#/library", "Library")
    expect(window.rows("Documents")).to_have_count(50)
    window.button("Next page").click()
    expect(window.link("number-050.txt")).to_be_visible()
    window.button("Next page").click()
    expect(window.rows("Documents")).to_have_count(20)
    expect(window.button("Next page")).to_be_disabled()
    window.button("Previous page").click()
    expect(window.link("number-050.txt")).to_be_visible()


def test_a_collection_is_made_and_switched_to(open_window: Open, library: str) -> None:
    window = open_window(f"{library}/#/library", "Library", REFUSED)
    choose(window, SAMPLES / "essays" / "cars-01.txt")
    expect(summary(window)).to_have_text("1 added")
    window.button("New collection").click()
    dialog = window.page.get_by_role("dialog", name="New collection")
    dialog.get_by_label("Name").fill("essays")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert")).to_contain_text("already")
    dialog.get_by_label("Name").fill("Año 2 – Übung")
    dialog.get_by_role("button", name="Create").click()
    switch = window.page.get_by_role("combobox", name="Collection")
    expect(window.page.get_by_role("dialog")).to_contain_text("not created")
    window.button("Close").click()
    window.button("New collection").click()
    dialog.get_by_label("Name").fill("Übung 2")
    dialog.get_by_role("button", name="Create").click()
    expect(switch).to_have_value("Übung 2")
    expect(window.page.get_by_role("heading", name="No documents yet")).to_be_visible()
    choose(window, SAMPLES / "essays" / "tides-01.txt", SAMPLES / "essays" / "tides-04.txt")
    expect(window.rows("Documents")).to_have_count(2)
    window.link("Pairs", exact=True).click()
    window.settled("Pairs")
    expect(window.rows("Pairs")).to_have_count(1)
    window.rows("Pairs").get_by_role("link").click()
    window.settled("tides-01.txt and tides-04.txt")
    switch.select_option("essays")
    window.settled("Library")
    expect(window.link("cars-01.txt")).to_be_visible()
    expect(window.rows("Documents")).to_have_count(1)


def test_what_is_under_way_stays_in_its_collection(open_window: Open, library: str) -> None:
    window = open_window(f"{library}/#/library", "Library")
    window.button("New collection").click()
    window.page.get_by_role("dialog").get_by_label("Name").fill("other")
    window.page.get_by_role("dialog").get_by_role("button", name="Create").click()
    expect(window.page.get_by_role("combobox", name="Collection")).to_have_value("other")
    choose(window, *(SAMPLES / "essays").glob("*.txt"))
    window.to("#/library", "Library")
    expect(window.page.get_by_role("heading", name="No documents yet")).to_be_visible()

    def there() -> int:
        window.page.wait_for_timeout(300)  # the server has the files to store
        told = window.page.request.get(f"{library}/c/other/api/documents?limit=100").json()
        return len(told["documents"])

    until(lambda: there() == len(ESSAYS), 180)
    assert window.page.request.get(f"{library}/api/documents").json()["documents"] == []


def test_two_browsers_add_at_once(open_window: Open, library: str) -> None:
    windows = [open_window(f"{library}/#/library", "Library") for _ in range(2)]
    halves = sorted((SAMPLES / "essays").glob("*.txt"))
    for at, window in enumerate(windows):
        choose(window, *halves[at::2])
    for at, window in enumerate(windows):
        expect(summary(window)).to_have_text(f"{len(halves[at::2])} added")
    for window in windows:
        window.page.reload()
        expect(window.page.get_by_text("35 documents")).to_be_visible()
        expect(window.rows("Documents")).to_have_count(35)
