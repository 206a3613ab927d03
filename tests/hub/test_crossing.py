"""Imports across repositories: what is offered, what is needed, and who is found to answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.corpora import corpora, load
from tests.git_sandbox import GitSandbox
from tx_graph.core.ports import alike, no_progress
from tx_graph.hub.crossing_store import CrossingStore
from tx_graph.hub.dependents import certainty_of, of_package
from tx_graph.hub.identity import node_id, repository_id
from tx_graph.hub.publishing import publish
from tx_graph.hub.store import Hub
from tx_graph.workspace import prepare

PROVIDER, CONSUMER = "github.com/acme/provider", "github.com/acme/consumer"


def published(root: Path, name: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Publish a repository of these files."""
    sandbox = GitSandbox(root, monkeypatch)
    for path, text in files.items():
        sandbox.write(path, text=text or "\n")
    prepare(root)
    sandbox.git("remote", "add", "origin", f"https://{name}.git")
    sandbox.commit()
    with open_workspace(root) as workspace:
        workspace.indexing.run()
        publish(workspace.kernel, stages=alike(no_progress))


def below(files: dict[str, str], top: str) -> dict[str, str]:
    """Return the files below a directory by their paths in it."""
    return {path.removeprefix(top): text for path, text in files.items() if path.startswith(top)}


def told(hub: Hub, files: dict[str, str]) -> list[str]:
    """Return what a hub says of all files and packages of the provider, as the corpora have it."""
    store = CrossingStore(hub)
    own = repository_id(PROVIDER)
    rows = [row for path in below(files, "provider/") for row in store.into(own, node_id(PROVIDER, "file", path))]
    packages = hub.rows("SELECT DISTINCT ecosystem, name FROM tx.packages WHERE is_provided ORDER BY 1, 2")
    for kind, name in packages:
        rows += [row for row in of_package(kind, name, [own], store) if row.target is None]
    paths = store.paths(
        [*((row.repository, row.source) for row in rows), *((row.provider or 0, row.target or 0) for row in rows)]
    )
    return [
        f"{paths[row.repository, row.source]}:{row.line} {row.module} {row.name or '-'}"
        f" {paths.get((row.provider or 0, row.target or 0), '-')} {certainty_of(row)}"
        for row in dict.fromkeys(rows)
    ]


@pytest.mark.parametrize("path", corpora("crossing"), ids=lambda path: path.stem)
def test_imports_lead_to_files_of_another_repository(
    path: Path, tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = load(path)
    for name in (CONSUMER, PROVIDER):  # who needs something may be published first
        top = name.rpartition("/")[2]
        published(tmp_path / top, name, below(corpus.files, f"{top}/"), monkeypatch)
    assert sorted(told(hub, corpus.files)) == sorted(" ".join(one).strip() for one in corpus.expected)
