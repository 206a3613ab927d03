"""Commands in forks of a process that has everything imported: each takes milliseconds, and may be killed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, cast

from tests.isolation import ROOT

_FORKING = """
import gc, importlib, json, os, pkgutil, resource, signal, sys, time
import tx_graph
from tx_graph.faces.cli.main import run
for module in pkgutil.walk_packages(tx_graph.__path__, "tx_graph."):
    if not module.name.endswith(("__main__", ".mcp")) and ".mcp." not in module.name:
        importlib.import_module(module.name)
gc.freeze()
answers = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    job = json.loads(line)
    began = time.monotonic()
    child = os.fork()
    if not child:
        os.chdir(job["directory"])
        for number, (name, flags) in enumerate([("in", os.O_RDONLY), *[(one, os.O_WRONLY) for one in ("out", "err")]]):
            os.dup2(os.open(f"{job['streams']}.{name}", flags), number)
        sys.stdin = open(0, closefd=False)
        if job["limit"]:
            resource.setrlimit(resource.RLIMIT_FSIZE, (job["limit"], job["limit"]))
        os._exit(run(job["words"]))
    if job["kill"] is not None:
        time.sleep(job["kill"])
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    answers.write(json.dumps([status, time.monotonic() - began]) + "\\n")
    answers.flush()
"""
KILLED = -9


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended, what it printed, and how long it took in seconds."""

    status: int
    seconds: float
    out: str
    err: str


class Forks:
    """Runs commands, one after the other."""

    def __init__(self, directory: Path) -> None:
        self._streams = directory / "stream"
        pipe = subprocess.PIPE
        command = [sys.executable, "-c", _FORKING]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def run(self, directory: Path, *words: str, stdin: str = "", kill: float | None = None, limit: int = 0) -> Ended:
        """Run a command; kill it after so many seconds, or let it write no file longer than so many bytes."""
        for name, text in (("in", stdin), ("out", ""), ("err", "")):
            Path(f"{self._streams}.{name}").write_text(text, encoding="utf-8")
        job: dict[str, Any] = {"directory": str(directory), "words": words, "kill": kill, "limit": limit}
        job["streams"] = str(self._streams)
        stream = cast("IO[str]", self._process.stdin)
        stream.write(json.dumps(job) + "\n")
        stream.flush()
        status, seconds = json.loads(cast("IO[str]", self._process.stdout).readline())
        out, err = (Path(f"{self._streams}.{name}").read_text(encoding="utf-8") for name in ("out", "err"))
        return Ended(status=status, seconds=seconds, out=out, err=err)
