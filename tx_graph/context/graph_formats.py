"""A graph as other tools read it: GraphML, GEXF, JSON and CSV, a piece at a time, so that its size does not matter.

No format that networkx reads may have directed and undirected edges together. So all edges point as they are stored,
and `directed` says of each whether that means anything. XML cannot hold control characters: a text that has any, or
begins with a double quote, stands there as `git ls-files` prints such a name, in double quotes with escapes.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from tx_graph.core.text import inert, inert_json, quoted_field


class GraphForm(StrEnum):
    """How a graph is written."""

    GRAPHML = "graphml"
    GEXF = "gexf"
    JSON_GRAPH = "json-graph"
    CSV = "csv"


class ExportedNode(NamedTuple):
    """A node: `id` is how commands name it, `key` what is the same in every clone, `path` the file where it stands."""

    id: str
    kind: str
    label: str
    path: str
    key: str


class ExportedEdge(NamedTuple):
    """An edge between two nodes by their ids; `weight` lies in [0, 1]."""

    source: str
    target: str
    type: str
    relation: str
    weight: float
    directed: bool
    description: str


_TYPES = {"weight": "double", "directed": "boolean"}  # all others are texts
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def graphml(nodes: Iterable[ExportedNode], edges: Iterable[ExportedEdge]) -> Iterator[str]:
    """Yield a document of GraphML."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for thing, names in (("node", ExportedNode._fields[1:]), ("edge", ExportedEdge._fields[2:])):
        for name in names:
            kind = _TYPES.get(name, "string")
            yield f'<key id="{thing}-{name}" for="{thing}" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for node in nodes:
        yield f'<node id="{_xml(node.id)}">{_data("node", node._fields[1:], node[1:])}</node>\n'
    for edge in edges:
        data = _data("edge", edge._fields[2:], edge[2:])
        yield f'<edge source="{_xml(edge.source)}" target="{_xml(edge.target)}">{data}</edge>\n'
    yield "</graph>\n</graphml>\n"


def _data(thing: str, names: Iterable[str], values: Iterable[object]) -> str:
    """Return those attributes of GraphML that say anything."""
    told = zip(names, map(_plain, values), strict=True)
    return "".join(f'<data key="{thing}-{name}">{_xml(value)}</data>' for name, value in told if value)


def gexf(nodes: Iterable[ExportedNode], edges: Iterable[ExportedEdge]) -> Iterator[str]:
    """Yield a document of GEXF 1.2, which Gephi reads."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
    yield '<graph defaultedgetype="directed" mode="static">\n'
    of_nodes = ("kind", "path", "key")
    of_edges = ("type", "relation", "directed", "description")
    for thing, names in (("node", of_nodes), ("edge", of_edges)):
        yield f'<attributes class="{thing}" mode="static">\n'
        for name in names:
            yield f'<attribute id="{name}" title="{name}" type="{_TYPES.get(name, "string")}"/>\n'
        yield "</attributes>\n"
    yield "<nodes>\n"
    for node in nodes:
        values = _attvalues(of_nodes, (node.kind, node.path, node.key))
        yield f'<node id="{_xml(node.id)}" label="{_xml(node.label)}">{values}</node>\n'
    yield "</nodes>\n<edges>\n"
    for number, edge in enumerate(edges):
        ends = f'source="{_xml(edge.source)}" target="{_xml(edge.target)}"'
        values = _attvalues(of_edges, (edge.type, edge.relation, edge.directed, edge.description))
        yield f'<edge id="{number}" {ends} weight="{edge.weight}">{values}</edge>\n'
    yield "</edges>\n</graph>\n</gexf>\n"


def _attvalues(names: Iterable[str], values: Iterable[object]) -> str:
    """Return those attributes of GEXF that say anything."""
    told = zip(names, map(_plain, values), strict=True)
    return "".join(
        ["<attvalues>", *(f'<attvalue for="{name}" value="{_xml(one)}"/>' for name, one in told if one), "</attvalues>"]
    )


def json_graph(nodes: Iterable[ExportedNode], edges: Iterable[ExportedEdge]) -> Iterator[str]:
    """Yield a document of JSON with `nodes` and `edges`, as networkx's node_link_graph and d3 take it."""
    yield '{"directed": true, "multigraph": true, "graph": {}, "nodes": ['
    before = "\n"
    for node in nodes:
        yield before + inert_json(json.dumps(node._asdict(), ensure_ascii=False))
        before = ",\n"
    yield '\n], "edges": ['
    before = "\n"
    for edge in edges:
        yield before + inert_json(json.dumps(edge._asdict(), ensure_ascii=False))
        before = ",\n"
    yield "\n]}\n"


NODES_HEADER = "id:ID,kind:LABEL,label,path,key"
EDGES_HEADER = "source:START_ID,target:END_ID,type:TYPE,relation,weight:double,directed:boolean,description"
"""First lines of tables as the bulk loader of Neo4j reads them; before each colon stands the name."""


def csv_table(header: str, rows: Iterable[ExportedNode | ExportedEdge]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"{header}\n"
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    for row in rows:
        table.writerow(map(_plain, row))
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@lru_cache(maxsize=50_000)  # names of nodes come again and again
def _xml(text: str) -> str:
    """Return a text for an element or attribute of XML, from which it is read as it was."""
    if text.startswith('"') or _NO_XML.search(text):
        text = quoted_field(text)
    if not text.isprintable():  # what nobody sees, or turns the line around, must not reach a terminal either
        text = "".join(one if one in _MARKUP or inert(one) == one else f"\0{ord(one)};" for one in text)
    return text.translate(_TABLE).replace("\0", "&#")


_TABLE = str.maketrans(_MARKUP)
