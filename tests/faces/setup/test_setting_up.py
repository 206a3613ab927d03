"""Setting a client up writes its files, and taking it back leaves the repository as it was, to the byte."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tx_graph.core.errors import StorageError, UsageError
from tx_graph.faces.operations import COMMANDS
from tx_graph.faces.setup.clients import SNIPPET, Client, JsonFile, setup_of
from tx_graph.faces.setup.setting_up import Fate, set_up

SERVERS = {
    Client.CLAUDE_CODE: ".mcp.json",
    Client.CURSOR: ".cursor/mcp.json",
    Client.CODEX: ".codex/config.toml",
    Client.VSCODE: ".vscode/mcp.json",
    Client.GEMINI: ".gemini/settings.json",
    Client.COPILOT: ".github/mcp.json",
    Client.OPENCODE: "opencode.json",
    Client.ZED: ".zed/settings.json",
    Client.WINDSURF: ".codeium/windsurf/mcp_config.json",
    Client.CLAUDE_DESKTOP: ".config/Claude/claude_desktop_config.json",
    Client.AGENTS_MD: "AGENTS.md",
    Client.CLAUDE_MD: "CLAUDE.md",
    Client.PRE_COMMIT: ".pre-commit-config.yaml",
    Client.GITHUB: ".github/workflows/tx.yml",
    Client.NEOVIM: ".config/nvim/plugin/tx.lua",
    Client.HELIX: ".helix/languages.toml",
}
HOOKS = {
    Client.CLAUDE_CODE: ".claude/settings.json",
    Client.CURSOR: ".cursor/hooks.json",
    Client.CODEX: ".codex/hooks.json",
    Client.VSCODE: ".github/hooks/tx.json",
    Client.GEMINI: ".gemini/settings.json",
}
USERS = (Client.WINDSURF, Client.CLAUDE_DESKTOP)
if sys.platform != "linux":  # where programs keep their settings depends on the system
    for client in (Client.CLAUDE_DESKTOP, Client.NEOVIM):
        SERVERS[client] = setup_of(client, Path("/")).files[0].path.removeprefix("~/")
clients = pytest.mark.parametrize("client", SERVERS)
links = pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))


def write(root: Path, client: Client, *, hooks: bool = False) -> None:
    """Set a client up."""
    set_up(root, client, write=True, hooks=hooks)


def undo(root: Path, client: Client) -> None:
    """Take it back."""
    set_up(root, client, undo=True)


def contents(root: Path) -> dict[str, bytes | None]:
    """Return all that lies below a directory: files with their bytes, directories with None."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None for path in root.rglob("*")
    }


@clients
def test_files_and_directories_that_were_not_there_are_gone_again(tmp_path: Path, client: Client) -> None:
    write(tmp_path, client, hooks=True)
    written = contents(tmp_path)
    assert {SERVERS[client], HOOKS.get(client, SERVERS[client])} == {name for name, data in written.items() if data}
    write(tmp_path, client, hooks=True)
    assert contents(tmp_path) == written
    undo(tmp_path, client)
    assert contents(tmp_path) == {}


@clients
def test_a_directory_with_anything_else_in_it_stays(tmp_path: Path, client: Client) -> None:
    path = tmp_path / SERVERS[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    (path.parent / "other").write_bytes(b"1")
    before = contents(tmp_path)
    write(tmp_path, client, hooks=True)
    undo(tmp_path, client)
    assert contents(tmp_path) == before


@clients
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_bytes_outside_of_what_is_ours_stay(tmp_path: Path, client: Client, mark: bytes, line_end: str) -> None:
    text = (
        "# Ünicode\n" if SERVERS[client].endswith((".md", ".toml", ".yml", ".yaml")) else '{\n  "Ünicode": [1, 2 ]\n}'
    )
    path = tmp_path / SERVERS[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(before := mark + text.replace("\n", line_end).encode())
    write(tmp_path, client)
    written = path.read_bytes()
    assert written != before
    assert written.startswith(mark)
    assert written.count(b"\r\n") == (written.count(b"\n") if line_end == "\r\n" else 0)
    undo(tmp_path, client)
    assert path.read_bytes() == before


@pytest.mark.parametrize("client", HOOKS)
def test_hooks_come_when_asked_for_stay_when_not_and_go_with_the_rest(tmp_path: Path, client: Client) -> None:
    write(tmp_path, client)
    assert f"hook {client}" not in str(contents(tmp_path))
    write(tmp_path, client, hooks=True)
    written = contents(tmp_path)
    assert f"tx hook {client} session-start" in str(written[HOOKS[client]])
    write(tmp_path, client)
    assert contents(tmp_path) == written


def test_a_plan_says_what_becomes_of_each_file_and_does_nothing(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {}}')

    def fates(**options: Any) -> list[Fate]:  # noqa: ANN401
        return [one.fate for one in set_up(tmp_path, Client.CLAUDE_CODE, **options).changes]

    assert fates(hooks=True) == [Fate.CHANGED, Fate.NEW]
    assert contents(tmp_path) == {".mcp.json": b'{"mcpServers": {}}'}
    write(tmp_path, Client.CLAUDE_CODE, hooks=True)
    assert fates(hooks=True) == [Fate.UNCHANGED, Fate.UNCHANGED]
    assert fates(undo=True, print_=True) == [Fate.CHANGED, Fate.REMOVED]


def test_one_broken_file_keeps_all_files_from_being_written(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text("{")
    with pytest.raises(UsageError, match=r"\.claude/settings\.json is not plain JSON"):
        write(tmp_path, Client.CLAUDE_CODE, hooks=True)
    assert not (tmp_path / ".mcp.json").exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"\xff{}", "not valid UTF-8"), (b'"\xe9"', "not valid UTF-8"), (None, "no file of settings")],
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes | None, said: str) -> None:
    path = tmp_path / ".mcp.json"
    path.mkdir() if data is None else path.write_bytes(data)
    with pytest.raises(UsageError, match=said):
        write(tmp_path, Client.CLAUDE_CODE)
    assert contents(tmp_path) == {".mcp.json": data}


@links
def test_the_mode_stays(tmp_path: Path) -> None:
    path = tmp_path / ".mcp.json"
    path.write_text("{}")
    path.chmod(0o640)
    write(tmp_path, Client.CLAUDE_CODE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@links
def test_a_link_inside_is_written_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("{}")
    (tmp_path / ".mcp.json").symlink_to("real.json")
    write(tmp_path, Client.CLAUDE_CODE)
    assert (tmp_path / ".mcp.json").is_symlink()
    assert "mcpServers" in (tmp_path / "real.json").read_text()
    undo(tmp_path, Client.CLAUDE_CODE)
    assert (tmp_path / "real.json").read_text() == "{}"


@links
def test_a_link_to_what_was_all_ours_goes_with_it(tmp_path: Path) -> None:
    write(tmp_path, Client.CLAUDE_CODE)
    (tmp_path / ".mcp.json").rename(tmp_path / "real.json")
    (tmp_path / ".mcp.json").symlink_to("real.json")
    undo(tmp_path, Client.CLAUDE_CODE)
    assert contents(tmp_path) == {}


@links
def test_a_link_that_leads_out_or_nowhere_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "project", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / ".cursor").symlink_to(outside)
    with pytest.raises(UsageError, match="leads out of the repository"):
        write(root, Client.CURSOR)
    (root / ".mcp.json").symlink_to("gone.json")
    with pytest.raises(UsageError, match="leads nowhere"):
        write(root, Client.CLAUDE_CODE)
    assert contents(outside) == {}


@links
def test_a_link_that_lies_where_a_file_is_prepared_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    (tmp_path / f"..mcp.json.{os.getpid()}.tmp").symlink_to("other")
    write(tmp_path, Client.CLAUDE_CODE)
    assert (tmp_path / "other").read_text() == "mine"


@links
def test_a_directory_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / ".cursor").write_text("a file")
    with pytest.raises((StorageError, UsageError)):
        write(tmp_path, Client.CURSOR)


@clients
@pytest.mark.parametrize("blank", [b"", b"\n", b" \r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_filled_and_empty_again(tmp_path: Path, client: Client, blank: bytes) -> None:
    for name in {SERVERS[client], HOOKS.get(client, SERVERS[client])}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(blank)
    before = contents(tmp_path)
    write(tmp_path, client, hooks=True)
    written = contents(tmp_path)
    assert written != before
    write(tmp_path, client, hooks=True)
    assert contents(tmp_path) == written
    undo(tmp_path, client)
    assert contents(tmp_path) == before


def test_a_broken_file_in_which_nothing_is_ours_keeps_nobody_from_taking_back_the_rest(tmp_path: Path) -> None:
    settings = tmp_path / HOOKS[Client.CLAUDE_CODE]
    settings.parent.mkdir()
    settings.write_text("{'broken': 1}", encoding="utf-8")
    write(tmp_path, Client.CLAUDE_CODE)
    undo(tmp_path, Client.CLAUDE_CODE)
    assert not (tmp_path / SERVERS[Client.CLAUDE_CODE]).exists()
    assert settings.read_text(encoding="utf-8") == "{'broken': 1}"


@pytest.mark.parametrize("client", HOOKS)
def test_files_that_are_shared_name_no_machine_and_editors_say_which_directory_they_mean(client: Client) -> None:
    for file in setup_of(client, Path("/src/project"), hooks=True).files:
        assert not file.path.startswith("/")
        if server := getattr(file, "server", None):
            args = ["-C", "${workspaceFolder}", "mcp"] if client in (Client.CURSOR, Client.VSCODE) else ["mcp"]
            assert (server.entry["command"], server.entry["args"]) == ("tx", args)


@pytest.mark.parametrize("client", USERS)
def test_a_file_of_the_user_has_one_server_for_each_repository(tmp_path: Path, client: Client) -> None:
    (one := tmp_path / "one").mkdir()
    (two := tmp_path / "two").mkdir()
    file, before = tmp_path / SERVERS[client], contents(tmp_path)
    plan = set_up(one, client, write=True)
    assert [change.path for change in plan.changes] == [f"~/{SERVERS[client]}"]
    only_one = contents(tmp_path)
    write(two, client)
    servers = json.loads(file.read_text(encoding="utf-8"))["mcpServers"]
    assert {name: server["args"] for name, server in servers.items()} == {
        "tx-two": ["-C", str(two), "mcp"],
        "tx-one": ["-C", str(one), "mcp"],
    }
    (other := tmp_path / "elsewhere" / "two").mkdir(parents=True)
    with pytest.raises(UsageError, match="has another server named 'tx-two'"):
        write(other, client)
    other.rmdir()
    other.parent.rmdir()
    undo(two, client)
    assert contents(tmp_path) == only_one
    undo(one, client)
    assert contents(tmp_path) == before


def test_opencode_has_the_program_and_its_arguments_in_one_list(tmp_path: Path) -> None:
    write(tmp_path, Client.OPENCODE)
    set_up(tmp_path, Client.OPENCODE, write=True, command="/opt/tx")
    entry = json.loads((tmp_path / "opencode.json").read_text(encoding="utf-8"))["mcp"]["tx"]
    assert entry == {"type": "local", "command": ["/opt/tx", "mcp"]}


@links
@pytest.mark.parametrize("client", HOOKS)
def test_a_colleague_without_tx_has_no_failing_hook(tmp_path: Path, client: Client) -> None:
    files = setup_of(client, tmp_path, hooks=True).files
    (hooks,) = [file.hooks for file in files if isinstance(file, JsonFile) and file.hooks]
    for hook in hooks:
        done = subprocess.run(hook.handler["command"], shell=True, env={"PATH": ""}, capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (0, b"")


def test_a_hook_that_an_older_version_wrote_is_brought_up_to_date(tmp_path: Path) -> None:
    write(tmp_path, Client.CODEX, hooks=True)
    file = tmp_path / HOOKS[Client.CODEX]
    written = file.read_text(encoding="utf-8")
    file.write_text(written.replace("; exit 0", ""), encoding="utf-8")
    write(tmp_path, Client.CODEX, hooks=True)
    assert file.read_text(encoding="utf-8") == written


def test_codex_says_that_it_cannot_tell_when_a_file_is_opened() -> None:
    assert any("no hook for that" in note for note in setup_of(Client.CODEX, Path(), hooks=True).notes)
    assert all("hook" not in note for note in setup_of(Client.CODEX, Path()).notes)


def test_what_every_session_reads_has_fewer_than_200_words() -> None:
    assert len(SNIPPET.split()) < 200


def test_what_every_session_reads_names_commands_that_there_are() -> None:
    for command in (
        "context",
        "graph:neighbors",
        "learning:add",
        "graph:verify",
        "learning:edit",
        "graph:confirm",
        "learning:helpful",
    ):
        assert f"`tx {command}" in SNIPPET
        assert command in COMMANDS


@pytest.mark.parametrize(
    ("client", "path"), [(Client.VSCODE, ".vscode/settings.json"), (Client.ZED, ".zed/settings.json")]
)
@pytest.mark.parametrize("before", [None, "", "{}", '{\n  "a": 1\n}\n', '{"a": {}, "context_servers": {"other": {}}}'])
def test_what_an_editor_wants_is_put_in_and_taken_out_with_the_rest(
    tmp_path: Path, client: Client, path: str, before: str | None
) -> None:
    if before is not None:
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(before, encoding="utf-8")
    was = contents(tmp_path)
    for _ in range(2):
        set_up(tmp_path, client, write=True, lsp=True)
    assert "lsp" in (tmp_path / path).read_text("utf-8")
    assert not (tmp_path / ".vscode/mcp.json").exists()
    write(tmp_path, client, hooks=True)
    undo(tmp_path, client)
    assert contents(tmp_path) == was


def test_settings_of_another_server_stay(tmp_path: Path) -> None:
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode/settings.json").write_text('{"glspc.server.command": "other"}', encoding="utf-8")
    with pytest.raises(UsageError, match="something else"):
        set_up(tmp_path, Client.VSCODE, write=True, lsp=True)
    undo(tmp_path, Client.VSCODE)
    assert (tmp_path / ".vscode/settings.json").read_text("utf-8") == '{"glspc.server.command": "other"}'
    with pytest.raises(UsageError, match="no editor"):
        set_up(tmp_path, Client.CURSOR, lsp=True)
