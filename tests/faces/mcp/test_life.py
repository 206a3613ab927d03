"""A server ends with its client, whatever happens to that, with the database sound and no process left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

import pytest

from scripts.opened import open_workspace
from tests.faces.mcp.conftest import StartServer
from tests.faces.mcp.peer import HELLO, PATIENCE, PROGRAM, Peer, ends_soon, is_alive
from tests.isolation import ROOT
from tx_graph.workspace.doctor import examine

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")]

CLIENT = """
import json, subprocess, sys, time
from pathlib import Path
directory, keeps_pipe = sys.argv[1], sys.argv[2] == "keep"
server = subprocess.Popen(
    [sys.executable, "-m", "tx_graph", "mcp"], cwd=directory, stdin=subprocess.PIPE, stdout=subprocess.PIPE
)
hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode() + b"\\n")
server.stdin.flush()
server.stdout.readline()
nephew = None
if keeps_pipe:
    fds = [server.stdin.fileno(), server.stdout.fileno()]
    nephew = subprocess.Popen(["sleep", "600"], pass_fds=fds, stdout=subprocess.DEVNULL)
print(json.dumps([server.pid, nephew and nephew.pid]), flush=True)
time.sleep(600)
"""


@pytest.fixture
def big(root: Path) -> Path:
    """The repository with so much code that reading it takes long, and other processes."""
    text = "\n".join(f"def function_{number}(a, b):\n    return a + b * {number}\n" for number in range(4_000))
    for number in range(60):
        (root / "src" / f"big_{number}.py").write_text(text, encoding="utf-8")
    return root


def children(pid: int) -> list[int]:
    """Return the processes that a process started."""
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread may end while it is looked at
            found += [int(child) for child in (thread / "children").read_text().split()]
    return found


def under_way(peer: Peer) -> list[int]:
    """Start a call that takes long; return the processes that parse for it once there are any."""
    peer.begin("tools/call", {"name": "tx_graph_analyze_imports", "arguments": {}})
    end = time.monotonic() + PATIENCE
    while not (found := list(filter(parses, children(peer.process.pid)))) and time.monotonic() < end:
        time.sleep(0.01)
    assert found
    return found


def parses(pid: int) -> bool:
    try:
        return b"code.parallel" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def is_sound(root: Path) -> bool:
    with open_workspace(root) as workspace:
        found = {one.id for one in workspace.learnings.recent(limit=10)}
        problems = [one for one in examine(workspace.kernel) if one.level.value == "problem"]
        return found == {1, 2} and not problems


def test_it_ends_when_the_wire_is_closed(start: StartServer) -> None:
    peer = start()
    assert peer.call("tx_recall", query="billing")["isError"] is False
    assert peer.hang_up() == 0
    assert peer.err == ""


def test_what_was_asked_before_the_wire_was_closed_is_answered(start: StartServer) -> None:
    peer = start()
    numbers = [peer.begin("tools/call", {"name": "tx_recall", "arguments": {"query": "billing"}}) for _ in range(3)]
    assert peer.hang_up() == 0
    assert [peer.hear()["id"] for _ in numbers] == numbers


def test_it_ends_when_nobody_reads_any_more(root: Path) -> None:
    ours, theirs = os.pipe()
    server = subprocess.Popen([*PROGRAM, "mcp"], cwd=root, stdin=subprocess.PIPE, stdout=theirs)
    os.close(theirs)
    os.close(ours)
    with cast("IO[bytes]", server.stdin) as wire:
        wire.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode() + b"\n")
        wire.flush()
        assert server.wait(PATIENCE) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_a_signal(start: StartServer, number: signal.Signals) -> None:
    peer = start()
    peer.call("tx_recall", query="billing")
    peer.process.send_signal(number)
    assert peer.process.wait(PATIENCE) == (130 if number is signal.SIGINT else -signal.SIGTERM)


@pytest.mark.parametrize("keeps_pipe", ["close", "keep"])
def test_it_ends_with_a_client_that_is_killed(root: Path, keeps_pipe: str) -> None:
    client = subprocess.Popen([sys.executable, "-c", CLIENT, root, keeps_pipe], cwd=ROOT, stdout=subprocess.PIPE)
    server, nephew = json.loads(cast("IO[bytes]", client.stdout).readline())
    client.kill()
    client.communicate()
    assert nephew is None or is_alive(nephew)
    try:
        assert ends_soon(server)
    finally:
        if nephew:
            os.kill(nephew, signal.SIGKILL)


def leave(peer: Peer) -> None:
    cast("IO[bytes]", peer.process.stdin).close()


@pytest.mark.parametrize(
    ("end", "status"),
    [
        (leave, 0),
        (lambda peer: peer.process.terminate(), -signal.SIGTERM),
        (lambda peer: peer.process.send_signal(signal.SIGINT), 130),
        (lambda peer: peer.process.kill(), -signal.SIGKILL),
    ],
    ids=["closed", "terminated", "interrupted", "killed"],
)
def test_a_call_under_way_keeps_nothing_alive(
    start: StartServer, big: Path, end: Callable[[Peer], None], status: int
) -> None:
    peer = start()
    helpers = under_way(peer)
    end(peer)
    assert peer.process.wait(PATIENCE) == status
    assert all(map(ends_soon, helpers))
    assert is_sound(big)


def test_pings_are_answered_while_a_call_is_under_way_and_a_cancelled_one_ends(start: StartServer, big: Path) -> None:
    peer = start()
    helpers, number = under_way(peer), peer.last
    assert peer.ask("ping")["result"] == {}
    assert any(map(is_alive, helpers))
    peer.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
    assert peer.call("tx_learning_search", query="constant time")["isError"] is False
    assert all(map(ends_soon, helpers))
    with open_workspace(big) as workspace:
        assert workspace.graph.stats().files < 60


def test_no_port_is_opened_and_nothing_stays_behind(start: StartServer) -> None:
    peer = start()
    peer.call("tx_context", text="tokens")
    pid = peer.process.pid
    sockets = [str(one.readlink()) for one in Path(f"/proc/{pid}/fd").iterdir()]
    inodes = {one.removeprefix("socket:[").rstrip("]") for one in sockets if one.startswith("socket:")}
    listening = [
        line.split()[9]
        for table in ("tcp", "tcp6", "udp", "udp6")
        for line in Path(f"/proc/{pid}/net/{table}").read_text(encoding="utf-8").splitlines()[1:]
    ]
    assert not inodes & set(listening)
    assert children(pid) == []


def test_several_servers_and_the_command_line_write_at_once_and_nothing_is_lost(start: StartServer, root: Path) -> None:
    peers, each = [start("--structured") for _ in range(3)], 15
    commands = [
        subprocess.Popen([sys.executable, "-m", "tx_graph", "learning:add", f"By hand {number}"], cwd=root)
        for number in range(4)
    ]
    asked = [
        (peer, peer.begin("tools/call", {"name": "tx_learning_add", "arguments": {"content": f"{name} says {number}"}}))
        for number in range(each)
        for name, peer in enumerate(peers)
    ]
    for peer, _ in asked:
        answer = peer.hear()
        assert answer["result"]["isError"] is False, answer
    assert [command.wait(PATIENCE) for command in commands] == [0] * 4
    found = {one["id"] for peer in peers for one in _everything(peer)}
    assert len(found) == 3 * each
    assert [peer.hang_up() for peer in peers] == [0] * 3
    assert len(list((root / ".tx" / "learnings").iterdir())) == 3 + 3 * each + 4


def _everything(peer: Peer) -> list[dict[str, object]]:
    found: list[dict[str, object]] = peer.call("tx_learning_search", query="says", limit=100, budget=50_000)[
        "structuredContent"
    ]["results"]
    return found
