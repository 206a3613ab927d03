"""The documentation keeps its word: every block of code is run, and what it prints is what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Block, blocks_of, pages
from tests.docs.places import place_of, prepare, untold
from tests.docs.rules import problems_of
from tests.docs.sandbox import Sandbox, surroundings

PAGES = {page.relative_to(ROOT).as_posix(): blocks for page in pages() if (blocks := blocks_of(page))}

_ENOUGH = 8
"""Problems of a page that are shown: blocks build on those above them."""


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_block_does_what_its_page_says(page: str, tmp_path: Path) -> None:
    found = problems(page, PAGES[page], tmp_path)
    if found:
        others = [f"… and {len(found) - _ENOUGH} more, perhaps because of these."] if len(found) > _ENOUGH else []
        pytest.fail("\n\n".join([*found[:_ENOUGH], *others]), pytrace=False)


def problems(page: str, blocks: list[Block], directory: Path) -> list[str]:
    """Work through a page from top to bottom, as one reader does."""
    home = directory / "home"
    place = place_of(page)
    environment = surroundings(home) | dict(place.variables)
    with Sandbox(home=home, directory=place.make(home), environment=environment, untold=untold(place)) as sandbox:
        prepare(sandbox, place.script)
        return [problem for block in blocks for problem in problems_of(block, sandbox)]
