"""Questions about the documents of real repositories, and the sections that answer them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_DIRECTORY = Path(__file__).with_name("question_sets")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What somebody asks, in words of their own, and the references of all sections that answer it.

    `kind` says what it takes: `look-up`, `paraphrase`, `configuration`, `conceptual`, or `related` where the answer
    is not complete without a section that another one leads to. What is held out is not tuned on.
    """

    text: str
    kind: str
    answers: tuple[str, ...]
    held_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSet:
    """The questions about one repository, as its documents were at one commit."""

    name: str
    url: str
    commit: str
    questions: tuple[Question, ...]


def question_sets() -> Iterator[QuestionSet]:
    """Yield the sets that come with the benchmark, by name."""
    return (read_questions(file) for file in sorted(_DIRECTORY.glob("*.toml")))


def read_questions(file: Path) -> QuestionSet:
    """Return the questions that a TOML file holds."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    asked: Sequence[Mapping[str, Any]] = content.pop("question")
    return QuestionSet(**content, questions=tuple(_question(one) for one in asked))


def _question(written: Mapping[str, Any]) -> Question:
    return Question(**{**written, "answers": tuple(written["answers"])})
