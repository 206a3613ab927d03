"""What the namespaces of a workspace have in common."""

from __future__ import annotations

from tx_graph.workspace import LastingWorkspace


class Namespace:
    """A group of use cases. Each call has the workspace for itself, as it is on disk at that moment."""

    def __init__(self, lasting: LastingWorkspace) -> None:
        self._lasting = lasting
