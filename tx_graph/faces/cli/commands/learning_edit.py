"""learning:edit."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.core.errors import TxError, UsageError
from tx_graph.faces.cli.command import Json, decoded, opened, text_from
from tx_graph.faces.cli.render.learnings import changed
from tx_graph.faces.cli.render.terminal import print_json
from tx_graph.learnings.learnings import Learnings
from tx_graph.records.learning import Status, StoredLearning


def edit(
    ref: Annotated[str, typer.Argument(metavar="LEARNING", help="Its number, uid, or the beginning of its uid.")],
    *,
    content: Annotated[str | None, typer.Option("--content", metavar="TEXT", help="New text; '-' reads stdin.")] = None,
    category: Annotated[
        str | None, typer.Option("--category", metavar="NAME", help="New category; '' clears it.")
    ] = None,
    keyword: Annotated[
        list[str] | None, typer.Option("--keyword", metavar="WORD", help="Add a keyword; repeatable.")
    ] = None,
    remove_keyword: Annotated[
        list[str] | None, typer.Option("--remove-keyword", metavar="WORD", help="Remove a keyword; repeatable.")
    ] = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", metavar="F", help="New confidence, 0 to 1.")
    ] = None,
    status: Annotated[
        Status | None, typer.Option("--status", metavar="NAME", help=f"New status: {choices(Status)}.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Change a learning; without options, its text opens in $VISUAL or $EDITOR.

    Anchors and links have commands of their own: graph:link, graph:relate.

    Example:
      tx learning:edit 12
      tx learning:edit 12 --category security --keyword jwt
      tx learning:edit 12 --content - < better.md
    """
    given = [content is not None, category is not None, keyword, remove_keyword, confidence is not None, status]
    with opened() as kernel:
        learnings = kernel.one(Learnings)
        if not any(given):
            _edit_text(learnings, ref, as_json=as_json)
            return
        stored = learnings.edit(
            ref,
            content=text_from(content) if content is not None else None,
            category=category,
            add_keywords=keyword or (),
            remove_keywords=remove_keyword or (),
            confidence=confidence,
            status=status,
        )
    _print("Changed", stored, as_json=as_json)


def _print(verb: str, stored: StoredLearning, *, as_json: bool) -> None:
    if as_json:
        print_json(stored.as_json())
    else:
        changed(verb, stored)


def _edit_text(learnings: Learnings, ref: str, *, as_json: bool) -> None:
    """Let the user change a learning's text in an editor; a text that is refused is kept in a file."""
    stored = learnings.get(ref)
    editor = _editor()
    directory = Path(tempfile.mkdtemp(prefix="tx-"))
    path = directory / "learning.md"
    try:
        path.write_text(f"{stored.learning.content}\n", encoding="utf-8")
        _run_editor(editor, path)
        after = _read(path)
        is_changed = after != stored.learning.content
        if is_changed:
            stored = learnings.edit(ref, content=after, expected=stored.learning.content)
    except TxError as error:
        if not _has_text(path, other_than=stored.learning.content):
            shutil.rmtree(directory, ignore_errors=True)
            raise
        error.hint = f"{error.hint} Nothing was changed; your text is kept in {path}.".lstrip()
        raise
    shutil.rmtree(directory, ignore_errors=True)
    _print("Changed" if is_changed else "Unchanged:", stored, as_json=as_json)


def _editor() -> str:
    for name in ("VISUAL", "EDITOR"):
        if editor := os.environ.get(name, "").strip():
            return editor
    if not sys.stdin.isatty():
        raise UsageError("Nothing to change was given, and there is no $EDITOR.", hint="See 'tx learning:edit --help'.")
    return "vi"


def _run_editor(editor: str, path: Path) -> None:
    try:
        status = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"The editor '{editor}' cannot be started: {reason}.", hint="Set $EDITOR.") from None
    if status != 0:
        raise UsageError(f"The editor '{editor}' ended with status {status}; nothing was changed.")


def _read(path: Path) -> str:
    try:
        text = decoded(path.read_bytes(), "The edited text").rstrip()
    except OSError:
        text = ""
    if not text:
        raise UsageError(
            "The edited text is empty; nothing was changed.", hint="'tx learning:remove' hides a learning."
        )
    return text


def _has_text(path: Path, *, other_than: str) -> bool:
    """Whether there is something of the user's to keep."""
    try:
        return path.read_bytes().strip() not in (b"", other_than.encode().strip())
    except OSError:
        return False
