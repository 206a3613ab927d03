"""Learnings as text files under .tx/: the truth that git carries."""
