from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.completion.prompt import install_tx
from tests.faces.cli.conftest import Prepared


@pytest.fixture(scope="session")
def known(prepared: Prepared) -> Path:
    """The root of a workspace to complete from: learnings, files, tasks, runs, facts and the sections of a guide."""
    return prepared(
        "config set embedder none",
        ["learning:add", "Compare tokens in constant time\n\nElse they leak."],
        ["learning:add", "Migrations \x1b[31mare: atomic"],
        "task:add 'Cache the index'",
        "task:add 'Repair the login' --id GH-123",
        "task:add 'Write the manual' --id GH-124",
        "task:done 2",
        "run:start --task 2",
        "run:start --agent claude",
        "fact:add 'Billing service' uses DuckDB",
        "fact:add DuckDB is --value fast",
        "entity:edit DuckDB --type tool",
        "doc:ingest",
        files={
            "docs/guide.md": "# Guide\n\n## Setup\n\nInstall it.\n\n## Usage\n\nRun it.\n",
            "notes.md": "",
            "src/.hidden": "",
            "src/deep/jwt utils.py": "",
        },
    )


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which a shell finds `tx`."""
    return install_tx(tmp_path_factory.mktemp("bin") / "bin")
