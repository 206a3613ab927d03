"""The page of `tx context` as it is printed; for a terminal without markup, in lines no wider than it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tx_graph.context.page import (
    HEADINGS,
    NOTHING,
    Contents,
    ContextRequest,
    Document,
    Format,
    Items,
    Layout,
    Line,
    Markdown,
    Material,
    Page,
    Part,
    Quote,
    left_out,
    lines,
    quotes,
    unanswered,
)
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.core.shape import as_json as as_shape
from tx_graph.core.text import TokensBy, by_bytes, inert, inert_line
from tx_graph.faces.cli.render.terminal import (
    as_printed,
    columns,
    is_terminal,
    print_json,
    print_page,
    reading_width,
    wrapped,
)
from tx_graph.workspace.health import Age, Health

if TYPE_CHECKING:
    from tx_graph.context.review import Review
    from tx_graph.faces.fields import Fields

_INDENT = "  "
_BAR = f"{_INDENT}| "  # before every line that somebody wrote: no such line can pose as one of ours
_BETWEEN = ", "


class Plain:
    """Headings by themselves, items indented, quotes behind a bar; lines of at most `width` columns."""

    def __init__(self, *, width: int) -> None:
        self._width = width

    def items(self, material: Material) -> Items:
        """Return each item, without the blank lines between them."""
        quoting = {part: [*map(self._quote, many)] for part, many in quotes(material).items()}
        return quoting | {part: [self._item(part, one) for one in many] for part, many in lines(material).items()}

    def page(self, contents: Contents) -> str:
        """Return the page: the parts that have anything to say, and what was left out."""
        blocks = [
            f"{HEADINGS[part]}\n" + "".join(f"{item}\n" for item in contents.items[part])
            for part in Part
            if contents.items[part]
        ]
        if blocks:
            blocks[:0] = [f"{line}\n" for line in unanswered(contents)]
        if last := left_out(contents.omitted) or ("" if blocks else NOTHING):
            blocks.append(f"{last}\n")
        return "\n".join(blocks)

    def _quote(self, one: Quote) -> str:
        return self._quoting(_BETWEEN.join((inert_line(one.name), *one.told)), one.text)

    def _quoting(self, heading: str, text: str) -> str:
        quote = "\n".join(f"{_BAR}{line}".rstrip() for line in wrapped(inert(text), self._room(_BAR)))
        return f"{self._hanging(heading)}\n{quote}"

    def _item(self, part: Part, line: Line) -> str:
        if part is Part.FACTS:
            return self._hanging(f"{line.subject} {line.text}")
        heading = f"{line.subject}: {line.text}" if line.text else line.subject
        return self._quoting(heading, line.quote) if line.quote else self._hanging(heading)

    def _hanging(self, text: str) -> str:
        """Return `text` indented, its further lines a little more."""
        if columns(text) <= self._room(_INDENT):
            return f"{_INDENT}{text}"
        first, *more = wrapped(text, self._room(_INDENT * 2))
        return f"\n{_INDENT}{_INDENT}".join([f"{_INDENT}{first}", *more])

    def _room(self, before: str) -> int:
        return max(20, self._width - len(before))


class Printed:
    """Writes a page as stdout will have it, so that it is counted like that."""

    def __init__(self, layout: Layout) -> None:
        self.items = layout.items
        self._page = layout.page

    def page(self, contents: Contents) -> str:
        """Return the page with what stands in for the characters that stdout does not know."""
        return as_printed(self._page(contents))


_SHARE_OF_NOTICES = 8
"""How old the graph is must not crowd out what it says: a document with a smaller budget leaves it to stderr."""


def check(_: str, text: str | None, files: Sequence[str], budget: int, limit_files: int | None) -> None:
    """Refuse what no page can be made for; where nothing is asked, it is the review of the working tree."""
    if not (text or "").strip() and not files:
        text = "."
    ContextRequest(text=text or "", files=tuple(files), budget=budget, limit_files=limit_files)


def layout(kernel: Kernel, as_json: bool, form: Format, tokens_by: TokensBy, budget: int) -> Layout:  # noqa: FBT001 - the options
    """Return what writes the page."""
    if as_json and form is Format.PLAIN:
        raise UsageError("--json and --format plain cannot go together.")
    if as_json or form is Format.JSON:
        is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
        notices = (*filter(None, [kernel.caveat]), *kernel.one(age_of).notices)
        told = notices if by_bytes(" ".join(notices)) * _SHARE_OF_NOTICES <= budget else ()
        return Printed(Document(tokens_by=tokens_by, notices=told, only_ascii=not is_unicode))
    return Printed(Markdown() if form is Format.MARKDOWN else Plain(width=reading_width()))


def age_of(kernel: Kernel) -> Age:
    """Return how old the graph is."""
    return kernel.one(Health).age()


def age(kernel: Kernel, _: Page | Answer) -> Age:
    """Return how old the graph is, as it was told on the page."""
    return kernel.one(age_of)


def page(
    found: Page | Answer,
    as_json: bool,  # noqa: FBT001 - the option
    form: Format,
    fields: Fields | None,
    budget: int,
) -> None:
    """Print a page as it was counted: Typer would choose an encoding of its own. A terminal has it rendered."""
    if not isinstance(found, Page):
        _review(found, form, fields, budget, as_json=as_json)
    elif fields:
        print_json(fields.of(json.loads(found.text)))
    elif is_terminal():
        print_page(found.text, is_markdown=form is Format.MARKDOWN and not as_json)
    else:
        sys.stdout.write(found.text)


def _review(found: Answer, form: Format, fields: Fields | None, budget: int, *, as_json: bool) -> None:
    """Print the review of the working tree, which is no gate here: nothing ends in status 1."""
    if fields or as_json or form is Format.JSON:
        shape = as_shape(found)
        print_json(fields.of(shape) if fields else shape)
    else:
        from tx_graph.faces.cli.render import review

        review.text(cast("Review", found), budget)


def notes(found: Page | Answer) -> Sequence[str]:
    """Return the sentences for whoever asked."""
    return found.shown.notices if isinstance(found, Page) else ()
