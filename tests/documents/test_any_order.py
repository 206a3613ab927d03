"""Whatever is done to documents, what follows step by step equals one reading of it all: the graph, facts, mentions."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.opened import open_workspace
from tests.documents.support import DOCUMENTS, FACTS, LONG, dump
from tests.git_sandbox import GitSandbox
from tx_graph.documents.ingesting import Ingesting
from tx_graph.workspace import prepare


class World(NamedTuple):
    """What files are made of, and what is looked at; `is_odd`: some cannot be read, and paragraphs change places."""

    queries: Mapping[str, str]
    places: str
    front: Sequence[str]
    pieces: Sequence[str]
    code: Sequence[str]
    is_odd: bool = False


GRAPH = World(
    queries=DOCUMENTS,
    places="README.md docs/a.md docs/b.md docs/sub/c.md docs/d.rst notes.txt src/auth.py",
    front=["", "---\ntitle: Chosen\nrelated: [docs/b.md]\n---\n", "---\nbroken: [\n---\n"],
    pieces=[
        "# Title\n\nSee [b](b.md#part) and [[a]].\n",
        "## Part\n\nThe function `login()` in `src/auth.py`.\n",
        "## Part\n\nSaid otherwise: `AuthService.login` and [gone](gone.md).\n",
        "### Deep\n\n- depends_on:: [[b#part]]\n- supersedes:: [[a]]\n",
        "## Part\n\n## Part\n",
        "# Part\n\nThe function `login()` in `src/auth.py`.\n\n# Other\n\nmoved\n",
        "## Other\n\nText that [links](#other) to itself, to [up](../README.md) and to [there](sub/c.md#deep).\n",
        "Setext\n======\n\nunder it\n",
        LONG,
        "> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "Section\n-------\n\n.. _label:\n\nMore\n~~~~\n\n:ref:`label` and :doc:`d`.\n",
        "",
    ],
    code=["class AuthService:\n    def login(self): ...\n", "def login(): ...\n", "class Other: ...\n"],
    is_odd=True,
)
KNOWN = World(
    queries=FACTS,
    places="""docs/adr/0001-sqlite.md docs/adr/0002-postgres.md docs/adr/0003-both.md old/adr/0001-first.md README.md
        docs/all.md docs/guide.rst src/store.py""",
    front=[
        "",
        "---\ntitle: The store\ntags: [storage, sql]\naliases: [StoreBook]\n---\n",
        "---\nstatus: draft\nowner: Ada\nrelated: [docs/adr/0001-sqlite.md, Billing Service]\ntype: concept\n---\n",
        "---\nsupersedes: ADR-1\nnext: docs/all.md\n---\n",
    ],
    pieces=[
        "# 1. Use SQLite\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n",
        "# 2. Use PostgreSQL\n\n* Status: Accepted, superseded by [ADR-1](0001-sqlite.md)\n* Deciders: Ada, Ben\n",
        "## Status\n\nSuperseded by ADR-0003\n",
        "# Decisions\n\n## ADR-1: Use DuckDB\n\nStatus: Accepted\n\n## ADR-2: Use Kafka\n\n- needs:: [[0001-sqlite]]\n",
        "# The store\n\nWe use Kafka and DuckDB, as ADR-1 and ADR 2 say; see src/store.py and `Store`.\n",
        "# The store\n\n- replaces:: [it](../all.md#adr-1-use-duckdb)\n- team:: Pay\n- uses:: [[Billing Service]]\n",
        "## More\n\nThe StoreBook speaks of the Billing Service; Use SQLite, said the tag.\n",
        "## Links\n\n- implemented_in:: `src/store.py`\n- see_also:: [store](../src/store.py)\n",
    ],
    code=["class Store: ...\n", "class Other: ...\n"],
)


def content(world: World, path: Path, chance: random.Random) -> bytes:
    if path.suffix == ".py":
        return chance.choice(world.code).encode()
    if world.is_odd and chance.random() < 0.05:
        return chance.choice([b"\xff\xfe broken", b"binary \0 data"])
    return (chance.choice(world.front) + "\n".join(chance.sample(world.pieces, chance.randint(0, 5)))).encode()


def step(world: World, root: Path, chance: random.Random) -> None:
    """Change, remove, rename or shuffle something."""
    places = world.places.split()
    path, action = root / chance.choice(places), chance.random()
    if action < 0.15:
        path.unlink(missing_ok=True)
    elif action < 0.3 and path.exists() and (world.is_odd or path.suffix != ".py"):
        target = root / chance.choice([place for place in places if not place.endswith(".py")])
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)
    elif world.is_odd and action < 0.5 and path.exists() and path.suffix != ".py":
        lines = path.read_bytes().split(b"\n\n")
        chance.shuffle(lines)
        path.write_bytes(b"\n\n".join(lines))
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(world, path, chance))


def brought_up_to_date(root: Path) -> None:
    with open_workspace(root) as workspace:
        workspace.indexing.run()
        workspace.kernel.one(Ingesting).run()


def seeds(quick: int, every: int) -> list[object]:
    return [*range(quick), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, every))]


def equals_a_fresh_reading(world: World, seed: int, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    sandbox = GitSandbox(directory / "project", monkeypatch)
    prepare(sandbox.root)
    (sandbox.root / ".tx" / "config.toml").write_text('embedder = "none"\n')
    for _ in range(6):
        for _ in range(chance.randint(1, 4)):
            step(world, sandbox.root, chance)
        sandbox.git("add", "--all")
        brought_up_to_date(sandbox.root)
        stepwise = dump(sandbox.root, world.queries)
        for file in (sandbox.root / ".tx").glob("graph.db*"):
            shutil.move(file, directory / file.name)
        brought_up_to_date(sandbox.root)
        assert stepwise == dump(sandbox.root, world.queries)
        for file in (sandbox.root / ".tx").glob("graph.db*"):
            file.unlink()
        for file in directory.glob("graph.db*"):
            shutil.move(file, sandbox.root / ".tx" / file.name)


@pytest.mark.parametrize("seed", seeds(5, 10))
def test_the_graph_is_that_of_a_fresh_reading(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    equals_a_fresh_reading(GRAPH, seed, tmp_path, monkeypatch)


@pytest.mark.parametrize("seed", seeds(4, 14))
def test_facts_are_those_of_a_fresh_reading(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    equals_a_fresh_reading(KNOWN, seed, tmp_path, monkeypatch)
