"""doc:extract and doc:link, as people and programs meet them."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.core.llm.fixtures import Serve, llm_home, serve
from tests.core.llm.openai_server import MODEL, Answer
from tests.documents.extracting.writings import chained, document, edge, saying
from tests.faces.cli.terminal import PROGRAM, CommandLine, Program

__all__ = ["llm_home", "serve"]

KEYS = {
    "model", "documents", "batches", "cached", "answered", "failed", "unasked", "edges", "dropped", "failures",
}  # fmt: skip

Write = Callable[..., None]


@pytest.fixture
def write(home: Path, tx: CommandLine) -> Write:
    """Writes documents, `a` being docs/a.md, and has them read."""

    def write(**documents: str) -> None:
        (home / "docs").mkdir(exist_ok=True)
        for name, text in documents.items():
            (home / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
        subprocess.run(["git", "add", "--all"], cwd=home, check=True)
        tx.ok("doc:ingest")

    return write


def test_a_run_says_what_came_of_it(tx: CommandLine, write: Write, serve: Serve) -> None:
    serve(lambda *_: saying([edge("docs/a.md#one", "docs/a.md#two"), edge("docs/a.md#one", "x")]))
    write(a=document("one", "two"))
    first = tx.ok("doc:extract", "--model", "local")
    assert first.out == (f"1 edge from 1 batch of 1 document, by {MODEL}.\nLeft out: 1 an end outside the batch.\n")
    again = tx.json("doc:extract", "-m", "local")
    assert again.keys() == KEYS
    assert (again["cached"], again["answered"], again["edges"]) == (1, 0, 1)
    assert again["dropped"]["unknown_id"] == 1


def test_an_edge_is_part_of_the_graph(tx: CommandLine, write: Write, serve: Serve) -> None:
    serve(lambda *_: saying([edge("docs/a.md#one", "docs/a.md#three")]))
    write(a=document("one", "two", "three"))
    tx.ok("doc:extract", "--model", "local")
    found = tx.json("graph:neighbors", "docs/a.md#one", "--depth", "1")["neighbors"]
    [[way]] = [one["edges"] for one in found if one["ref"] == "docs/a.md#three"]
    assert (way["relation"], way["weight"], way["description"]) == ("depends_on", 0.8, "so")


def test_a_batch_that_is_left_out_is_named(tx: CommandLine, write: Write, serve: Serve) -> None:
    def answering(question: str, number: int) -> Answer:
        return Answer(status=400, text="too long\x1b[2J") if "All about x" in question else chained(question, number)

    serve(answering)
    write(a=document("one", "two"), b=document("x", "y"))
    done = tx.ok("doc:extract", "--model", "local")
    assert "warning: a batch of docs/b.md is left out" in done.err
    assert "too long\\x1b" in done.err
    assert "Run the same again" in done.err
    found = tx.json("doc:extract", "--model", "local", "--docs", "docs/a.md,docs/b.md")
    assert (found["failed"], found["failures"][0]["document"]) == (1, "docs/b.md")


@pytest.mark.parametrize(("arguments", "way_out"), [(["doc:extract"], "--print-batches"), (["doc:link"], "--no-model")])
def test_without_a_model_the_error_names_the_way_without_one(
    tx: CommandLine, write: Write, llm_home: Path, arguments: list[str], way_out: str
) -> None:
    write(a=document("one", "two"))
    refused = tx(*arguments, "--json")
    assert refused.status == 7
    assert way_out in refused.error["hint"]


def test_a_dry_run_asks_nothing(tx: CommandLine, write: Write, serve: Serve) -> None:
    server = serve(chained)
    write(a=document("one", "two"))
    assert f"1 question to {MODEL}, about " in tx.ok("doc:extract", "--model", "local", "--dry-run").out
    assert tx.json("doc:extract", "--model", "local", "--dry-run").keys() == {
        "model", "documents", "batches", "cached", "tokens",
    }  # fmt: skip
    assert server.questions == []


def test_an_agent_can_be_the_model(tx: CommandLine, write: Write, home: Path, llm_home: Path) -> None:
    write(a=document("one", "two"), b=document("x", "y"))
    printed = [json.loads(line) for line in tx.ok("doc:extract", "--print-batches").out.splitlines()]
    assert [batch.keys() for batch in printed] == [{"batch", "document", "ids", "system", "prompt"}] * 2
    replies = [
        json.dumps({"batch": batch["batch"], "reply": {"edges": [edge(*batch["ids"]), edge("x", "y")]}})
        for batch in printed
    ]
    (home / "replies.jsonl").write_text("\n".join(replies), encoding="utf-8")
    done = tx.ok("doc:extract", "--apply", "replies.jsonl")
    assert done.out == "2 edges from 2 replies.\nLeft out: 2 an end outside the batch.\n"
    again = tx.ok("doc:extract", "--print-batches")
    assert (again.out, again.err) == ("", "There is nothing to ask about.\n")
    assert len(tx.json("doc:extract", "--print-batches", "--all")["batches"]) == 2
    assert tx.json("doc:extract", "--apply", "-", stdin=replies[0].encode())["edges"] == 1


def test_a_malformed_reply_is_named_by_its_line(tx: CommandLine, write: Write) -> None:
    write(a=document("one", "two"))
    refused = tx("doc:extract", "--apply", "-", stdin=b"\n{")
    assert refused.status == 2
    assert "Line 2 is not valid JSON" in refused.err
    assert "nothing was stored" in refused.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["doc:extract", "--batch-size", "4", "--overlap", "4"],
        ["doc:extract", "--batch-size", "1"],
        ["doc:extract", "--workers", "0"],
        ["doc:extract", "--timeout", "0"],
        ["doc:extract", "--min-weight", "2"],
        ["doc:extract", "--max-edges-per-chunk", "-1"],
        ["doc:extract", "--dry-run", "--print-batches"],
        ["doc:extract", "--print-batches", "--apply", "x"],
        ["doc:extract", "--apply", "x", "--model", "local"],
        ["doc:extract", "--all"],
        ["doc:extract", "--docs", ""],
        ["doc:extract", "--docs", ",", "--print-batches"],
        ["doc:link", "--docs", " , ", "--no-model"],
        ["doc:extract", "--apply", "missing.jsonl"],
        ["doc:link", "--threshold", "0"],
        ["doc:link", "--threshold", "1.1"],
        ["doc:link", "--batch-size", "1"],
        ["doc:link", "--max-pairs", "0"],
        ["doc:link", "--no-model", "--model", "local"],
    ],
)
def test_what_makes_no_sense_is_refused(tx: CommandLine, arguments: list[str]) -> None:
    assert tx(*arguments).status == 2


def test_an_interrupted_run_keeps_what_was_answered(program: Program, write: Write, serve: Serve) -> None:
    held = threading.Event()

    def answering(question: str, number: int) -> Answer:
        if number == 1:
            return chained(question, number)
        held.set()
        return Answer(hold=threading.Event())

    server = serve(answering)
    write(a=document("one", "two", "three", "four"))
    command = [*PROGRAM, "doc:extract", "--model", "local", "--batch-size", "2", "--workers", "1"]
    running = subprocess.Popen(
        command, cwd=program.directory, env=program.environment(), stderr=subprocess.PIPE, text=True
    )
    assert held.wait(timeout=60)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "What was answered is kept" in said
    assert server.hung_up.acquire(timeout=10)
    server.answering = chained
    done = json.loads(program(*command[len(PROGRAM) :], "--json").out)
    assert (done["cached"], done["answered"], done["edges"]) == (1, 1, 2)
    assert len(server.questions) == 3


def test_help_and_plans_of_agents_need_no_library_of_models(program: Program) -> None:
    shown = program("doc:extract", "--help")
    assert "tx doc:extract --print-batches" in shown.out
