"""Corpora: small repositories written into one text file, together with what should be found in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

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
