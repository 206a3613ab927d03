"""The record files of a workspace, as an editor or git sees them."""

from __future__ import annotations

from pathlib import Path

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.core.place import DIRECTORY, LEARNINGS
from tx_graph.learnings.learnings import Draft
from tx_graph.records.learning import Learning, StoredLearning
from tx_graph.records.learning_record import LEARNING_FORMAT
from tx_graph.records.learning_store import LearningStore


def record_path(root: Path, stored: StoredLearning) -> Path:
    """Return where a learning's record is."""
    return root / DIRECTORY / LEARNINGS / stored.record


def records(root: Path) -> dict[str, bytes]:
    """Return every record's bytes by file name."""
    return {path.name: path.read_bytes() for path in sorted((root / DIRECTORY / LEARNINGS).glob("*.md"))}


def leftovers(root: Path) -> list[str]:
    """Return what else is in the directory of the records."""
    return sorted(path.name for path in (root / DIRECTORY / LEARNINGS).iterdir() if not path.name.endswith(".md"))


def write_record(root: Path, learning: Learning) -> Path:
    """Write a record as a colleague's tx would."""
    path = root / DIRECTORY / LEARNINGS / LEARNING_FORMAT.file_name(learning)
    path.write_bytes(LEARNING_FORMAT.render(learning).encode())
    return path


def add(workspace: Workspace, content: str) -> StoredLearning:
    """Add a learning that is nothing but content."""
    return workspace.learnings.add_draft(Draft(content=content)).stored


def contents(workspace: Workspace) -> list[str]:
    """Return the content of every learning that is shown, in alphabetical order."""
    return sorted(stored.learning.content for stored in LearningStore(workspace._database).listed(limit=10_000))


def shown(project: Project) -> list[str]:
    """Return the content of every learning that is shown once the workspace is opened anew."""
    with project.open() as workspace:
        return contents(workspace)


def problems(project: Project) -> list[str]:
    """Return what is said of records that are skipped."""
    with project.open() as workspace:
        return workspace.record_problems()
