"""The terminal face: parse, call, render."""

from __future__ import annotations
