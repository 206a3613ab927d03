"""What only programs do: nodes named by what an answer gave, edges and anchors one at a time, values that go back in.

The rules of the use cases themselves are tested in their rooms.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph import (
    AnchorRequest,
    Direction,
    DocQuery,
    Draft,
    EdgeType,
    EventKind,
    GraphEdge,
    Limits,
    Link,
    ModelError,
    NewEdge,
    NodeKind,
    NotFound,
    Outcome,
    Profile,
    Query,
    Ref,
    Relation,
    SourceType,
    Standing,
    StoredLearning,
    TraverseOptions,
    UsageError,
    Verdict,
    Workspace,
)

FILE, PLACE = "src/tokens.py", "src/tokens.py::verify"


def change(repository: GitSandbox) -> None:
    """Let `verify` do something else."""
    path = repository.root / "src/tokens.py"
    path.write_text(path.read_text().replace("==", "!="))


def untyped(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method as it is in a notebook, where nobody checks types."""
    return method


def test_a_value_alone_stands_for_its_choice(memory: Workspace, stored: StoredLearning, other: StoredLearning) -> None:
    out = memory.graph.neighbors("src/auth.py", edge_types=["IMPORTS"], direction=Direction.OUT)
    assert out.neighbors
    assert untyped(memory.graph.neighbors)("src/auth.py", edge_types=["IMPORTS"], direction="out") == out
    edge = memory.graph.add_edge(untyped(NewEdge)(source=stored, target=other, type="LINKS_TO", relation="elaborates"))
    assert (edge.type, edge.relation) == (EdgeType.LINKS_TO, "elaborates")
    assert untyped(memory.graph.unrelate)(stored, other, relation="elaborates") == 1
    assert untyped(memory.runs.finish)(memory.runs.start(), "failed").run.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("ask", "choices"),
    [
        (lambda memory: memory.graph.neighbors("src/auth.py", direction="outward"), "both, out, in"),
        (lambda memory: memory.graph.neighbors("src/auth.py", profile="fast"), "decay, hops, spread"),
        (lambda memory: memory.learnings.list(status="actve"), "active"),
        (lambda memory: memory.graph.relate(1, 2, relation="likes"), "elaborates"),
        (lambda memory: memory.tasks.list("opn"), "open, done"),
        (lambda memory: memory.telemetry.list(kinds=["love"]), "user, agent, call"),
        (lambda memory: memory.context("tokens", tokens_by="words"), "chars, bytes"),
        (lambda memory: memory.focus("src/auth.py", tokens_by="words"), "json"),
    ],
)
def test_what_is_no_choice_is_refused_with_all_there_are(
    memory: Workspace, ask: Callable[[Any], object], choices: str
) -> None:
    with pytest.raises(UsageError) as refused:
        ask(memory)
    assert choices in refused.value.hint


def test_a_text_alone_is_one_thing_and_not_its_letters(memory: Workspace, other: StoredLearning) -> None:
    added = memory.learnings.add("Tokens are compared", keywords="security", anchors=PLACE).stored
    assert added.learning.keywords == ("security",)
    assert [anchor.spec for anchor in added.learning.anchors] == [PLACE]
    assert memory.learnings.edit(added, add_keywords="tokens").learning.keywords == ("security", "tokens")
    assert memory.context(files="src/auth.py").shown.open_files == ("src/auth.py",)
    votes = memory.runs.feedback(memory.runs.start(), helpful=str(added.id), unhelpful=[other]).votes
    assert [vote.stored.ref for vote in votes if vote.helpful] == [added.ref]


def test_a_learning_is_named_by_number_by_uid_and_by_itself(memory: Workspace, stored: StoredLearning) -> None:
    names: list[Ref] = [stored, stored.id, str(stored.id), stored.ref, stored.learning.uid, stored.learning.uid[:6]]
    assert {memory.learnings.get(name).id for name in names} == {stored.id}
    with pytest.raises(NotFound):
        memory.learnings.get(99)


def test_links_and_drafts_are_values(memory: Workspace, stored: StoredLearning, other: StoredLearning) -> None:
    links: list[str | Link] = [Link(target=stored.ref, relation=Relation.ELABORATES), other.ref]
    added = memory.learnings.add("Tokens must be compared in constant time", links=links).stored
    assert {link.relation for link in added.learning.links} == {Relation.ELABORATES, Relation.REFERENCES}
    task = memory.tasks.add("Repair the login", external_id="GH-1")
    of_run = memory.learnings.add_draft(Draft(content="So does Lynx"), run=memory.runs.start(task=task))
    assert of_run.stored.learning.source_type is SourceType.RUN


def test_learnings_that_are_at_hand_are_judged(
    memory: Workspace, stored: StoredLearning, signing_in: GitSandbox
) -> None:
    change(signing_in)
    assert memory.learnings.standings([stored]) == {stored.id: Standing.DRIFTED_BODY}


def test_a_text_is_a_query_with_the_standard_options(memory: Workspace, stored: StoredLearning) -> None:
    for answer in (memory.search("tokens"), memory.search(Query(text="tokens")), memory.learnings.search("tokens")):
        assert [result.stored.id for result in answer.results] == [stored.id]
    assert memory.search(Query(text="src/auth.py", expansion=Limits(depth=3))).results[0].path[-1] == stored.ref
    for query in ("tokens verified", DocQuery(text="tokens verified")):
        assert memory.documents.search(query).results[0].unit.document == "docs/guide.md"


def test_an_export_is_values_or_lines_that_can_be_imported(memory: Workspace, stored: StoredLearning) -> None:
    assert [one.learning for one in memory.learnings.export()] == [stored.learning]
    done = memory.learnings.import_(memory.learnings.export_lines())
    assert (done.added, done.duplicates) == (0, 1)


@pytest.mark.usefixtures("stored")
def test_without_a_model_nothing_is_embedded_and_that_is_said(memory: Workspace) -> None:
    status = memory.learnings.embedding_status()
    assert (status.model, status.installed) == ("none", False)
    with pytest.raises(UsageError, match="turned off"):
        memory.learnings.embed()
    with pytest.raises(ModelError, match="vector"):
        memory.documents.link_similar()


def test_what_lies_around_a_node_can_be_asked_in_all_ways(memory: Workspace, stored: StoredLearning) -> None:
    around = memory.graph.neighbors("src/auth.py")
    assert "src/tokens.py" in {one.ref for one in around.neighbors}
    assert memory.graph.neighbors(around.neighbors[0], depth=1).node.ref == around.neighbors[0].ref
    stepwise = memory.graph.neighbors(
        "src/auth.py", profile=Profile.SPREAD, types_at={1: [EdgeType.IMPORTS], 2: [EdgeType.ANCHORED_TO]}
    )
    assert stored.ref in {one.ref for one in stepwise.neighbors}
    with pytest.raises(UsageError, match="no edge type"):
        memory.graph.neighbors("src/auth.py", edge_types=["likes"])
    found = memory.graph.path("src/auth.py", stored, edge_types=["IMPORTS", "ANCHORED_TO"])
    assert found.path == ("src/auth.py", "src/tokens.py", stored.ref)
    assert not memory.graph.path("src/auth.py", stored, max_hops=1).is_connected


def test_code_and_history_tell_of_themselves(memory: Workspace, signing_in: GitSandbox) -> None:
    assert [step.source for step in memory.graph.importers("src/tokens.py").steps] == ["src/auth.py"]
    assert [(edge.source, edge.target) for edge in memory.graph.all_imports()] == [("src/auth.py", "src/tokens.py")]
    assert memory.graph.unresolved_imports().dead_ends == ()
    assert [one.name for one in memory.graph.symbols("src/tokens.py").symbols] == ["verify"]
    assert memory.graph.find_symbol("LOGIN").symbols[0].fqname == "src/auth.py::login"
    (partner,) = memory.graph.cochanges("src/auth.py").partners
    assert (partner.path, partner.shared) == ("src/tokens.py", 5)
    assert [(pair.file_a, pair.file_b) for pair in memory.graph.all_cochanges()] == [("src/auth.py", "src/tokens.py")]
    signing_in.write("src/auth.py", text="# by itself\n")
    assert [one.path for one in memory.graph.check_changes().missing] == ["src/tokens.py"]


def test_an_analysis_tells_how_far_it_is(memory: Workspace, signing_in: GitSandbox) -> None:
    signing_in.commit("src/new.py")
    told: list[tuple[int, int | None]] = []
    assert memory.graph.analyze_imports("src", progress=lambda *at: told.append(at)).read == 1
    assert told
    assert memory.graph.analyze_cochanges(min_support=1, exclude=["docs/"]).new == 1


@pytest.mark.parametrize(
    ("edge", "told"),
    [
        ({"relation": Relation.ELABORATES, "weight": 0.8}, {"relation": "elaborates", "weight": 0.8}),
        (
            {"type": EdgeType.ANCHORED_TO, "target": FILE},
            {"type": EdgeType.ANCHORED_TO, "target": FILE, "relation": "hash", "description": FILE},
        ),
    ],
    ids=["link", "anchor"],
)
def test_an_edge_that_is_added_is_found_at_both_ends_until_it_is_invalidated(
    memory: Workspace, other: StoredLearning, edge: dict[str, Any], told: dict[str, Any]
) -> None:
    one = memory.learnings.add("One").stored
    new = untyped(NewEdge)(**{"source": one, "target": other} | edge)
    added = memory.graph.add_edge(new)
    told = {"type": EdgeType.LINKS_TO, "source": one.ref, "target": other.ref} | told
    assert added == untyped(GraphEdge)(**told)
    assert memory.graph.get_edges(one) == (added,)
    assert memory.graph.get_edges(str(one.id), NodeKind.LEARNING) == (added,)
    assert added in memory.graph.get_edges(added.target)
    memory.graph.invalidate_edge(added, reason="The gateway does it now")
    assert memory.graph.get_edges(one) == ()
    if added.type is EdgeType.LINKS_TO:
        with pytest.raises(NotFound):
            memory.graph.invalidate_edge(added)
    else:
        assert memory.anchors.history(one)[-1].event.detail == "The gateway does it now"
    assert memory.graph.add_edge(new) == added
    assert memory.graph.get_edges(one) == (added,)


def test_derived_edges_are_neither_added_nor_invalidated_and_the_same_from_both_ends(memory: Workspace) -> None:
    (edge,) = [one for one in memory.graph.get_edges("src/auth.py") if one.type is EdgeType.IMPORTS]
    assert (edge.source, edge.target) == ("src/auth.py", "src/tokens.py")
    assert edge in memory.graph.get_edges("src/tokens.py")
    with pytest.raises(UsageError, match="derived"):
        memory.graph.invalidate_edge(edge)
    with pytest.raises(UsageError, match="derived"):
        memory.graph.add_edge(NewEdge(source="src/tokens.py", target="src/auth.py", type=EdgeType.IMPORTS))


def test_a_traversal_goes_as_far_as_its_options_say(memory: Workspace, stored: StoredLearning) -> None:
    kinds = [EdgeType.IMPORTS, EdgeType.ANCHORED_TO]
    met = [memory.graph.traverse("src/auth.py", TraverseOptions(depth=depth, edge_types=kinds)) for depth in (1, 2)]
    assert [one.ref for one in met[0]] == ["src/tokens.py"]
    assert stored.ref in [one.ref for one in met[1]]
    assert memory.graph.traverse("src/auth.py")


def test_an_anchor_is_created_verified_and_found_by_its_file(
    memory: Workspace, other: StoredLearning, signing_in: GitSandbox
) -> None:
    anchor = memory.anchors.create_anchor(other, AnchorRequest(path="src/tokens.py", symbol="verify"))
    glob = memory.anchors.create_anchor(other.id, "src/*.py")
    assert (anchor.ref, anchor.spec, anchor.state.status) == (other.ref, PLACE, "valid")
    assert memory.anchors.find_anchors_for_file("src/tokens.py") == (glob, anchor)
    assert memory.anchors.find_anchors_for_file("docs/guide.md") == ()
    assert memory.anchors.verify_anchor(anchor).judgement.verdict is Verdict.VALID
    change(signing_in)
    assert memory.anchors.verify_anchor(anchor).judgement.verdict is Verdict.DRIFTED
    assert memory.anchors.verify_anchor(glob).judgement.verdict is Verdict.VALID
    (drifted,) = [one for one in memory.anchors.find_anchors_for_file("src/tokens.py") if one.spec == PLACE]
    assert drifted.state.status == "drifted"
    for scope in ((), (other,), ("src/",)):
        assert len(memory.anchors.verify(*scope).findings) == 1
    memory.anchors.pin(other)
    memory.anchors.unpin(other, memory.learnings.get(other).learning.anchors[0])
    memory.graph.unlink(other, anchor)
    with pytest.raises(NotFound, match="any more"):
        memory.anchors.verify_anchor(anchor)
    with pytest.raises(NotFound):
        memory.anchors.find_anchors_for_file("docs/nowhere.md")


def test_whatever_an_answer_gave_names_itself(memory: Workspace, stored: StoredLearning) -> None:
    tied = memory.graph.link(stored, memory.graph.suggest_anchor("src/auth.py", "login").request)
    assert memory.graph.unlink(stored, tied.anchor) == (tied.anchor,)
    fact = memory.facts.confirm(memory.facts.add("Billing service", "uses", "DuckDB").stored)
    assert memory.facts.history(fact)[0].stored.id == fact.id
    entity = memory.entities.edit("DuckDB", type="tool", description="Embedded database")
    assert memory.entities.alias(entity, "duck").aliases == ("duck",)
    task = memory.tasks.add("Repair the login", external_id="GH-1")
    run = memory.runs.start(task=task)
    page = memory.context("GH-1", files=("src/tokens.py",), run=run)
    assert [one.result.stored.id for one in page.shown.learnings] == [stored.id]
    assert memory.runs.finish(run, Outcome.SUCCEEDED, transcript="all of it").run.id == run.id
    assert memory.tasks.reopen(memory.tasks.done(task)).id == task.id


def test_transcripts_are_read_and_their_events_forgotten(memory: Workspace, tmp_path: Path) -> None:
    pytest.importorskip("kingfisher_sdk")
    session = tmp_path / "session.jsonl"
    said = {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "Use tabs"}}
    session.write_text(json.dumps(said | {"cwd": str(memory.root), "timestamp": "2026-11-20T11:00:00Z"}) + "\n")
    assert [one.events for one in memory.transcripts.ingest(session).files] == [1]
    (tally,) = memory.transcripts.list()
    assert memory.transcripts.of_run(tally.row.run) == tally
    assert [one.event.text for one in memory.telemetry.list(kinds=[EventKind.USER])] == ["Use tabs"]
    assert memory.telemetry.prune("0h").left == 0
