"""tx setup, as people and programs meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine

STATUS = ("status", "--short", "--untracked-files=all")


def test_a_new_file_is_printed_in_full_and_not_written(tx: CommandLine, home: Path) -> None:
    out = tx.ok("setup claude-code").out
    name, _, text = out.partition("\n")
    assert name == ".mcp.json (new):"
    assert json.loads(text) == {"mcpServers": {"tx": {"command": "tx", "args": ["mcp"]}}}
    assert not (home / ".mcp.json").exists()
    assert tx.ok("setup claude-code --print").out == out


def test_a_file_that_is_there_is_printed_as_a_diff_that_git_applies(tx: CommandLine, checkout: Checkout) -> None:
    before = '{\n  "mcpServers": {\n    "other": {}\n  }\n}'
    file = checkout.write(".mcp.json", before)
    out = tx.ok("setup claude-code").out
    assert out.startswith(".mcp.json (changed):\n--- a/.mcp.json\n+++ b/.mcp.json\n@@ ")
    assert '\n   "mcpServers": {\n+    "tx": {\n' in out
    assert not [line for line in out.splitlines() if line.startswith("-") and not line.startswith("---")]
    checkout.write("change.diff", tx.json("setup claude-code")["files"][0]["diff"])
    checkout.git("apply", "change.diff")
    applied = file.read_text()
    file.write_text(before)
    tx.ok("setup claude-code --write")
    assert file.read_text() == applied


@pytest.mark.parametrize("client", ["claude-code", "cursor", "codex", "vscode", "gemini", "agents-md"])
def test_what_was_written_can_be_taken_back(tx: CommandLine, checkout: Checkout, client: str) -> None:
    assert "written" in tx.ok(f"setup {client} --hooks --write").out
    assert checkout.git(*STATUS) != ""
    assert "as it should be" in tx.ok(f"setup {client} --hooks --write").out
    assert "(removed)" in tx.ok(f"setup {client} --undo --print").out
    assert "removed" in tx.ok(f"setup {client} --undo").out
    assert checkout.git(*STATUS) == ""
    assert "not there" in tx.ok(f"setup {client} --undo").out


def test_the_document_says_all(shared: CommandLine) -> None:
    document = shared.json("setup vscode --hooks")
    assert document.keys() == {"client", "command", "hooks", "lsp", "undo", "written", "files", "notes"}
    assert [(one["path"], one["fate"]) for one in document["files"]] == [
        (".vscode/mcp.json", "new"),
        (".github/hooks/tx.json", "new"),
    ]
    assert json.loads(document["files"][0]["content"])["servers"]["tx"]["args"] == ["-C", "${workspaceFolder}", "mcp"]


def test_a_program_that_is_not_on_path_is_said(shared: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    outcome = shared.ok("setup cursor --command /nowhere/tx")
    assert "'/nowhere/tx' is not on PATH" in outcome.err
    assert '"command": "/nowhere/tx"' in outcome.out


def test_without_a_workspace_the_files_stand_here(elsewhere: CommandLine, tmp_path: Path) -> None:
    outcome = elsewhere.ok("setup gemini --write")
    assert (tmp_path / ".gemini/settings.json").is_file()
    assert "run 'tx init'" in outcome.err


def test_files_belong_to_the_top_of_the_repository(tx: CommandLine, home: Path) -> None:
    tx.ok("-C src setup agents-md --write")
    assert (home / "AGENTS.md").is_file()


def test_a_file_that_cannot_be_edited_is_one_sentence_and_a_hint(tx: CommandLine, checkout: Checkout) -> None:
    file = checkout.write(".mcp.json", '{"mcpServers": ')
    refused = tx("setup claude-code --write --json")
    assert refused.status == 2
    assert refused.error["message"] == ".mcp.json is not plain JSON, without comments and trailing commas (line 1)."
    assert refused.error["hint"].startswith("Nothing was written")
    assert file.read_text() == '{"mcpServers": '
