"""Verbs: how knowledge is found and ranked. Pure functions, no I/O."""
