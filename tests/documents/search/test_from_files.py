"""Documents as people write them are found, with what they refer to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.documents.ingesting import Ingesting
from tx_graph.documents.search import DocAnswer, DocQuery, DocSearch, State

OLD = "# ADR 3: In files\n\n## Status\n\nSuperseded by [ADR 7](007.md)\n\n## Decision\n\nSessions live in files.\n"
NEW = "---\nsupersedes: 003.md\n---\n# ADR 7: Sessions in Redis\n\n## Decision\n\nThey move to a store of their own.\n"
WHY = "# Guide\n\n## Cookies\n\nSee [why](adr/007.md#decision).\n\n- depends_on:: [[guide#Keys]]\n\n"
GUIDE = f"{WHY}## Keys\n\nRotate them.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch, embedder=WordEmbedder(dimension=512))
    made.write("docs/adr/003.md", OLD)
    made.write("docs/adr/007.md", NEW)
    made.write("docs/guide.md", GUIDE)
    made.git.commit()
    with made.open() as workspace:
        workspace.kernel.one(Ingesting).run()
        workspace.embedding.embed_lacking("chunks")
    return made


def ask(project: Project, text: str, **options: Any) -> DocAnswer:  # noqa: ANN401 - whatever a query has
    with project.open() as workspace:
        return workspace.kernel.one(DocSearch).run(DocQuery(text=text, **options))


def test_links_and_typed_lines_lead_on_and_say_so(project: Project) -> None:
    answer = ask(project, "cookies", seeds=1, hops=1)
    assert answer.results[0].unit.ref == "docs/guide.md#cookies"
    told = {result.unit.ref: (result.ties[0].relation, result.ties[0].description) for result in answer.results[1:]}
    assert told["docs/adr/007.md#decision"] == ("references", "why")
    assert told["docs/guide.md#keys"] == ("depends_on", "depends on")
    found = {result.unit.ref: result.superseded_by for result in ask(project, "sessions live in files").results}
    assert found["docs/adr/003.md#decision"] == "docs/adr/007.md"
    assert found["docs/adr/007.md#decision"] is None


def test_an_edit_is_seen_and_embeds_what_changed_and_nothing_else(project: Project) -> None:
    assert {result.state for result in ask(project, "rotate keys").results} == {State.FRESH}
    project.write("docs/guide.md", GUIDE.replace("Rotate them.", "Rotate them monthly."))
    states = {result.unit.document: result.state for result in ask(project, "rotate keys").results}
    assert states["docs/guide.md"] is State.CHANGED
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()
        assert workspace.embedding.embed_lacking("chunks") == 1
    assert ask(project, "monthly", hops=0).results[0].unit.ref == "docs/guide.md#keys"
    (project.root / "docs/guide.md").unlink()
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()
    found = {result.unit.document for result in ask(project, "cookies keys rotate").results}
    assert found <= {"docs/adr/003.md", "docs/adr/007.md"}
