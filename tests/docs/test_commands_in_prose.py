"""Commands that a page names in a sentence exist, and have the options that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from scripts.reference import help_texts
from tests.docs.blocks import COMMONMARK, ROOT, pages
from tx_graph.faces.operations import spelled_out

_COMMAND = re.compile(r"tx (?:-C \S+ )?(?P<name>[a-z]+(?::[a-z-]+)?)(?P<rest>\b.*)")
_OPTION = re.compile(r"(?<!\S)--[a-z-]+")
_OF_ALL = {"--help", "--json", "--version"}


@pytest.fixture(scope="module")
def helps() -> Mapping[str, str]:
    """What each command says of itself, by its name."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("COLUMNS", "100")
        parts = re.split(r"^## tx (\S+)$", help_texts(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_in_sentences_exist(page: Path, helps: Mapping[str, str]) -> None:
    wrong = [f"{page.relative_to(ROOT)}:{line}: {text}" for line, text in spans(page) if not exists(text, helps)]
    assert not wrong


def spans(page: Path) -> Iterator[tuple[int, str]]:
    """Yield every piece of code in a sentence, with the line at which its paragraph begins."""
    for token in COMMONMARK.parse(page.read_text(encoding="utf-8")):
        for child in token.children or ():
            if child.type == "code_inline":
                yield (token.map or [0])[0] + 1, child.content


def exists(text: str, helps: Mapping[str, str]) -> bool:
    """Tell whether a piece of code is no command of ours, or one that there is."""
    found = _COMMAND.match(text)
    if found is None:
        return True
    name, *rest = spelled_out([found["name"], *found["rest"].split()])
    known = helps.get(name)
    return known is not None and all(one in _OF_ALL or one in known for one in _OPTION.findall(" ".join(rest)))
