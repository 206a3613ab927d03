from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.faces.cli.verification.checkout import AUTH, Checkout


@pytest.fixture
def checkout(home: Path, tx: CommandLine) -> Checkout:
    """A workspace with one function, `src/auth.py::login`, and one learning about it, committed."""
    made = Checkout(home)
    made.write("src/auth.py", AUTH)
    tx.add("Only adults may enter", "--anchor", "src/auth.py::login")
    made.commit("Learn")
    return made
