"""doc:extract and doc:link, as people and programs meet them."""

from __future__ import annotations

import json
import re
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.llm.fixtures import Serve, llm_home, serve
from tests.core.llm.openai_server import MODEL, Answer
from tests.documents.extracting.writings import chained, document, edge, saying
from tests.faces.cli.terminal import Checkout, CommandLine, Program

__all__ = ["llm_home", "serve"]

KEYS = {
    "model", "documents", "batches", "cached", "answered", "failed", "unasked", "edges", "dropped", "failures",
    "tokens",
}  # fmt: skip
EXTRACT = "doc:extract --model local"

Write = Callable[..., None]


@pytest.fixture
def write(checkout: Checkout, tx: CommandLine) -> Write:
    """Writes documents, `a` being docs/a.md, and has them read."""

    def write(**documents: str) -> None:
        for name, text in documents.items():
            checkout.write(f"docs/{name}.md", text)
        checkout.git("add", "--all")
        tx.ok("doc:ingest")

    return write


def test_a_run_says_what_came_of_it_and_its_edges_are_part_of_the_graph(
    tx: CommandLine, write: Write, serve: Serve
) -> None:
    serve(lambda *_: saying([edge("docs/a.md#one", "docs/a.md#three"), edge("docs/a.md#one", "x")]))
    write(a=document("one", "two", "three"))
    first = tx.ok(EXTRACT)
    said = [f"1 edge from 1 batch of 1 document, by {MODEL}.", "Left out: 1 an end outside the batch."]
    assert first.out.splitlines()[:2] == said
    assert re.fullmatch(r"Asked: 1 question of about \d+ tokens\.", first.out.splitlines()[2])
    again = tx.json("doc:extract -m local")
    assert again.keys() == KEYS
    assert (again["cached"], again["answered"], again["edges"], again["dropped"]["unknown_id"]) == (1, 0, 1, 1)
    found = tx.json("graph:neighbors docs/a.md#one --depth 1")["neighbors"]
    [[way]] = [one["edges"] for one in found if one["ref"] == "docs/a.md#three"]
    assert (way["relation"], way["weight"], way["description"]) == ("depends_on", 0.8, "so")


def test_a_batch_that_is_left_out_is_named(tx: CommandLine, write: Write, serve: Serve) -> None:
    def answering(question: str, number: int) -> Answer:
        return Answer(status=400, text="too long\x1b[2J") if "All about x" in question else chained(question, number)

    serve(answering)
    write(a=document("one", "two"), b=document("x", "y"))
    done = tx.ok(EXTRACT)
    for said in ("warning: a batch of docs/b.md is left out", "too long\\x1b", "Run the same again"):
        assert said in done.err
    found = tx.json(f"{EXTRACT} --docs docs/a.md,docs/b.md")
    assert (found["failed"], found["failures"][0]["document"]) == (1, "docs/b.md")


def test_a_dry_run_asks_nothing(tx: CommandLine, write: Write, serve: Serve) -> None:
    server = serve(chained)
    write(a=document("one", "two"))
    assert f"1 question to {MODEL}, about " in tx.ok(f"{EXTRACT} --dry-run").out
    assert tx.json(f"{EXTRACT} --dry-run").keys() == {"model", "documents", "batches", "cached", "tokens"}
    assert server.questions == []


def test_an_agent_can_be_the_model(tx: CommandLine, write: Write, checkout: Checkout, llm_home: Path) -> None:
    write(a=document("one", "two"), b=document("x", "y"))
    printed = [json.loads(line) for line in tx.ok("doc:extract --print-batches").out.splitlines()]
    assert [batch.keys() for batch in printed] == [{"batch", "document", "ids", "system", "prompt"}] * 2
    replies = [
        json.dumps({"batch": batch["batch"], "reply": {"edges": [edge(*batch["ids"]), edge("x", "y")]}})
        for batch in printed
    ]
    checkout.write("replies.jsonl", "\n".join(replies))
    done = tx.ok("doc:extract --apply replies.jsonl")
    assert done.out == "2 edges from 2 replies.\nLeft out: 2 an end outside the batch.\n"
    again = tx.ok("doc:extract --print-batches")
    assert (again.out, again.err) == ("", "There is nothing to ask about.\n")
    assert len(tx.json("doc:extract --print-batches --all")["batches"]) == 2
    assert tx.json("doc:extract --apply -", stdin=replies[0].encode())["edges"] == 1
    refused = tx("doc:extract --apply -", stdin=b"\n{")
    assert refused.status == 2
    assert "Line 2 is not valid JSON" in refused.err
    assert "nothing was stored" in refused.err


@pytest.mark.slow
def test_an_interrupted_run_keeps_what_was_answered(program: Program, write: Write, serve: Serve) -> None:
    held = threading.Event()

    def answering(question: str, number: int) -> Answer:
        if number == 1:
            return chained(question, number)
        held.set()
        return Answer(hold=threading.Event())

    server = serve(answering)
    write(a=document("one", "two", "three", "four"))
    command = f"{EXTRACT} --batch-size 2 --workers 1"
    running = program.start(command)
    assert held.wait(timeout=60)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, b"What was answered is kept" in said) == (130, True)
    assert server.hung_up.acquire(timeout=10)
    server.answering = chained
    done = program(f"{command} --json").document
    assert (done["cached"], done["answered"], done["edges"]) == (1, 1, 2)
    assert len(server.questions) == 3
