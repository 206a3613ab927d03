"""Canonical form: what source says, without what formatters may change; one module of rules per language family."""

from __future__ import annotations
