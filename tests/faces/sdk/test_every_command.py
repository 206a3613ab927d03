"""Whatever can be done on the command line can be done from Python."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

import pytest

import tx_graph
from tx_graph import Workspace
from tx_graph.faces.operations import COMMANDS

NAMESPACES = {"doc": "documents", "entity": "entities", "hub": "hub", "telemetry": "telemetry"}
"""Where it is no plural."""
ANCHORS = "verify confirm pin unpin invalidate restore prune history".split()
"""What stands with the anchors, though commands have it below graph."""
METHODS = {
    "config": "config.all config.get config.set",
    "import": "import_",
    "model": "model.install model.status model.remove",
    "learning:import": "learnings.import_",
    "graph:imports": "graph.imports graph.importers graph.all_imports graph.unresolved_imports",
    "graph:symbols": "graph.symbols graph.find_symbol",
    "graph:cochanges": "graph.cochanges graph.all_cochanges",
    "search": "search_all",
    "hub:forget": "hub.forget_repository",
    "run:show": "runs.show runs.transcript transcripts.of_run",
    "task:done": "tasks.done tasks.reopen",
    "doc:extract": "documents.extract documents.plan_extraction documents.questions documents.apply",
    "learning:promote": "learnings.promote learnings.staged learnings.check",
}
"""By the name of a command, the methods that do what it does, where they are several or have another name."""
ELSEWHERE = {
    "init": "init_workspace",
    "allow": "the user's word, which no program gives",
    "completion": "a shell's business",
    "help": "docstrings",
    "learning:review": "a conversation at a terminal",
    "mcp": "another face of the same services",
    "lsp": "another face of the same services",
    "setup": "writes the settings of other programs",
    "hook": "what those programs call",
}
"""Commands that need no workspace, or that programs have no use for, and why."""
INTERFACES = """graph.add_edge graph.get_edges graph.traverse graph.invalidate_edge
    anchors.create_anchor anchors.verify_anchor anchors.find_anchors_for_file"""
"""The service interfaces that PRD-014 names."""


def methods_of(command: str) -> str:
    """Return the methods that do what a command does: `task:add` is `tasks.add`, `graph:pin` is `anchors.pin`."""
    if command in METHODS:
        return METHODS[command]
    group, _, name = command.replace("-", "_").rpartition(":")
    if not group:
        return name
    return (
        f"{'anchors' if name in ANCHORS else group}.{name}"
        if group == "graph"
        else (f"{NAMESPACES.get(group, f'{group}s')}.{name}")
    )


@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in ELSEWHERE])
def test_every_command_has_its_methods(command: str, tmp_path: Path) -> None:
    for method in methods_of(command).split():
        assert callable(attrgetter(method)(Workspace(tmp_path)))


def test_the_interfaces_of_the_graph_have_their_names(tmp_path: Path) -> None:
    assert callable(tx_graph.init_workspace)
    for method in INTERFACES.split():
        assert callable(attrgetter(method)(Workspace(tmp_path)))


def test_no_command_is_named_that_is_gone() -> None:
    assert METHODS.keys() | ELSEWHERE.keys() <= COMMANDS.keys()
