"""Stands in for uv, which locks what the package registry has."""
