"""What somebody without a type checker gives is taken as meant, or refused: it is never silently something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tx_graph import Direction, EdgeType, NewEdge, Outcome, UsageError, Workspace


def untyped(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method as it is in a notebook, where nobody checks types."""
    return method


def test_a_value_alone_stands_for_its_choice(memory: Workspace) -> None:
    out = memory.graph.neighbors("src/auth.py", edge_types=["IMPORTS"], direction=Direction.OUT)
    assert out.neighbors
    assert untyped(memory.graph.neighbors)("src/auth.py", edge_types=["IMPORTS"], direction="out") == out
    one, other = (memory.learnings.add(text).stored for text in ("Tokens are compared", "Tokens end"))
    edge = memory.graph.add_edge(untyped(NewEdge)(source=one, target=other, type="LINKS_TO", relation="elaborates"))
    assert (edge.type, edge.relation) == (EdgeType.LINKS_TO, "elaborates")
    assert untyped(memory.graph.unrelate)(one, other, relation="elaborates") == 1
    run = memory.runs.start()
    assert untyped(memory.runs.finish)(run, "failed").run.outcome is Outcome.FAILED


@pytest.mark.parametrize(
    ("ask", "choices"),
    [
        (lambda memory: memory.graph.neighbors("src/auth.py", direction="outward"), "both, out, in"),
        (lambda memory: memory.graph.neighbors("src/auth.py", profile="fast"), "decay, hops, spread"),
        (lambda memory: memory.learnings.list(status="actve"), "active"),
        (lambda memory: memory.learnings.add("Tokens", source_type="me"), "manual"),
        (lambda memory: memory.graph.relate(1, 2, relation="likes"), "elaborates"),
        (lambda memory: memory.tasks.list("opn"), "open, done"),
        (lambda memory: memory.runs.finish(1, "won"), "succeeded"),
        (lambda memory: memory.facts.list(status="true"), "confirmed"),
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


def test_a_text_alone_is_one_thing_and_not_its_letters(memory: Workspace) -> None:
    added = memory.learnings.add("Tokens are compared", keywords="security", anchors="src/tokens.py::verify").stored
    assert added.learning.keywords == ("security",)
    assert [anchor.spec for anchor in added.learning.anchors] == ["src/tokens.py::verify"]
    assert memory.learnings.edit(added, add_keywords="tokens").learning.keywords == ("security", "tokens")
    assert memory.context(files="src/auth.py").shown.open_files == ("src/auth.py",)
    others = [memory.learnings.add(text).stored for text in ("Tokens end", "Tokens begin")]
    votes = memory.runs.feedback(memory.runs.start(), helpful=str(added.id), unhelpful=others).votes
    assert [vote.stored.ref for vote in votes if vote.helpful] == [added.ref]
