"""What lies around a node, and how it is connected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support import Project
from tx_graph.context.graph import Neighborhood
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.graph.edges import Direction, EdgeType
from tx_graph.graph.expand import Profile
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.records.learning import Link


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Make app.py import db.py, which changes together with cache.py, to which a learning is anchored."""
    project = Project(tmp_path, monkeypatch)
    project.write("app.py", "import db\n")
    project.write("db.py", "class Db:\n    def open(self):\n        pass\n")
    project.git.commit("cache.py")
    project.git.commit("db.py", "cache.py")
    project.git.commit("db.py", "cache.py")
    project.index()
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(options=CoChangeOptions(min_support=2)))
    project.add("Close every cursor", "cache.py")
    return project


def around(project: Project, ref: str, *, depth: int = 2, **options: Any) -> Neighborhood:  # noqa: ANN401
    with project.open() as workspace:
        return workspace.graph.neighbors(ref, depth=depth, **options)


def refs(hood: Neighborhood) -> list[str]:
    return [neighbor.ref for neighbor in hood.neighbors]


def test_neighbours_come_best_first_with_the_way_to_them(project: Project) -> None:
    hood = around(project, "app.py", depth=3)
    assert refs(hood) == ["db.py", "cache.py", "learning:1"]
    last = hood.neighbors[-1]
    assert last.kind is NodeKind.LEARNING
    assert last.path == ("app.py", "db.py", "cache.py", "learning:1")
    assert [(step.type, step.forward) for step in last.steps] == [
        ("IMPORTS", True),
        ("CO_CHANGES_WITH", False),
        ("ANCHORED_TO", False),
    ]
    assert last.score == pytest.approx(last.steps[1].weight * 0.7**3)
    assert hood.reached == 3


OUT, IN = {"depth": 1, "direction": Direction.OUT}, {"depth": 1, "direction": Direction.IN}


@pytest.mark.parametrize(
    ("ref", "options", "expected"),
    [
        ("db.py", OUT, ["cache.py"]),
        ("db.py", IN, ["app.py", "cache.py"]),
        ("app.py", IN, []),
        ("1", OUT, ["cache.py"]),
        ("cache.py", OUT, ["db.py"]),
        ("cache.py", IN, ["learning:1", "db.py"]),
        ("app.py", {"edge_types": (EdgeType.IMPORTS,)}, ["db.py"]),
        ("app.py", {"edge_types": (EdgeType.CO_CHANGES_WITH,)}, []),
        ("app.py", {"depth": 0}, []),
        ("new.py", {}, []),
    ],
)
def test_direction_types_and_depth_say_what_is_followed_but_co_changes_have_no_direction(
    project: Project, ref: str, options: dict[str, Any], expected: list[str]
) -> None:
    project.write("new.py")
    assert sorted(refs(around(project, ref, **options))) == sorted(expected)


def test_the_limit_cuts_the_list_and_says_how_much_there_was(project: Project) -> None:
    hood = around(project, "app.py", depth=3, limit=1)
    assert (refs(hood), hood.reached) == (["db.py"], 3)
    for limit in (0, -1, 10_001):
        with pytest.raises(UsageError):
            around(project, "app.py", limit=limit)


def test_an_unknown_name_is_not_found(project: Project) -> None:
    with pytest.raises(NotFound) as error:
        around(project, "pp.py")
    assert "app.py" in error.value.candidates


def test_a_file_that_only_a_glob_knows_is_shown_with_it(project: Project) -> None:
    project.add("Later", "*.py")
    project.write("new.py")
    project.git.git("add", "new.py")
    with project.open() as workspace:
        [step] = workspace.graph.show("new.py").steps
    assert (step.target, step.description) == ("learning:2", "*.py")


def test_a_symbol_that_nobody_anchored_is_shown_without_edges(project: Project) -> None:
    with project.open() as workspace:
        shown = workspace.graph.show("db.py::Db::open")
    assert (shown.node.kind, shown.node.id, shown.steps) == (NodeKind.SYMBOL, None, ())
    assert around(project, "db.py::Db::open").neighbors == ()


def test_a_symbol_leads_to_its_learning_and_the_learning_to_its_file(project: Project) -> None:
    project.add("Open late", "db.py::Db::open")
    assert refs(around(project, "db.py::Db::open", depth=1)) == ["learning:2"]
    assert refs(around(project, "2", depth=1)) == ["db.py", "db.py::Db::open"]
    assert "learning:2" in refs(around(project, "db.py", depth=1))
    assert set(refs(around(project, "db.py::Db::open", depth=3))) == {"learning:2", "db.py", "app.py", "cache.py"}


def test_links_carry_their_relation_and_weight(project: Project) -> None:
    project.add("Zebra", links=[Link(target="1", weight=0.5)])
    [zebra] = [one for one in around(project, "1", depth=1).neighbors if one.ref == "learning:2"]
    [step] = zebra.steps
    assert (step.type, step.relation, step.weight, step.forward) == ("LINKS_TO", "references", 0.5, False)


@pytest.mark.parametrize("profile", list(Profile))
def test_every_profile_leads_through_files_to_learnings_and_on(project: Project, profile: Profile) -> None:
    project.add("Cursors are dear", links=[Link(target="1")])
    hood = around(project, "app.py", depth=4, profile=profile)
    assert set(refs(hood)) == {"db.py", "cache.py", "learning:1", "learning:2"}
    by_ref = {one.ref: one for one in hood.neighbors}
    assert by_ref["learning:2"].path == ("app.py", "db.py", "cache.py", "learning:1", "learning:2")
    assert all(0 < one.score <= 1 for one in hood.neighbors)
    assert hood.stats is not None
    assert (hood.stats.seeds, hood.stats.expanded, hood.stats.max_depth_reached) == (1, 4, 4)


def test_spread_gives_the_best_neighbour_a_one_and_hops_scores_by_the_last_edge(project: Project) -> None:
    assert around(project, "app.py", depth=4, profile=Profile.SPREAD).neighbors[0].score == 1.0
    by_ref = {one.ref: one.score for one in around(project, "app.py", depth=3, profile=Profile.HOPS).neighbors}
    assert by_ref["learning:1"] == pytest.approx(0.3 * 0.5)


@pytest.mark.parametrize("profile", list(Profile))
def test_single_hops_may_follow_types_of_their_own(project: Project, profile: Profile) -> None:
    imports, anchors = (EdgeType.IMPORTS,), (EdgeType.ANCHORED_TO,)
    assert refs(around(project, "app.py", depth=3, profile=profile, types_at={2: imports})) == ["db.py"]
    found = around(project, "cache.py", depth=1, profile=profile, types_at={1: anchors})
    assert refs(found) == ["learning:1"]


@pytest.mark.parametrize("profile", list(Profile))
def test_a_removed_learning_is_skipped_and_no_path_crosses_it(project: Project, profile: Profile) -> None:
    project.add("Cursors are dear", links=[Link(target="1")])
    with project.open() as workspace:
        workspace.learnings.remove("1")
    assert refs(around(project, "app.py", depth=5, profile=profile)) == ["db.py", "cache.py"]
    assert refs(around(project, "2", depth=5, profile=profile)) == []
    assert refs(around(project, "cache.py", depth=1)) == ["db.py"]


def test_the_sizes_of_the_graph_add_up(project: Project) -> None:
    project.add("Zebra", "*.py", links=[Link(target="1")])
    with project.open() as workspace:
        workspace.learnings.remove("2")
        stats = workspace.graph.stats()
    assert stats.learnings == {"active": 1, "removed": 1}
    assert (stats.files, stats.languages, stats.anchors) == (3, {"python": 3}, 2)
    assert stats.edges == {"ANCHORED_TO": 1, "CO_CHANGES_WITH": 1, "IMPORTS": 1, "LINKS_TO": 1}
    assert {name for name, run in stats.analyses.items() if run} == {"index", "cochanges"}


def test_the_edges_of_a_node_come_heaviest_first(project: Project) -> None:
    project.write("src/a.ts")
    weights = (0.2, 0.9, 0.5)
    others = [project.add(f"Other {weight}") for weight in weights]
    links = [Link(target=str(other.id), weight=weight) for other, weight in zip(others, weights, strict=True)]
    hub = project.add("Hub", links=links)
    with project.open() as workspace:
        around = workspace.graph.show(str(hub.id))
    assert [step.weight for step in around.steps] == [0.9, 0.5, 0.2]
