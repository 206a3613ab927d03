"""How results look: JSON shapes for programs, lines and tables for people, bars for the impatient."""

from __future__ import annotations
