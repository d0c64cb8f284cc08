"""Whatever documents, names, addresses and requests hold: nothing runs, and nothing leaks."""

from __future__ import annotations

import base64
import io
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Response, expect

from likewise.index.index import Index
from tests.browser.conftest import Open, write_report
from tests.browser.course import write_lines, write_metadata
from tests.browser.hostile import NAMES, RUN, metadata, texts
from tests.browser.window import RAN, Window
from tests.server.conftest import Live, until

REFUSED = "Failed to load resource"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("hostile")
    return write_report(
        folder, write_lines(folder / "hostile.jsonl", texts()),
        "--metadata", write_metadata(folder / "known.jsonl", metadata()),
        "--title", f"</title><script>{RUN}</script>",
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the indexes of a server, which nobody shall hear of."""
    return tmp_path_factory.mktemp("secret-place")


@pytest.fixture(scope="module")
def app(folder: Path) -> Iterator[str]:
    path = str(folder / "hostile.db")
    with Index.create(path) as index:
        own, known = texts(), metadata()
        index.add(list(own.values()), list(own), metadata=[known.get(id_) for id_ in own])
    server = Live(path, "--folder", str(folder), "--quiet")
    yield server.url
    server.kill()


def visit_everything(window: Window, names: list[str]) -> None:
    """All views, by way of their links and as addresses."""
    for hash_, heading in (("#/pairs", "Pairs"), ("#/clusters?t=0", "Clusters"), ("#/run", "Run"),
                           ("#/", "Overview")):  # fmt: skip
        window.to(hash_, heading)
        window.page.evaluate(
            """() => document.querySelectorAll('main *').forEach(each => {
                for (const type of ['mouseover', 'focus', 'error', 'load', 'toggle'])
                    each.dispatchEvent(new Event(type));
            })"""
        )
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        window.to(f"#/document/{quote(name, safe='')}", re.compile(".*"))
        expect(window.page.get_by_role("region", name="Sources")).to_be_visible()
        window.to(f"#/pair/{quote(name, safe='')}/{quote(other, safe='')}", re.compile(" and "))
        expect(window.page.get_by_role("region", name="Both texts")).to_be_visible()
    assert_no_foreign_elements(window)


def assert_no_foreign_elements(window: Window) -> None:
    """Nothing in the page is of a kind, or has an attribute, that only the documents can bring."""
    found = window.page.evaluate(
        """() => [...document.body.querySelectorAll('*')].filter(e =>
            (e.matches('img, iframe, object, embed, base, form:not([method=dialog]), style'))
            || [...e.attributes].some(a => /^on/i.test(a.name) || a.name === 'style' && !e.style)
            || /^\\s*(javascript|data):/i.test(e.getAttribute('href') ?? '')
            || (e.tagName === 'SCRIPT' && !['module', 'application/json'].includes(e.type))
        ).map(e => e.outerHTML.slice(0, 200))"""
    )
    assert found == []


@pytest.mark.smoke
def test_a_report_of_such_documents(open_window: Open, report: str) -> None:
    window = open_window(report, "Overview")
    visit_everything(window, list(texts()))
    assert window.requests == [report]


def test_the_app_on_such_documents(open_window: Open, app: str, folder: Path) -> None:
    window = open_window()
    said: list[Response] = []
    window.page.on("response", lambda response: said.append(response))
    window.go(app, "Overview")
    visit_everything(window, list(texts()))
    window.to("#/library", "Library")
    expect(window.rows("Documents")).to_have_count(len(NAMES))
    assert_no_foreign_elements(window)
    assert {url.split("/")[2] for url in window.requests} == {app.split("/")[2]}
    for response in said:
        assert_nothing_leaks(folder, response.text(), response.headers)


def test_texts_and_names_are_shown_letter_by_letter(open_window: Open, app: str) -> None:
    window = open_window(app, "Overview")
    for name, text in texts().items():
        window.to(f"#/document/{quote(name, safe='')}", re.compile(".*"))
        until(lambda text=text: window.text() == text)  # type: ignore[misc]
        known = metadata().get(name, {})
        shown = " – ".join(known[one] for one in ("author", "title") if one in known) or name
        assert window.page.get_by_role("heading", level=1).text_content() == shown


def test_a_name_of_a_thousand_letters_fits(open_window: Open, app: str, report: str) -> None:
    long = "n" * 1000
    for base in (f"{app}/", report):
        window = open_window(
            f"{base}#/document/{quote(long)}", viewport={"width": 390, "height": 844}
        )
        assert window.is_wider_than_screen() == []
        for hash_, heading in (
            ("#/pairs", "Pairs"),
            ("#/", "Overview"),
            ("#/clusters", "Clusters"),
        ):
            window.to(hash_, heading)
            assert window.is_wider_than_screen() == []
        window.to(f"#/pair/{quote(long)}/constructor", re.compile(long))
        assert window.is_wider_than_screen() == []


HASHES = [
    *(f"#/{quote(name, safe='')}" for name in NAMES),
    *(f"#/pairs?q={quote(name)}&sort={quote(name)}" for name in NAMES[::2]),
    *(f"#/document/{quote(name, safe='')}%20x" for name in NAMES[:3]),
    f"#/clusters?t={quote(NAMES[0])}", "#/clusters?t=1e999", "#/clusters?t=-1", "#/clusters?t=NaN",
    "#/pair/constructor/__proto__?passage=1e9", "#/pair/constructor/__proto__?passage=<b>",
    f"#/check?with={quote(NAMES[0])}", f"#/c/{quote(NAMES[0], safe='')}/library",
    f"#/c/{quote('../../x', safe='')}/", "#/c/__proto__/pairs", f"#<script>{RUN}</script>",
    f"#javascript:{RUN}", "#/document", "#/pair", "#/pair/constructor", "#/c", "#/c/",
    "#" + "/x" * 999,
]  # fmt: skip


@pytest.mark.parametrize("where", ["report", "app"])
def test_addresses_do_nothing_but_lead_somewhere(
    open_window: Open, request: pytest.FixtureRequest, where: str
) -> None:
    base = request.getfixturevalue(where)
    window = open_window(f"{base}?q={quote(NAMES[0])}&{quote(NAMES[1])}", expected=REFUSED)
    for hash_ in HASHES:
        window.page.evaluate("hash => { location.hash = hash }", hash_)
        window.page.evaluate("() => new Promise(done => setTimeout(done, 15))")
        assert window.problems == [], hash_
    window.to("#/", "Overview")
    assert_no_foreign_elements(window)


def test_uploads_of_such_names(open_window: Open, library: str, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in texts().items():
            archive.writestr(f"{name}.txt", text)
    window = open_window(f"{library}/#/library", "Library", REFUSED)
    kinds = [f"{name}.txt".replace("/", "_") for name in NAMES if "\0" not in name]
    window.page.get_by_label("Choose files").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": f"{name} and words".encode()}
         for name in kinds]
        + [{"name": f"{NAMES[0]}.zip", "mimeType": "", "buffer": packed.getvalue()}]
    )  # fmt: skip
    uploads = window.page.get_by_role("region", name="Uploads")
    expect(uploads.get_by_role("status")).to_contain_text(re.compile(r"^\d+ added"), timeout=30_000)
    assert_no_foreign_elements(window)
    assert str(tmp_path) not in window.page.content()
    expect(uploads).to_contain_text(f"{NAMES[0]}.zip")
    window.to("#/", "Overview")
    window.to("#/library", "Library")
    for box in window.page.get_by_role("checkbox", name=re.compile("^Choose")).all()[:3]:
        box.check()
    window.button("Remove 3 documents").click()
    window.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(window.page.get_by_role("dialog")).to_have_count(0)


def test_collections_of_such_names(open_window: Open, library: str, tmp_path: Path) -> None:
    window = open_window(f"{library}/#/library", "Library", REFUSED)
    for name in NAMES[:12]:
        window.button("New collection").click()
        dialog = window.page.get_by_role("dialog", name="New collection")
        dialog.get_by_label("Name").fill(name)
        dialog.get_by_role("button", name="Create").click()
        problem = window.page.get_by_role("dialog", name="The collection was not created")
        switch = window.page.get_by_role("combobox", name="Collection")
        expect(
            problem.or_(switch.filter(has=window.page.locator("option:checked")))
        ).not_to_have_count(0)
        window.page.wait_for_timeout(60)
        if problem.count():
            assert str(tmp_path) not in problem.inner_text()
            problem.get_by_role("button", name="Close").click()
    assert_no_foreign_elements(window)
    made = {path.name for path in (tmp_path / "secret place").iterdir()}
    assert all(re.fullmatch(r"[\w .-]+\.db(-wal|-shm)?", name) for name in made), made


def test_checked_texts_and_files_of_such_names(open_window: Open, app: str) -> None:
    window = open_window(f"{app}/#/check", "Check a text", REFUSED)
    name, text = next(iter(texts().items()))
    window.page.get_by_label("Text to check").fill(text)
    expect(window.page.get_by_text(re.compile(r"^\d+ sources found"))).to_be_visible()
    window.page.get_by_label("Choose a file").set_input_files(
        {"name": f"{name}.html", "mimeType": "text/html",
         "buffer": f"<title>{name}</title><script>{RUN}</script><p>{text}</p>".encode()}
    )  # fmt: skip
    expect(window.page.get_by_text(re.compile(r"^\d+ sources? found|No source"))).to_be_visible()
    assert_no_foreign_elements(window)


def assert_nothing_leaks(folder: Path, body: str, headers: object) -> None:
    """Neither where things lie on the server, nor what it is made of."""
    for secret in (
        str(folder),
        os.path.expanduser("~") + "/",
        "Traceback",
        "site-packages",
        '.py"',
    ):
        assert secret not in body
        assert secret not in str(headers)


PATHS = [
    "/", "/static/", "/static/../app.py", "/static/%2e%2e/%2e%2e/server/app.py", "/favicon.ico",
    "/openapi.json", "/api/collections", "/api/info", "/metrics", "/health",
]  # fmt: skip


def test_no_answer_names_a_path(app: str, folder: Path) -> None:
    strange = [quote(name, safe="") for name in NAMES]
    with httpx.Client(base_url=app, timeout=30) as client:
        answers = [client.get(path) for path in PATHS]
        for name in strange:
            answers += [
                client.get(f"/api/view/document/{name}x"),
                client.get("/api/view/pair", params={"a": name, "b": name}),
                client.get(f"/c/{name}/api/documents"),
                client.get(f"/static/{name}"),
                client.get("/api/documents", params={"after": name, "contains": name}),
                client.post("/api/collections", json={"name": name * 40}),
                client.post("/api/uploads", params={"name": name}, content=b"PK\x03\x04 broken"),
                client.post("/api/view/check/file", params={"name": name}, content=b"%PDF-1"),
                client.post("/api/view/check", content=name.encode(),
                            headers={"content-type": "application/json"}),
            ]  # fmt: skip
        for header in ("User-Agent", "Referer", "Accept-Language", "Content-Type", "Range",
                       "X-Forwarded-For", "Authorization", "If-None-Match", "Cookie"):  # fmt: skip
            answers.append(client.get("/", headers={header: NAMES[1]}))
            answers.append(client.get("/api/collections", headers={header: NAMES[3]}))
    for answer in answers:
        assert answer.status_code < 500, answer.url
        assert_nothing_leaks(folder, answer.text, answer.headers)
        if "html" in answer.headers.get("content-type", ""):
            assert RUN not in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("attack", [
    f"<script>{RUN}</script>", f"<img src=x onerror={RUN}>",
    f"<a id=x href='javascript:{RUN}'>x</a>",
])  # fmt: skip
@pytest.mark.parametrize("where", ["report", "app"])
def test_markup_that_got_in_would_not_run(
    open_window: Open, request: pytest.FixtureRequest, where: str, attack: str
) -> None:
    """The second line of defence: the policy holds even where the page would err."""
    window = open_window(
        request.getfixturevalue(where), "Overview",
        expected="Content Security Policy|ERR_FILE_NOT_FOUND|" + REFUSED,
    )  # fmt: skip
    window.page.evaluate(
        """attack => {
            const range = document.createRange();
            document.body.append(range.createContextualFragment(attack));
            document.getElementById('x')?.click();
        }""",
        attack,
    )
    window.page.wait_for_timeout(100)
    assert window.page.evaluate(f"() => window.{RAN}") is None


def test_a_page_of_another_site_can_ask_nothing(
    open_window: Open, live: Callable[..., Live], app: str, tmp_path: Path
) -> None:
    """Neither read nor change: not by a script, not by a form, not in a frame."""
    window = open_window(expected=".")
    code = f"""
        const told = [];
        const ask = (path, more) => fetch('{app}' + path, more).then(
            answer => told.push(answer.type), () => told.push('refused'));
        await ask('/api/collections');
        await ask('/api/remove', {{method: 'POST', body: '{{"ids": ["constructor"]}}'}});
        await ask('/api/remove', {{method: 'POST', mode: 'no-cors',
                                  headers: {{'Content-Type': 'text/plain'}},
                                  body: '{{"ids": ["constructor"]}}'}});
        await ask('/api/uploads?name=new.txt', {{method: 'POST', mode: 'no-cors', body: 'x y'}});
        document.title = told.join();"""
    page = tmp_path / "other.html"
    page.write_text(f"<iframe src='{app}/'></iframe><script type=module>{code}</script>")
    window.page.goto(page.as_uri())
    window.until("() => document.title.split(',').length === 4")
    assert window.page.title() == "refused,refused,refused,refused"
    assert window.page.frames[1].evaluate("() => document.getElementById('app')") is None
    listed = httpx.get(f"{app}/api/documents", params={"limit": 100}).json()["documents"]
    assert {document["id"] for document in listed} == set(NAMES)


@pytest.mark.smoke
def test_the_policy_of_a_report_names_its_own_script(report: str) -> None:
    page = httpx.URL(report).path
    head = Path(page).read_text(encoding="utf-8")[:4000]
    policy = re.search(r'content="(default-src[^"]*)"', head)
    assert policy is not None
    assert "unsafe" not in policy[1]
    digest = re.search(r"script-src 'sha256-([^']+)'", policy[1])
    assert digest is not None
    assert len(base64.b64decode(digest[1])) == 32
