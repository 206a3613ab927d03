"""Resources: one learning, and the neighbourhood of one node, as Markdown within the standard budget."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote, unquote

from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.text import CHARACTERS_PER_TOKEN, quoted_line
from tx_graph.faces.mcp.call import Call, Caveats
from tx_graph.faces.mcp.replies import FRAME, NOTICE, STANDARD_BUDGET, brief_line, learning_item, packed, sendable, size
from tx_graph.faces.mcp.tool import LONGEST
from tx_graph.faces.mcp.tools import neighborhood, neighbors
from tx_graph.records.learning import Status
from tx_graph.workspace.composition import Workspace

LEARNING, NEIGHBORHOOD = "tx://learning/{ref}", "tx://neighborhood/{ref}"
MIME_TYPE = "text/markdown"
_URI = re.compile(r"tx://(?P<kind>learning|neighborhood)/(?P<ref>.+)", re.DOTALL)
_LISTED = 10
_LONGEST_TITLE = 80
_LENGTHS = (7_000, 5_000, 3_000, 1_000)
"""Characters of a learning's content, the first that fit; line ends take more than one each."""


class Known(NamedTuple):
    """A resource that is worth listing."""

    uri: str
    name: str
    title: str


def known(workspace: Workspace) -> list[Known]:
    """Return the learnings that were used last."""
    found = []
    for stored in workspace.learnings.recent(limit=_LISTED):
        content, status = stored.learning.content.strip(), stored.learning.status
        mark = "" if status is Status.ACTIVE else f"{status}: "
        title = f"{mark}{quoted_line(brief_line(content.partition(chr(10))[0], _LONGEST_TITLE))}"
        found.append(Known(uri=LEARNING.format(ref=quote(str(stored.id))), name=stored.ref, title=title))
    return found


def read(workspace: Workspace, uri: str, caveats: Caveats) -> str:
    """Return what a resource says."""
    if (match := _URI.fullmatch(uri)) is None or len(uri) > LONGEST:
        raise UsageError(f"'{uri}' is no resource.", hint=f"Read {LEARNING} or {NEIGHBORHOOD}.")
    ref = unquote(match["ref"])
    if "\0" in ref:
        raise NotFound("There is nothing whose name has a NUL byte.")
    if match["kind"] == "neighborhood":
        call = Call(workspace=workspace, caveats=caveats)
        return packed(neighborhood(call, neighbors(workspace.kernel, ref)), budget=STANDARD_BUDGET).text
    shown = workspace.learnings.show(ref)
    items = (learning_item(shown.stored, shown.standing, shown.anchors, most=most) for most in _LENGTHS)
    texts = [f"{NOTICE}\n\n{sendable(item.text)}" for item in items]
    return next((text for text in texts if size(text) + FRAME <= STANDARD_BUDGET * CHARACTERS_PER_TOKEN), texts[-1])
