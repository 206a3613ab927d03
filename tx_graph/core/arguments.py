"""What a use case tells the faces of its parameters, beside their names, types and defaults.

    def add(self, title: Annotated[str, Arg("TITLE", "What is to be done, in one line.")]) -> Task:

The command line makes arguments and options of it, MCP a schema, and the reference pages their text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Protocol


class Reads(StrEnum):
    """Where the command line may find a text instead of the text itself. Other faces are given the text."""

    STDIN = "stdin"  # '-' stands for stdin
    FILE = "file"  # a file is named, and '-' stands for stdin


@dataclass(frozen=True, slots=True)
class Arg:
    """What faces tell of one parameter. One that has no `Arg` is for Python alone.

    A keyword-only parameter is an option, `--with-its-name`; every other is an argument, unless it has a `flag`.
    """

    metavar: str = ""
    """What stands for the value in a help text; completion goes by it."""
    help: str = ""
    flag: str = ""
    """The names of the option, where they are not the parameter's: `--id`, or `-n --limit`."""
    reads: Reads | None = None
    most_bytes: int = 0
    """The most that a file may have."""
    none: str = ""
    """The word for None among the choices."""
    is_split: bool = True
    """Whether commas part the members of a list, also where the option is repeated."""
    mcp: str | None = None
    """What MCP says of it, which may be nothing; None where MCP does not have it."""
    least: float | None = None
    most: float | None = None
    """The range that MCP checks; the use case checks it for everybody else."""


class HasRef(Protocol):
    """What bears the reference of a node: a stored learning, a task, a neighbour, an entity or a fact."""

    @property
    def ref(self) -> str:
        """The reference, such as `learning:12`."""


Ref = str | int | HasRef
"""What names a node, a reference (`12`, `k7f3q`, `src/auth.py::login`, `task:7`), a number, or part of an answer."""


def ref_of(named: Ref) -> str:
    """Return the reference as a text."""
    return str(named) if isinstance(named, str | int) else named.ref


def choices(kind: type[StrEnum], *others: str) -> str:
    """Return what an option accepts, in words."""
    *most, last = [*(member.value for member in kind), *others]
    return f"{', '.join(most)} or {last}"


TaskRef = Annotated[Ref, Arg("TASK", "Its number, or what a tracker calls it, such as GH-123.", mcp="")]
RunRef = Annotated[Ref, Arg("RUN", "Its number.", mcp="")]
LearningRef = Annotated[Ref, Arg("LEARNING", "Its number, uid, or the beginning of its uid.", mcp="")]
NodeRef = Annotated[Ref, Arg("REF", "A learning, a path, PATH::SYMBOL, docs/a.md#part, task:7 or run:9.", mcp="")]
Limit = Annotated[int, Arg("N", "Most results to show, 1 to 10,000.", flag="-n --limit", least=1, most=10_000)]
