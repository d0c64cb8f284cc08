"""Tables that are dropped into the app describe the documents of a collection."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from likewise.index.index import Index
from tests.documents.makers import make_xlsx
from tests.server.conftest import Api

MakeApi = Callable[..., Api]
MOODLE = "Weiß Jürgen_4711_assignsubmission_file_/essay.txt"


def send(api: Api, name: str, data: bytes) -> dict[str, Any]:
    answer: dict[str, Any] = api.ok("POST", f"/api/metadata?name={name}", content=data)
    return answer


def stored(api: Api) -> dict[str, Any]:
    return {one["id"]: one["metadata"] for one in api.ok("GET", "/api/documents")["documents"]}


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_table_describes_documents(api: Api, kind: str) -> None:
    rows = [["Datei", "Nachname", "Vorname", "Klasse"], ["moon", "Weiß", "Jürgen", "7b"],
            ["SUN", "Smith", "Anna", "7c"], ["gone", "Nobody", "At all", "7d"]]  # fmt: skip
    text = "\n".join(";".join(row) for row in rows).encode()
    answer = send(api, f"class.{kind}", text if kind == "csv" else make_xlsx(rows))
    assert answer == {
        "name": f"class.{kind}", "documents": 3, "described": 2, "changed": 2,
        "unmatched": ["'gone'"],
        "summary": "2 of 3 documents described; file = column 'Datei', author = 'Vorname' + "
        "'Nachname', group = 'Klasse'; 1 row matches no document: 'gone'",
    }  # fmt: skip
    assert stored(api) == {
        "moon": {"author": "Jürgen Weiß", "group": "7b"},
        "train": None,
        "sun": {"author": "Anna Smith", "group": "7c"},
    }
    assert send(api, "class.csv", text)["changed"] == 0


def test_a_second_table_adds_to_the_first(api: Api) -> None:
    send(api, "a.csv", b"id,title,author\nmoon,On the moon,Ann\n")
    send(api, "b.csv", b"id,author,date\nmoon,Bea,2024\n")
    assert stored(api)["moon"] == {"title": "On the moon", "author": "Bea", "date": "2024"}


def test_a_file_that_is_sent_again_keeps_what_is_known_of_it(api: Api) -> None:
    def upload() -> str:
        return api("POST", "/api/uploads?name=a.txt", content=b"the words of an essay").text

    assert '"added":1' in upload().replace(" ", "")
    send(api, "m.csv", b"id,author\na.txt,Ann\n")
    assert '"unchanged":1' in upload().replace(" ", "")
    assert stored(api)["a.txt"] == {"author": "Ann"}


def test_the_overview_is_made_again(api: Api, file: str) -> None:
    with Index(file) as index:
        before = index.state()
        send(api, "m.csv", b"id,author\ntrain,Ann\n")
        assert index.state() != before
        assert index.verify() == []
        assert index["train"].text is not None


def test_submissions_have_an_author_by_their_names(api: Api) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(MOODLE, "the words of an essay")
    for name, body in (("course.zip", data.getvalue()), ("weiss_471_9021_a.txt", b"some words")):
        assert api("POST", f"/api/uploads?name={name}", content=body).status_code == 200
    known = stored(api)
    assert known[f"course.zip/{MOODLE}"] == {"author": "Weiß Jürgen"}
    assert known["weiss_471_9021_a.txt"] == {"author": "weiss"}
    send(api, "m.csv", "Identifier,Full name\nParticipant 4711,Jürgen Weiß\n".encode())
    assert stored(api)[f"course.zip/{MOODLE}"] == {"author": "Jürgen Weiß"}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("m.csv", b"", "no column names the documents"),
        (
            "m.csv",
            b"title,author\na,b\n",
            "no column names the documents; it has 'title', 'author'",
        ),
        ("m.xlsx", b"PK\3\4", "damaged or truncated"),
        ("m.csv.gz", b"\x1f\x8b", "compressed"),
        ("m.txt", b"id\nmoon\n", "not a table"),
        ("m.csv", b"id\nmoon\nmoon\n", "duplicate 'moon'"),
    ],
)
def test_a_bad_table_is_refused_with_the_reason(
    api: Api, name: str, data: bytes, message: str
) -> None:
    response = api("POST", f"/api/metadata?name={name}", content=data)
    assert response.status_code == 422
    assert message in response.json()["error"]["message"]


def test_a_collection_without_texts_cannot_be_described(make_api: MakeApi, tmp_path: Path) -> None:
    path = str(tmp_path / "no-text.db")
    with Index.create(path, keep_text=False) as index:
        index.add(["the words of an essay"], ["a"])
    response = make_api(path)("POST", "/api/metadata?name=m.csv", content=b"id,author\na,Ann\n")
    assert response.status_code == 422
    assert "stores no texts" in response.json()["error"]["message"]
