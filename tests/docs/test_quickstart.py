"""The first of the README's two commands, in a clone as a new user has it: nothing is there but Python and git."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs import checkout

pytestmark = pytest.mark.slow


def test_the_quickstart_installs_tx_and_answers_a_question_about_this_repository(tmp_path: Path) -> None:
    target = tmp_path / "tx"
    checkout.clone(target)
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("TX_", "GIT_", "PYTHON"))}
    done = subprocess.run(
        ["scripts/quickstart"],
        cwd=target,
        env=bare | {"PYTHON": sys.executable},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answer = done.stdout.partition("$ tx learning:search")[2]
    assert "tx_graph/core/sqlite.py" in answer.partition("$ tx context")[0]
    assert "## Where to look" in answer
    assert (target / ".venv" / "bin" / "tx").exists()
