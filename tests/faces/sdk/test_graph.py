"""The graph from Python: reading it, tying learnings to code and to each other, and its edges one at a time."""

from __future__ import annotations

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph import (
    AnchorType,
    Direction,
    EdgeType,
    GraphEdge,
    NewEdge,
    NodeKind,
    NotFound,
    Profile,
    Relation,
    TraverseOptions,
    UsageError,
    Workspace,
)


def test_a_learning_is_tied_to_code_and_untied(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared").stored
    suggestion = memory.graph.suggest_anchor("src/tokens.py", "verify")
    assert not memory.graph.link(stored, suggestion.request, dry_run=True).existed
    tied = memory.graph.link(stored, suggestion.request)
    assert (tied.anchor.type, tied.anchor.spec) == (AnchorType.SYMBOL, "src/tokens.py::verify")
    assert memory.graph.link(stored, "src/tokens.py::verify").existed
    assert memory.graph.unlink(stored, tied.anchor) == (tied.anchor,)
    with pytest.raises(NotFound):
        memory.graph.unlink(stored, "src/tokens.py")


def test_learnings_are_related(memory: Workspace) -> None:
    one, other = memory.learnings.add("One").stored, memory.learnings.add("Other").stored
    related = memory.graph.relate(one, other.id, relation=Relation.DEPENDS_ON, weight=0.5)
    assert (related.link.relation, related.link.weight) == (Relation.DEPENDS_ON, 0.5)
    assert memory.graph.unrelate(one, other) == 1


def test_what_lies_around_a_node_can_be_asked_in_all_ways(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared", anchors=["src/tokens.py"]).stored
    around = memory.graph.neighbors("src/auth.py")
    assert {one.ref for one in around.neighbors} >= {"src/tokens.py", stored.ref}
    assert memory.graph.neighbors(around.neighbors[0], depth=1).node.ref == around.neighbors[0].ref
    imported = memory.graph.neighbors("src/auth.py", edge_types=["imports"], direction=Direction.OUT)
    assert [one.ref for one in imported.neighbors] == ["src/tokens.py"]
    stepwise = memory.graph.neighbors(
        "src/auth.py", profile=Profile.SPREAD, types_at={1: [EdgeType.IMPORTS], 2: [EdgeType.ANCHORED_TO]}
    )
    assert stored.ref in {one.ref for one in stepwise.neighbors}
    with pytest.raises(UsageError, match="no edge type"):
        memory.graph.neighbors("src/auth.py", edge_types=["likes"])


def test_a_path_says_why_two_nodes_are_connected(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared", anchors=["src/tokens.py"]).stored
    found = memory.graph.path("src/auth.py", stored, edge_types=["IMPORTS", "ANCHORED_TO"])
    assert found.path == ("src/auth.py", "src/tokens.py", stored.ref)
    assert not memory.graph.path("src/auth.py", stored, max_hops=1).is_connected


def test_code_tells_of_itself(memory: Workspace) -> None:
    assert [step.target for step in memory.graph.imports("src/auth.py").steps] == ["src/tokens.py"]
    assert [step.source for step in memory.graph.importers("src/tokens.py").steps] == ["src/auth.py"]
    assert [(edge.source, edge.target) for edge in memory.graph.all_imports()] == [("src/auth.py", "src/tokens.py")]
    assert memory.graph.unresolved_imports().dead_ends == ()
    assert [one.name for one in memory.graph.symbols("src/tokens.py").symbols] == ["verify"]
    assert memory.graph.find_symbol("LOGIN").symbols[0].fqname == "src/auth.py::login"
    assert memory.graph.cycles().cycles == ()
    assert memory.graph.stats().files == 3


def test_history_tells_what_changes_together(memory: Workspace, signing_in: GitSandbox) -> None:
    (partner,) = memory.graph.cochanges("src/auth.py").partners
    assert (partner.path, partner.shared) == ("src/tokens.py", 5)
    assert [(pair.file_a, pair.file_b) for pair in memory.graph.all_cochanges()] == [("src/auth.py", "src/tokens.py")]
    signing_in.write("src/auth.py", text="# by itself\n")
    assert [one.path for one in memory.graph.check_changes().missing] == ["src/tokens.py"]
    assert memory.graph.check_changes(min_support=6).missing == ()


def test_analyses_read_what_is_new_and_tell_of_it(memory: Workspace, signing_in: GitSandbox) -> None:
    signing_in.commit("src/new.py")
    told: list[tuple[int, int | None]] = []
    assert memory.graph.analyze_imports("src", progress=lambda *at: told.append(at)).read == 1
    assert told
    assert memory.graph.analyze_cochanges(min_support=1, exclude=["docs/"]).new == 1
    with pytest.raises(UsageError, match="at least 2"):
        memory.graph.analyze_cochanges(max_files=1)
    memory.learnings.add("Tokens are compared in constant time always")
    memory.learnings.add("Tokens are always compared in constant time")
    assert len(memory.graph.analyze_similar(0.5).pairs) == 1


def test_an_edge_that_is_added_is_found_at_both_ends(memory: Workspace) -> None:
    one, other = memory.learnings.add("One").stored, memory.learnings.add("Other").stored
    edge = memory.graph.add_edge(NewEdge(source=one, target=other, relation=Relation.ELABORATES, weight=0.8))
    expected = GraphEdge(type=EdgeType.LINKS_TO, source=one.ref, target=other.ref, relation="elaborates", weight=0.8)
    assert edge == expected
    assert memory.graph.get_edges(one) == (edge,)
    assert memory.graph.get_edges(str(other.id), NodeKind.LEARNING) == (edge,)


def test_an_edge_to_code_is_an_anchor(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared").stored
    place = "src/tokens.py::verify"
    edge = memory.graph.add_edge(NewEdge(source=stored, target=place, type=EdgeType.ANCHORED_TO))
    assert edge in memory.graph.get_edges(stored)
    assert edge in memory.graph.get_edges(place, NodeKind.SYMBOL)
    assert memory.anchors.find_anchors_for_file("src/tokens.py")[0].spec == place


def test_a_link_that_is_invalidated_is_gone_and_can_be_revived(memory: Workspace) -> None:
    one, other = memory.learnings.add("One").stored, memory.learnings.add("Other").stored
    edge = memory.graph.add_edge(NewEdge(source=one, target=other))
    memory.graph.invalidate_edge(edge)
    assert memory.graph.get_edges(one) == ()
    with pytest.raises(NotFound):
        memory.graph.invalidate_edge(edge)
    assert memory.graph.add_edge(NewEdge(source=one, target=other)) == edge
    assert memory.graph.get_edges(other) == (edge,)


def test_an_anchor_that_is_invalidated_keeps_its_history(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared", anchors=["src/tokens.py"]).stored
    (edge,) = memory.graph.get_edges(stored)
    memory.graph.invalidate_edge(edge, reason="The gateway does it now")
    assert memory.graph.get_edges(stored) == ()
    assert memory.learnings.get(stored).learning.anchors[0].invalidated is not None
    assert memory.anchors.history(stored)[-1].event.detail == "The gateway does it now"
    memory.anchors.restore(stored)
    assert memory.graph.get_edges(stored) == (edge,)


def test_derived_edges_are_neither_added_nor_invalidated(memory: Workspace) -> None:
    (edge,) = [one for one in memory.graph.get_edges("src/auth.py") if one.type is EdgeType.IMPORTS]
    assert (edge.source, edge.target) == ("src/auth.py", "src/tokens.py")
    with pytest.raises(UsageError, match="derived"):
        memory.graph.invalidate_edge(edge)
    with pytest.raises(UsageError, match="derived"):
        memory.graph.add_edge(NewEdge(source="src/tokens.py", target="src/auth.py", type=EdgeType.IMPORTS))


def test_edges_read_from_the_other_end_are_the_same(memory: Workspace) -> None:
    seen = {one for one in memory.graph.get_edges("src/tokens.py") if one.type is EdgeType.IMPORTS}
    assert seen == {one for one in memory.graph.get_edges("src/auth.py") if one.type is EdgeType.IMPORTS}


def test_a_traversal_goes_as_far_as_its_options_say(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared", anchors=["src/tokens.py"]).stored
    near = TraverseOptions(depth=1, edge_types=[EdgeType.IMPORTS, EdgeType.ANCHORED_TO])
    far = TraverseOptions(depth=2, edge_types=[EdgeType.IMPORTS, EdgeType.ANCHORED_TO])
    assert [one.ref for one in memory.graph.traverse("src/auth.py", near)] == ["src/tokens.py"]
    assert [one.ref for one in memory.graph.traverse("src/auth.py", far)] == ["src/tokens.py", stored.ref]
    assert memory.graph.traverse("src/auth.py")
