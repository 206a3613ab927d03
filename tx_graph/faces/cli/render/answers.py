"""Answers of the commands that read the graph: for people, as lines for scripts or as JSON, and how old they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tx_graph.core.errors import UsageError
from tx_graph.core.shape import as_json
from tx_graph.faces.cli.render.shapes import Shape
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.faces.cli.render.tsv import print_tsv

if TYPE_CHECKING:
    from tx_graph.workspace.health import Age


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer in its three forms, and remarks on it, each a sentence; empty ones are left out.

    `show` prints it for people; `headings` and `rows` are the lines of --tsv.
    """

    shape: Shape
    show: Callable[[], None]
    headings: Sequence[str] = ()
    rows: Iterable[Sequence[object]] = ()
    remarks: Sequence[str] = ()


def deliver(answer: Answer, age: Age, *, as_json: bool, as_tsv: bool = False) -> None:
    """Print an answer in the form asked for; then, on stderr, the remarks and how old it is."""
    if as_json:
        print_json(aged(answer.shape, age, answer.remarks))
    elif as_tsv:
        print_tsv(answer.headings, answer.rows)
    else:
        answer.show()
    for remark in filter(None, answer.remarks):
        note(remark)
    note_age(age)


def one_form(*, as_json: bool, as_tsv: bool) -> None:
    """Refuse to print two forms at once."""
    if as_json and as_tsv:
        raise UsageError("--json and --tsv cannot go together.")


def aged(shape: Shape, age: Age, remarks: Iterable[str] = ()) -> Shape:
    """Return a JSON object with how old its content is, and each remark on it as a sentence."""
    return shape | {"freshness": as_json(age.freshness), "notices": [*filter(None, remarks), *age.notices]}


def note_age(age: Age) -> None:
    """Say on stderr how old the graph is, if it is."""
    if age.notices:
        note(" ".join(age.notices))
