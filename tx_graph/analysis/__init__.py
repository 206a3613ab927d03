"""Rules over what was read: import resolution, co-change, identifiers. Pure functions, no I/O."""
