"""Every command by name: where its function is, its help panel and its summary. Nothing is imported here."""

from __future__ import annotations

from typing import NamedTuple

_COMMANDS = "tx_graph.faces.cli.commands"


class CommandEntry(NamedTuple):
    """A command that is written by hand; `module` and `function` say what to import when it runs."""

    name: str
    module: str
    function: str
    panel: str
    summary: str


class Operation(NamedTuple):
    """A command that is made of a use case: `module:Class.method`, or `module:function` taking the kernel.

    `render` prints its result for people, `module:function` below `cli.render`; it is given the result and those of
    the parameters that it names. With --json a list lies under its `plural`. `notes`, in the same module, says on
    stderr what there is to say in both forms.
    """

    name: str
    panel: str
    summary: str
    use_case: str
    render: str
    plural: str = ""
    notes: str = ""


Entry = CommandEntry | Operation


def _entries(panel: str, *rows: tuple[str, str, str, str]) -> list[Entry]:
    return [
        CommandEntry(name, f"{_COMMANDS}.{module}", function, panel, summary)
        for name, module, function, summary in rows
    ]


_WORK = "Tasks and runs"
COMMANDS: dict[str, Entry] = {
    entry.name: entry
    for entry in [
        *_entries(
            "Workspace",
            ("init", "workspace", "init", "Create .tx/ in this repository and index it."),
            ("index", "workspace", "index", "Bring files and imports up to date."),
            ("status", "workspace", "status", "Show the workspace at a glance."),
            ("doctor", "doctor", "doctor", "Find what is wrong, and mend what can be mended."),
            ("config", "config", "config", "Show, get or set the settings in .tx/config.toml."),
            ("model", "model", "model", "Install, check or remove the embedding model."),
            ("completion", "completion", "completion", "Print the completion script for bash, zsh or fish."),
        ),
        *_entries(
            "Before you start",
            ("context", "context", "context", "Print what to know, and where to look, before starting."),
            ("focus", "focus", "focus", "Show one thing and what matters around it, within a budget."),
        ),
        Operation(
            "recall",
            "Before you start",
            "Tell what is known of what a question is about.",
            "context.recall:recall",
            "recall:answer",
            notes="notices",
        ),
        *_entries(
            "Learnings",
            ("learning:add", "learning_add", "add", "Add a learning, tied to code if you like."),
            ("learning:search", "search", "search", "Find learnings by words, meaning and relations."),
            ("learning:show", "learnings", "show", "Show one learning with its anchors and their state."),
            ("learning:list", "learnings", "list_", "List learnings, newest first."),
            ("learning:recent", "learnings", "recent", "List the learnings that were used last."),
            ("learning:edit", "learning_edit", "edit", "Change a learning, by options or in your editor."),
            ("learning:remove", "learning_edit", "remove", "Hide a learning, or restore a hidden one."),
            ("learning:helpful", "learning_edit", "helpful", "Say how much a learning helped."),
            ("learning:merge", "merging", "merge", "Merge one learning into another, which stays."),
            ("learning:supersede", "merging", "supersede", "Say that a learning took the place of another one."),
            ("learning:import", "learning_bulk", "import_", "Import learnings from JSON lines, all or nothing."),
            ("learning:export", "learning_bulk", "export", "Print all learnings as JSON lines."),
            ("learning:embed", "learning_bulk", "embed", "Give learnings their vectors."),
            ("learning:propose", "proposals", "propose", "Propose learnings from history, comments and transcripts."),
            ("learning:promote", "proposals", "promote", "Confirm staged learnings that have the evidence."),
            ("learning:reject", "proposals", "reject", "Turn staged learnings down, for good."),
        ),
        Operation("task:add", _WORK, "Add a task.", "work.tasks:Tasks.add", "work:added"),
        Operation(
            "task:list", _WORK, "List tasks, newest first.", "work.tasks:Tasks.list", "work:tasks", plural="tasks"
        ),
        Operation("task:show", _WORK, "Show a task with its runs and learnings.", "work.tasks:Tasks.show", "work:task"),
        Operation("task:done", _WORK, "Say that a task is done, or reopen it.", "work.tasks:Tasks.done", "work:done"),
        Operation("task:edit", _WORK, "Change what a task says.", "work.tasks:Tasks.edit", "work:changed"),
        Operation(
            "run:start",
            _WORK,
            "Start a run and print its number.",
            "work.runs:Runs.start",
            "work:started",
            notes="is_done",
        ),
        Operation(
            "run:finish",
            _WORK,
            "Say how a run ended, and keep its transcript.",
            "work.runs:Runs.finish",
            "work:ended",
            notes="is_empty",
        ),
        Operation(
            "run:show",
            _WORK,
            "Show a run: what it had of learnings, and what helped.",
            "work.runs:Runs.show",
            "work:run",
        ),
        Operation("run:list", _WORK, "List runs, newest first.", "work.runs:Runs.list", "work:runs", plural="runs"),
        Operation(
            "run:feedback",
            _WORK,
            "Say which learnings helped in a run.",
            "work.runs:Runs.feedback",
            "work:feedback",
            notes="unseen",
        ),
        *_entries(
            "Graph",
            ("graph:link", "links", "link", "Tie a learning to a file, symbol, lines or glob."),
            ("graph:unlink", "links", "unlink", "Remove a tie between a learning and code."),
            ("graph:relate", "links", "relate", "Link one learning to another."),
            ("graph:unrelate", "links", "unrelate", "Remove links from one learning to another."),
            ("graph:verify", "verify", "verify", "Verify that anchors hold: the gate for CI."),
            ("graph:confirm", "anchors", "confirm", "Say that a learning is still true of the code as it is."),
            ("graph:pin", "anchors", "pin", "Exempt anchors from verification."),
            ("graph:unpin", "anchors", "unpin", "Have pinned anchors verified again."),
            ("graph:invalidate", "anchors", "invalidate", "Say that anchors hold no more, and why."),
            ("graph:restore", "anchors", "restore", "Take invalidations back, and bring pruned anchors back."),
            ("graph:prune", "anchors", "prune", "Remove anchors that have been invalid for long."),
            ("graph:history", "anchor_history", "history", "Show what happened to anchors."),
            ("graph:show", "graph", "show", "Show a node and everything tied to it."),
            ("graph:neighbors", "graph", "neighbors", "Show what lies around a node, nearest first."),
            ("graph:cochanges", "cochanges", "cochanges", "Show what usually changes with a file, in words."),
            ("graph:check-changes", "cochanges", "check_changes", "Name the usual partners that this change lacks."),
            ("graph:path", "connections", "path", "Say why two nodes are connected."),
            ("graph:imports", "imports", "imports", "Show what a file imports, or what imports it."),
            ("graph:symbols", "symbols", "symbols", "Show what files declare, and where a name is declared."),
            ("graph:cycles", "cycles", "cycles", "Show import cycles, shortest first."),
            ("graph:stats", "graph", "stats", "Count nodes and edges, and say how old they are."),
        ),
        *_entries(
            "Documents",
            ("doc:ingest", "documents", "ingest", "Read documents into the graph, section by section."),
            ("doc:list", "documents", "list_", "List the documents that were read."),
            ("doc:show", "documents", "show", "Show how a document is divided, or one section."),
            ("doc:search", "doc_search", "search", "Find sections by words, meaning and relations."),
            ("doc:extract", "doc_extract", "extract", "Have a language model relate the sections of documents."),
            ("doc:link", "doc_link", "link", "Relate near sections of different documents."),
            ("doc:prune", "documents", "prune", "Remove what no document holds any more."),
        ),
        Operation("fact:add", "Facts", "Add a fact about an entity.", "knowledge.facts:Facts.add", "facts:added"),
        Operation(
            "fact:list",
            "Facts",
            "List facts, newest first, with what each counts.",
            "knowledge.facts:Facts.list",
            "facts:listed",
            plural="facts",
        ),
        Operation(
            "fact:confirm",
            "Facts",
            "Say that facts are true.",
            "knowledge.facts:confirm",
            "facts:confirmed",
            plural="facts",
        ),
        Operation(
            "fact:retract",
            "Facts",
            "Say that facts do not hold.",
            "knowledge.facts:retract",
            "facts:retracted",
            plural="facts",
        ),
        Operation(
            "fact:history",
            "Facts",
            "Show all that was ever said about an entity.",
            "knowledge.facts:Facts.history",
            "facts:history",
            plural="facts",
        ),
        Operation(
            "fact:conflicts",
            "Facts",
            "Show where facts contradict each other.",
            "knowledge.facts:Facts.conflicts",
            "facts:conflicts",
            plural="conflicts",
        ),
        Operation(
            "fact:maintain",
            "Facts",
            "Promote facts that are used, retract those that faded.",
            "knowledge.facts:Facts.maintain",
            "facts:maintained",
        ),
        Operation(
            "entity:show",
            "Facts",
            "Show an entity and what is said of it.",
            "knowledge.entities:Entities.show",
            "facts:entity",
        ),
        Operation(
            "entity:list",
            "Facts",
            "List entities, those with most facts first.",
            "knowledge.entities:Entities.list",
            "facts:entities",
            plural="entities",
        ),
        Operation(
            "entity:edit",
            "Facts",
            "Say what an entity is.",
            "knowledge.entities:edit",
            "facts:changed",
            notes="warning",
        ),
        Operation(
            "entity:alias",
            "Facts",
            "Give an entity other names.",
            "knowledge.entities:alias",
            "facts:changed",
            notes="warning",
        ),
        Operation(
            "entity:merge",
            "Facts",
            "Let one entity be another.",
            "knowledge.entities:merge",
            "facts:changed",
            notes="warning",
        ),
        *_entries(
            "Agents",
            ("mcp", "mcp", "mcp", "Serve the graph to agents, over MCP."),
            ("setup", "setup", "setup", "Print or write what an agent's configuration needs to know tx."),
            ("hook", "hook", "hook", "Answer a hook of an agent: called by agents, not by people."),
        ),
        *_entries(
            "Telemetry",
            ("transcript:ingest", "transcripts", "ingest", "Read what agents did from their transcripts."),
            ("transcript:list", "transcripts", "list_", "List the transcripts that were read."),
            ("telemetry:list", "telemetry", "list_", "List the last things that agents did."),
            ("telemetry:prune", "telemetry", "prune", "Forget what is older than 30 days, or as long as you say."),
        ),
        *_entries(
            "Analysis",
            ("graph:analyze-imports", "analysis", "imports", "Read which files import which."),
            ("graph:analyze-similar", "similar", "analyze", "Find learnings that say much the same."),
            ("graph:analyze-cochanges", "analysis", "cochanges", "Read which files change together in git."),
            ("bench", "bench", "bench", "Measure on this repository's own history how well files are found."),
        ),
    ]
}
