"""Tools that are written in JavaScript: from the directory in which npm installed them, run by `node`."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.benchmarks.settings import Settings

INSTALL = "npm install dependency-cruiser typescript madge"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTools:
    """The directory that has `node_modules`."""

    directory: Path

    def lines(self, script: str, root: Path, paths: Iterable[str]) -> list[Any]:
        """Return the JSON documents that a script beside this file prints of these files.

        Raises:
            RuntimeError: It fails.
        """
        command = ["node", str(_HERE / script), str(self.directory), str(root)]
        return documents(run(command, root, question="\n".join(paths)))

    def program(self, name: str) -> str:
        """Return the path of a tool's program."""
        return str(self.directory / "node_modules" / ".bin" / name)

    def has(self, name: str) -> bool:
        """Whether a tool's program is there."""
        return Path(self.program(name)).exists()


def node_tools(settings: Settings) -> NodeTools | str:
    """Return the tools, or as a sentence's end why there are none."""
    given = settings.node_modules
    if given is None:
        return f"give with --node-modules a directory in which '{INSTALL}' was run"
    directory = given.parent if given.name == "node_modules" else given
    if not (directory / "node_modules" / "typescript").is_dir():
        return f"{given} has no node_modules/typescript; run '{INSTALL}' there"
    return NodeTools(directory=directory) if shutil.which("node") else "there is no node on PATH"


def run(command: list[str], directory: Path, *, question: str = "") -> str:
    """Return what a process prints.

    Raises:
        RuntimeError: It fails.
    """
    done = subprocess.run(command, cwd=directory, input=question.encode(), capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").splitlines()
        why = next((line.strip() for line in said if "error" in line.lower()), "")
        raise RuntimeError(f"{Path(command[0]).name} ends with status {done.returncode}: {why}")
    return done.stdout.decode(errors="replace")


def documents(printed: str) -> list[Any]:
    """Return the JSON documents of which one stands in each line; other ends of lines may be in their texts."""
    return [json.loads(line) for line in printed.split("\n") if line]
