"""learning:edit, learning:remove, learning:helpful."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from tx_graph.cli.options import Json, LearningRef, decoded, opened, text_from
from tx_graph.cli.render import shapes
from tx_graph.cli.render.terminal import note, print_json
from tx_graph.domain.learning import Status, StoredLearning
from tx_graph.errors import UsageError
from tx_graph.services.learnings import Changes
from tx_graph.workspace import Workspace


def edit(
    ref: LearningRef,
    *,
    content: Annotated[str | None, typer.Option("--content", metavar="TEXT", help="New text; '-' reads stdin.")] = None,
    category: Annotated[
        str | None, typer.Option("--category", metavar="NAME", help="New category; '' clears it.")
    ] = None,
    keyword: Annotated[list[str] | None, typer.Option("--keyword", metavar="WORD", help="Add a keyword.")] = None,
    remove_keyword: Annotated[
        list[str] | None, typer.Option("--remove-keyword", metavar="WORD", help="Remove a keyword.")
    ] = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", metavar="F", help="New confidence, 0 to 1.")
    ] = None,
    status: Annotated[Status | None, typer.Option("--status", help="New status.")] = None,
    as_json: Json = False,
) -> None:
    """Change a learning; without options, its text opens in $VISUAL or $EDITOR.

    Example: tx learning:edit 12 --category security --keyword jwt
    """
    nothing_given = content is None and not any(
        [category is not None, keyword, remove_keyword, confidence is not None, status]
    )
    with opened() as workspace:
        if nothing_given:
            content = _edited(workspace, ref)
        changes = Changes(
            content=text_from(content) if content is not None and not nothing_given else content,
            category=category,
            add_keywords=keyword or (),
            remove_keywords=remove_keyword or (),
            confidence=confidence,
            status=status,
        )
        stored = workspace.learnings.edit(ref, changes)
    _print("Changed", stored, as_json=as_json)


def remove(
    ref: LearningRef,
    *,
    restore: Annotated[bool, typer.Option("--restore", help="Bring a removed learning back.")] = False,
    as_json: Json = False,
) -> None:
    """Hide a learning from every answer; its record and history stay.

    Example: tx learning:remove 12 · tx learning:remove 12 --restore
    """
    with opened() as workspace:
        stored = workspace.learnings.restore(ref) if restore else workspace.learnings.remove(ref)
    _print("Restored" if restore else "Removed", stored, as_json=as_json)


def helpful(
    ref: LearningRef,
    *,
    score: Annotated[float, typer.Option("--score", metavar="F", help="How much, from 0 (not at all) to 1.")] = 1.0,
    as_json: Json = False,
) -> None:
    """Say how much a learning helped; learnings that help rank a little higher.

    Example: tx learning:helpful 12 --score 0.5
    """
    with opened() as workspace:
        stored = workspace.learnings.helpful(ref, score=score)
    _print("Noted for", stored, as_json=as_json)


def _print(verb: str, stored: StoredLearning, *, as_json: bool) -> None:
    if as_json:
        print_json(shapes.learning(stored))
    else:
        typer.echo(f"{verb} {stored.ref} ({stored.learning.uid})")


def _edited(workspace: Workspace, ref: str) -> str | None:
    """Return the learning's text after the user's editor, None when it stayed the same.

    Raises:
        UsageError: There is no terminal or no editor, or the editor failed.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor and not sys.stdin.isatty():
        raise UsageError("Nothing to change was given, and there is no $EDITOR.", hint="See 'tx learning:edit --help'.")
    before = workspace.learnings.show(ref).stored.learning.content
    with tempfile.TemporaryDirectory(prefix="tx-") as directory:
        path = Path(directory) / "learning.md"
        path.write_text(f"{before}\n", encoding="utf-8")
        _run_editor(editor or "vi", path)
        after = decoded(path.read_bytes(), "the edited text").rstrip("\n")
    if after == before:
        note("Nothing changed.")
        return None
    return after


def _run_editor(editor: str, path: Path) -> None:
    try:
        status = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
    except (OSError, ValueError) as error:
        raise UsageError(f"The editor '{editor}' cannot be started: {error}.", hint="Set $EDITOR.") from None
    if status != 0:
        raise UsageError(f"The editor '{editor}' ended with status {status}; nothing was changed.")
