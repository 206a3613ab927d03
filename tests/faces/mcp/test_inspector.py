"""The official inspector, from npm, lists and calls every tool from its command line."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faces.mcp.peer import PROGRAM
from tests.faces.mcp.test_client import CALLS
from tx_graph.faces.mcp.tools import TOOLS

pytestmark = pytest.mark.slow
PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
LONGEST = 120

Inspect = Callable[..., Any]


@pytest.fixture(scope="module")
def program() -> str:
    """The path of the inspector; npm asks the index at each start of what it runs, so it is asked once."""
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("node and npm are not installed")
    command = [npx, "--yes", "--package", PACKAGE, "--call", "command -v mcp-inspector"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST)
    if found.returncode:
        pytest.fail(f"npm cannot fetch {PACKAGE}; these tests need a package index, or npm's cache:\n{found.stderr}")
    return found.stdout.strip()


@pytest.fixture
def inspect(program: str, root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Inspect:
    """Asks a server of its own, and returns what the inspector prints."""
    monkeypatch.setenv("MCP_CATALOG_PATH", str(tmp_path / "catalog.json"))

    def ask(*options: str) -> Any:  # noqa: ANN401 - whatever JSON can hold
        command = [program, "--cli", *PROGRAM, "mcp", *options]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=LONGEST, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def test_it_lists_all_tools_and_finds_no_fault_in_their_schemas(inspect: Inspect) -> None:
    listed = inspect("--method", "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == [tool.name for tool in TOOLS]


def test_it_calls_every_tool(inspect: Inspect) -> None:
    for name, arguments in CALLS.items():
        result = inspect("--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments))
        assert not result.get("isError"), (name, result)
        assert result["structuredContent"]


def test_it_reads_the_resources(inspect: Inspect) -> None:
    assert len(inspect("--method", "resources/list")["resources"]) == 2
    (read,) = inspect("--method", "resources/read", "--uri", "tx://learning/1")["contents"]
    assert "Compare tokens in constant time" in read["text"]
