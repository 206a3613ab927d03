"""What is read first stays short: the README is one page with two pictures, the help of all one screen."""

from __future__ import annotations

import pytest

from tests.docs.blocks import ROOT
from tx_graph.faces.cli.help import overview

_README = 120
_SCREEN = 30


def test_the_readme_is_one_page_with_two_pictures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= _README
    pictures = [line for line in text.splitlines() if line.startswith("![")]
    assert len(pictures) == 2
    assert all((ROOT / picture.partition("](")[2].rstrip(")")).is_file() for picture in pictures)


@pytest.mark.parametrize("columns", ["80", "100", "200"])
def test_the_help_of_all_is_one_screen(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert len(overview().splitlines()) <= _SCREEN
