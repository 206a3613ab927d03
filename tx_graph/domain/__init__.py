"""Nouns: what the memory of a codebase is made of. Pure values, no I/O."""
