"""What a use case tells the faces of its parameters, beside their names, types and defaults.

    def add(self, title: Annotated[str, Arg("TITLE", "What is to be done, in one line.")]) -> Task:

The command line makes arguments and options of it, MCP a schema, and the reference pages their text.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Protocol, Union, get_args, get_origin, get_type_hints

from tx_graph.core.dataclass import dataclass


class Reads(StrEnum):
    """Where the command line may find a text instead of the text itself. Other faces are given the text."""

    STDIN = "stdin"  # '-' stands for stdin, and so does a missing argument
    DASH = "dash"  # '-' stands for stdin, and nothing else does
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
    """The most that a file may have; 0 where it may have any number."""
    none: str = ""
    """The word for None among the choices."""
    is_split: bool = True
    """Whether commas part the members of a list, also where the option is repeated."""
    mcp: str | None = None
    """What MCP says of it, which may be nothing; None where MCP does not have it."""
    least: float | None = None
    most: float | None = None
    """The range that MCP checks; the use case checks it for everybody else. Of a list, how many it must have."""


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
NodeRef = Annotated[
    Ref,
    Arg(
        "REF",
        "A learning, a path, PATH::SYMBOL, docs/a.md#part, task:7 or run:9.",
        mcp="12, a uid, PATH, PATH::SYMBOL, docs/a.md#part, entity:NAME, task:7",
    ),
]
Force = Annotated[bool, Arg(help="Even if it may hold a secret.")]
ShareFeedback = Annotated[bool, Arg(help="Write it to a record, which git carries: it counts in every clone.")]
_HUB = "Also show what the hub knows from other repositories."
WithHub = Annotated[bool, Arg(help=_HUB, mcp="")]
WithHubFirst = Annotated[bool, Arg(help=_HUB, mcp="other repositories too")]  # the tool that clients are told of first
Limit = Annotated[int, Arg("N", "Most results to show, 1 to 10,000.", flag="-n --limit", least=1, most=10_000)]


UseCase = Callable[..., Any]
REQUIRED = inspect.Parameter.empty


class Parameter(NamedTuple):
    """One parameter of a use case.

    `kind` is what one value of it is: bool, int, float, a StrEnum, or str for all that is given as text, which
    `is_ref` where it names a node. `arg` is what faces are told of it, None where they do not have it.
    """

    name: str
    kind: type
    arg: Arg | None
    default: Any = REQUIRED
    is_many: bool = False
    is_ref: bool = False
    is_optional: bool = False
    is_keyword: bool = False

    @property
    def choices(self) -> type[StrEnum] | None:
        """What may be chosen from, None where that is no matter of choice."""
        return self.kind if issubclass(self.kind, StrEnum) and not self.is_many else None


@cache
def parameters_of(use_case: UseCase) -> tuple[Parameter, ...]:
    """Return the parameters of a use case after the first, which is what it is called on."""
    hints = get_type_hints(use_case, include_extras=True)
    _, *parameters = inspect.signature(use_case).parameters.values()
    return tuple(_parameter(one, hints[one.name]) for one in parameters)


def _parameter(one: inspect.Parameter, hint: Any) -> Parameter:
    arg = None
    if get_origin(hint) is Annotated:
        hint, *told = get_args(hint)
        arg = next((this for this in told if isinstance(this, Arg)), None)
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    present = [member for member in members if member is not NoneType]
    is_spread = one.kind is inspect.Parameter.VAR_POSITIONAL
    # Programs may give more than a list, which is then the first of what it may be.
    is_many = is_spread or get_origin(present[0]) in (Sequence, tuple, list)
    values = get_args(present[0]) if is_many else present
    is_plain = len(values) == 1 and isinstance(values[0], type) and issubclass(values[0], bool | int | float | StrEnum)
    return Parameter(
        name=one.name,
        kind=values[0] if is_plain else str,
        arg=arg,
        default=() if is_spread else one.default,
        is_many=is_many,
        is_ref=set(get_args(Ref)) <= set(members),
        is_optional=NoneType in members,
        is_keyword=one.kind is inspect.Parameter.KEYWORD_ONLY,
    )
