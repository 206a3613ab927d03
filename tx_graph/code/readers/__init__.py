"""One module per language family, with its `READER`; families that share much are in one module, each by its name."""

from __future__ import annotations
