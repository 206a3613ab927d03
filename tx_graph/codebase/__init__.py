"""Reads the repository: its files, its git history, its source code."""
