"""The bank, with a learning about how it reckons interest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.services.anchor_life.bank import Bank


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """A bank with one learning, tied to one function."""
    bank = Bank(tmp_path, monkeypatch)
    bank.add("Interest is monthly.", "bank.py::interest")
    return bank
