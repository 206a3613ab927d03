"""Whatever is done to documents, what follows step by step equals one reading of it all."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tests.documents.support import LONG, dump
from tests.git_sandbox import GitSandbox
from tx_graph.documents.ingesting import Ingesting
from tx_graph.workspace import open_workspace, prepare

PLACES = ["README.md", "docs/a.md", "docs/b.md", "docs/sub/c.md", "docs/d.rst", "notes.txt", "src/auth.py"]
PIECES = [
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
]
FRONT = ["", "---\ntitle: Chosen\nrelated: [docs/b.md]\n---\n", "---\nbroken: [\n---\n"]
CODE = ["class AuthService:\n    def login(self): ...\n", "def login(): ...\n", "class Other: ...\n"]


def content(path: str, chance: random.Random) -> bytes:
    if path.endswith(".py"):
        return chance.choice(CODE).encode()
    if chance.random() < 0.05:
        return chance.choice([b"\xff\xfe broken", b"binary \0 data"])
    pieces = chance.sample(PIECES, chance.randint(0, 5))
    return (chance.choice(FRONT) + "\n".join(pieces)).encode()


def step(sandbox: GitSandbox, chance: random.Random) -> None:
    """Change, remove, rename or shuffle something."""
    path = sandbox.root / chance.choice(PLACES)
    action = chance.random()
    if action < 0.15:
        path.unlink(missing_ok=True)
    elif action < 0.3 and path.exists():
        target = sandbox.root / chance.choice([place for place in PLACES if not place.endswith(".py")])
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)
    elif action < 0.5 and path.exists() and path.suffix != ".py":
        lines = path.read_bytes().split(b"\n\n")
        chance.shuffle(lines)
        path.write_bytes(b"\n\n".join(lines))
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(str(path), chance))


def brought_up_to_date(root: Path) -> None:
    with open_workspace(root) as workspace:
        workspace.indexing.run()
        workspace.kernel.one(Ingesting).run()


@pytest.mark.parametrize("seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 60))])
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
