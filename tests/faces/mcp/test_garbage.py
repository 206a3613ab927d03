"""Garbage on the wire gets an error where the protocol has one, and never ends or deafens the server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.faces.mcp.peer import Peer
from tx_graph.workspace.doctor import examine

NOT_JSON, NO_MESSAGE, NO_METHOD, WRONG = -32700, -32600, -32601, -32602
DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.fixture(scope="module")
def place(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(filled, tmp_path_factory.mktemp("garbage") / "project"))


@pytest.fixture(scope="module")
def peer(place: Path) -> Iterator[Peer]:
    """One server that has to stand all of it."""
    with Peer(place) as started:
        yield started


@pytest.mark.parametrize(
    ("line", "code", "known"),
    [
        (b"junk", NOT_JSON, None),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "pi', NOT_JSON, None),
        (b"\xff\xfe\x00\x01", NOT_JSON, None),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":"\xff"}}', NOT_JSON, None),
        (b"\0\0\0", NOT_JSON, None),
        (DEEP, NOT_JSON, None),
        (b"[]", NO_MESSAGE, None),
        (b"42", NO_MESSAGE, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', NO_MESSAGE, None),
        (b'{"id": 71, "method": "ping"}', NO_MESSAGE, 71),
        (b'{"jsonrpc": "1.0", "id": "a", "method": "ping"}', NO_MESSAGE, "a"),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', NO_MESSAGE, None),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', NO_MESSAGE, None),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', NO_MESSAGE, None),
        (b'{"jsonrpc": "2.0", "id": 72, "method": 5}', NO_MESSAGE, 72),
        (b'{"jsonrpc": "2.0", "id": 73, "method": "ping", "params": []}', NO_MESSAGE, 73),
        (b'{"jsonrpc": "2.0", "id": 74, "method": "no/such/method"}', NO_METHOD, 74),
        (b'{"jsonrpc": "2.0", "id": 75, "method": "tools/call", "params": {}}', WRONG, 75),
        (b'{"jsonrpc": "2.0", "id": 76, "method": "tools/call", "params": {"name": 7}}', WRONG, 76),
        (b'{"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": {"name": "rm -rf"}}', WRONG, 77),
        (b'{"jsonrpc":"2.0","id":78,"method":"tools/call","params":{"name":"tx_recall","arguments":[1]}}', WRONG, 78),
        (b'{"jsonrpc":"2.0","id":79,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}', WRONG, 79),
        (b'{"jsonrpc":"2.0","id":80,"method":"logging/setLevel","params":{"level":"debug"}}', NO_METHOD, 80),
    ],
)
def test_a_line_that_means_nothing_is_answered_and_the_next_is_heard(
    peer: Peer, line: bytes, code: int, known: object
) -> None:
    peer.say(line)
    answer = peer.hear()
    assert (answer["error"]["code"], answer["id"]) == (code, known)
    assert peer.ask("ping")["result"] == {}


def test_what_has_no_answer_is_passed_over(peer: Peer) -> None:
    for line in (
        b"",
        b"   ",
        b'{"jsonrpc": "2.0", "id": 900, "result": {}}',
        b'{"jsonrpc": "2.0", "id": 901, "error": {"code": 1, "message": "x"}}',
        b'{"jsonrpc": "2.0", "id": 902, "result": 5}',
        b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}}',
        b'{"jsonrpc": "2.0", "method": "notifications/no-such-thing"}',
    ):
        peer.say(line)
    number = peer.begin("ping")
    assert peer.hear() == {"jsonrpc": "2.0", "id": number, "result": {}}


def test_huge_texts_are_refused_in_few_words(peer: Peer) -> None:
    huge = "x" * 1_000_000
    for tool, arguments in (
        ("tx_context", {"text": huge}),
        ("tx_focus", {"ref": huge}),
        ("tx_focus", {huge: 1}),
        ("tx_graph_neighbors", {"id": 1, "type": huge}),
        ("tx_learning_add", {"content": huge + "x"}),
        ("tx_learning_add", {"content": "x", "anchors": [huge]}),
        ("tx_context", {"text": "x", "budget": 200, "files": [huge]}),
    ):
        peer.say(
            {"jsonrpc": "2.0", "id": 5_000, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        )
        line = peer.hear_line()
        assert json.loads(line)["result"]["isError"] is True
        assert len(line) <= 4 * int(str(arguments.get("budget", 2_000)))
    peer.say({"jsonrpc": "2.0", "id": 5_001, "method": "tools/call", "params": {"name": huge}})
    assert len(peer.hear_line()) < 2_000


def test_a_message_without_an_end_is_refused(peer: Peer) -> None:
    peer.say(b"x" * 33_000_000)
    assert peer.hear()["error"]["code"] == NO_MESSAGE
    assert peer.ask("ping")["result"] == {}


def test_a_second_greeting_that_is_none_does_no_harm(peer: Peer) -> None:
    peer.say({"jsonrpc": "2.0", "id": "again", "method": "initialize", "params": {}})
    assert peer.hear()["error"]["code"] == WRONG
    assert peer.ask("ping")["result"] == {}


def test_after_all_that_the_database_is_sound(peer: Peer, place: Path) -> None:
    for line in (b"junk", DEEP, b"\xff", b'{"id":1}'):
        peer.say(line)
        peer.hear()
    added = peer.call("tx_learning_add", content="Still here")
    assert added["content"][0]["text"].endswith(", active.")
    assert peer.hang_up() == 0
    with open_workspace(place) as workspace:
        assert workspace.learnings.show("4").stored.learning.content == "Still here"
        assert [one for one in examine(workspace.kernel) if one.level.value == "problem"] == []
