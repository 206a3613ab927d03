"""Stands in for ruff, which the gate runs on the same files."""
