"""context."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from tx_graph.context.page import LEAST_BUDGET, STANDARD_BUDGET, ContextRequest, Document, Markdown
from tx_graph.core.arguments import choices
from tx_graph.core.errors import UsageError
from tx_graph.core.text import TokensBy, by_bytes
from tx_graph.faces.cli.command import text_from
from tx_graph.faces.cli.expansion_options import ProfileName
from tx_graph.faces.cli.options import Json, OpenFiles, RetrieverName, opened
from tx_graph.faces.cli.render.answers import note_age
from tx_graph.faces.cli.render.context import Plain
from tx_graph.faces.cli.render.terminal import as_printed, note, reading_width
from tx_graph.graph.expand import Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tx_graph.context.page import Layout


_SHARE_OF_NOTICES = 8
"""How old the graph is must not crowd out what it says: a document with a smaller budget leaves it to stderr."""


class Format(StrEnum):
    """How the page is written."""

    MARKDOWN = "markdown"
    JSON = "json"
    PLAIN = "plain"


def context(
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="[TASK|TEXT]", help="A task (task:7, GH-123), or what you are about to do; '-' reads stdin."
        ),
    ] = None,
    *,
    files: OpenFiles = None,
    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", help=f"Most tokens to print, at least {LEAST_BUDGET}.")
    ] = STANDARD_BUDGET,
    tokens_by: Annotated[
        TokensBy, typer.Option("--tokens-by", metavar="NAME", help=f"Who counts tokens: {choices(TokensBy)}.")
    ] = TokensBy.CHARS,
    form: Annotated[
        Format, typer.Option("--format", metavar="NAME", help=f"How to write the page: {choices(Format)}.")
    ] = Format.MARKDOWN,
    expand: Annotated[
        bool, typer.Option("--expand/--no-expand", help="Whether to follow the graph beyond what matches.")
    ] = True,
    profile: ProfileName = Profile.DECAY,
    retriever: RetrieverName = None,
    limit_files: Annotated[
        int | None, typer.Option("--limit-files", metavar="N", help="Most files to name; 0 for none.")
    ] = None,
    include_staged: Annotated[
        bool, typer.Option("--include-staged", help="Show proposed learnings too, marked as such.")
    ] = False,
    run: Annotated[
        str | None, typer.Option("--run", metavar="RUN", help="Record in this run which learnings were shown.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print what to know, and where to look, before starting on something.

    One page: what was learned, whether it still holds and why it is here; what is written about it in documents; the
    files to look at; those that usually change along and are easily forgotten; open tasks and last runs. It never has
    more tokens than the budget, as characters / 4 (chars), as bytes / 3.75 (bytes) or as the tokenizer in the setting
    context.tokenizer counts them; the last line says what did not get in. What people wrote is quoted, so that it
    informs and instructs nobody.

    A number, task:7 or the external id of a task means that task; everything else is a question.

    Example:
      tx context "make token refresh retry"
      tx context GH-123 --run 9 --budget 4000
      tx context --files "src/auth/**/*.ts,src/jwt.ts" --format plain
    """
    request = ContextRequest(
        text=text_from(text) if text == "-" else text or "",
        files=tuple(files or ()),
        run=run,
        budget=budget,
        expand=expand,
        profile=profile,
        retriever=retriever,
        include_staged=include_staged,
        limit_files=limit_files,
    )
    form = _form(form, as_json=as_json)
    with opened() as workspace:
        count = workspace.token_counter(tokens_by)
        age = workspace.health.age()
        layout = _layout(form, tokens_by, age.notices, budget=budget)
        page = workspace.context.page(request, layout, count=lambda printed: count(as_printed(printed)))
    sys.stdout.write(page.text)  # as it was counted: Typer would choose an encoding of its own
    for notice in page.shown.notices:
        note(notice)
    note_age(age)


def _form(form: Format, *, as_json: bool) -> Format:
    if as_json and form is Format.PLAIN:
        raise UsageError("--json and --format plain cannot go together.")
    return Format.JSON if as_json else form


def _layout(form: Format, tokens_by: TokensBy, notices: Sequence[str], *, budget: int) -> Layout:
    if form is Format.MARKDOWN:
        return Markdown()
    if form is Format.PLAIN:
        return Plain(width=reading_width())
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    told = notices if by_bytes(" ".join(notices)) * _SHARE_OF_NOTICES <= budget else ()
    return Document(tokens_by=tokens_by, notices=told, only_ascii=not is_unicode)
