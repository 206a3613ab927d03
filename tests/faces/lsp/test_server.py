"""The real server and a client of its protocol: what it says of the text that is open, saved or not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from scripts.opened import open_workspace
from tests.faces.lsp.conftest import PATIENCE, editor
from tests.git_sandbox import GitSandbox
from tests.isolation import run_without
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.knowledge.facts import Facts

pytestmark = pytest.mark.slow

Add = Callable[..., Any]


def write_into(path: Path, line: str) -> None:
    """Write a line at the end of a file."""
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")


LOGIN = "def login():\n    return True\n"


@pytest.mark.asyncio
async def test_what_drifts_in_the_open_text_is_told_and_confirmed_there(project: GitSandbox, add: Add) -> None:
    stored = add("Logins are slow on purpose. Nobody may guess.", "src/auth.py::login")
    async with editor(project.root) as one:
        uri = one.open("src/auth.py")
        assert await one.lenses(uri) == [(0, 4, "1 learning")]
        assert "**fresh** Logins are slow on purpose. (learning:1)" in await one.hover(uri, 1, 5)
        assert not one.told(uri)
        assert not [title for title in await one.actions(uri, 1) if title.startswith("Still true")]

        one.change(uri, f"# new\n{LOGIN.replace('True', 'False')}")
        await one.until(lambda: one.told(uri))
        (told,) = one.told(uri)
        assert (told.range.start, told.range.end) == (lsp.Position(1, 4), lsp.Position(1, 9))
        assert (told.severity, told.code, told.source) == (lsp.DiagnosticSeverity.Warning, "drifted-body", "tx")
        assert told.message == ("Logins are slow on purpose. (learning:1)\nsrc/auth.py::login: the code changed.")
        assert await one.lenses(uri) == [(1, 4, "1 learning, 1 to check")]

        await one.run((await one.actions(uri, 2))["Still true: Logins are slow on purpose."])
        await one.until(lambda: not one.told(uri))
        one.change(uri, LOGIN)  # taken back: what was confirmed was the other text
        await one.until(lambda: one.told(uri))
        assert (project.root / "src/auth.py").read_text("utf-8") == LOGIN
        one.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
        await one.until(lambda: not one.told(uri))
    assert "Nobody may guess" in (project.root / stored.place).read_text("utf-8")


@pytest.mark.asyncio
async def test_what_is_gone_is_an_error_at_the_first_line_that_only_editing_mends(
    project: GitSandbox, add: Add
) -> None:
    stored = add("Logins are slow on purpose.", "src/auth.py::login")
    async with editor(project.root) as one:
        uri = one.open("src/auth.py", "TRUE = 1\n")
        await one.until(lambda: one.told(uri))
        (told,) = one.told(uri)
        assert (told.severity, told.range.start.line) == (lsp.DiagnosticSeverity.Error, 0)
        actions = await one.actions(uri, 0)
        assert list(actions) == ["Edit: Logins are slow on purpose.", "Add a learning about src/auth.py:L1-L1"]
        await one.run(actions["Edit: Logins are slow on purpose."])
        await one.until(lambda: one.client.shown_documents)
        assert one.client.shown_documents[0].uri == (project.root / stored.place).as_uri()


@pytest.mark.asyncio
@pytest.mark.parametrize(("encoding", "before"), [("utf-16", 10), ("utf-8", 13), ("utf-32", 9)])
async def test_characters_count_as_the_editor_counts_them(
    project: GitSandbox, add: Add, encoding: str, before: int
) -> None:
    text = "/* 😀ß */ function login() {\r\n  return 1\r\n}\r\n"
    project.write("src/lög in.js", text=text)
    project.commit()
    add("Logins are slow on purpose.", "src/lög in.js::login")
    at = before + len("function ")
    async with editor(project.root, encoding=encoding) as one:
        uri = one.open("src/lög in.js", text.replace("1", "2"))
        await one.until(lambda: one.told(uri))
        (told,) = one.told(uri)
        assert (told.range.start, told.range.end) == (lsp.Position(0, at), lsp.Position(0, at + 5))
        assert await one.lenses(uri) == [(0, at, "1 learning, 1 to check")]
        one.change(uri, text)
        await one.until(lambda: not one.told(uri))


@pytest.mark.asyncio
async def test_a_use_is_told_what_is_known_of_its_definition(project: GitSandbox, add: Add) -> None:
    project.write("src/app.py", text="from src.auth import login\n\nprint('😀', login())\n")
    project.commit()
    add("Logins are slow on purpose.", "src/auth.py::login")
    with open_workspace(project.root) as workspace:
        workspace.indexing.run()
    async with editor(project.root) as one:
        uri = one.open("src/app.py", "\n\n" + (project.root / "src/app.py").read_text("utf-8"))
        said = await one.hover(uri, 4, len("print('😀', lo") + 1)
        assert said == "- **fresh** Logins are slow on purpose. (learning:1)\n- Used in 1 place of 1 file."
        asked = lsp.ReferenceParams(
            lsp.ReferenceContext(include_declaration=True),
            lsp.TextDocumentIdentifier(uri),
            lsp.Position(4, len("print('😀', lo") + 1),
        )
        places = await one.client.text_document_references_async(asked)
        assert places
        assert {one.uri.rpartition("/")[2] for one in places} == {"auth.py", "app.py"}


@pytest.mark.asyncio
async def test_the_first_line_tells_of_the_whole_file_and_what_changes_with_it(project: GitSandbox, add: Add) -> None:
    for number in range(4):
        project.write("src/auth.py", text=f"{LOGIN}# {number}\n")
        project.write("src/app.py", text=f"# {number}\n")
        project.commit()
    add("All of src is old.", "src/*.py")
    add("Everything here is about logins.", "src/auth.py")
    with open_workspace(project.root) as workspace:
        workspace.indexing.run()
        workspace.cochanges.run(CoChangeRequest())
    async with editor(project.root) as one:
        uri = one.open("src/auth.py")
        said = await one.hover(uri, 0)
        assert "All of src is old. (learning:1)" in said
        assert "Everything here is about logins. (learning:2)" in said
        assert "- Usually changes too: `src/app.py` (4 of 5 commits)." in said
        assert await one.lenses(uri) == [(0, 0, "2 learnings")]
        await one.run(lsp.Command("", "tx.show", arguments=["learning:1", "learning:2"]))
        await one.until(lambda: one.client.shown_documents)
        assert "everything-here" in one.client.shown_documents[0].uri  # the last was chosen


@pytest.mark.asyncio
async def test_a_learning_is_kept_once_its_draft_is_written_and_saved(project: GitSandbox, add: Add) -> None:
    add("Logins are slow on purpose.", "src/auth.py::login")
    async with editor(project.root) as one:
        uri = one.open("src/auth.py")
        await one.run((await one.actions(uri, 1))["Add a learning about src/auth.py::login"])
        await one.until(lambda: one.client.shown_documents)
        name = one.client.shown_documents[0].uri
        draft = Path(name.removeprefix("file://"))
        one.open(draft.relative_to(project.root).as_posix())
        one.save(name)  # nothing is written yet
        write_into(draft, "Passwords are never logged.")
        one.save(name)
        await one.until(lambda: one.client.messages)
        assert one.client.messages[-1].message == "tx: Kept as learning:2."
        assert await one.lenses(uri) == [(0, 4, "2 learnings")]
        write_into(draft, "Not even wrong ones.")
        one.save(name)
        one.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(name)))
        await one.until(lambda: not draft.exists())
    with open_workspace(project.root) as workspace:
        (new,) = [one for one in workspace.learnings.list() if one.id != 1]
        assert new.learning.content == "Passwords are never logged.\nNot even wrong ones."
        assert [anchor.spec for anchor in new.learning.anchors] == ["src/auth.py::login"]


@pytest.mark.asyncio
@pytest.mark.parametrize("watches", [True, False])
async def test_what_others_write_is_told_without_being_asked(project: GitSandbox, add: Add, watches: bool) -> None:
    add("Another one.", "src/auth.py")
    async with editor(project.root, watches=watches) as one:
        uri = one.open("src/auth.py", LOGIN.replace("True", "False"))
        await one.until(lambda: len(one.told(uri)) == 1)
        stored = add("Logins are slow on purpose.", "src/auth.py::login")
        if watches:
            changed = lsp.FileEvent(one.uri(stored.place), lsp.FileChangeType.Created)
            one.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([changed]))
        await one.until(lambda: len(one.told(uri)) == 2)


@pytest.mark.asyncio
async def test_facts_are_told_at_the_section_that_says_them(project: GitSandbox) -> None:
    guide = "# Guide\n\n## Storage\n\nBilling uses DuckDB.\n"
    project.write("docs/guide.md", text=guide)
    project.commit()
    with open_workspace(project.root) as workspace:
        workspace.kernel.one(Facts).add("Billing", "uses", "DuckDB", source_ref="docs/guide.md#storage")
    async with editor(project.root) as one:
        uri = one.open("docs/guide.md", guide.replace("DuckDB.", "SQLite."))
        await one.until(lambda: one.told(uri))
        (told,) = one.told(uri)
        assert told.message.startswith("Billing uses: DuckDB (fact:1)\ndocs/guide.md#storage: ")
        assert told.range.start == lsp.Position(2, 0)
        await one.run((await one.actions(uri, 4))["Still true: Billing uses: DuckDB"])
        await one.until(lambda: not one.told(uri))


@pytest.mark.asyncio
async def test_severities_and_fallbacks_count_as_in_the_gate(project: GitSandbox, add: Add) -> None:
    settings = project.root / ".tx/config.toml"
    settings.write_text('embedder = "none"\n[verify]\noff = ["src/old.py"]\n', encoding="utf-8")
    project.write("src/old.py", text=LOGIN)
    project.commit()
    add("Old logins are slow.", "src/old.py::login")
    with open_workspace(project.root) as workspace:
        workspace.learnings.add("Logins are slow.", anchors=["src/auth.py::login"], fallbacks=["src/auth.py"])
    async with editor(project.root) as one:
        old = one.open("src/old.py", LOGIN.replace("True", "False"))
        assert "**drifted** Old logins are slow. (learning:1)" in await one.hover(old, 1)
        assert await one.lenses(old) == [(0, 4, "1 learning")]
        uri = one.open("src/auth.py", f"{LOGIN}\nPORT = 1\n")
        assert await one.lenses(uri) == [(0, 4, "1 learning")]
        assert not one.told(old)
        assert not one.told(uri)


@pytest.mark.asyncio
async def test_a_file_in_another_encoding_counts_as_it_is_saved(project: GitSandbox, add: Add) -> None:
    (project.root / "src/old.py").write_bytes("def login():\n    return 'é'\n".encode("latin-1"))
    project.commit()
    add("Logins are slow on purpose.", "src/old.py::login")
    async with editor(project.root) as one:
        uri = one.open("src/old.py", "def login():\n    return 'é'\n")
        assert await one.lenses(uri) == [(0, 4, "1 learning")]
        assert not one.told(uri)


@pytest.mark.asyncio
async def test_outside_a_workspace_it_says_so_once_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(LOGIN, encoding="utf-8")
    async with editor(tmp_path) as one:
        uri = one.open("a.py")
        assert await one.lenses(uri) == []
        assert await one.hover(uri, 0) == ""
        one.change(uri, "")
        assert await one.actions(uri, 0) == {}
        assert [told.message for told in one.client.messages] == ["tx: There is no .tx here yet: 'tx init' makes one."]


@pytest.mark.asyncio
async def test_files_outside_the_workspace_are_nothing_to_it(project: GitSandbox, tmp_path: Path, add: Add) -> None:
    add("Logins are slow on purpose.", "src/auth.py::login")
    (tmp_path / "auth.py").write_text(LOGIN, encoding="utf-8")
    async with editor(project.root) as one:
        uri = one.open("../auth.py")
        other = one.open(".tx/config.toml")
        for each in (uri, other, "untitled:1"):
            assert await one.lenses(each) == []
            assert await one.actions(each, 0) == {}


@pytest.mark.asyncio
async def test_an_error_is_the_answer_to_its_request_and_not_the_end(project: GitSandbox, add: Add) -> None:
    add("Logins are slow on purpose.", "src/auth.py::login")
    async with editor(project.root) as one:
        uri = one.open("src/auth.py")
        for command, sentence in (
            (lsp.Command("", "tx.show", arguments=["learning:99"]), "There is no learning"),
            (lsp.Command("", "tx.confirm", arguments=["learning:1", "src/no.py"]), "is not anchored"),
            (lsp.Command("", "tx.none"), "not defined"),
        ):
            with pytest.raises(JsonRpcException, match=sentence):
                await one.run(command)
        await one.hover(uri, 1_000_000, 5)
        assert await one.lenses(uri) == [(0, 4, "1 learning")]


def _started(root: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tx_graph", "-C", str(root), "lsp"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _message(**fields: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **fields}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


HELLO = _message(id=1, method="initialize", params={"capabilities": {}, "processId": None, "rootUri": None})


def _parent(pid: int) -> int | None:
    """Return the parent of a process, None where it has ended."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return None if state == "Z" else int(parent)


def test_it_survives_garbage_and_ends_when_the_client_hangs_up(project: GitSandbox) -> None:
    said = b"Content-Length: 3\r\n\r\n{]}" + HELLO + _message(id=2, method="no/such", params={})
    with _started(project.root) as process:
        out, _ = process.communicate(said, timeout=PATIENCE)
    assert b'"id": 1' in out
    assert b"codeLensProvider" in out
    assert b'"id": 2' in out
    assert b"Method Not Found" in out
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_it_ends_with_a_client_that_is_killed_although_the_pipe_stays_open(project: GitSandbox) -> None:
    read, write = os.pipe()
    script = "import subprocess, sys, time; subprocess.Popen(sys.argv[1:], stdin=0); time.sleep(600)"
    serving = [sys.executable, "-m", "tx_graph", "-C", str(project.root), "lsp"]
    with subprocess.Popen([sys.executable, "-c", script, *serving], stdin=read, stdout=subprocess.PIPE) as client:
        assert client.stdout
        os.write(write, HELLO)
        assert client.stdout.readline().startswith(b"Content-Length")
        processes = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit()]
        server = next(pid for pid in processes if _parent(pid) == client.pid)
        client.send_signal(signal.SIGKILL)
        client.stdout.close()
    end = time.monotonic() + PATIENCE
    while _parent(server) is not None:
        assert time.monotonic() < end
        time.sleep(0.05)
    os.close(read)
    os.close(write)


def test_without_its_library_it_says_how_to_get_it() -> None:
    code = """
import contextlib, io, json
from tx_graph.faces.cli.main import run
err = io.StringIO()
with contextlib.redirect_stderr(err):
    status = run(["lsp"])
print(json.dumps([status, err.getvalue()]))
"""
    expected = "tx: The language server needs the pygls library.\nRun: pip install 'tx-graph[lsp]'\n"
    assert run_without(["pygls"], code) == [7, expected]
