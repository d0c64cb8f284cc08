"""Networks of documents, as NetworkX reads them."""

from __future__ import annotations

import io
from typing import Any

import networkx as nx
import pytest

from likewise.documents.document import Document
from likewise.output.graphml import families_graphml, passages_graphml
from likewise.passages.families.find import find_families
from likewise.passages.find import find_passages
from tests.passages.families.planted import Collection

Graph = Any


def read(lines: Any) -> Graph:
    return nx.read_graphml(io.BytesIO("".join(lines).encode()))


@pytest.fixture
def made() -> Collection:
    made = Collection(1)
    made.plant("x", "y", "z", count=40)
    made.plant("x", "y <&> \x01", count=30)
    made.write_random("alone", count=100)
    return made


def documents(made: Collection, dates: dict[str, str] | None = None) -> dict[str, Document]:
    return {
        id_: Document(text, id=id_, metadata={"date": (dates or {}).get(id_), "title": f"T {id_}"})
        for id_, text in zip(made.ids, made.texts, strict=True)
    }


def labels(graph: Graph) -> dict[str, str]:
    return {data["label"]: node for node, data in graph.nodes(data=True)}


def test_an_edge_for_each_pair_with_its_figures(made: Collection) -> None:
    passages = find_passages(made.texts, ids=made.ids)
    known = documents(made)
    graph = read(passages_graphml(passages, known, known))
    assert not graph.is_directed()
    names = labels(graph)
    assert set(names) == {"x", "y", "z", "y <&> \ufffd"}  # "alone" shares nothing
    assert graph.number_of_edges() == len(passages) == 4
    for pair in passages:
        ends = (names[str(one).replace("\x01", "\ufffd")] for one in (pair.a, pair.b))
        edge = graph.edges[tuple(ends)]
        assert (edge["words_a"], edge["longest_run"]) == (pair.words_a, pair.longest_run)
        assert edge["share_a"] == pair.share_a
    assert graph.nodes[names["x"]]["title"] == "T x"


def test_edges_lead_from_the_earlier_to_the_later_document(made: Collection) -> None:
    passages = find_passages(made.texts, ids=made.ids)
    known = documents(made, {"x": "1900", "y": "1850-03", "z": "1850-02", "y <&> \x01": "2000"})
    graph = read(passages_graphml(passages, known, known))
    assert graph.is_directed()
    found = {(graph.nodes[a]["label"], graph.nodes[b]["label"]) for a, b in graph.edges()}
    assert found == {("y", "x"), ("z", "x"), ("z", "y"), ("x", "y <&> \ufffd")}


def test_a_missing_date_makes_the_graph_undirected(made: Collection) -> None:
    passages = find_passages(made.texts, ids=made.ids)
    known = documents(made, {"x": "1900", "y": "1850"})
    assert not read(passages_graphml(passages, known, known)).is_directed()


def test_dates_that_do_not_say_which_is_earlier_make_the_graph_undirected(
    made: Collection,
) -> None:
    passages = find_passages(made.texts, ids=made.ids)
    dates = {"x": "1900", "y": "1850-03", "z": "1850", "y <&> \x01": "2000"}
    known = documents(made, dates)
    assert not read(passages_graphml(passages, known, known)).is_directed()


def test_families_are_nodes_with_an_edge_to_each_witness(made: Collection) -> None:
    families = find_families(find_passages(made.texts, ids=made.ids))
    graph = read(families_graphml(families, documents(made), {}))
    kinds = [data["type"] for _, data in graph.nodes(data=True)]
    assert (kinds.count("family"), kinds.count("document")) == (2, 4)
    assert graph.degree("family1") == 3
    assert graph.nodes["family1"]["common"] == 40
    assert graph.nodes["family1"]["p"] == families[0].p == 1e-6


def test_two_collections_may_have_the_same_ids(made: Collection) -> None:
    passages = find_passages(made.texts, ids=made.ids, against=made.texts, against_ids=made.ids)
    graph = read(passages_graphml(passages, documents(made), documents(made)))
    sides = [data["side"] for _, data in graph.nodes(data=True)]
    assert (sides.count("a"), sides.count("b")) == (5, 5)


def test_nothing_shared_is_an_empty_graph() -> None:
    passages = find_passages(["one two", "three four"], ids=["x", "y"])
    assert read(passages_graphml(passages, {}, {})).number_of_nodes() == 0
