"""Rules for replaying a repository's history: which commits, how good an answer was, and what can be said of it."""
