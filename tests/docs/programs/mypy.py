"""Stands in for mypy, which the gate runs on the same files."""
