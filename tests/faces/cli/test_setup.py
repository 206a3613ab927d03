"""tx setup, as people and programs meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine, Program

CLIENTS = ("claude-code", "cursor", "codex", "vscode", "gemini", "agents-md")


def test_a_new_file_is_printed_in_full_and_not_written(tx: CommandLine, home: Path) -> None:
    out = tx.ok("setup", "claude-code").out
    name, _, text = out.partition("\n")
    assert name == ".mcp.json (new):"
    assert json.loads(text) == {"mcpServers": {"tx": {"command": "tx", "args": ["mcp"]}}}
    assert not (home / ".mcp.json").exists()
    assert tx.ok("setup", "claude-code", "--print").out == out


def test_a_file_that_is_there_is_printed_as_a_diff(tx: CommandLine, home: Path) -> None:
    (home / ".mcp.json").write_text('{\n  "mcpServers": {\n    "other": {}\n  }\n}')
    out = tx.ok("setup", "claude-code").out
    assert out.startswith(".mcp.json (changed):\n--- a/.mcp.json\n+++ b/.mcp.json\n@@ ")
    assert '\n   "mcpServers": {\n+    "tx": {\n' in out
    assert not [line for line in out.splitlines() if line.startswith("-") and not line.startswith("---")]


def test_what_is_printed_is_what_git_applies(tx: CommandLine, program: Program, home: Path) -> None:
    (home / ".mcp.json").write_text('{"a": 1}')
    diff = tx.json("setup", "claude-code")["files"][0]["diff"]
    (home / "change.diff").write_text(diff)
    assert program.shell("git apply change.diff").status == 0
    applied = (home / ".mcp.json").read_text()
    (home / ".mcp.json").write_text('{"a": 1}')
    tx.ok("setup", "claude-code", "--write")
    assert (home / ".mcp.json").read_text() == applied


@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_written_can_be_taken_back(tx: CommandLine, program: Program, client: str) -> None:
    assert "written" in tx.ok("setup", client, "--hooks", "--write").out
    assert program.shell("git status --short --untracked-files=all").out != ""
    assert "as it should be" in tx.ok("setup", client, "--hooks", "--write").out
    assert "(removed)" in tx.ok("setup", client, "--undo", "--print").out
    assert "removed" in tx.ok("setup", client, "--undo").out
    assert program.shell("git status --short --untracked-files=all").out == ""
    assert "not there" in tx.ok("setup", client, "--undo").out


def test_the_document_says_all(tx: CommandLine) -> None:
    document = tx.json("setup", "vscode", "--hooks")
    assert document.keys() == {"client", "command", "hooks", "undo", "written", "files", "notes"}
    assert [(one["path"], one["fate"]) for one in document["files"]] == [
        (".vscode/mcp.json", "new"),
        (".github/hooks/tx.json", "new"),
    ]
    assert json.loads(document["files"][0]["content"])["servers"]["tx"]["args"] == ["-C", "${workspaceFolder}", "mcp"]


def test_a_program_that_is_not_on_path_is_said(tx: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    refused = tx.ok("setup", "cursor", "--command", "/nowhere/tx")
    assert "'/nowhere/tx' is not on PATH" in refused.err
    assert '"command": "/nowhere/tx"' in refused.out


def test_it_works_from_below_and_without_a_workspace(elsewhere: CommandLine, tmp_path: Path) -> None:
    outcome = elsewhere.ok("setup", "gemini", "--write")
    assert (tmp_path / ".gemini/settings.json").is_file()
    assert "run 'tx init'" in outcome.err


def test_files_belong_to_the_top_of_the_repository(
    tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home / "src")
    tx.ok("setup", "agents-md", "--write")
    assert (home / "AGENTS.md").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nobody",), "nobody"),
        ((), "Missing argument"),
        (("cursor", "--print", "--write"), "exclude each other"),
        (("cursor", "--undo", "--write"), "exclude each other"),
    ],
)
def test_bad_input_is_explained(tx: CommandLine, arguments: tuple[str, ...], said: str) -> None:
    refused = tx("setup", *arguments)
    assert (refused.status, refused.out) == (2, "")
    assert said.lower() in refused.err.lower()


def test_a_file_that_cannot_be_edited_is_one_sentence_and_a_hint(tx: CommandLine, home: Path) -> None:
    (home / ".mcp.json").write_text('{"mcpServers": ')
    refused = tx("setup", "claude-code", "--write", "--json")
    assert refused.status == 2
    assert refused.error["message"] == ".mcp.json is not plain JSON, without comments and trailing commas (line 1)."
    assert refused.error["hint"].startswith("Nothing was written")
    assert (home / ".mcp.json").read_text() == '{"mcpServers": '
