"""One module per group of commands; the registry names them, and only the one that runs is imported."""

from __future__ import annotations
