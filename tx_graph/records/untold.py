"""Files whose changes tell nothing of other files."""

from __future__ import annotations

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
