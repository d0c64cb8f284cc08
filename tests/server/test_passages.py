"""Copied passages over HTTP: what a text shares with stored documents, and where."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from likewise.index.index import Index
from likewise.statistics.shared_runs import SMALLEST_P
from likewise.text.words import words_of
from tests.documents.makers import make_pdf, make_zip
from tests.server.conftest import Api, fill

MakeApi = Callable[..., Api]

HARBOUR = (
    "The lamps along the harbour were lit one by one before the last boat had come home with nets."
)
BAKERS = (
    "Bakers rise while everybody sleeps and carry warm loaves through streets that nobody swept."
)
OWN = "\n\nWhat stands here was written by nobody else.\n\n"
BETWEEN = OWN + " ".join(f"between{i * i}" for i in range(60)) + OWN
STORED: dict[str, tuple[str, dict[str, Any] | None]] = {
    "harbour": (f"An old story.\n\n{HARBOUR}\n\nSo it went.", {"author": "M. Okafor"}),
    "both": (
        f"{BAKERS}\n\nIn the meantime, at sea:\n\n{HARBOUR}\n\nAlways.",
        {"author": "J. Lindqvist", "group": "2017"},
    ),
    "neither": ("a dog barked at the passing train all night long and the moon was out", None),
}
ESSAYS = Path(__file__).parent.parent.parent / "samples/essays"


PAGES = make_zip({"Index/Document.iwa": b"\0", "Metadata/Properties.plist": b"\0"})
SLIDES = make_zip({"Index/Document.iwa": b"\0", "Index/Slide-1.iwa": b"\0"})
OLD_WORD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


def words(text: str) -> int:
    return len(text.split())


@pytest.fixture
def shelf(make_api: MakeApi, tmp_path: Path) -> Api:
    """The documents that have something in common with texts here."""
    path = str(tmp_path / "shelf.db")
    Index.create(path).close()
    return shelved(make_api(path))


def shelved(api: Api) -> Api:
    documents = [
        {"id": id_, "text": text, "metadata": metadata} for id_, (text, metadata) in STORED.items()
    ]
    api.ok("POST", "/api/documents", json={"documents": documents})
    return api


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (PAGES, "unsupported file type: save .pages as .docx"),
        (SLIDES, "unsupported file type: save .key as .pptx"),
        (OLD_WORD, "unsupported file type: save .doc as .docx"),
        (bytes(range(128, 256)) * 20, "unknown encoding: save it as UTF-8"),
        (b"", "this file is empty"),
    ],
)
def test_a_file_that_is_not_read_is_answered_with_what_to_do(
    shelf: Api, data: bytes, message: str
) -> None:
    assert shelf.refused(422, "POST", "/api/passages/document", content=data) == message


def test_the_name_of_a_file_tells_what_to_do(shelf: Api) -> None:
    path = "/api/view/check/file?name="
    told = shelf.refused(422, "POST", f"{path}a.numbers", content=b"PK\x03\x04")
    assert told == "unsupported file type: save .numbers as .csv"
    shelf.ok("POST", f"{path}a.key", content=HARBOUR.encode())


def ask(api: Api, text: str, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any]
    (answer,) = api.ok("POST", "/api/passages", json={"text": text, **more})["answers"]
    return answer


def ids(answer: dict[str, Any]) -> list[str]:
    return [source["id"] for source in answer["sources"]]


def test_passages_are_reported_with_their_places_in_both_texts(
    make_api: MakeApi, anywhere: str
) -> None:
    api = shelved(make_api(anywhere))
    text = f"{OWN}{HARBOUR.upper()}{OWN}"
    told = api.ok("POST", "/api/passages", json={"text": text})
    assert told["search"] == {"min_words": 12, "edited": True, "top": 100}
    (answer,) = told["answers"]
    size, shared = words(text), words(HARBOUR)
    assert (answer["words"], answer["matched"], answer["documents"]) == (size, shared, 2)
    assert answer["share"] == shared / size
    assert (answer["notes"], answer["flags"], answer["flag_counts"]) == ([], [], {})
    start, stored = text.index(HARBOUR.upper()), STORED["harbour"][0]
    # Equal shares are in the order of ids.
    (both, harbour) = answer["sources"]
    assert both["id"] == "both"
    (passage,) = harbour.pop("passages")
    assert harbour.pop("p") == passage.pop("p") == SMALLEST_P
    assert harbour == {
        "id": "harbour", "metadata": {"author": "M. Okafor"}, "words": shared,
        "share": shared / size, "share_of_document": shared / words(stored),
        "longest_run": shared, "chance_run": 2, "reworded": [],
    }  # fmt: skip
    assert passage.pop("evidence") > 10
    begin = stored.index(HARBOUR)
    assert passage == {
        "text": {"start": start, "end": start + len(HARBOUR), "page": None, "line": 5,
                 "excerpt": None, "words": shared, "attribution": "neither", "reference": None},
        "document": {"start": begin, "end": begin + len(HARBOUR), "page": None, "line": 3,
                     "excerpt": None, "words": shared, "attribution": "neither", "reference": None},
        "words": shared, "run": shared, "score": shared, "similarity": 1.0, "kind": "verbatim",
    }  # fmt: skip


def test_every_number_of_the_index_is_reported(make_api: MakeApi, anywhere: str) -> None:
    text = f"{HARBOUR}{BETWEEN}{BAKERS}"
    answer = ask(shelved(make_api(anywhere)), text)
    with Index(anywhere) as index:
        found = index.passages([text], threads=1)
    assert ids(answer) == [pair.b for pair in found] == ["both", "harbour"]
    for source, pair in zip(answer["sources"], found, strict=True):
        for told, passage in zip(source["passages"], pair.passages, strict=True):
            sides = ("start", "end", "words", "attribution")
            flat = {f"a_{name}": told["text"][name] for name in sides}
            flat |= {f"b_{name}": told["document"][name] for name in sides}
            flat |= {name: told[name] for name in told if name not in ("text", "document")}
            assert flat == passage.to_dict()


def test_a_word_that_several_documents_share_is_counted_once(shelf: Api) -> None:
    shelf.add({"bakers": f"{BAKERS} And then they sleep."})
    text = f"{HARBOUR}{BETWEEN}{BAKERS}"
    answer = ask(shelf, text)
    assert sorted(ids(answer)) == ["bakers", "both", "harbour"]
    held = {
        i
        for source in answer["sources"]
        for passage in source["passages"]
        for i, begin in enumerate(words_of(text).begins.tolist())
        if passage["text"]["start"] <= begin < passage["text"]["end"]
    }
    assert len(held) == answer["matched"]
    assert answer["matched"] < sum(source["words"] for source in answer["sources"])
    assert answer["share"] == len(held) / words(text)


def test_top_says_how_many_documents_are_reported_and_not_how_much_is_matched(shelf: Api) -> None:
    text = f"{HARBOUR}{BETWEEN}"
    everything, one = ask(shelf, text), ask(shelf, text, top=1)
    assert (ids(everything), ids(one)) == (["both", "harbour"], ["both"])
    assert one["documents"] == 2
    assert one["matched"] == everything["matched"] == words(HARBOUR)


def test_excerpts_are_the_text_of_both_sides(shelf: Api) -> None:
    text = f"{OWN}{HARBOUR.title()}"
    for source in ask(shelf, text, excerpts=True)["sources"]:
        (passage,) = source["passages"]
        assert passage["text"]["excerpt"] == HARBOUR.title()
        assert passage["document"]["excerpt"] == HARBOUR


def test_a_long_excerpt_is_cut(shelf: Api) -> None:
    long = " ".join(f"word{i}" for i in range(2_000))
    shelf.add({"long": long})
    ((passage,),) = [source["passages"] for source in ask(shelf, long, excerpts=True)["sources"]]
    assert passage["text"]["end"] == len(long)
    assert passage["text"]["excerpt"] == passage["document"]["excerpt"] == long[:5_000]


def test_several_texts_have_answers_of_their_own(shelf: Api) -> None:
    texts = ["", f"{OWN}{BAKERS}", "…", OWN] * 6
    answers = shelf.ok("POST", "/api/passages", json={"texts": texts})["answers"]
    assert [ids(answer) for answer in answers] == [[], ["both"], [], []] * 6
    assert [answer["words"] for answer in answers[:4]] == [0, words(texts[1]), 0, words(OWN)]
    assert answers[0]["share"] == 0


def test_edited_copies_are_found_unless_only_runs_are_wanted(shelf: Api) -> None:
    essays = {path.name: path.read_text(encoding="utf-8") for path in ESSAYS.iterdir()}
    copy = essays.pop("bees-02.txt")  # reworded, sentence by sentence
    shelf.add(essays)
    found = ask(shelf, copy)
    assert ids(found) == ["bees-04.txt"]
    assert {passage["kind"] for passage in found["sources"][0]["passages"]} <= {
        "edited", "reordered",
    }  # fmt: skip
    assert ids(ask(shelf, copy, edited=False, min_words=20)) == []


def test_longer_runs_may_be_asked_for(shelf: Api) -> None:
    asked = {"text": f"{OWN}{HARBOUR}", "edited": False, "min_words": words(HARBOUR) + 1}
    told = shelf.ok("POST", "/api/passages", json=asked)
    assert told["search"]["min_words"] == words(HARBOUR) + 1
    assert ids(told["answers"][0]) == []


# --- what is left out


def test_quotations_and_phrases_are_left_out_and_that_is_reported(shelf: Api) -> None:
    quoted = f"{OWN}“{HARBOUR}”{BETWEEN}{BAKERS}"
    answer = ask(shelf, quoted, exclude={"quotations": True})
    assert ids(answer) == ["both"]
    assert answer["matched"] == words(BAKERS)
    assert answer["words"] == words(quoted) - words(HARBOUR)
    assert answer["notes"] == ["excluded: 1 quotation in 1 document"]
    answer = ask(shelf, quoted, exclude={"phrases": [HARBOUR.upper()]})
    assert (ids(answer), answer["matched"]) == (["both"], words(BAKERS))
    assert answer["notes"] == ["excluded: 2 phrases in 2 documents"]


def test_what_is_in_a_template_is_nobodys_copy(shelf: Api) -> None:
    answer = ask(shelf, f"{OWN}{HARBOUR}", exclude={"templates": [f"The task: {HARBOUR}"]})
    assert (ids(answer), answer["matched"]) == ([], 0)
    assert any("template" in note for note in answer["notes"])


def test_a_bibliography_is_left_out(shelf: Api) -> None:
    listed = "".join(
        f"{name}, A. (20{i}). {title}. Journal of Ports, {i}, 1-20.\n"
        for i, (name, title) in enumerate(
            [("Smith", "Lamps and boats"), ("Jones", "Nets and knots"), ("Brown", "Harbours"),
             ("White", "Bread and its bakers"), ("Green", "Ropes")], 10,
        )
    )  # fmt: skip
    shelf.add({"paper": f"{BAKERS}{BETWEEN}\n\nReferences\n\n{listed}"})
    text = f"{OWN * 20}\n\nReferences\n\n{listed}"
    assert ids(ask(shelf, text)) == ["paper"]
    answer = ask(shelf, text, exclude={"bibliography": True})
    assert (ids(answer), answer["words"]) == ([], words(OWN * 20))
    assert answer["notes"] == ["excluded: 1 bibliography in 1 document"]


def test_small_shares_and_what_is_everywhere_are_left_out(shelf: Api) -> None:
    text = f"{HARBOUR}{BETWEEN}"
    assert ids(ask(shelf, text, exclude={"min_passage": 1000})) == []
    share = ask(shelf, text)["sources"][0]["share_of_document"]
    assert "both" not in ids(ask(shelf, text, exclude={"min_share": share + 0.01}))
    answer = ask(shelf, text, exclude={"max_sources": 1})
    assert (ids(answer), answer["matched"]) == ([], 0)
    assert answer["notes"] == ["excluded: 2 passages shared with too many documents"]


def test_documents_of_the_same_author_or_group_are_left_out(shelf: Api) -> None:
    text = f"{OWN}{HARBOUR}"
    own = {"author": "M. Okafor", "group": "2017", "year": 2018}
    for same, left in ((["author"], ["both"]), (["group"], ["harbour"]), (["author", "group"], [])):
        answer = ask(shelf, text, exclude={"same": same}, metadata=own)
        assert ids(answer) == left
        assert "of the same author or group, not compared" in answer["notes"][0]
    assert ids(ask(shelf, text, metadata=own)) == ["both", "harbour"]


def test_whose_a_text_is_must_be_known_for_that(shelf: Api) -> None:
    said = "same author can be excluded only if the author of the text is given"
    for metadata in ({}, {"metadata": None}, {"metadata": {"group": "2017", "author": None}}):
        asked = {"text": OWN, "exclude": {"same": ["author"]}, **metadata}
        assert shelf.refused(422, "POST", "/api/passages", json=asked) == said
    address = "/api/passages/document?same=author&group=2017"
    assert shelf.refused(422, "POST", address, content=b"a text") == said


# --- what is other than it looks


def test_letters_that_only_look_right_are_flagged_and_matched_as_they_look(shelf: Api) -> None:
    tricked = HARBOUR.replace("boat", "b\u043eat").replace("lamps", "la\u200bmps")
    answer = ask(shelf, f"{OWN}{tricked}")
    assert ids(answer) == ["both", "harbour"]
    assert answer["matched"] == words(HARBOUR)
    at = len(OWN)
    lamps, boat = at + tricked.index("la\u200b"), at + tricked.index("b\u043eat")
    assert answer["flags"] == [
        {"kind": "zero-width", "start": lamps + 2, "end": lamps + 3, "shown": "U+200B"},
        {"kind": "look-alike", "start": boat, "end": boat + 4, "shown": "boat"},
    ]
    assert answer["flag_counts"] == {"zero-width": 1, "look-alike": 1}
    assert answer["notes"][0].startswith("the text: hidden or look-alike characters")


def test_a_stored_document_that_is_other_than_it_looks_is_reported(shelf: Api) -> None:
    shelf.add({"tricked": BAKERS.replace("warm", "w\u0430rm") + " and that is all"})
    answer = ask(shelf, BAKERS)
    assert set(ids(answer)) == {"both", "tricked"}
    (note,) = answer["notes"]
    assert note.startswith("document tricked: hidden or look-alike characters")
    assert answer["flags"] == []


# --- files


def test_a_file_is_asked_about_with_its_pages_and_not_stored(
    make_api: MakeApi, anywhere: str
) -> None:
    api = make_api(anywhere)
    first, second = HARBOUR[:50].rpartition(" ")[0], HARBOUR[len(HARBOUR[:50].rpartition(" ")[0]) :]
    stored = make_pdf([["An empty page"], ["Another"], ["The third one says", first, second]])
    api.ok("PUT", "/api/documents/2017/harbour.pdf", content=stored)
    before = api.ok("GET", "/api/index")["documents"]
    asked = make_pdf([["What is new"], [first, second, "and the end"]])
    told = api.ok("POST", "/api/passages/document?excerpts=true&top=5", content=asked)
    assert told["characters"] == len("What is new\n") + len(first) + len(second) + 14
    assert (told["notes"], told["search"]["top"]) == ([], 5)
    (source,) = told["answers"][0]["sources"]
    assert source["id"] == "2017/harbour.pdf"
    (passage,) = source["passages"]
    assert (passage["text"]["page"], passage["text"]["line"]) == (2, 1)
    assert (passage["document"]["page"], passage["document"]["line"]) == (3, 2)
    assert passage["text"]["excerpt"].split() == HARBOUR.split()
    assert api.ok("GET", "/api/index")["documents"] == before


def test_what_is_left_out_of_a_file_is_in_the_address(shelf: Api) -> None:
    def found(text: str, *asked: tuple[str, str]) -> list[str]:
        address = f"/api/passages/document?{httpx.QueryParams(asked)}"
        told = shelf.ok("POST", address, content=text.encode())
        return ids(told["answers"][0])

    text = f"{OWN}{HARBOUR}"
    assert found(text) == ["both", "harbour"]
    assert found(f"{OWN}“{HARBOUR}”", ("exclude", "quotations"), ("exclude", "bibliography")) == []
    assert found(text, ("phrase", "no such thing"), ("phrase", HARBOUR)) == []
    assert found(text, ("max_sources", "1")) == []
    assert found(text, ("min_share", "0.72")) == ["harbour"]
    assert found(text, ("same", "author"), ("author", "M. Okafor")) == ["both"]
    assert found(text, ("same", "group"), ("group", "2017")) == ["harbour"]
    assert found(text, ("edited", "false"), ("min_words", "30")) == []


@pytest.mark.parametrize("asked", [
    "min_words=0", "min_words=1001", "min_words=12.5", "edited=perhaps", "top=0", "excerpts=2",
    "exclude=everything", "&".join(["exclude=quotations"] * 4), "phrase=", "phrase=%21",
    "phrase=a%00", "phrase=" + "a" * 201, "&".join(["phrase=a"] * 17),
    "min_share=nan", "min_share=-1", "max_sources=0", "same=title", "same=author",
    "same=author&author=%00", "author=" + "a" * 201,
])  # fmt: skip
def test_what_cannot_be_asked_about_a_file_is_refused(shared_api: Api, asked: str) -> None:
    shared_api.refused(422, "POST", f"/api/passages/document?{asked}", content=b"a text")


# --- indexes that have none


def refusal(api: Api, **more: Any) -> dict[str, str]:
    response = api("POST", "/api/passages", json={"text": HARBOUR, **more})
    assert response.status_code == 422
    assert ".db" not in response.text
    file = api("POST", "/api/passages/document", content=HARBOUR.encode(), params=more)
    assert (file.status_code, file.json()) == (422, response.json())
    error: dict[str, str] = response.json()["error"]
    return error


def test_an_index_without_passages_says_so(make_api: MakeApi, tmp_path: Path) -> None:
    path = str(tmp_path / "similar only.db")
    fill(path, min_words=None)
    api = make_api(path)
    assert refusal(api) == {
        "message": "the index was created without passages",
        "hint": "export its documents, and import them into a new index with passages",
    }
    assert api.ok("GET", "/api/index")["min_words"] is None


def test_an_index_without_texts_has_no_passages(make_api: MakeApi, tmp_path: Path) -> None:
    path = str(tmp_path / "no texts.db")
    fill(path, keep_text=False)
    assert refusal(make_api(path)) == {
        "message": "the index was created without passages",
        "hint": "passages require an index that stores texts",
    }


def test_shorter_runs_than_the_index_was_made_for_are_refused(api: Api) -> None:
    assert refusal(api, min_words=11) == {
        "message": "the index was created for runs of 12 words or more; with 11, passages would "
        "be missed",
        "hint": "create an index with a smaller min_words",
    }
    told = api.ok("GET", "/api/index")
    assert (told["min_words"], told["set_aside"]) == (12, 0)


# --- many at once


def test_the_same_question_has_the_same_answer(make_api: MakeApi, anywhere: str) -> None:
    api = shelved(make_api(anywhere))
    asked = {"text": f"{HARBOUR}{BETWEEN}{BAKERS}", "excerpts": True}
    answers = api.together(*(api.client.post("/api/passages", json=asked) for _ in range(30)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1


def test_questions_are_answered_while_documents_are_added(make_api: MakeApi, anywhere: str) -> None:
    api = shelved(make_api(anywhere))
    rng = random.Random(1)
    new = {f"new {i}": " ".join(f"w{rng.randrange(10_000)}" for _ in range(40)) for i in range(20)}

    async def one(id_: str, text: str) -> list[str]:
        """Stored and asked about; what was there before is found at any time."""
        listed = {"documents": [{"id": id_, "text": text}]}
        adding = asyncio.ensure_future(api.client.post("/api/documents", json=listed))
        during = await api.client.post("/api/passages", json={"text": f"{HARBOUR} {text}"})
        assert ids(during.json()["answers"][0])[-2:] == ["both", "harbour"]
        assert set(ids(during.json()["answers"][0])) <= {"both", "harbour", id_}
        assert (await adding).status_code == 200
        similar = await api.client.post("/api/query", json={"text": text})
        assert [match["id"] for match in similar.json()["answers"][0]["matches"]] == [id_]
        after = await api.client.post("/api/passages", json={"text": text})
        return ids(after.json()["answers"][0])

    found = api.together(*(one(id_, text) for id_, text in new.items()))
    assert found == [[id_] for id_ in new]
    with Index(anywhere) as index:
        assert index.verify() == []


def test_passages_do_not_hold_up_similar_questions_nor_long_ones_short_ones(
    make_api: MakeApi, tmp_path: Path
) -> None:
    path = str(tmp_path / "large.db")
    rng = random.Random(2)
    texts = [" ".join(f"w{rng.randrange(1_000)}" for _ in range(150)) for _ in range(100)]
    with Index.create(path) as index:
        index.add(texts, range(len(texts)))
    api = make_api(path)

    async def ask_all() -> None:
        long = asyncio.ensure_future(api.client.post("/api/passages", json={"texts": texts * 10}))
        short = [
            asyncio.ensure_future(api.client.post("/api/passages", json={"texts": texts[:16]}))
            for _ in range(8)
        ]
        await asyncio.sleep(0.05)
        similar = await api.client.post("/api/query", json={"text": texts[0], "top": 1})
        assert similar.status_code == 200
        assert not all(one.done() for one in short)
        for one in short:
            assert (await one).status_code == 200
        assert not long.done()
        long.cancel()

    api.run(ask_all())


def test_nothing_is_done_that_nobody_waits_for(
    make_api: MakeApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "shelf.db")
    Index.create(path).close()
    api = shelved(make_api(path))
    begun: list[str] = []
    passages = Index.passages

    def watched(self: Index, texts: list[str], **more: Any) -> object:
        begun.append(texts[0])
        return passages(self, texts, **more)

    monkeypatch.setattr(Index, "passages", watched)

    async def leave() -> None:
        texts = [f"{HARBOUR} {i}" for i in range(1_000)]
        asking = asyncio.ensure_future(api.client.post("/api/passages", json={"texts": texts}))
        while len(begun) < 3:
            await asyncio.sleep(0.001)
        asking.cancel()
        await api.client.post("/api/passages", json={"texts": [OWN] * 17})

    api.run(leave())
    assert begun[-17:] == [OWN] * 17
    assert len(begun) < 500


def test_an_answer_holds_no_path(make_api: MakeApi, anywhere: str) -> None:
    api = shelved(make_api(anywhere))
    told = json.dumps(api.ok("POST", "/api/passages", json={"text": HARBOUR, "excerpts": True}))
    assert "index.db" not in told
    assert "postgres" not in told
