"""Measures tx beside other tools that read a repository: how fast, and how far they agree. `scripts/bench` runs it."""
