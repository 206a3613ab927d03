"""Corpora: repositories and sources written into one text file, together with what should be found in them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tx_graph.code.parsing import SourceReading, read_source

FIXTURES = Path(__file__).parents[1] / "fixtures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A small repository: its files, and the fields of what is expected and of what is left unscored."""

    files: dict[str, str] = field(default_factory=dict)
    expected: list[list[str]] = field(default_factory=list)
    unscored: list[list[str]] = field(default_factory=list)


def corpora(kind: str) -> list[Path]:
    """Return the corpus files of one kind."""
    return sorted((FIXTURES / kind).glob("*.txt"))


def load(path: Path) -> Corpus:
    """Return the corpus in a file: `=== path` starts a file, `-->` and `???` lines follow the last one."""
    corpus, current = Corpus(), ""
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("=== "):
            current = line[4:].strip()
            corpus.files[current] = ""
        elif line.startswith("--> "):
            corpus.expected.append(line[4:].split(" "))
        elif line.startswith("??? "):
            corpus.unscored.append(line[4:].split(" "))
        elif current:
            corpus.files[current] += line
    return corpus


FACTS: dict[str, Callable[[SourceReading], Any]] = {
    "imports": lambda found: [(one.module, one.name) for one in found.specifiers],
    "modules": lambda found: [one.module for one in found.specifiers],
    "module_names": lambda found: [one.name for one in found.specifiers],
    "module_lines": lambda found: [(one.module, one.line) for one in found.specifiers],
    "types": lambda found: {one.module: str(one.type) for one in found.specifiers},
    "scopes": lambda found: [(one.scope, one.module) for one in found.specifiers],
    "names": lambda found: [one.name for one in found.symbols if not one.is_detail],
    "kinds": lambda found: {one.name: one.kind for one in found.symbols if not one.is_detail},
    "lines": lambda found: {one.name: one.lines for one in found.symbols if not one.is_detail},
    "places": lambda found: [(one.name, *one.lines) for one in found.symbols if not one.is_detail],
    "signatures": lambda found: {one.name: one.signature for one in found.symbols if not one.is_detail},
    "package": lambda found: found.surface.package,
    "offers": lambda found: [one.name for one in found.surface.offers],
    "uses": lambda found: [*found.surface.uses],
}
"""What can be asked of a source that was read."""


def reads(fact: str, default: str) -> Callable[..., Any]:
    """Return the function that tells one fact of a source, read under a path."""

    def told(source: str | bytes, path: str = default) -> Any:  # noqa: ANN401 - each fact has its own shape
        return FACTS[fact](read_source(path, source if isinstance(source, bytes) else source.encode()))

    return told


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What shows a rule: lines of text below a path or language, and what is expected of them, by what is asked."""

    about: str
    lines: list[str]
    expected: dict[str, Any]


def rules(kind: str) -> dict[str, list[Case]]:
    """Return the rules of a kind of corpora with their cases: `=== about: rule`, lines, `--> asked == value` lines."""
    found: dict[str, list[Case]] = {}
    for corpus in corpora(kind):
        for text in corpus.read_text(encoding="utf-8").removeprefix("=== ").split("\n=== "):
            head, *lines = text.rstrip("\n").split("\n")
            about, _, rule = head.partition(": ")
            told = [line.removeprefix("--> ").partition(" == ") for line in lines if line.startswith("--> ")]
            case = Case(
                about=about,
                lines=[line for line in lines if not line.startswith("--> ")],
                expected={asked: ast.literal_eval(value) for asked, _, value in told},
            )
            found.setdefault(f"{corpus.stem}: {rule}", []).append(case)
    return found
