"""The page of `tx context` for a terminal: no markup, and lines no wider than it."""

from __future__ import annotations

from tx_graph.context.page import (
    HEADINGS,
    NOTHING,
    Contents,
    ContextLearning,
    ContextSection,
    Items,
    Line,
    Material,
    Part,
    facts,
    left_out,
    lines,
    section_facts,
    section_text,
    task_name,
    task_text,
)
from tx_graph.core.text import inert, inert_line
from tx_graph.faces.cli.render.terminal import columns, wrapped
from tx_graph.work.values import Task

_INDENT = "  "
_BAR = f"{_INDENT}| "
"""Before every line that somebody wrote: no such line can pose as one of ours."""
_BETWEEN = ", "


class Plain:
    """Headings by themselves, items indented, quotes behind a bar; lines of at most `width` columns."""

    def __init__(self, *, width: int) -> None:
        self._width = width

    def items(self, material: Material) -> Items:
        """Return each item, without the blank lines between them."""
        return {
            Part.TASK: [self._task(material.task)] if material.task else [],
            Part.LEARNINGS: [self._learning(one) for one in material.learnings],
            Part.SECTIONS: [self._section(one) for one in material.sections],
            **{part: [self._item(part, one) for one in many] for part, many in lines(material).items()},
        }

    def page(self, contents: Contents) -> str:
        """Return the page: the parts that have anything to say, and what was left out."""
        blocks = [
            f"{HEADINGS[part]}\n" + "".join(f"{item}\n" for item in contents.items[part])
            for part in Part
            if contents.items[part]
        ]
        if last := left_out(contents.omitted) or ("" if blocks else NOTHING):
            blocks.append(f"{last}\n")
        return "\n".join(blocks)

    def _learning(self, one: ContextLearning) -> str:
        stored = one.result.stored
        return self._quoting(_BETWEEN.join((stored.ref, *facts(one))), stored.learning.content)

    def _section(self, one: ContextSection) -> str:
        return self._quoting(_BETWEEN.join((inert_line(one.ref), *section_facts(one))), section_text(one))

    def _task(self, task: Task) -> str:
        return self._quoting(f"{task_name(task)}{_BETWEEN}{task.status}", task_text(task))

    def _quoting(self, heading: str, text: str) -> str:
        quote = "\n".join(f"{_BAR}{line}".rstrip() for line in wrapped(inert(text), self._room(_BAR)))
        return f"{self._hanging(heading)}\n{quote}"

    def _item(self, part: Part, line: Line) -> str:
        if part is Part.FACTS:
            return self._hanging(f"{line.subject} {line.text}")
        return self._hanging(f"{line.subject}: {line.text}" if line.text else line.subject)

    def _hanging(self, text: str) -> str:
        """Return `text` indented, its further lines a little more."""
        return f"\n{_INDENT}{_INDENT}".join([f"{_INDENT}{text}"] if self._fits(text) else self._broken(text))

    def _fits(self, text: str) -> bool:
        return columns(text) <= self._room(_INDENT)

    def _broken(self, text: str) -> list[str]:
        first, *more = wrapped(text, self._room(_INDENT * 2))
        return [f"{_INDENT}{first}", *more]

    def _room(self, before: str) -> int:
        return max(20, self._width - len(before))
