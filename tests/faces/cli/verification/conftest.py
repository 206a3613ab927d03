from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import Checkout
from tests.git_sandbox import use_settings

AUTH = """\
import os


def login(age: int) -> bool:
    # The law says so.
    return age >= 18


def logout() -> None:
    os.environ.pop("USER")
"""


@pytest.fixture(scope="session")
def origin(prepared: Prepared) -> Path:
    """A workspace with one function, `src/auth.py::login`, and one learning about it, committed."""
    adding = ["learning:add", "Only adults may enter", "--anchor", "src/auth.py::login"]
    root = prepared(adding, files={"src/auth.py": AUTH})
    with pytest.MonkeyPatch.context() as monkeypatch:
        use_settings(monkeypatch)
        Checkout(root).commit("Learn")
    return root
