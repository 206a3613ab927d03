"""Stands in for npm: installs nothing, and checks that it was told what."""

from __future__ import annotations

import sys
from pathlib import Path

match sys.argv[1:]:
    case "install", _, *_:
        pass
    case "ci", "--prefix", directory, *_ if Path(directory, "package-lock.json").exists():
        pass
    case others:
        sys.exit(f"npm: the documentation has no use for {others} so far")
