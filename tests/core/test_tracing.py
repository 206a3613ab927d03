"""Whoever looks from outside sees what was done: as lines, as JSON, as spans of OpenTelemetry."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MakeRepository
from tests.faces.cli.terminal import CommandLine
from tests.isolation import ROOT

TRACED = """
import sys
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tx_graph import open_workspace
spans = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
trace.set_tracer_provider(provider)
with open_workspace(sys.argv[1]) as workspace:
    workspace.search("tokens")
for one in spans.get_finished_spans():
    print(one.name, dict(one.attributes))
"""


@pytest.fixture
def root(repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TX_MODEL_DIR", "nowhere")
    found = repository(files={"src/auth.py": "def login():\n    return 1\n"}).root
    CommandLine(found).ok("init")
    return found


def said(root: Path, *arguments: str, **environment: str) -> str:
    """Return what a command in a process of its own says on stderr."""
    from os import environ

    command = [sys.executable, "-m", "tx_graph", "-C", str(root), *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environ | environment, capture_output=True, text=True, check=False)
    return done.stderr


def test_lines_say_what_was_done_and_more_of_it_where_more_is_asked(root: Path) -> None:
    assert "tx: index ms=" in said(root, "-v", "index")
    assert "tx: git arguments=ls-files" not in said(root, "-v", "index")
    assert "tx: git arguments=ls-files" in said(root, "-vv", "index")
    assert "tx:" not in said(root, "context", "login")


def test_json_lines_hold_time_level_event_and_facts(root: Path) -> None:
    lines = [json.loads(line) for line in said(root, "context", "login", TX_LOG="info,json").splitlines()]
    retrieved = [one for one in lines if one.get("event") == "retrieve"]
    assert {one["what"] for one in retrieved} >= {"files"}
    assert all(one["level"] == "info" and one["ms"] >= 0 and one["at"].endswith("Z") for one in retrieved)


def test_what_fails_says_so(root: Path) -> None:
    assert "error=NotFound" in said(root, "-v", "learning:show", "99")


def test_a_level_that_does_not_exist_is_refused(root: Path) -> None:
    assert "TX_LOG is 'loud'." in said(root, "status", TX_LOG="loud")


def test_the_profile_names_functions(root: Path) -> None:
    assert "cumtime" in said(root, "--profile", "status")


def test_spans_reach_the_sdk_that_the_program_has_set_up(root: Path) -> None:
    command = [sys.executable, "-c", TRACED, str(root)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "tx.retrieve {'tx.what': 'learnings'}" in done.stdout
