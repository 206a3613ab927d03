"""Each client gets what its documentation asks for; and what every session reads is short."""

from __future__ import annotations

import pytest

from tx_graph.faces.operations import COMMANDS
from tx_graph.faces.setup.clients import SNIPPET, Client, JsonFile, TomlFile, setup_of


@pytest.mark.parametrize("client", [Client.CURSOR, Client.VSCODE])
def test_an_editor_says_which_directory_it_means(client: Client) -> None:
    file = setup_of(client).files[0]
    assert isinstance(file, JsonFile)
    assert file.server is not None
    assert file.server.args == ("-C", "${workspaceFolder}", "mcp")


@pytest.mark.parametrize("client", [one for one in Client if one is not Client.AGENTS_MD])
def test_files_that_are_shared_name_no_machine(client: Client) -> None:
    for file in setup_of(client, hooks=True).files:
        if isinstance(file, TomlFile) or file.path != "AGENTS.md":
            assert not file.path.startswith("/")
            server = getattr(file, "server", None)
            assert server is None or server.entry["command"] == "tx"


def test_codex_says_that_it_cannot_tell_when_a_file_is_opened() -> None:
    assert any("no hook for that" in note for note in setup_of(Client.CODEX, hooks=True).notes)
    assert all("hook" not in note for note in setup_of(Client.CODEX).notes)


def test_what_every_session_reads_has_fewer_than_200_words() -> None:
    assert len(SNIPPET.split()) < 200


def test_what_every_session_reads_names_commands_that_there_are() -> None:
    for command in ("context", "graph:neighbors", "learning:add", "graph:verify", "learning:helpful"):
        assert f"`tx {command}" in SNIPPET
        assert command in COMMANDS
