"""Whatever can be done on the command line can be done from Python."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

import pytest

import tx_graph
from tx_graph import Workspace
from tx_graph.faces.operations import COMMANDS

METHODS = {
    "index": "index",
    "status": "status",
    "doctor": "doctor",
    "config": "config.all config.get config.set",
    "model": "model.install model.status model.remove",
    "context": "context",
    "focus": "focus",
    "recall": "recall",
    "learning:add": "learnings.add",
    "learning:search": "search learnings.search",
    "learning:show": "learnings.show",
    "learning:list": "learnings.list learnings.standings",
    "learning:recent": "learnings.recent",
    "learning:edit": "learnings.edit",
    "learning:remove": "learnings.remove learnings.restore",
    "learning:helpful": "learnings.helpful",
    "learning:merge": "learnings.merge",
    "learning:supersede": "learnings.supersede",
    "learning:import": "learnings.import_",
    "learning:export": "learnings.export learnings.export_lines",
    "learning:embed": "learnings.embed learnings.embedding_status",
    "learning:propose": "learnings.propose",
    "learning:promote": "learnings.promote learnings.staged learnings.check",
    "learning:reject": "learnings.reject",
    "task:add": "tasks.add",
    "task:list": "tasks.list",
    "task:show": "tasks.show",
    "task:done": "tasks.done tasks.reopen",
    "task:edit": "tasks.edit",
    "run:start": "runs.start",
    "run:finish": "runs.finish",
    "run:show": "runs.show runs.transcript transcripts.of_run",
    "run:list": "runs.list",
    "run:feedback": "runs.feedback",
    "graph:link": "graph.link graph.suggest_anchor",
    "graph:unlink": "graph.unlink",
    "graph:relate": "graph.relate",
    "graph:unrelate": "graph.unrelate",
    "graph:verify": "anchors.verify",
    "graph:confirm": "anchors.confirm",
    "graph:pin": "anchors.pin",
    "graph:unpin": "anchors.unpin",
    "graph:invalidate": "anchors.invalidate",
    "graph:restore": "anchors.restore",
    "graph:prune": "anchors.prune",
    "graph:history": "anchors.history",
    "graph:show": "graph.show",
    "graph:neighbors": "graph.neighbors",
    "graph:cochanges": "graph.cochanges graph.all_cochanges",
    "graph:check-changes": "graph.check_changes",
    "graph:path": "graph.path",
    "graph:imports": "graph.imports graph.importers graph.all_imports graph.unresolved_imports",
    "graph:symbols": "graph.symbols graph.find_symbol",
    "graph:cycles": "graph.cycles",
    "graph:stats": "graph.stats",
    "doc:ingest": "documents.ingest",
    "doc:list": "documents.list",
    "doc:show": "documents.show",
    "doc:search": "documents.search",
    "doc:extract": "documents.extract documents.plan_extraction documents.questions documents.apply",
    "doc:link": "documents.link documents.link_similar",
    "doc:prune": "documents.prune",
    "fact:add": "facts.add",
    "fact:list": "facts.list",
    "fact:confirm": "facts.confirm",
    "fact:retract": "facts.retract",
    "fact:history": "facts.history",
    "fact:conflicts": "facts.conflicts",
    "fact:maintain": "facts.maintain",
    "entity:show": "entities.show",
    "entity:list": "entities.list",
    "entity:edit": "entities.edit",
    "entity:alias": "entities.alias entities.unalias",
    "entity:merge": "entities.merge",
    "transcript:ingest": "transcripts.ingest",
    "transcript:list": "transcripts.list",
    "telemetry:list": "telemetry.list",
    "telemetry:prune": "telemetry.prune",
    "graph:analyze-imports": "graph.analyze_imports",
    "graph:analyze-similar": "graph.analyze_similar",
    "graph:analyze-cochanges": "graph.analyze_cochanges",
    "bench": "bench",
}
"""By the name of a command, the methods of a workspace that do what it does."""
FUNCTIONS = {"init": "init_workspace"}
"""What needs no workspace, or makes one."""
ELSEWHERE = {
    "completion": "a shell's business",
    "mcp": "another face of the same services",
    "setup": "writes the settings of other programs",
    "hook": "what those programs call",
}
"""Commands that programs have no use for, and why."""
INTERFACES = """graph.add_edge graph.get_edges graph.traverse graph.invalidate_edge
    anchors.create_anchor anchors.verify_anchor anchors.find_anchors_for_file"""
"""The service interfaces that PRD-014 names."""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_methods(command: str, tmp_path: Path) -> None:
    if command in ELSEWHERE:
        return
    if command in FUNCTIONS:
        assert callable(getattr(tx_graph, FUNCTIONS[command]))
        return
    assert command in METHODS, f"Let the SDK do what 'tx {command}' does, and name the method here."
    for method in METHODS[command].split():
        assert callable(attrgetter(method)(Workspace(tmp_path)))


def test_the_interfaces_of_the_graph_have_their_names(tmp_path: Path) -> None:
    for method in INTERFACES.split():
        assert callable(attrgetter(method)(Workspace(tmp_path)))


def test_no_command_is_named_that_is_gone() -> None:
    assert METHODS.keys() | FUNCTIONS.keys() <= COMMANDS.keys()
