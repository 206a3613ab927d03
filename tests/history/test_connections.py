"""Why two nodes are connected: the best path, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.context.graph import Connection
from tx_graph.core.errors import NotFound
from tx_graph.graph.edges import EdgeType, Relation
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.records.learning import Link


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Make app.py import db.py, which changes together with cache.py, to which a learning is anchored."""
    project = Project(tmp_path, monkeypatch)
    project.write("app.py", "import db\n")
    project.write("db.py", "class Db:\n    pass\n")
    project.git.commit("cache.py")
    project.git.commit("db.py", "cache.py")
    project.git.commit("db.py", "cache.py")
    project.write("alone.py")
    project.index()
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(options=CoChangeOptions(min_support=2)))
    project.add("Close every cursor", "cache.py")
    project.add("Cursors are dear", links=[Link(target="1", relation=Relation.DEPENDS_ON, weight=0.5)])
    return project


def between(
    project: Project, source: str, target: str, *, depth: int = 6, types: tuple[EdgeType, ...] = tuple(EdgeType)
) -> Connection:
    with project.open() as workspace:
        return workspace.graph.path(source, target, max_hops=depth, edge_types=types)


def test_a_path_goes_through_every_layer_and_reads_as_a_sentence(project: Project) -> None:
    found = between(project, "app.py", "2")
    assert found.path == ("app.py", "db.py", "cache.py", "learning:1", "learning:2")
    assert found.sentence == (
        "app.py imports db.py, which changes together with cache.py (1.00: 3 of 3 commits), "
        "to which learning:1 is anchored, which learning:2 depends on (0.50)."
    )
    assert found.score == pytest.approx(0.7**4 * found.steps[1].weight * 0.5)


def test_the_way_back_is_told_from_the_other_end(project: Project) -> None:
    found = between(project, "2", "app.py")
    assert found.sentence.startswith("learning:2 depends on learning:1 (0.50), which is anchored to cache.py, ")
    assert found.sentence.endswith(", which is imported by app.py.")
    assert found.score == pytest.approx(between(project, "app.py", "2").score)


def test_the_score_is_that_of_a_walk(project: Project) -> None:
    with project.open() as workspace:
        around = workspace.graph.neighbors("app.py", depth=4)
    by_ref = {one.ref: one for one in around.neighbors}
    for ref in ("db.py", "cache.py", "learning:1", "learning:2"):
        found = between(project, "app.py", ref)
        assert found.path == by_ref[ref].path
        assert found.score == pytest.approx(by_ref[ref].score)


def test_nothing_connects_what_lies_apart_or_too_far(project: Project) -> None:
    for found in (
        between(project, "app.py", "alone.py"),
        between(project, "app.py", "2", depth=3),
        between(project, "app.py", "cache.py", types=(EdgeType.IMPORTS,)),
    ):
        assert (found.is_connected, found.path, found.steps, found.sentence) == (False, (), (), "")


def test_a_node_is_connected_with_itself(project: Project) -> None:
    found = between(project, "app.py", "app.py")
    assert (found.path, found.score, found.sentence) == (("app.py",), 1.0, "Both are the same.")


def test_its_file_stands_for_a_symbol_that_nothing_is_tied_to(project: Project) -> None:
    found = between(project, "db.py::Db", "app.py")
    assert found.path == ("db.py", "app.py")
    assert found.remarks == ("Nothing is tied to db.py::Db itself; its file db.py stands for it.",)


def test_a_file_that_only_a_glob_knows_is_connected_by_it(project: Project) -> None:
    project.write("new.py")
    project.git.git("add", "new.py")
    project.add("Everywhere", "n*.py")
    assert between(project, "new.py", "3").sentence == "new.py is what learning:3 is anchored to (0.50)."


def test_removed_learnings_connect_nothing(project: Project) -> None:
    with project.open() as workspace:
        workspace.learnings.remove("1")
    assert not between(project, "app.py", "2").is_connected


def test_an_unknown_name_is_not_found(project: Project) -> None:
    with pytest.raises(NotFound):
        between(project, "app.py", "pp.py")
