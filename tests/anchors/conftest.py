"""The bank, with a learning about how it reckons interest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.anchors.bank import Bank


@pytest.fixture(scope="session")
def first_bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    with pytest.MonkeyPatch.context() as monkeypatch:
        bank = Bank(tmp_path_factory.mktemp("bank"), monkeypatch)
        bank.add("Interest is monthly.", "bank.py::interest")
    return bank


@pytest.fixture
def bank(first_bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """A bank with one learning, tied to one function."""
    return first_bank.copied(tmp_path, monkeypatch)
