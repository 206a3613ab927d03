"""Stands in for lint-imports, which the gate runs on the same files."""
