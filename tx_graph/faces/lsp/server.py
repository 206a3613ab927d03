"""The server: it answers an editor's requests one after the other, from the text that the editor has open."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar, cast
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from tx_graph.anchors.anchors import Anchors
from tx_graph.anchors.reports import Level, rule_of
from tx_graph.anchors.severity import Severity
from tx_graph.anchors.sources import SourceText, sources
from tx_graph.anchors.verdict import Verdict
from tx_graph.code.references import SymbolUses
from tx_graph.core.errors import NotFound, NotInitialised, StorageError, TxError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, FACTS, LEARNINGS
from tx_graph.faces.lsp.known import (
    Known,
    Mark,
    first_sentence,
    hover,
    known_of,
    mark_of,
    meant_at,
    place_at,
    told,
)
from tx_graph.knowledge.facts import Facts
from tx_graph.learnings.learnings import Learnings
from tx_graph.version import __version__
from tx_graph.workspace.lasting import LastingWorkspace
from tx_graph.workspace.updating import Updating

CONFIRM, SHOW, ADD = "tx.confirm", "tx.show", "tx.add"
_SEVERITIES = {
    Level.ERROR: lsp.DiagnosticSeverity.Error.value,
    Level.WARNING: lsp.DiagnosticSeverity.Warning.value,
    Level.NOTE: lsp.DiagnosticSeverity.Information.value,
}
"""The next one is a degree milder."""
_REQUEST_FAILED = -32803  # what the protocol has for a request that was in order
_FIX = lsp.CodeActionKind.QuickFix
_LONGEST_NAME = 80
_PAUSE = 0.2  # seconds after a change until the text is judged: whoever types changes it ten times meanwhile
_GLANCE = 2.0  # seconds between looks at the workspace, where the editor cannot watch files
_HEARTBEAT = 1.0  # seconds between looks at whether the process that started this one is still there
_WATCHED = (f"**/{DIRECTORY}/{LEARNINGS}/*.md", f"**/{DIRECTORY}/{FACTS}/*.md", f"**/{DIRECTORY}/local/new-*.md")
_DRAFT = """\
<!-- tx: {spec} -->
<!-- Write below what was learned about it, in a sentence or two, and save: then it is kept as a learning. -->

"""
_DRAFTED = re.compile(r"<!-- tx: (?P<spec>.+?) -->\n(?:<!-- .*? -->\n)?(?P<text>.*)", re.DOTALL)

_log = logging.getLogger(__name__)
F = TypeVar("F", bound=Callable[..., Any])


def serve(start: Path) -> None:
    """Serve the editor at stdin and stdout until it goes. What else is printed in this process goes to stderr."""
    logging.basicConfig(stream=sys.stderr, level=logging.CRITICAL, format="tx lsp: %(message)s")
    _log.setLevel(logging.WARNING)  # what the libraries have to say, the editor is told
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    parent = os.getppid()

    def watch() -> None:
        # An editor that is killed hangs up, unless another process holds its end of the pipe open.
        while os.getppid() == parent:
            time.sleep(_HEARTBEAT)
        os._exit(0)

    Thread(target=watch, daemon=True).start()
    session = Session(start)
    try:
        session.server.start_io(stdin, stdout)
    finally:
        session.close()


class Session:
    """Serves one editor, about the workspace of the first of its folders that has one."""

    def __init__(self, start: Path) -> None:
        self._start = start
        self._workspace = LastingWorkspace(start)
        self._published: dict[str, list[lsp.Diagnostic]] = {}
        self._waiting: set[str] = set()
        self._glancing: asyncio.Task[None] | None = None
        self._drafts: dict[Path, tuple[str, str]] = {}
        self._told: set[str] = set()
        self.server = LanguageServer("tx", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        # Whole texts: the library counts lines as Python does, editors do not, and a lost line end would go unseen.
        notices: dict[str, Callable[[Any], None]] = {
            lsp.INITIALIZED: self._begin,
            lsp.TEXT_DOCUMENT_DID_OPEN: lambda params: self._publish(params.text_document.uri),
            lsp.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._files_changed,
        }
        for name, notice in notices.items():
            self.server.feature(name)(self._guarded(notice, is_request=False))
        saving = self.server.feature(lsp.TEXT_DOCUMENT_DID_SAVE, lsp.SaveOptions(include_text=False))
        saving(self._guarded(self._saved, is_request=False))
        requests: dict[str, Callable[[Any], object]] = {
            lsp.TEXT_DOCUMENT_HOVER: self._hover,
            lsp.TEXT_DOCUMENT_CODE_LENS: self._lenses,
            lsp.TEXT_DOCUMENT_CODE_ACTION: self._actions,
            lsp.TEXT_DOCUMENT_REFERENCES: self._references,
        }
        for name, request in requests.items():
            self.server.feature(name)(self._guarded(request))
        commands: dict[str, Callable[..., None]] = {CONFIRM: self._confirm, SHOW: self._show, ADD: self._add}
        for name, command in commands.items():
            self.server.command(name)(self._guarded(command))

    def close(self) -> None:
        """Close the workspace."""
        self._workspace.close()

    # --- what every request stands on ----------------------------------------------------------

    def _guarded(self, handler: F, *, is_request: bool = True) -> F:
        """Return a handler whose errors are one sentence for the editor, and never the end of the server."""

        @wraps(handler)
        def answer(*given: object) -> object:
            try:
                return handler(*given)
            except NotInitialised:
                message, kind = f"There is no {DIRECTORY} here yet: 'tx init' makes one.", lsp.MessageType.Info
            except TxError as error:
                message, kind = f"{error.message} {error.hint}".rstrip(), lsp.MessageType.Error
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:  # noqa: BLE001 - a parser's panic is a BaseException
                _log.exception("unexpected %s", type(error).__name__, exc_info=error)
                what = " ".join(f"Unexpected {type(error).__name__}: {error}.".split())
                message, kind = f"{what} This is a bug in tx; its stderr has the details.", lsp.MessageType.Error
            if is_request and kind is lsp.MessageType.Error:
                raise JsonRpcException(message, _REQUEST_FAILED)
            if message not in self._told:  # at every key, it would be said again
                self._told.add(message)
                self._tell(message, kind)
            return None

        return cast("F", answer)

    @contextmanager
    def _kernel(self) -> Iterator[Kernel]:
        """Hand out the workspace as it is now, with the texts of open documents in place of what was saved."""
        with self._workspace.kernel() as kernel:
            documents = self.server.workspace.text_documents.values()
            paths = {path: one.source for one in documents if (path := _path(kernel, one.uri))}
            kernel.checkout.tree.lay_over(paths)
            yield kernel

    @contextmanager
    def _open(self, uri: str) -> Iterator[tuple[Kernel, SourceText | None]]:
        """Hand out the workspace and the text of a document, None where it lies outside."""
        with self._kernel() as kernel:
            path = _path(kernel, uri)
            yield kernel, kernel.one(sources).get(path) if path else None

    def _tell(self, message: str, kind: lsp.MessageType = lsp.MessageType.Info) -> None:
        self.server.window_show_message(lsp.ShowMessageParams(kind, f"tx: {message}"))

    def _range(self, source: SourceText, mark: Mark) -> lsp.Range:
        start, end = lsp.Position(mark.line, mark.start), lsp.Position(mark.last_line, mark.end)
        return self.server.workspace.position_codec.range_to_client_units(source.lines, lsp.Range(start, end))

    def _place(self, source: SourceText, position: lsp.Position) -> tuple[int, int]:
        """Return a position in code points."""
        found = self.server.workspace.position_codec.position_from_client_units(source.lines, position)
        return found.line, found.character

    # --- documents -----------------------------------------------------------------------------

    def _begin(self, _: lsp.InitializedParams) -> None:
        workspace, can = self.server.workspace, self.server.client_capabilities.workspace
        folders = [*(one.uri for one in workspace.folders.values()), workspace.root_uri or ""]
        starts = [*(Path(path) for one in folders if (path := to_fs_path(one))), self._start]
        self._start = next((one for one in starts if (one / DIRECTORY).is_dir()), starts[0])
        self._workspace = LastingWorkspace(self._start)
        watching = can.did_change_watched_files if can else None
        if watching and watching.dynamic_registration:
            watchers = [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in _WATCHED]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
            wanted = lsp.Registration("tx-records", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self.server.client_register_capability(lsp.RegistrationParams([wanted]))
        else:
            self._glancing = asyncio.get_running_loop().create_task(self._glance())
        with self._kernel():  # which takes longest the first time
            pass

    async def _glance(self) -> None:
        """Look now and then whether records came, went or were replaced."""
        seen: list[int] = []
        while True:
            directories = [self._start / DIRECTORY / name for name in (LEARNINGS, FACTS)]
            now = [one.stat().st_mtime_ns for one in directories if one.is_dir()]
            if now != seen:
                self._guarded(self._publish_all, is_request=False)()
            seen = now
            await asyncio.sleep(_GLANCE)

    def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        if (uri := params.text_document.uri) not in self._waiting:
            self._waiting.add(uri)
            publish = self._guarded(self._publish, is_request=False)
            asyncio.get_running_loop().call_later(_PAUSE, publish, uri)

    def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        self._take_draft(params.text_document.uri)
        self._publish_all()

    def _files_changed(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            self._take_draft(change.uri)
        self._publish_all()

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        if self._published.pop(uri := params.text_document.uri, None):
            self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        if self._drafts.pop(draft := Path(to_fs_path(uri) or ""), None):
            draft.unlink(missing_ok=True)

    def _publish_all(self) -> None:
        for document in list(self.server.workspace.text_documents.values()):
            self._publish(document.uri)

    def _publish(self, uri: str) -> None:
        """Tell the editor what drifted in a document, if that is not what it was told last."""
        self._waiting.discard(uri)
        document, can = (
            self.server.workspace.text_documents.get(unquote(uri)),
            self.server.client_capabilities.workspace,
        )
        if document is None:  # it was closed meanwhile
            return
        with self._open(uri) as (kernel, source):
            known = known_of(kernel, source.path) if source else []
            told = [self._diagnostic(source, one) for one in known if source and one.is_finding]
        if told != self._published.get(uri, []):
            self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, told, document.version))
            if can and can.code_lens and can.code_lens.refresh_support:
                self.server.workspace_code_lens_refresh(None)
        self._published[uri] = told

    def _diagnostic(self, source: SourceText, known: Known) -> lsp.Diagnostic:
        rule = rule_of(known.judgement)
        serious = _SEVERITIES[rule.level if rule else Level.NOTE] + (known.severity is Severity.WARNING)
        return lsp.Diagnostic(
            range=self._range(source, known.mark),
            message=f"{known.says} ({known.ref})\n{known.why}",
            severity=lsp.DiagnosticSeverity(serious),
            code=rule.id.removeprefix("tx/") if rule else None,
            source="tx",
        )

    # --- requests ------------------------------------------------------------------------------

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        with self._open(params.text_document.uri) as (kernel, source):
            if source is None:
                return None
            text = hover(kernel, source, *self._place(source, params.position))
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None

    def _lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        by_mark: dict[Mark, list[Known]] = {}
        with self._open(params.text_document.uri) as (kernel, source):
            for one in known_of(kernel, source.path) if source else ():
                by_mark.setdefault(one.mark, []).append(one)
            return [
                lsp.CodeLens(
                    self._range(source, mark),
                    lsp.Command(told(those), SHOW, arguments=list(dict.fromkeys(one.ref for one in those))),
                )
                for mark, those in by_mark.items()
                if source
            ]

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        first, last = params.range.start.line + 1, params.range.end.line + 1
        if last > first and params.range.end.character == 0:  # a selection of whole lines ends before the next one
            last -= 1
        found: list[lsp.CodeAction] = []
        with self._open(params.text_document.uri) as (kernel, source):
            if source is None:
                return found
            known = [one for one in known_of(kernel, source.path) if one.lines[0] <= last and first <= one.lines[1]]
            stale = {one.ref: one for one in known if one.is_finding}
            for one in stale.values():
                if one.judgement.verdict is not Verdict.INVALID:
                    command = lsp.Command(
                        f"Still true: {one.says}", CONFIRM, arguments=[one.ref, one.judgement.anchor.spec]
                    )
                    found.append(_action(command, _FIX, [self._diagnostic(source, one)]))
            found += [
                _action(lsp.Command(f"Edit: {one.says}", SHOW, arguments=[one.ref]), _FIX if one.ref in stale else "")
                for one in {one.ref: one for one in known if one.record}.values()
            ]
            place = place_at(source, first, min(last, len(source.lines)))
            found.append(_action(lsp.Command(f"Add a learning about {place}", ADD, arguments=[place]), ""))
        only = params.context.only
        return [one for one in found if not only or any(f"{one.kind}.".startswith(f"{kind}.") for kind in only)]

    def _references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = []
        with self._workspace.kernel() as kernel:
            kernel.checkout.tree.lay_over({})  # what is indexed is what was saved
            kernel.one(Updating).run("files", {})
        with self._open(params.text_document.uri) as (kernel, source):
            meant = meant_at(kernel, source, *self._place(source, params.position)) if source else None
            if meant is None:
                return []
            with suppress(NotFound):
                users = kernel.one(SymbolUses).references(meant.fqname)
                places = [(users.symbol.path, users.symbol.line_start)] if params.context.include_declaration else []
                for path, line in [*places, *((one.path, one.line) for one in users.references)]:
                    if (there := kernel.one(sources).get(path)) and line <= len(there.lines):
                        where = self._range(there, mark_of(there, meant.name, (line, line)))
                        found.append(lsp.Location((kernel.root / path).as_uri(), where))
        return found

    # --- commands ------------------------------------------------------------------------------

    def _confirm(self, ref: str, anchor: str) -> None:
        with self._kernel() as kernel:
            if ref.startswith("fact:"):
                kernel.one(Facts).confirm(ref)
            else:
                kernel.one(Anchors).confirm(ref, anchor)
        self._publish_all()

    def _show(self, *refs: str) -> None:
        """Open the text of a learning or fact; of several, that which somebody chooses."""
        titles: dict[str, Path] = {}
        with self._kernel() as kernel:
            for ref in refs:
                if ref.startswith("fact:"):
                    fact = kernel.one(Facts).get(ref)
                    says, record = f"{fact.subject_name} {fact.fact.predicate}: {fact.told}", fact.path
                else:
                    stored = kernel.one(Learnings).get(ref)
                    says, record = stored.learning.content, stored.place
                titles |= {f"{ref} {first_sentence(says)}": kernel.root / record} if record else {}
        if len(titles) == 1:
            self._show_file(*titles.values())
        elif titles:
            wanted = [lsp.MessageActionItem(title) for title in titles]
            asked = lsp.ShowMessageRequestParams(lsp.MessageType.Info, "tx: which one?", wanted)
            self.server.window_show_message_request(
                asked, lambda one: self._show_file(titles[one.title]) if one else None
            )

    def _show_file(self, path: Path) -> None:
        can = self.server.client_capabilities.window
        if can and can.show_document and can.show_document.support:
            self.server.window_show_document(lsp.ShowDocumentParams(path.as_uri(), take_focus=True))
        else:
            self._tell(f"It is {path}.")

    def _add(self, place: str) -> None:
        """Open a file to write a learning into: nothing is known before it is written and saved."""
        with self._kernel() as kernel:
            draft = kernel.place.directory / "local" / f"new-{re.sub(r'[^a-zA-Z0-9]+', '-', place)[-_LONGEST_NAME:]}.md"
            try:
                draft.parent.mkdir(exist_ok=True)
                if not draft.exists():
                    draft.write_text(_DRAFT.format(spec=place), encoding="utf-8")
            except OSError as error:
                raise StorageError(f"{draft} cannot be written: {error.strerror}.") from error
        self._show_file(draft)

    def _take_draft(self, uri: str) -> None:
        """Keep what was written and saved as a learning; what is saved once more is its new text."""
        draft = Path(to_fs_path(uri) or "")
        if not draft.name.startswith("new-") or draft.parts[-3:-1] != (DIRECTORY, "local") or not draft.is_file():
            return
        written = _DRAFTED.fullmatch(draft.read_text("utf-8").replace("\r\n", "\n"))
        text = written["text"].strip() if written else ""
        ref, before = self._drafts.get(draft, ("", ""))
        if written is None or text in ("", before):
            return
        with self._kernel() as kernel:
            if ref:
                kernel.one(Learnings).edit(ref, content=text)
            else:
                ref = kernel.one(Learnings).add(text, anchors=[f"{kernel.root / written['spec']}"]).stored.ref
                self._tell(f"Kept as {ref}.")
        self._drafts[draft] = ref, text


def _action(command: lsp.Command, kind: str, mended: list[lsp.Diagnostic] | None = None) -> lsp.CodeAction:
    return lsp.CodeAction(command.title, kind=kind, diagnostics=mended, command=command)


def _path(kernel: Kernel, uri: str) -> str | None:
    """Return the path of a document below the root of the repository, None where it lies outside, or in .tx itself."""
    with suppress(UsageError):
        if name := to_fs_path(uri):
            path = kernel.checkout.tree.candidates(name)[0]
            return None if path.startswith((f"{DIRECTORY}/", ".git/")) else path
    return None
