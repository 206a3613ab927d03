"""Canonical form: what source says, without what formatters may change; one module of rules per language family."""
