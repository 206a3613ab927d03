"""Where a workspace keeps its files, below the root of the repository."""

from __future__ import annotations

DIRECTORY = ".tx"
LEARNINGS = "learnings"
FACTS = "facts"
ENTITIES = "entities"
DATABASE = "graph.db"
CONFIG = "config.toml"
READINGS = "tx/readings.db"
"""Below git's common directory: what parsing gave, for all branches and worktrees."""
REPLIES = "tx/replies.db"
"""Beside it: what language models replied, which costs money to hear again."""
LOCAL_REPLIES = "replies.db"
"""The same outside git, beside the database."""
