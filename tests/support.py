"""A real repository with a workspace in it, worked in the way the command line does."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from copy import copy
from pathlib import Path
from typing import Self

import pytest

from scripts.opened import Workspace, open_workspace
from tests.fakes import FixedClock, WordEmbedder
from tests.git_sandbox import GitSandbox
from tests.templates import write_workspace
from tx_graph.code.chunks import refresh_chunks
from tx_graph.code.indexing import IndexReport
from tx_graph.context.search import Query, SearchAnswer
from tx_graph.graph.expand import Limits, Profile
from tx_graph.history.evidence import refresh_messages
from tx_graph.learnings.learnings import Draft
from tx_graph.learnings.transfer import Transfer
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import Link, Status, StoredLearning


def let_stamps_settle() -> None:
    """Wait until what was just written has been there long enough for its time of change to prove something."""
    time.sleep(0.06)


class Project:
    """A repository worked in the way the command line does: each act opens the workspace anew and closes it."""

    def __init__(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch, *, embedder: WordEmbedder | None = None
    ) -> None:
        monkeypatch.delenv("TX_DB", raising=False)
        self.git = GitSandbox(directory / "repo", monkeypatch)
        self.root = self.git.root.resolve()
        self.clock = FixedClock()
        self.embedder = embedder
        write_workspace(self.root)
        self.configure('embedder = "none"')

    def copied(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> Self:
        """Return a project like this one in another directory: copying costs less than making it again."""
        monkeypatch.delenv("TX_DB", raising=False)
        twin = copy(self)
        twin.git = self.git.copied(directory / "repo", monkeypatch)
        twin.root = twin.git.root.resolve()
        twin.clock = FixedClock(self.clock.moment)
        return twin

    def configure(self, *lines: str) -> None:
        """Replace the settings."""
        (self.root / ".tx" / "config.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def open(self, below: str = "") -> Workspace:
        """Open the workspace as if standing in the directory `below`."""
        return open_workspace(self.root / below, clock=self.clock, embedder=self.embedder)

    def write(self, path: str, text: str = "") -> Path:
        """Write a file, making its directories."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return file

    def index(self, below: str = "", *, force: bool = False) -> IndexReport:
        """Bring the index up to date, and what is known of files and commits by their words."""
        with self.open() as workspace:
            report = workspace.indexing.run(below=below, force=force)
            refresh_chunks(workspace.kernel)
            refresh_messages(workspace.kernel)
        return report

    def add(
        self,
        content: str,
        *anchors: str,
        category: str | None = None,
        status: Status = Status.ACTIVE,
        links: Sequence[Link] = (),
    ) -> StoredLearning:
        """Add a learning tied to places as one writes them."""
        with self.open() as workspace:
            draft = Draft(
                content=content,
                anchors=[parse_anchor(spec) for spec in anchors],
                category=category,
                status=status,
                links=links,
            )
            return workspace.learnings.add_draft(draft).stored

    def add_all(self, contents: Iterable[str], *, category: str | None = None) -> None:
        """Add many learnings at once."""
        with self.open() as workspace:
            workspace.kernel.one(Transfer).import_(
                json.dumps({"content": text, "category": category}) for text in contents
            )

    def search(self, text: str, query: Query | None = None, *, expand: bool = False) -> SearchAnswer:
        """Ask; `query` carries further options, `expand` walks as the profile `decay` does."""
        asked = query or Query(text=text, expansion=Limits() if expand else None, profile=Profile.DECAY)
        with self.open() as workspace:
            return workspace.search.run(asked)

    def contents(self, text: str, *, expand: bool = False) -> list[str]:
        """Return the contents of what a question finds, best first."""
        return [result.stored.learning.content for result in self.search(text, expand=expand).results]
