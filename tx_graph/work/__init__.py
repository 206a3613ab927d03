"""Work: what is to be done, attempts at it, and what helped."""

from __future__ import annotations
