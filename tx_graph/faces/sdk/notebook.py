"""What a notebook shows of an answer: what the command line prints of it."""

from __future__ import annotations

import inspect
import io
import re
from contextlib import redirect_stderr, redirect_stdout

from tx_graph.core.kernel import find
from tx_graph.faces.operations import COMMANDS, Operation

_COMMANDS = {
    "anchors.verify:Report": "graph:verify",
    "code.import_graph:ImportCycles": "graph:cycles",
    "code.import_graph:AllImports": "graph:imports",
    "code.import_graph:Imports": "graph:imports",
    "code.symbol_index:Declared": "graph:symbols",
    "code.symbol_index:Found": "graph:symbols",
    "context.everything:AnyAnswer": "search",
    "context.focus.values:FocusView": "focus",
    "context.graph:Connection": "graph:path",
    "context.graph:GraphStats": "graph:stats",
    "context.graph:Neighborhood": "graph:neighbors",
    "context.graph:Surroundings": "graph:show",
    "context.page:Page": "context",
    "context.recall:RecallAnswer": "recall",
    "context.review:Review": "review",
    "context.search:SearchAnswer": "learning:search",
    "context.who:Responsible": "who",
    "documents.documents:ShownDocument": "doc:show",
    "documents.search:DocAnswer": "doc:search",
    "knowledge.entities:EntityShown": "entity:show",
    "learnings.learnings:Shown": "learning:show",
    "work.values:RunShown": "run:show",
    "work.values:TaskShown": "task:show",
    "workspace.health:Status": "status",
}
"""The command that prints an answer."""
_MARKDOWN = {"context", "focus", "recall"}
"""Commands that print Markdown; what others print stands in a block, as it is."""


def markdown(answer: object) -> str | None:
    """Return an answer as Markdown, None where no command prints it, or nothing of it."""
    kind = type(answer)
    name = _COMMANDS.get(f"{kind.__module__.removeprefix('tx_graph.')}:{kind.__qualname__}", "")
    command = COMMANDS.get(name)
    if not isinstance(command, Operation):
        return None
    render = find(f"faces.cli.render.{command.render}").function
    options = inspect.signature(find(command.use_case).function).parameters
    _, *wanted = inspect.signature(render).parameters
    # An option is what it is where nobody gives it; of those that only the command line has, each is off.
    given = {one: options[one].default if one in options else None for one in wanted}
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()) as noted:
        render(answer, **given)
    text = "\n\n".join(filter(None, (printed.getvalue().rstrip(), noted.getvalue().rstrip())))
    if name in _MARKDOWN or not text:
        return text or None
    fence = "`" * (1 + max(2, *map(len, re.findall("`+", text)), 2))
    return f"{fence}text\n{text}\n{fence}"
