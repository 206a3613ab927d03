"""Runs the interpreter's own cog."""

from __future__ import annotations

import subprocess
import sys

sys.exit(subprocess.run([sys.executable, "-m", "cogapp", *sys.argv[1:]], check=False).returncode)
