"""GraphML: a network of documents, for Gephi, Cytoscape, NetworkX, igraph and others.

Of pairs with passages, an edge is what two documents share. If the dates of both documents are
known for every edge, and say which is earlier, edges lead from the earlier to the later one;
otherwise the graph is undirected. Of families, a document has an edge to each family that it is a
witness of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from likewise.documents.document import FIELDS
from likewise.output.passages import Documents
from likewise.output.xml import DECLARATION, element, start_tag
from likewise.passages.families.dates import compare_dates

if TYPE_CHECKING:
    from likewise.passages.families.results import Families
    from likewise.passages.results import PassagePair, Passages

_TYPES = {str: "string", int: "int", float: "double"}
_PAIR: dict[str, tuple[type, Callable[[PassagePair], Any]]] = {
    "words_a": (int, lambda pair: pair.words_a),
    "words_b": (int, lambda pair: pair.words_b),
    "share_a": (float, lambda pair: pair.share_a),
    "share_b": (float, lambda pair: pair.share_b),
    "passages": (int, lambda pair: len(pair.passages)),
    "longest_run": (int, lambda pair: pair.longest_run),
    "p": (float, lambda pair: pair.p),
}
_FAMILY = {
    "documents": int, "common": int, "run": int, "similarity": float, "kind": str, "p": float,
}  # fmt: skip
_WITNESS = {"words": int, "matched": int}

Values = Mapping[str, object]


def passages_graphml(passages: Passages, a: Documents, b: Documents) -> Iterator[str]:
    """Documents that share passages, in lines that end; possibly reworded ones are left out."""
    pairs = [pair for pair in passages if pair.passages]
    second = "a" if b is a else "b"
    names = _names((("a", a), (second, b)))
    directed = bool(pairs) and all(
        compare_dates(a[pair.a].known.get("date"), b[pair.b].known.get("date")) for pair in pairs
    )
    nodes: dict[str, Values] = {}
    edges = []
    for pair in pairs:
        ends = names["a", pair.a], names[second, pair.b]
        for name, side, document in ((ends[0], "a", a[pair.a]), (ends[1], second, b[pair.b])):
            nodes[name] = {"side": side, "label": document.id} | dict(document.known)
        values = {name: value(pair) for name, (_, value) in _PAIR.items()}
        turned = compare_dates(a[pair.a].known.get("date"), b[pair.b].known.get("date")) > 0
        if directed and turned:
            ends = ends[::-1]
        # a and b of the figures, whatever the direction
        edges.append((*ends, {"a": pair.a, "b": pair.b} | values))
    kinds = {"a": str, "b": str} | {name: kind for name, (kind, _) in _PAIR.items()}
    node_kinds = dict.fromkeys(("side", "label", *FIELDS), str)
    yield from _graph(list(nodes.items()), node_kinds, edges, kinds, directed=directed)


def families_graphml(families: Families, a: Documents, b: Documents) -> Iterator[str]:
    """Documents and families: an edge for each witness, in lines that end."""
    names = _names((("a", a), ("b", b)))
    documents: dict[str, Values] = {}
    others: list[tuple[str, Values]] = []
    edges = []
    for number, family in enumerate(families, 1):
        own = f"family{number}"
        values = {name: getattr(family, name) for name in _FAMILY}
        others.append((own, {"type": "family", "label": str(number)} | values))
        for one in family.witnesses:
            name = names[one.side, one.id]
            document = (b if one.side == "b" else a)[one.id]
            documents[name] = {"type": "document", "side": one.side, "label": one.id} | dict(
                document.known
            )
            edges.append((name, own, {name: getattr(one, name) for name in _WITNESS}))
    kinds = dict.fromkeys(("type", "side", "label", *FIELDS), str) | _FAMILY
    yield from _graph([*documents.items(), *others], kinds, edges, _WITNESS, directed=False)


def _names(sides: Sequence[tuple[str, Documents]]) -> dict[tuple[str, str], str]:
    """The name of each document's node, by its side and id."""
    return {
        (side, id_): f"{side}{number}"
        for side, documents in sides
        for number, id_ in enumerate(documents)
    }


def _graph(
    nodes: Sequence[tuple[str, Values]],
    node_kinds: Mapping[str, type],
    edges: Sequence[tuple[str, str, Values]],
    edge_kinds: Mapping[str, type],
    *,
    directed: bool,
) -> Iterator[str]:
    yield f"{DECLARATION}\n"
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for kinds, what in ((node_kinds, "node"), (edge_kinds, "edge")):
        for name, kind in kinds.items():
            key = {
                "id": f"{what}_{name}", "for": what, "attr.name": name, "attr.type": _TYPES[kind],
            }  # fmt: skip
            yield f"  {start_tag('key', key, end='/')}\n"
    yield f'  <graph edgedefault="{"directed" if directed else "undirected"}">\n'
    for name, values in nodes:
        yield f"    {start_tag('node', {'id': name})}\n"
        yield from _data(values, "node")
        yield "    </node>\n"
    for source, target, values in edges:
        yield f"    {start_tag('edge', {'source': source, 'target': target})}\n"
        yield from _data(values, "edge")
        yield "    </edge>\n"
    yield "  </graph>\n</graphml>\n"


def _data(values: Values, what: str) -> Iterator[str]:
    for name, value in values.items():
        if value is not None:
            yield f"      {element('data', value, key=f'{what}_{name}')}\n"
