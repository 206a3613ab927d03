"""The register of operations: each command by name, its use case, and what prints the result. Nothing is imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Operation(NamedTuple):
    """A command that is made of a use case: `module:Class.method`, or `module:function` that takes the kernel.

    A function whose first parameter is `start` takes the working directory instead, and nothing is opened for it. What
    else it may ask for by the name of a parameter: `stages` draws a bar for each stage of the work, `tell` says a
    sentence on stderr at once, `is_script` is whether a program reads the result, `put` writes bytes to stdout, `prepared` is the
    workspace that was just made where there was none, and `layout` what the function of that name beside `render`
    returns of the kernel and the parameters it names.

    All other functions stand in the module of `render`, `module:function` below `faces.cli.render`. `render` prints
    the result for people; it is given the result and those of the parameters that it names, or the name of the `command`. One that
    names `as_json` prints it for programs too.
    """

    name: str
    summary: str
    use_case: str
    render: str
    plural: str = ""
    """With --json a list lies under this name."""
    shape: str = ""
    """A function like `render` that returns what --json prints, where the result alone does not say it."""
    notes: str = ""
    """What is said on stderr in every form: sentences that the result has, such as `result.stats.notices`.

    Or a function like `render`, which says so itself, or returns sentences.
    """
    tsv: str = ""
    """What --tsv prints: `result.symbols: path qname=fqname`, things and the attribute of each that makes a column.

    Or a function like `render` that returns headings and rows.
    """
    forms: str = ""
    """Words of --format beside text and json, each a function like `render`, or of another module: `x=module:x`."""
    tree: str = ""
    """The function `module:function` that prints the result for --tree."""
    progress: tuple[str, str] = ("", "")
    """What a bar says and counts, for the parameter `progress` of the use case: `("Comparing", "learnings")`."""
    check: str = ""
    """A function of the command's name, and of the parameters that it names: refuses them before anything is opened.

    One that names `as_tsv` speaks before anything else does, of --tsv with --json too.
    """
    age: str = ""
    """What it rests on, `files` or the whole `graph`, whose age is told, first that of the file it is about.

    Or a function of the kernel and the result like `render`, which returns an `Age` or None. It is said on stderr, and stands in the JSON as `freshness` and `notices`, with the sentences of `notes`.
    """
    findings: str = ""
    """What the result has if the command is to end in status 1, where there is a --strict only with that."""
    update: str = ""
    """What is brought up to date first where that is little: `files`, `documents`, `history`, and what has vectors.

    What stands behind a bar is only needed where the answer follows relations: with the parameters `expand` or `files`.
    """
    anywhere: str = ""
    """An environment variable that says all it needs to know: where that is set, there need be no workspace."""
    panel: str = ""

    @property
    def places(self) -> dict[str, str]:
        """The function, as `module:function`, behind each word of --format."""
        module, _, _ = self.render.partition(":")
        words = [one.partition("=") for one in self.forms.split()]
        return {word: place or f"{module}:{word}" for word, _, place in words}


class Written(NamedTuple):
    """A command that is written by hand, `module:function` below `faces.cli`."""

    name: str
    summary: str
    place: str
    panel: str = ""


def _panel(panel: str, *entries: Operation | Written) -> list[Operation | Written]:
    return [entry._replace(panel=panel) for entry in entries]


_GRAPH = "files documents history"
_PICTURES = "mermaid=pictures:mermaid dot=pictures:dot"
_EVERYTHING = f"{_GRAPH} learnings chunks entities facts cards"

# One line an operation.
# fmt: off
COMMANDS: dict[str, Operation | Written] = {
    entry.name: entry
    for entry in [
        *_panel(
            "Workspace",
            Operation("init", "Create .tx/ in this repository and index it.", "workspace.renewal:initialise", "workspace:initialised"),
            Operation("sync", "Bring everything up to date: files, documents, history, vectors.", "workspace.renewal:sync", "workspace:renewed"),
            Operation("maintain", "Do the week's work: sync, facts, telemetry, proposals, anchors.", "workspace.maintaining:maintain", "workspace:maintained"),
            Operation("index", "Bring files, documents and messages up to date.", "workspace.renewal:Renewal.run", "workspace:renewed"),
            Operation("status", "Show the workspace at a glance.", "workspace.health:Health.status", "workspace:status"),
            Operation("doctor", "Find what is wrong, and mend what can be mended.", "workspace.doctor:check_up", "workspace:check_up", findings="problems"),
            Operation("export", "Write what records do not have to a file: tasks, runs, votes, logs.", "core.moving:export", "workspace:exported"),
            Operation("import", "Take in what 'tx export' wrote on another machine.", "core.moving:import_", "workspace:imported"),
            Operation("config", "Show, get or set the settings in .tx/config.toml.", "core.settings:configure", "settings:settings"),
            Operation("allow", "Let settings count that run, load or send something.", "core.trust:allow", "settings:allowance"),
            Operation("model", "Install, check or remove the embedding model.", "vectors.installation:manage", "settings:model", notes="failures"),
            Written("help", "Explain a command, or list those of a group, or all.", "app:help_"),
            Written("completion", "Print the completion script for bash, zsh or fish.", "completion.scripts:completion"),
        ),
        *_panel(
            "Before you start",
            Operation("context", "Print what to know, and where to look, before starting.", "context.gathering:context", "context:page", check="check", notes="notes", age="age", update=_EVERYTHING),
            Operation("search", "Ask all at once: learnings, sections, facts, code, commits.", "context.everything:search_all", "search:everything", notes="result.notices", age="graph", update=_EVERYTHING),
            Operation("review", "Review a change: what it makes untrue, lacks, and who should see it.", "context.review:review", "review:text", forms="markdown github gitlab sarif junit", notes="notes", update=_GRAPH),
            Operation("focus", "Show one thing and what matters around it, within a budget.", "context.focus.focus:focus", "search:focus_view", forms=f"markdown=search:focus_view {_PICTURES}", tree="trees:focus", update=_GRAPH),
            Written("view", "Look at the graph in a browser, or write it as one page.", "serving:view"),
            Operation("recall", "Tell what is known of what a question is about.", "context.recall:recall", "search:recalled", notes="result.notices", update="documents entities facts"),
            Operation("who", "Show who owns code, and who wrote most of it.", "context.who:who", "review:who", tsv="result.authors: name lines share last", notes="result.notices", update="files"),
        ),
        *_panel(
            "Learnings",
            Operation("learning:add", "Add a learning, tied to code if you like.", "learnings.learnings:Learnings.add", "learnings:added", notes="advised"),
            Operation("learning:search", "Find learnings by words, meaning and relations.", "context.search:search", "search:answer", check="check", age="age", update="learnings | files documents history"),
            Operation("learning:show", "Show one learning with its anchors and their state.", "learnings.learnings:Learnings.show", "learnings:shown"),
            Operation("learning:list", "List learnings, newest first.", "learnings.learnings:list_", "learnings:listing", notes="staged_left_out"),
            Operation("learning:recent", "List the learnings that were used last.", "learnings.learnings:recent", "learnings:listing"),
            Operation("learning:edit", "Change a learning, by options or in your editor.", "learnings.learnings:edit", "learnings:edited"),
            Operation("learning:remove", "Hide a learning, or restore a hidden one.", "learnings.learnings:Learnings.remove", "learnings:removed"),
            Operation("learning:helpful", "Say how much a learning helped.", "learnings.learnings:Learnings.helpful", "learnings:helpful"),
            Operation("learning:merge", "Merge one learning into another, which stays.", "learnings.merging:Merging.merge", "learnings:merged"),
            Operation("learning:supersede", "Say that a learning took the place of another one.", "learnings.merging:Merging.supersede", "learnings:superseded"),
            Operation("learning:import", "Import learnings from JSON lines, all or nothing.", "learnings.transfer:import_", "learnings:imported", notes="lack_vectors", progress=("Importing", "learnings")),
            Operation("learning:export", "Print all learnings as JSON lines.", "learnings.transfer:Transfer.export", "learnings:exported", shape="exported_shape", plural="learnings"),
            Operation("learning:embed", "Give learnings their vectors.", "learnings.transfer:embed", "learnings:embedded"),
            Operation("learning:propose", "Propose learnings from history, comments and transcripts.", "proposals.proposing:propose", "proposals:show", notes="result.notices", check="check_propose", progress=("Reading", "texts")),
            Operation("learning:review", "Walk through what is staged: yes, no, edit, anchor or skip.", "proposals.gate:review", "proposals:reviewed"),
            Operation("learning:promote", "Confirm staged learnings that have the evidence.", "proposals.gate:promote", "proposals:promoted", notes="vectors", check="check_promote"),
            Operation("learning:reject", "Turn staged learnings down, for good.", "proposals.gate:reject", "proposals:rejected", plural="learnings"),
        ),
        *_panel(
            "Tasks and runs",
            Operation("task:add", "Add a task.", "work.tasks:Tasks.add", "work:changed"),
            Operation("task:list", "List tasks, newest first.", "work.tasks:Tasks.list", "work:tasks", plural="tasks"),
            Operation("task:show", "Show a task with its runs and learnings.", "work.tasks:Tasks.show", "work:task"),
            Operation("task:done", "Say that a task is done, or reopen it.", "work.tasks:Tasks.done", "work:done"),
            Operation("task:edit", "Change what a task says.", "work.tasks:Tasks.edit", "work:changed"),
            Operation("run:start", "Start a run and print its number.", "work.runs:Runs.start", "work:started", notes="is_done"),
            Operation("run:finish", "Say how a run ended, and keep its transcript.", "work.runs:Runs.finish", "work:ended", notes="is_empty"),
            Operation("run:show", "Show a run: what it had of learnings, and what helped.", "work.runs:Runs.show", "work:run"),
            Operation("run:list", "List runs, newest first.", "work.runs:Runs.list", "work:runs", plural="runs"),
            Operation("run:feedback", "Say which learnings helped in a run.", "work.runs:Runs.feedback", "work:feedback", notes="unseen"),
        ),
        *_panel(
            "Graph",
            Operation("graph:link", "Tie a learning to a file, symbol, lines or glob.", "anchors.linking:link", "anchors:linked"),
            Operation("graph:unlink", "Remove a tie between a learning and code.", "anchors.linking:unlink", "anchors:unlinked"),
            Operation("graph:relate", "Link one learning to another.", "anchors.linking:Linking.relate", "anchors:related"),
            Operation("graph:unrelate", "Remove links from one learning to another.", "anchors.linking:Linking.unrelate", "anchors:unrelated", plural="removed"),
            Operation("graph:verify", "Verify that anchors hold: the gate for CI.", "anchors.verify:verify", "verify:listing", forms="github gitlab sarif junit", notes="notes"),
            Operation("graph:confirm", "Say that a learning is still true of the code as it is.", "anchors.anchors:confirm", "anchors:confirmed"),
            Operation("graph:pin", "Exempt anchors from verification.", "anchors.anchors:Anchors.pin", "anchors:acted"),
            Operation("graph:unpin", "Have pinned anchors verified again.", "anchors.anchors:Anchors.unpin", "anchors:acted"),
            Operation("graph:invalidate", "Say that anchors hold no more, and why.", "anchors.anchors:Anchors.invalidate", "anchors:acted"),
            Operation("graph:restore", "Take invalidations back, and bring back anchors and links that went.", "anchors.anchors:Anchors.restore", "anchors:acted"),
            Operation("graph:prune", "Remove anchors that have been invalid for long.", "anchors.anchors:Anchors.prune", "anchors:pruned", shape="pruned_shape"),
            Operation("graph:history", "Show what happened to anchors and links.", "anchors.anchors:history", "anchors:history"),
            Operation("graph:show", "Show a node and everything tied to it.", "context.graph:show", "graph:surroundings", age="graph", update=_GRAPH),
            Operation("graph:neighbors", "Show what lies around a node, nearest first.", "context.graph:Graph.neighbors", "graph:neighborhood", forms=_PICTURES, tree="trees:neighbors", age="graph", update=_GRAPH),
            Operation("graph:cochanges", "Show what usually changes with a file, in words.", "context.partners:cochanges", "code:cochanges", tsv="result.answer.pairs: file_a file_b score commit_count=shared commits_a commits_b", notes="result.notices", check="check_cochanges", update=_GRAPH),
            Operation("graph:check-changes", "Name the usual partners that this change lacks.", "context.partners:check_changes", "code:lacking", notes="result.notices", findings="answer.missing", update="history"),
            Operation("graph:path", "Say why two nodes are connected.", "context.graph:Graph.path", "graph:connection", forms=_PICTURES, notes="remarks", age="graph", update=_GRAPH),
            Operation("graph:imports", "Show what a file imports, or what imports it.", "code.import_graph:imports", "code:imports", forms=_PICTURES, tsv="import_rows", notes="import_remarks", age="files", check="check_imports", update="files"),
            Operation("graph:symbols", "Show what files declare, and where a name is declared.", "code.symbol_index:symbols", "code:symbols", tsv="result.symbols: path qname=fqname kind start=line_start end=line_end signature", notes="symbol_remarks", age="files", check="check_symbols", update="files"),
            Operation("graph:references", "Show where a symbol is used.", "code.references:SymbolUses.references", "references:users", tsv="result.references: path line kind certainty inside", notes="user_remarks", age="files", update="files"),
            Operation("graph:callers", "Show who calls a function, method or class.", "code.references:SymbolUses.callers", "references:calls", tsv="result.calls: symbol of path line hops certainty", notes="call_remarks", age="files", update="files"),
            Operation("graph:callees", "Show what a function, method or class calls here.", "code.references:SymbolUses.callees", "references:calls", tsv="result.calls: symbol of path line hops certainty", notes="call_remarks", age="files", update="files"),
            Operation("graph:impact", "Show what a change touches: code, tests, documents, learnings.", "context.impact:ImpactAnalysis.impact", "references:impact", tsv="result.files: path hops certainty is_test via", notes="impact_remarks", age="files", update="files documents"),
            Operation("graph:unused", "Show what nothing in this repository uses.", "code.references:SymbolUses.unused", "references:unused", tsv="result.unused: path=symbol.path name=symbol.name kind=symbol.kind line=symbol.line_start mentions", notes="unused_remarks", age="files", update="files"),
            Operation("graph:cycles", "Show import cycles, shortest first.", "code.import_graph:cycles", "code:cycles", forms=_PICTURES, notes="cycle_remarks", age="files", findings="cycles", check="check_limit", update="files"),
            Operation("graph:export", "Write the graph for networkx, Gephi, pandas or Neo4j.", "context.graph_export:GraphExporter.export", "graph:exported", check="check_export", age="graph", update=_GRAPH),
            Operation("graph:stats", "Count nodes and edges, and say how old they are.", "context.graph:Graph.stats", "graph:stats", age="graph", update=_GRAPH),
        ),
        *_panel(
            "Documents",
            Operation("doc:ingest", "Read documents into the graph, section by section.", "documents.documents:ingest", "documents:ingested", findings="report.named"),
            Operation("doc:list", "List the documents that were read.", "documents.documents:Documents.list", "documents:listed", plural="documents", tsv="result: path=document.path format=document.format title=document.title sections broken_links=broken", update="documents"),
            Operation("doc:show", "Show how a document is divided, or one section.", "documents.documents:Documents.show", "documents:document", update="files documents"),
            Operation("doc:search", "Find sections by words, meaning and relations.", "documents.search:search", "documents:answer", notes="result.stats.notices", update="files documents chunks"),
            Operation("doc:verify", "Verify what documents claim: paths, links, names, commands.", "documents.claims.verifying:verify", "prose:listing", forms="github gitlab sarif junit", notes="notes", findings="unmended"),
            Operation("doc:extract", "Have a language model relate the sections of documents.", "documents.documents:extract", "extracting:extracted", notes="beside", check="check_extract"),
            Operation("doc:link", "Relate near sections of different documents.", "documents.documents:link", "extracting:linked", check="check_link"),
            Operation("doc:relate", "State that two sections are related.", "documents.relating:Relating.relate", "documents:resettled"),
            Operation("doc:unrelate", "Take back what was said of two sections.", "documents.relating:Relating.unrelate", "documents:resettled"),
            Operation("doc:prune", "Remove what no document holds any more.", "documents.documents:Documents.prune", "documents:pruned"),
        ),
        *_panel(
            "Facts",
            Operation("fact:add", "Add a fact about an entity.", "knowledge.facts:Facts.add", "facts:added"),
            Operation("fact:list", "List facts, newest first, with what each counts.", "knowledge.facts:Facts.list", "facts:listed", plural="facts", update="documents"),
            Operation("fact:confirm", "Say that facts are true.", "knowledge.facts:confirm", "facts:settled", plural="facts"),
            Operation("fact:retract", "Say that facts do not hold.", "knowledge.facts:retract", "facts:settled", plural="facts"),
            Operation("fact:history", "Show all that was ever said about an entity.", "knowledge.facts:Facts.history", "facts:listed", plural="facts", update="documents"),
            Operation("fact:conflicts", "Show where facts contradict each other.", "knowledge.facts:Facts.conflicts", "facts:conflicts", plural="conflicts", update="documents"),
            Operation("fact:maintain", "Show which facts faded, and which wait for a person.", "knowledge.facts:Facts.maintain", "facts:maintained"),
            Operation("entity:show", "Show an entity and what is said of it.", "knowledge.entities:Entities.show", "facts:entity", update="documents"),
            Operation("entity:list", "List entities, those with most facts first.", "knowledge.entities:Entities.list", "facts:entities", plural="entities", update="documents"),
            Operation("entity:edit", "Say what an entity is.", "knowledge.entities:edit", "facts:changed", notes="result.warning"),
            Operation("entity:alias", "Give an entity other names.", "knowledge.entities:alias", "facts:changed", notes="result.warning"),
            Operation("entity:merge", "Let one entity be another.", "knowledge.entities:merge", "facts:changed", notes="result.warning"),
        ),
        *_panel(
            "Hub",
            Operation("hub:init", "Make a hub in a PostgreSQL, or bring it up to date.", "hub.making:init", "hub:made", anywhere="TX_HUB"),
            Operation("hub:publish", "Publish what is known of this repository at HEAD.", "hub.publishing:publish", "hub:published", notes="result.notices"),
            Operation("hub:repositories", "List the repositories that the hub shows.", "hub.repositories:repositories", "hub:repositories", plural="repositories", tsv="result: name commit committed_at published_at", anywhere="TX_HUB"),
            Operation("hub:status", "Show the hub, and how far it is behind HEAD.", "hub.repositories:status", "hub:status", anywhere="TX_HUB"),
            Operation("hub:dependents", "Show who uses a file, symbol or package elsewhere.", "hub.dependents:dependents", "hub:dependents", tsv="dependent_rows", notes="dependent_remarks"),
            Operation("hub:conflicts", "Show which facts repositories claim differently.", "hub.conflicts:conflicts", "hub:conflicts", plural="conflicts", anywhere="TX_HUB"),
            Operation("hub:forget", "Let the hub forget a repository.", "hub.repositories:forget", "hub:forgotten", anywhere="TX_HUB"),
            Operation("hub:grant", "Let a role read or publish repositories.", "hub.rights:grant", "hub:changed", anywhere="TX_HUB"),
            Operation("hub:revoke", "Take back what was granted to a role.", "hub.rights:revoke", "hub:changed", anywhere="TX_HUB"),
            Operation("hub:rights", "Show who may read and publish what.", "hub.rights:rights", "hub:rights", tsv="result.rights: role repositories publish", anywhere="TX_HUB"),
        ),
        *_panel(
            "Agents",
            Written("mcp", "Serve the graph to agents, over MCP.", "serving:mcp"),
            Written("lsp", "Serve what is known of the code to an editor.", "serving:lsp"),
            Operation("setup", "Print or write what an agent's configuration needs to know tx.", "faces.setup.setting_up:set_up", "agents:plan", notes="result.notes"),
            Written("hook", "Answer a hook of an agent: called by agents, not by people.", "serving:hook"),
        ),
        *_panel(
            "Telemetry",
            Operation("transcript:ingest", "Read what agents did from their transcripts.", "work.transcripts:Transcripts.ingest", "work:ingested", findings="named", progress=("Reading transcripts", "transcripts")),
            Operation("transcript:list", "List the transcripts that were read.", "work.transcripts:Transcripts.list", "work:transcripts", plural="transcripts"),
            Operation("telemetry:list", "List the last things that agents did.", "work.transcripts:Telemetry.list", "work:events", plural="events"),
            Operation("telemetry:prune", "Forget what is older than 30 days, or as long as you say.", "work.transcripts:Telemetry.prune", "work:pruned"),
        ),
        *_panel(
            "Analysis",
            Operation("graph:analyze-imports", "Read which files import which.", "code.indexing:ImportAnalysis.analyze_imports", "code:read", progress=("Reading files", "files")),
            Operation("graph:analyze-similar", "Find learnings that say much the same.", "learnings.similar:Similar.analyze_similar", "learnings:similar", progress=("Comparing", "learnings")),
            Operation("graph:analyze-cochanges", "Read which files change together in git.", "history.cochanges:CoChangeAnalysis.analyze_cochanges", "code:counted_together", progress=("Reading commits", "commits")),
            Operation("bench", "Measure on this repository's own history how well files are found.", "workspace.replaying:bench", "bench:report", notes="notices", progress=("Replaying commits", "commits")),
        ),
    ]
}
# fmt: on

EVERYDAY = ("init", "sync", "context", "search", "review", "add", "link", "verify", "status")
"""The commands that are shown first."""
ALIASES = {"add": "learning:add", "link": "graph:link", "verify": "graph:verify"}
_WHAT_IS_TRUE = "what is true of entities, and these"
_WHAT_WAS_DONE = "tasks, what helped, what agents did"
GROUPS = {
    "learning": "what was learned: show, edit, review",
    "graph": "ties to code, imports, symbols, changes",
    "doc": "documents, section by section",
    "hub": "what many repositories know",
    "fact": _WHAT_IS_TRUE,
    "entity": _WHAT_IS_TRUE,
    "task": _WHAT_WAS_DONE,
    "run": _WHAT_WAS_DONE,
    "transcript": _WHAT_WAS_DONE,
    "telemetry": _WHAT_WAS_DONE,
}
"""The words before the colon of a command, with what its commands are about; groups that say the same share a line."""


def spelled_out(words: Sequence[str]) -> list[str]:
    """Return a command line after `tx` with its command in full: `add …` and `learning add …` are `learning:add …`.

    The name of a group alone asks for help.
    """
    first, *rest = words
    if first in ALIASES:
        return [ALIASES[first], *rest]
    if first not in GROUPS:
        return [first, *rest]
    if rest and not rest[0].startswith("-"):
        return [f"{first}:{rest[0]}", *rest[1:]]
    return ["help", first, *(word for word in rest if word not in ("-h", "--help"))]
