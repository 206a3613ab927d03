from __future__ import annotations

import asyncio
import sys
from ast import literal_eval
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient
from pytest_lsp.client import make_test_lsp_client

from scripts.opened import open_workspace
from tests.git_sandbox import GitSandbox

PATIENCE = 30.0
"""Seconds after which what has not come will not come."""


class Editor:
    """An editor that has a server of its own, and one document open at a time."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self._version = 0

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> str:
        """Open a document, with another text than the file's if one is given; return its URI."""
        uri = self.uri(path)
        text = (self.root / path).read_bytes().decode() if text is None else text
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "x", 1, text)))
        return uri

    def change(self, uri: str, text: str) -> None:
        self._version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self._version, uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    async def hover(self, uri: str, line: int, character: int = 0) -> str:
        place = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, character))
        found = await self.client.text_document_hover_async(place)
        return found.contents.value if found and isinstance(found.contents, lsp.MarkupContent) else ""

    async def lenses(self, uri: str) -> list[tuple[int, int, str]]:
        found = await self.client.text_document_code_lens_async(lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri)))
        return [
            (one.range.start.line, one.range.start.character, one.command.title) for one in found or () if one.command
        ]

    async def actions(self, uri: str, line: int, last: int | None = None) -> dict[str, lsp.Command]:
        """Return the commands of the code actions by their titles."""
        where = lsp.Range(lsp.Position(line, 0), lsp.Position(line if last is None else last, 0))
        asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), where, lsp.CodeActionContext([]))
        found = await self.client.text_document_code_action_async(asked)
        # The client's library takes an action for a command, and makes a text of the command in it.
        made = [literal_eval(one.command) for one in found or () if isinstance(one, lsp.Command)]
        return {one["title"]: lsp.Command(**one) for one in made}

    async def run(self, command: lsp.Command) -> None:
        asked = lsp.ExecuteCommandParams(command.command, command.arguments)
        await self.client.workspace_execute_command_async(asked)

    def told(self, uri: str) -> list[lsp.Diagnostic]:
        return list(self.client.diagnostics.get(uri, ()))

    async def until(self, test: Callable[[], object]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(PATIENCE):
            while not test():  # noqa: ASYNC110 - what is waited for sets no event
                await asyncio.sleep(0.02)


def _last_of(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
    """Choose the last answer to a question."""
    return params.actions[-1] if params.actions else None


@asynccontextmanager
async def editor(
    root: Path, *, encoding: str = "utf-16", watches: bool = True, folder: Path | None = None
) -> AsyncIterator[Editor]:
    """Start a server for an editor, and end it with that."""
    client: LanguageClient = make_test_lsp_client()
    await client.start_io(sys.executable, "-m", "tx_graph", "-C", str(root), "lsp")
    can = lsp.ClientCapabilities(
        general=lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind(encoding)]),
        window=lsp.WindowClientCapabilities(show_document=lsp.ShowDocumentClientCapabilities(support=True)),
        workspace=lsp.WorkspaceClientCapabilities(
            did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(dynamic_registration=watches)
        ),
    )
    answers = {lsp.WINDOW_SHOW_MESSAGE_REQUEST: _last_of, lsp.CLIENT_REGISTER_CAPABILITY: lambda _: None}
    for name, answer in answers.items():
        client.protocol.fm.feature(name)(answer)
    await client.initialize_session(lsp.InitializeParams(can, root_uri=(folder or root).as_uri()))
    yield Editor(client, root)
    await client.shutdown_session()
    await client.stop()  # type: ignore[no-untyped-call]


@pytest.fixture
def add(project: GitSandbox) -> Callable[..., Any]:
    """Add a learning."""

    def add(text: str, *anchors: str) -> Any:  # noqa: ANN401 - what the workspace returns
        with open_workspace(project.root) as workspace:
            return workspace.learnings.add(text, anchors=list(anchors)).stored

    return add
