"""What is done for one request, in one thread: find the workspace, run the tool, put errors into words."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tx_graph.errors import TxError, UsageError
from tx_graph.mcp.caveats import Caveats
from tx_graph.mcp.replies import Reply, explained
from tx_graph.mcp.replies.reply import STANDARD_BUDGET
from tx_graph.mcp.resources import Known, known, read
from tx_graph.mcp.tools import Call, Tool, offered
from tx_graph.mcp.tools.values import BUDGET
from tx_graph.mcp.whereabouts import Whereabouts
from tx_graph.ports import Progress

_log = logging.getLogger(__name__)


class Answering:
    """Answers requests. It is used by one thread."""

    def __init__(self, whereabouts: Whereabouts, *, is_read_only: bool) -> None:
        self.tools = offered(is_read_only=is_read_only)
        self._whereabouts = whereabouts
        self._is_read_only = is_read_only
        self._caveats = Caveats()

    def call(self, tool: Tool, arguments: Mapping[str, Any], *, progress: Progress) -> Reply:
        """Return what a tool answers; whatever goes wrong is a reply, too, and within the same budget."""
        try:
            given = tool.checked(arguments)
            with self._whereabouts.workspace().use() as workspace:
                call = Call(
                    workspace=workspace,
                    given=given,
                    budget=given.get("budget", STANDARD_BUDGET),
                    is_read_only=self._is_read_only,
                    progress=progress,
                    caveats=self._caveats,
                )
                return tool.run(call)
        except (KeyboardInterrupt, SystemExit):
            raise
        except TxError as error:
            return explained(error, budget=_budget(arguments))
        except BaseException as error:  # noqa: BLE001 - a parser's panic is a BaseException
            return explained(_unexpected(error), budget=_budget(arguments))

    def resources(self) -> list[Known]:
        """Return the learnings that were used last; none where there is no workspace."""
        with suppress(TxError), self._whereabouts.workspace().use() as workspace:
            return known(workspace)
        return []

    def read(self, uri: str) -> str:
        """Return the text of a resource.

        Raises:
            TxError: It names nothing, or cannot be read.
        """
        with self._whereabouts.workspace().use() as workspace:
            return read(workspace, uri, self._caveats)

    def close(self) -> None:
        """Close the workspace."""
        self._whereabouts.close()


def _budget(arguments: Mapping[str, Any]) -> int:
    """Return the budget that a call names, as far as it can be understood."""
    with suppress(UsageError):
        return int(BUDGET.kind.read(arguments.get("budget"), BUDGET.name))
    return STANDARD_BUDGET


def _unexpected(error: BaseException) -> TxError:
    _log.exception("unexpected %s", type(error).__name__, exc_info=error)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return TxError(f"Unexpected {what}.", hint="This is a bug in tx; the server's stderr has the details.")
