"""Files whose changes tell nothing of other files."""

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
TOLD = "tx/told.db"
"""Beside it: what agents were told by hooks, so that they are told once."""
LOCAL_TOLD = "told.db"
"""The same outside git."""


TELL_NOTHING = (
    # Versions of what others wrote, as package managers note them.
    *("*.lock", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb", "go.sum", "go.work.sum"),
    *("conda-lock.yml", "packages.lock.json", ".terraform.lock.hcl", "gradle.lockfile", "Package.resolved"),
    *("Cartfile.resolved", "cabal.project.freeze", "cpanfile.snapshot"),
    # What changed, in words.
    *("CHANGELOG*", "ChangeLog*", "Changelog*", "changelog.md", "changelog.rst", "changelog.txt"),
    *("CHANGES*", "Changes", "changes.md", "changes.rst", "changes.txt", "RELEASE_NOTES*", "RELEASENOTES*"),
    *("HISTORY*", "History.md", "history.md", "history.rst", "NEWS*", "whatsnew/"),
    # What a program wrote.
    *("*.min.js", "*.min.css", "*.map", "*.generated.*", "*_generated.*", "__generated__/"),
    *("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*.pb.go", "*.pb.cc", "*.pb.h", "*_pb.js", "*_pb.d.ts"),
    *("__snapshots__/", "*.snap"),
)
"""Globs, as `.gitignore` reads them: lock files, changelogs, generated files."""
