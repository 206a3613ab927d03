"""What comes over a wire: frames and arguments of MCP, and what a language model replies, or its provider instead."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.attack.conftest import ROUNDS, lost, survived, within, withstood
from tests.attack.values import ANYTHING, ATTACKS, DEEP, VALUES, distorted, mutated, value_of
from tests.core.llm.fixtures import llm_home
from tests.core.llm.openai_server import MODEL, OpenAIServer
from tests.faces.cli.terminal import CommandLine
from tests.faces.hostile import HAZARDS
from tests.faces.mcp.peer import Peer
from tests.local_server import Handler, LocalServer
from tx_graph.core.errors import NotFound, TxError, UsageError
from tx_graph.core.labels import is_unicode
from tx_graph.core.ports import no_progress
from tx_graph.faces.cli.hook_work import Caller, Event
from tx_graph.faces.mcp.server import Answering
from tx_graph.faces.mcp.tool import BUDGET, Tool
from tx_graph.faces.mcp.tools import TOOLS

__all__ = ["llm_home"]
CALLS = 30


def arguments_of(tool: Tool, chance: Random) -> dict[str, Any]:
    """Return arguments that a schema allows, or nearly."""
    given: dict[str, Any] = {}
    for one in (*tool.parameters, BUDGET):
        if chance.random() < 0.3:
            continue
        text = value_of(one.declared, chance)
        kinds: list[Any] = [text, [text, value_of(one.declared, chance)], chance.choice(ANYTHING)]
        numbers = [chance.choice([0, 1, 5, 200, -1, 0.5, 10**9, 10**400, 1e308, float("nan")])]
        kinds += numbers * 5 if issubclass(one.declared.kind, int | float) else [kinds[one.declared.is_many]] * 5
        given[chance.choice([one.name] * 9 + [*one.also, text[:50]])] = chance.choice(kinds)
    return {name: one for name, one in given.items() if is_unicode(json.dumps([name, one], ensure_ascii=False))}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_argument_breaks_a_tool(victim: Path, tool: Tool, chance: Random) -> None:
    answering = Answering(victim, {}, is_read_only=False, is_structured=True)
    for _ in range(CALLS * ROUNDS):
        given = arguments_of(tool, chance)
        with within((tool.name, given)):
            reply = answering.call(tool, given, progress=no_progress)
        assert "Unexpected" not in reply.text, (given, reply.text)
        assert HAZARDS.findall(reply.text + json.dumps(reply.structure, ensure_ascii=False)) == [], given
        assert reply.fits(50_000), given
        json.dumps(reply.structure, allow_nan=False).encode()
    answering.close()
    assert lost(victim) == []


def test_no_name_of_a_resource_breaks_the_server(victim: Path, chance: Random) -> None:
    answering = Answering(victim, {}, is_read_only=True, is_structured=True)
    for _ in range(CALLS * ROUNDS):
        ref = value_of(next(one for tool in TOOLS for one in tool.parameters if one.declared.is_ref).declared, chance)
        for uri in (f"tx://learning/{ref}", f"tx://neighborhood/{ref}", ref, f"tx://learning/{ref}%00%ff%1b"):
            with within(uri), suppress(UsageError, NotFound):
                assert HAZARDS.findall(answering.read(uri)) == []
    answering.close()


FRAMES = [json.loads(line) for line in (ATTACKS / "frames.txt").read_text(encoding="utf-8").splitlines()]


def test_no_frame_ends_or_deafens_the_server(victim: Path, chance: Random) -> None:
    with Peer(victim) as peer:
        peer._number = 10**9  # no mutation of the others' ids is likely to become one of these
        for number in range(150 * ROUNDS):
            frame = {"jsonrpc": "2.0", "id": number, **chance.choice(FRAMES)}
            line = json.dumps(distorted(frame, chance)).encode()
            special = [
                b"[" * DEEP,
                b'{"a":' * DEEP,
                json.dumps(frame)[: chance.randrange(60)].encode(),
                b"\r",
                line * 2,
                line + b"\r",
            ]
            peer.say(chance.choice([line, line, mutated(line, chance), mutated(line, chance), chance.choice(special)]))
            if number % 20 == 0:
                assert peer.ask("ping")["result"] == {}
        assert peer.ask("ping")["result"] == {}
        assert peer.hang_up() == 0
        assert "Traceback" not in peer.err, peer.err[-3_000:]
    assert lost(victim) == []


class Provider(Handler):
    """Says what its owner was told to say, whatever it is asked."""

    def do_POST(self) -> None:  # noqa: N802 - the base class's name
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.owner.asked += 1
        body = self.server.owner.body
        self.begin(200, "application/json", len(body), x_should_retry="false")
        self.wfile.write(body)


def completion(text: object) -> dict[str, object]:
    """Return a reply as the protocol has it."""
    choices = [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}]
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": choices,
        "usage": {"total_tokens": 2},
    }


SAID = [json.loads(line) for line in (ATTACKS / "replies.txt").read_text(encoding="utf-8").splitlines()]
ASKING = f"doc:extract --model {MODEL} --timeout 5", f"learning:propose --from commits --model {MODEL}"


@pytest.fixture
def provider(llm_home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - its body is set
    with LocalServer(Provider) as server:
        server.asked = 0  # type: ignore[attr-defined] # how often
        OpenAIServer.register(server, llm_home)  # type: ignore[arg-type] # it needs no more than an address
        yield server


def test_no_reply_of_a_model_breaks_what_asks_it(victim: Path, provider: Any, chance: Random) -> None:  # noqa: ANN401
    tx = CommandLine(victim)
    for number in range(12 * ROUNDS):
        said = json.dumps(distorted(chance.choice(SAID), chance))
        special = ["[" * DEEP, "{" * DEEP, '{"a":' * 20_000, '{"edges": [' + "{}," * DEEP, "x" * 1_000_000, ""]
        special += VALUES["texts"][:20]
        odd = mutated(said.encode(), chance).decode(errors="replace")
        text = chance.choice([said, odd, f"<think>x</think>```json\n{said}\n```", chance.choice(special)])
        provider.body = json.dumps(completion(text)).encode()
        # What was replied once is not asked for again, so the documents change.
        (victim / "docs" / "guide.md").write_text(
            f"# Guide {number}\n\nTokens {number}\n\n## More\n\nRules {number}\n", encoding="utf-8"
        )
        survived(tx, ("doc:ingest", chance.choice(ASKING)), text[:500])
    assert provider.asked > 10
    assert lost(victim) == []


BODIES = [b"", b"null", b"[]", b"x" * 5_000_000, b"[" * DEEP, b"\xff", b'{"choices": []}']
BODIES += [json.dumps(completion(said)).encode() for said in (None, {"a": 1})]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_no_answer_of_a_provider_breaks_what_asks_it(victim: Path, provider: Any, body: bytes) -> None:  # noqa: ANN401
    provider.body = body
    (victim / "docs" / "guide.md").write_text("# Guide\n\nTokens\n\n## More\n\nRules\n", encoding="utf-8")
    CommandLine(victim).ok("doc:ingest")
    survived(CommandLine(victim), ASKING, body[:50])
    assert provider.asked > 0
    assert lost(victim) == []


PAYLOAD = json.loads((ATTACKS / "payload.json").read_text(encoding="utf-8"))
REFUSALS = {kind.__name__ for kind in (*TxError.__subclasses__(), *UsageError.__subclasses__())}


@pytest.mark.parametrize(("caller", "event"), list(product(Caller, Event)))
def test_no_payload_of_a_client_breaks_its_hook(victim: Path, caller: str, event: str, chance: Random) -> None:
    for _ in range(4 * ROUNDS):
        told = distorted(PAYLOAD, chance)
        if isinstance(told, dict) and chance.random() < 0.5:
            told["tool_input"] = {"file_path": chance.choice([*VALUES["paths"], *VALUES["texts"], *VALUES["outside"]])}
        payload = json.dumps(told).encode()
        stdin = chance.choice([payload, payload, payload, mutated(payload, chance), b"[" * DEEP, b'{"a":' * DEEP, b""])
        outcome = CommandLine(victim)("hook", caller, event, "--debug", "--timeout", "0", stdin=stdin)
        withstood(outcome, stdin[:500])
        assert outcome.status == 0
        reason = outcome.err.partition(f"{event}: ")[2].partition(":")[0]
        assert not reason or " " in reason or reason.strip() in REFUSALS, (outcome.err, stdin[:500])
