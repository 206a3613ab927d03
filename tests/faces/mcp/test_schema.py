"""What clients are told of the tools is exact, and costs little."""

from __future__ import annotations

import json
import re
from typing import Any

import fastjsonschema
import pytest

from tests.isolation import ROOT, run_without
from tx_graph.core.text import by_characters
from tx_graph.faces.mcp.server import instructions
from tx_graph.faces.mcp.tool import Tool
from tx_graph.faces.mcp.tools import TOOLS, described, offered

NAMES = """tx_context tx_search tx_learning_search tx_learning_add tx_learning_edit tx_graph_link tx_graph_neighbors
tx_graph_symbols tx_graph_impact tx_graph_uses tx_graph_analyze_imports tx_graph_verify tx_review tx_focus tx_recall
tx_fact_add tx_doc_search tx_run_feedback""".split()
WRITING = "tx_learning_add tx_learning_edit tx_graph_link tx_graph_analyze_imports tx_fact_add tx_run_feedback".split()
MOST_TOKENS = 2_000


def sent(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def test_the_tools_are_these() -> None:
    assert [tool.name for tool in TOOLS] == NAMES


def test_all_schemas_together_take_no_more_than_the_budget() -> None:
    result = {
        "tools": [described(tool) for tool in TOOLS],
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
    }
    assert by_characters(sent(result)) <= MOST_TOKENS
    assert by_characters(instructions(is_read_only=False)) <= 150


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_schema_is_one_and_takes_a_budget(tool: Tool) -> None:
    schema = described(tool)["inputSchema"]
    fastjsonschema.compile({"$schema": "http://json-schema.org/draft-07/schema#", **schema})
    assert schema["properties"]["budget"]["type"] == "integer"
    assert set(schema.get("required", ())) <= schema["properties"].keys()
    assert tool.description.endswith(".")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("tx_graph_link", {"learningId": 1, "filePath": "a.py", "anchorType": "hash"}),
        ("tx_graph_link", {"learningId": "k7f3q", "filePath": "a.py"}),
        ("tx_graph_neighbors", {"id": "1", "type": "learning", "depth": 2}),
        ("tx_graph_neighbors", {"id": 1}),
        ("tx_graph_analyze_imports", {"path": "src"}),
        ("tx_graph_analyze_imports", {}),
    ],
)
def test_a_client_that_validates_lets_both_kinds_of_reference_through(tool: str, arguments: dict[str, Any]) -> None:
    (schema,) = [described(one)["inputSchema"] for one in TOOLS if one.name == tool]
    fastjsonschema.compile(schema)(arguments)


def test_readers_are_offered_what_changes_nothing() -> None:
    reading = offered(is_read_only=True)
    assert list(reading) == [name for name in NAMES if name not in WRITING]
    assert all(described(tool)["annotations"] == {"readOnlyHint": True} for tool in reading.values())
    assert "run" not in described(reading["tx_context"])["inputSchema"]["properties"]
    assert "tx_learning_add" not in instructions(is_read_only=True)


def test_what_overwrites_is_annotated_and_output_schemas_are_told_with_structures_alone() -> None:
    hints = {tool.name: described(tool)["annotations"].get("destructiveHint") for tool in TOOLS}
    assert [name for name, hint in hints.items() if hint] == ["tx_learning_edit"]
    assert not any("outputSchema" in described(tool) for tool in TOOLS)
    assert all(described(tool, is_structured=True)["outputSchema"]["type"] == "object" for tool in TOOLS)


def test_the_documentation_names_every_tool_and_every_parameter() -> None:
    page = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(tx_\w+)` \| (.*?) \|", page, re.MULTILINE))
    assert list(rows) == NAMES
    for tool in TOOLS:
        assert re.findall(r"`(\w+)`", rows[tool.name]) == [one.name for one in tool.parameters]


def test_listing_the_tools_needs_no_library() -> None:
    code = """
import contextlib, io, json
from tx_graph.faces.cli.main import run
out = io.StringIO()
with contextlib.redirect_stdout(out):
    status = run(["mcp", "--list", "--json"])
print(json.dumps([status, json.loads(out.getvalue())["tokens"] <= 2000]))
"""
    assert run_without(["mcp", "mcp_types", "anyio", "pydantic"], code) == [0, True]


def test_without_the_library_the_server_says_how_to_get_it() -> None:
    code = """
import contextlib, io, json
from tx_graph.faces.cli.main import run
err = io.StringIO()
with contextlib.redirect_stderr(err):
    status = run(["mcp"])
print(json.dumps([status, err.getvalue()]))
"""
    expected = "tx: The server needs the mcp library.\nRun: pip install 'tx-graph[mcp]'\n"
    assert run_without(["mcp"], code) == [7, expected]
