"""The LSP room: what is known of the code that an editor has open, at its lines."""

from __future__ import annotations
