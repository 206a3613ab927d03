"""Whatever is done to documents, what is known of facts and mentions step by step equals one reading of it all."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tests.documents.statements_support import dump
from tests.git_sandbox import GitSandbox
from tx_graph.documents.ingesting import Ingesting
from tx_graph.workspace import open_workspace, prepare

PLACES = [
    *("docs/adr/0001-sqlite.md", "docs/adr/0002-postgres.md", "docs/adr/0003-both.md", "old/adr/0001-first.md"),
    *("README.md", "docs/all.md", "docs/guide.rst", "src/store.py"),
]
FRONT = [
    "",
    "---\ntitle: The store\ntags: [storage, sql]\naliases: [StoreBook]\n---\n",
    "---\nstatus: draft\nowner: Ada\nrelated: [docs/adr/0001-sqlite.md, Billing Service]\ntype: concept\n---\n",
    "---\nsupersedes: ADR-1\nnext: docs/all.md\n---\n",
]
PIECES = [
    "# 1. Use SQLite\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n",
    "# 2. Use PostgreSQL\n\n* Status: Accepted, superseded by [ADR-1](0001-sqlite.md)\n* Deciders: Ada, Ben\n",
    "## Status\n\nSuperseded by ADR-0003\n",
    "# Decisions\n\n## ADR-1: Use DuckDB\n\nStatus: Accepted\n\n## ADR-2: Use Kafka\n\n- needs:: [[0001-sqlite]]\n",
    "# The store\n\nWe use Kafka and DuckDB, as ADR-1 and ADR 2 say; see src/store.py and `Store`.\n",
    "# The store\n\n- replaces:: [all](../all.md#adr-1-use-duckdb)\n- team:: Payments\n- uses:: [[Billing Service]]\n",
    "## More\n\nThe StoreBook speaks of the Billing Service; Use SQLite, said the tag.\n",
    "## Links\n\n- implemented_in:: `src/store.py`\n- see_also:: [store](../src/store.py)\n",
]
CODE = ["class Store: ...\n", "class Other: ...\n"]


def content(path: str, chance: random.Random) -> str:
    if path.endswith(".py"):
        return chance.choice(CODE)
    return chance.choice(FRONT) + "\n".join(chance.sample(PIECES, chance.randint(0, 4)))


def step(sandbox: GitSandbox, chance: random.Random) -> None:
    """Change, remove or rename something."""
    path = sandbox.root / chance.choice(PLACES)
    action = chance.random()
    if action < 0.15:
        path.unlink(missing_ok=True)
    elif action < 0.3 and path.exists() and path.suffix != ".py":
        target = sandbox.root / chance.choice([place for place in PLACES if not place.endswith(".py")])
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content(str(path), chance))


def brought_up_to_date(root: Path) -> None:
    with open_workspace(root) as workspace:
        workspace.indexing.run()
        workspace.kernel.one(Ingesting).run()


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 80))])
def test_any_sequence_of_edits_equals_a_fresh_reading(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    sandbox = GitSandbox(tmp_path / "project", monkeypatch)
    prepare(sandbox.root)
    (sandbox.root / ".tx" / "config.toml").write_text('embedder = "none"\n')
    for _ in range(6):
        for _ in range(chance.randint(1, 4)):
            step(sandbox, chance)
        sandbox.git("add", "--all")
        brought_up_to_date(sandbox.root)
        stepwise = dump(sandbox.root)
        for file in (sandbox.root / ".tx").glob("graph.db*"):
            shutil.move(file, tmp_path / file.name)
        brought_up_to_date(sandbox.root)
        assert stepwise == dump(sandbox.root)
        for file in (sandbox.root / ".tx").glob("graph.db*"):
            file.unlink()
        for file in tmp_path.glob("graph.db*"):
            shutil.move(file, sandbox.root / ".tx" / file.name)
