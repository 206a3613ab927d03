"""Whoever is killed, publisher or server: a hub shows one whole commit of a repository."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from scripts.opened import open_workspace
from tests.attack.conftest import ROUNDS, SEED
from tests.git_sandbox import GitSandbox
from tests.hub.conftest import started
from tests.hub.publishers import everything, named
from tx_graph.core.ports import Progress, no_progress
from tx_graph.hub.publishing import publish
from tx_graph.hub.store import VARIABLE, Hub, HubError, read_address

_PATIENCE = 30  # seconds until a server that was killed is there again


@pytest.fixture
def own_server() -> Iterator[Any]:
    """Yield a server that may be killed."""
    with started() as server:
        yield server


def test_a_hub_shows_one_whole_commit_whoever_is_killed(
    own_server: Any,  # noqa: ANN401 - its package has no types
    project: GitSandbox,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = Random(f"{SEED} killed")
    url = own_server.get_uri()
    monkeypatch.setenv(VARIABLE, url)
    named(project)
    with Hub(read_address(url)) as hub:
        hub.migrate()
    states = []
    for body in ("return True", "return False"):
        for number in range(120):
            text = f"# Page {number}\n\n## Of it\n\n{body}\n" * 3
            (project.root / f"page{number}.md").write_text(text, encoding="utf-8")
            (project.root / f"module{number}.py").write_text(
                f"def login{number}():\n    {body}\n" * 5, encoding="utf-8"
            )
        project.commit()
        _, seconds = _publish(project.root, None, chance)
        states.append(everything(url))
    commits = project.git("rev-parse", "HEAD~1", "HEAD").split()
    kinds = ("publisher", "backend", "server")
    shown = 1
    for number in range(6 * ROUNDS):
        project.git("checkout", "--quiet", commits[1 - shown])
        victim = kinds[number % 3] if number % 12 else "publisher"
        status, _ = _publish(
            project.root, seconds * chance.uniform(0, 1.1), chance, victim=victim, server=own_server, url=url
        )
        assert status in (0, HubError.status, -signal.SIGKILL), (number, victim)
        found = _seen(own_server, url)
        assert found in states, (number, victim)
        shown = states.index(found)


def _publish(
    root: Path,
    kill: float | None,
    chance: Random,
    *,
    victim: str = "",
    server: Any = None,  # noqa: ANN401
    url: str = "",
) -> tuple[int, float]:
    """Publish a repository in a process of its own; kill somebody after so many seconds; return status and seconds.

    Every other time these count from when rows are sent, and are a fifth.
    """
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        status = 70
        with suppress(BaseException):
            status = _published(root, writes)
        os._exit(status)
    os.close(writes)
    began = time.monotonic()
    if kill is not None:
        if chance.random() < 0.7:
            os.read(reads, 1)
            kill /= 5
        time.sleep(kill)
        if victim == "publisher":
            os.kill(child, signal.SIGKILL)
        else:
            _kill_server(server, url, only_backend=victim == "backend")
    _, status = os.waitpid(child, 0)
    os.close(reads)
    return os.waitstatus_to_exitcode(status), time.monotonic() - began


def _published(root: Path, writes: int) -> int:
    def stages(what: str, *, unit: str) -> nullcontext[Progress]:
        del unit
        if what == "Publishing":
            os.write(writes, b".")
        return nullcontext(no_progress)

    try:
        with open_workspace(root) as workspace:
            publish(workspace.kernel, force=True, stages=stages)
    except HubError as error:
        return error.status
    return 0


def _kill_server(server: Any, url: str, *, only_backend: bool) -> None:  # noqa: ANN401
    """Kill the server, or the process of it that serves the publisher."""
    victims = [server.get_pid()]
    if only_backend:
        with psycopg.connect(url) as connection:
            found = "SELECT pid FROM pg_stat_activity WHERE application_name = 'tx' AND pid <> pg_backend_pid()"
            victims = [pid for (pid,) in connection.execute(found)]
    for pid in victims:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _seen(server: Any, url: str) -> dict[str, list[tuple[Any, ...]]]:  # noqa: ANN401
    """Return what a hub shows, once its server serves again."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            server.ensure_postgres_running()
            return everything(url)
        except (psycopg.Error, subprocess.SubprocessError):
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
