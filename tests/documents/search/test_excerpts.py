"""An answer shows a few lines of a section, where they stand in the file, and not its heading once more."""

from __future__ import annotations

import pytest

from tx_graph.documents.document import Unit
from tx_graph.documents.search import EXCERPT, excerpt

BODY = "Sessions live in Redis.\nThey end after a day."


def unit(text: str, *, title: str = "Setup", first: int = 10) -> Unit:
    return Unit(
        node=1,
        ref="a.md#setup",
        document="a.md",
        title=title,
        headings=(title,),
        text=text,
        content_hash="",
        line_start=first,
        line_end=first + text.count("\n"),
    )


@pytest.mark.parametrize(
    ("heading", "line"),
    [("## Setup\n\n", 12), ("## Setup ##\n", 11), ("Setup\n=====\n\n", 13), ("", 10)],
    ids=["atx", "closed", "underlined", "none"],
)
def test_the_heading_is_left_out_and_lines_are_those_of_the_file(heading: str, line: int) -> None:
    found = excerpt(unit(f"{heading}{BODY}"), "redis", None)
    assert (found.text, found.line_start, found.line_end) == (BODY, line, line + 1)
    assert found.is_whole


def test_a_heading_alone_is_shown() -> None:
    assert excerpt(unit("## Setup"), "setup", None).text == "## Setup"
    assert excerpt(unit("Setup is easy.\nReally."), "setup", None).text == "Setup is easy.\nReally."


def test_the_best_chunk_is_where_lines_are_looked_for() -> None:
    text = "\n".join(["## Setup", "", *["redis redis"] * 100, "", BODY])
    found = excerpt(unit(text), "redis", BODY)
    assert found.text == BODY
    assert (found.line_start, found.is_whole) == (10 + 103, False)


def test_a_chunk_that_is_no_longer_there_does_no_harm() -> None:
    assert excerpt(unit(BODY), "redis", "something else").text == BODY


def test_an_endless_line_is_cut() -> None:
    found = excerpt(unit("x" * 10_000), "x", None)
    assert len(found.text) == EXCERPT
    assert not found.is_whole
