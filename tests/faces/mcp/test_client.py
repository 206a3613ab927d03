"""The official library's own client lists and calls everything, in both ages of the protocol."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import mcp_types as types
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError
from pydantic import FileUrl

from tests.faces.cli.terminal import Program
from tests.faces.mcp.peer import PROGRAM
from tx_graph.faces.mcp.tools import TOOLS

pytestmark = pytest.mark.slow
T = TypeVar("T")
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
ALL_KINDS = ("tx_context", "tx_learning_search", "tx_learning_add", "tx_graph_verify")
"""Tools that take texts, lists, numbers and switches, one that writes, and one that takes nothing."""
LONGEST = 120
"""Seconds for one thing that the inspector does."""
AGES = pytest.mark.parametrize("mode", ["auto", "legacy"])
CALLS: Mapping[str, dict[str, Any]] = {
    "tx_context": {"text": "tokens", "files": ["src/auth.py"], "run": 1},
    "tx_search": {"query": "tokens", "limit": 2},
    "tx_learning_search": {"query": "tokens", "expand": True},
    "tx_learning_add": {"content": "Learned over the wire", "anchors": ["src/auth.py::login"]},
    "tx_learning_edit": {"learning": "1", "content": "Compare tokens with compare_digest", "confirm": True},
    "tx_graph_link": {"learningId": 2, "filePath": "src/app.py", "anchorType": "hash"},
    "tx_graph_neighbors": {"id": "src/auth.py", "type": "file", "depth": 2},
    "tx_graph_symbols": {"name": "verify"},
    "tx_graph_impact": {"subject": "verify"},
    "tx_graph_uses": {"subject": "verify", "way": "callers"},
    "tx_graph_analyze_imports": {"path": "src"},
    "tx_graph_verify": {},
    "tx_review": {"since": "HEAD"},
    "tx_focus": {"ref": "src/auth.py"},
    "tx_recall": {"query": "billing service"},
    "tx_fact_add": {"subject": "Billing service", "predicate": "owner", "value": "Ada"},
    "tx_doc_search": {"query": "tokens"},
    "tx_run_feedback": {"run": 1, "helpful": ["1"]},
}


def talk(
    directory: Path,
    conversation: Callable[[Client], Awaitable[T]],
    *options: str,
    mode: str = "auto",
    environment: Mapping[str, str] | None = None,
    **more: Any,  # noqa: ANN401 - fields of a client
) -> T:
    """Return what a conversation with a server of its own gives."""
    server = StdioServerParameters(
        command=PROGRAM[0],
        args=[*PROGRAM[1:], "mcp", *options],
        cwd=directory,
        env={**os.environ, **(environment or {})},
    )

    async def run() -> T:
        async with Client(server, mode=mode, **more) as client:
            return await conversation(client)

    return asyncio.run(run())


@AGES
@pytest.mark.parametrize("form", ["text", "both"])
def test_every_tool_is_listed_and_called(root: Path, mode: str, form: str) -> None:
    async def conversation(client: Client) -> dict[str, types.CallToolResult]:
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == [tool.name for tool in TOOLS] == list(CALLS)
        return {name: await client.call_tool(name, arguments) for name, arguments in CALLS.items()}

    options = ["--structured"] if form == "both" else []
    for name, result in talk(root, conversation, *options, mode=mode).items():
        (content,) = result.content
        assert isinstance(content, types.TextContent)
        assert not result.is_error, (name, content.text)
        assert (result.structured_content is not None) is (form == "both")
        assert len(result.model_dump_json(by_alias=True)) <= 8_000


@AGES
def test_resources_are_listed_and_read(root: Path, mode: str) -> None:
    async def conversation(client: Client) -> list[str]:
        listed = (await client.list_resources()).resources
        assert {one.uri for one in listed} == {"tx://learning/1", "tx://learning/2"}
        templates = (await client.list_resource_templates()).resource_templates
        assert [one.uri_template for one in templates] == ["tx://learning/{ref}", "tx://neighborhood/{ref}"]
        uris = ["tx://learning/1", "tx://learning/3", "tx://neighborhood/src%2Fauth.py", "tx://neighborhood/learning:1"]
        read = [(await client.read_resource(uri)).contents[0] for uri in uris]
        return [one.text for one in read if isinstance(one, types.TextResourceContents)]

    learning, staged, around, near = talk(root, conversation, mode=mode)
    assert "> Compare tokens in constant time" in learning
    assert "fresh" in learning
    assert "staged" in staged
    assert "`learning:1`" in around
    assert "`src/auth.py`" in near


def refusal(root: Path, ask: Callable[[Client], Awaitable[object]], *options: str) -> MCPError:
    """Return the error that a client gets."""

    async def conversation(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await ask(client)
        return caught.value

    return talk(root, conversation, *options)


@pytest.mark.parametrize(
    "uri", ["tx://learning/99", "tx://neighborhood/no%00where", "tx://neighborhood/src/auth.pi", "tx://else/1"]
)
def test_a_resource_that_is_none_is_an_error_with_a_hint(root: Path, uri: str) -> None:
    error = refusal(root, lambda client: client.read_resource(uri))
    assert error.code == types.INVALID_PARAMS
    assert error.data["code"] in ("not_found", "usage")


def test_an_unknown_tool_is_an_error_that_names_the_nearest_and_so_is_one_that_writes_for_readers(root: Path) -> None:
    error = refusal(root, lambda client: client.call_tool("tx_learning_serch", {"query": "x"}))
    assert error.message == "There is no tool 'tx_learning_serch'."
    assert error.data["candidates"][0] == "tx_learning_search"
    error = refusal(root, lambda client: client.call_tool("tx_learning_add", {"content": "x"}), "--read-only")
    assert error.message == "There is no tool 'tx_learning_add'."


def test_without_a_workspace_it_says_what_to_do_and_works_as_soon_as_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    empty = tmp_path / "empty"
    empty.mkdir()

    async def conversation(client: Client) -> tuple[types.CallToolResult, types.CallToolResult]:
        assert len((await client.list_tools()).tools) == len(TOOLS)
        assert (await client.list_resources()).resources == []
        before = await client.call_tool("tx_context", {"text": "anything"})
        assert Program(empty)("init").status == 0
        return before, await client.call_tool("tx_context", {"text": "anything"})

    before, after = talk(empty, conversation, "--structured")
    assert before.is_error
    assert before.structured_content["error"]["code"] == "not_initialised"
    assert "Run 'tx init'" in before.structured_content["error"]["hint"]
    assert not after.is_error


def test_the_repository_is_where_the_client_says(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()

    async def search(client: Client) -> bool:
        return (await client.call_tool("tx_learning_search", {"query": "constant time"})).is_error

    async def roots(_: object) -> types.ListRootsResult:
        return types.ListRootsResult(
            roots=[types.Root(uri=FileUrl(place.as_uri())) for place in (elsewhere, root / "src")]
        )

    assert talk(elsewhere, search)
    assert not talk(elsewhere, search, environment={"CLAUDE_PROJECT_DIR": str(root)})
    assert not talk(elsewhere, search, mode="legacy", list_roots_callback=roots)
    assert not talk(root / "src", search)


def test_what_was_changed_by_others_is_seen_at_the_next_call(root: Path) -> None:
    async def conversation(client: Client) -> list[int]:
        await client.call_tool("tx_learning_search", {"query": "giraffe"})
        assert Program(root)("learning:add", "The giraffe is tall").status == 0
        found = await client.call_tool("tx_learning_search", {"query": "giraffe"})
        return [one["id"] for one in found.structured_content["results"]]

    assert talk(root, conversation, "--structured") == [4]


@AGES
def test_the_whole_list_as_it_is_sent_keeps_to_the_budget(root: Path, mode: str) -> None:
    async def conversation(client: Client) -> types.ListToolsResult:
        return await client.list_tools()

    told = talk(root, conversation, mode=mode).model_dump(by_alias=True, exclude_none=True)
    assert len(json.dumps(told, ensure_ascii=False, separators=(",", ":"))) <= 8_000


def test_the_prompts_bring_what_is_known(root: Path) -> None:
    async def conversation(client: Client) -> list[str]:
        listed = (await client.list_prompts()).prompts
        assert [one.name for one in listed] == ["before-start", "before-commit", "what-did-we-learn"]
        arguments = {"before-start": {"task": "how are tokens compared"}}
        got = [await client.get_prompt(one.name, arguments.get(one.name)) for one in listed]
        return [one.messages[0].content.text for one in got]  # type: ignore[union-attr]

    start, commit, learned = talk(root, conversation)
    assert start.startswith("I am about to start on this: how are tokens compared\n")
    assert "> Compare tokens in constant time" in start
    assert "tx_learning_edit" in commit
    assert "Nothing has changed." in commit
    assert "tx_learning_add" in learned
    error = refusal(root, lambda client: client.get_prompt("before-start", {"task": " "}))
    assert error.message == "Missing argument 'task': what is to be done."
    error = refusal(root, lambda client: client.get_prompt("what-did-we-learn"), "--read-only")
    assert error.message == "There is no prompt 'what-did-we-learn'."


def test_a_server_that_warmed_up_answers_as_before(root: Path) -> None:
    def told(pause: float) -> list[object]:
        async def conversation(client: Client) -> list[object]:
            await client.list_tools()
            await asyncio.sleep(pause)
            asked = ("tx_recall", "tx_context", "tx_focus")
            return [(await client.call_tool(name, CALLS[name])).content for name in asked]

        return talk(root, conversation)

    assert told(0) == told(3)


def test_the_loop_is_closed(root: Path) -> None:
    """Search, edit the code, review, correct or confirm, learn, vote, and review again: by what replies say alone."""

    async def conversation(client: Client) -> list[str]:
        async def call(tool: str, **arguments: object) -> str:
            result = await client.call_tool(tool, arguments)
            (content,) = result.content
            assert isinstance(content, types.TextContent)
            assert not result.is_error, content.text
            return content.text

        def learning(text: str) -> str:
            return str(re.findall(r"learning:\d+", text)[0])

        known = await call("tx_learning_search", query="compare tokens")
        place = re.findall(r"\*\*`([^`]+)`\*\*", await call("tx_graph_symbols", name="verify"))[0]
        path = root / place.partition("::")[0]
        path.write_text(path.read_text().replace("return True", "return compare_digest(a, b)"), encoding="utf-8")
        reviewed = await call("tx_review")
        assert "drifted" in reviewed
        assert learning(reviewed) == learning(known)
        await call("tx_learning_edit", learning=learning(reviewed), content="compare_digest compares", confirm=True)
        added = await call("tx_learning_add", content="An empty token is refused before", anchors=[place])
        await call("tx_run_feedback", helpful=[learning(known)], unhelpful=[learning(added)])
        found = await call("tx_learning_search", query="token refused compare_digest")
        return [found, await call("tx_review")]

    found, reviewed = talk(root, conversation)
    assert "> compare_digest compares" in found
    assert "> An empty token is refused before" in found
    assert "1 file changed" in reviewed
    assert "nothing made untrue; 2 to know" in reviewed
    assert "drifted" not in reviewed


def test_the_official_inspector_from_npm_lists_every_tool_and_calls_and_reads_all_kinds(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("node and npm are not installed")
    monkeypatch.setenv("MCP_CATALOG_PATH", str(tmp_path / "catalog.json"))

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=LONGEST)
        assert done.returncode == 0, f"npm needs a package index, or its cache, for {INSPECTOR}:\n{done.stderr}"
        return done.stdout

    # npm asks the index at each start of what it runs, so it is asked once.
    program = run(npx, "--yes", "--package", INSPECTOR, "--call", "command -v mcp-inspector").strip()

    def ask(*options: str) -> Any:  # noqa: ANN401 - whatever JSON can hold
        return json.loads(run(program, "--cli", *PROGRAM, "mcp", *options))

    listed = ask("--method", "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == [tool.name for tool in TOOLS]
    assert len(ask("--method", "resources/list")["resources"]) == 2
    (read,) = ask("--method", "resources/read", "--uri", "tx://learning/1")["contents"]
    assert "Compare tokens in constant time" in read["text"]
    for name in ALL_KINDS:  # each call starts node and a server anew; the client above calls every tool
        result = ask("--method", "tools/call", "--tool-name", name, "--tool-args-json", json.dumps(CALLS[name]))
        assert not result.get("isError"), (name, result)
        assert result["content"][0]["text"]
