"""A repository with a guide, decisions and code, read into the graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.context.focus.focus import focus
from tx_graph.context.focus.rules import TokensBy
from tx_graph.context.focus.values import FocusView
from tx_graph.documents.ingesting import Ingesting

GUIDE = """\
# Guide

What to know.

## Before

Old things.

### Ancient

Very old.

## Setup

How to begin.

### Install

Take a server.

### Configure

Depends on: [Tokens](auth.md#tokens)

Name the server.

#### Secrets

Hide them.

### Run

Start it.

## After

New things.

### Modern

Very new.
"""
AUTH = """\
# Auth

## Sessions

They end.

## Tokens

They rotate, after [the configuration](guide.md#configure).

### Rotation

Weekly.

## Users

- configured_by:: [[guide#configure]]

They log in.
"""


@pytest.fixture(scope="session")
def first_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return _made(tmp_path_factory.mktemp("focus"), monkeypatch)


@pytest.fixture
def project(first_project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A guide (`docs/guide.md`) and notes on authentication (`docs/auth.md`) that point at each other, and code."""
    return first_project.copied(tmp_path, monkeypatch)


def _made(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(directory, monkeypatch)
    found.write("docs/guide.md", GUIDE)
    found.write("docs/auth.md", AUTH)
    found.write("src/jwt.py", "class Keys:\n    def rotate(self):\n        return 1\n\n\ndef decode():\n    return 2\n")
    found.write("src/login.py", "from src.jwt import decode\n\n\ndef login():\n    return decode()\n")
    found.write("README.md", "# Project\n\nSee `src/jwt.py` and `decode()`.\n")
    read(found)
    return found


def read(project: Project) -> None:
    """Commit everything, and bring files and documents up to date."""
    project.git.commit()
    project.index()
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()


View = Callable[..., FocusView]


@pytest.fixture
def view(project: Project) -> View:
    """What is seen around a reference; each node counts as one unless told otherwise."""

    def look(ref: str, *, budget: int = 1_000, by: TokensBy = TokensBy.ITEMS, seed: int | None = None) -> FocusView:
        with project.open() as workspace:
            return focus(workspace.kernel, ref, budget=budget, tokens_by=by, seed=seed)

    return look


def order(seen: FocusView) -> list[tuple[str, str]]:
    """Return what is seen around, each with how it is related."""
    return [(one.note.ref, one.relationship.value) for one in seen.related]
