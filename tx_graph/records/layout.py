"""Where a workspace keeps its files, below the root of the repository."""

from __future__ import annotations

DIRECTORY = ".tx"
LEARNINGS = "learnings"
DATABASE = "graph.db"
CONFIG = "config.toml"
READINGS = "tx/readings.db"
"""Below git's common directory: what parsing gave, for all branches and worktrees."""
