"""The version, in a file of its own: whoever names it imports nothing else."""

from __future__ import annotations

__version__ = "0.2.0"
