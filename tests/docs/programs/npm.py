"""Stands in for npm: installs nothing, and checks that it was told what."""

from __future__ import annotations

import sys

if sys.argv[1:2] != ["install"] or len(sys.argv) < 3:
    sys.exit(f"npm: the documentation has no use for {sys.argv[1:]} so far")
